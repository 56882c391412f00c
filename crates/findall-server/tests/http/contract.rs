//! The OpenAPI document and the routes say the same.

use axum::body::Body;
use serde_json::Value;

use crate::support::Service;

#[tokio::test]
async fn every_documented_address_is_there_and_takes_its_methods_only() {
    let service = Service::new();
    let document = service.get("/openapi.json").await.json();
    let paths = document["paths"].as_object().unwrap();
    assert!(paths.len() >= 8);
    for (path, methods) in paths {
        let documented: Vec<String> = methods.as_object().unwrap().keys().cloned().collect();
        for method in ["get", "post", "put", "delete"] {
            let request = service.request(&method.to_uppercase(), path).body(Body::from("{}")).unwrap();
            let status = service.send(request).await.status.as_u16();
            if documented.iter().any(|known| known == method) {
                let known = &methods[method]["responses"];
                assert!(
                    known.get(status.to_string()).is_some(),
                    "{method} {path}: {status} is not documented"
                );
            } else {
                assert_eq!(status, 405, "{method} {path}");
            }
        }
    }
}

#[tokio::test]
async fn every_address_is_documented_and_asks_for_a_token_unless_it_says_otherwise() {
    let service = Service::new();
    let document = service.get("/openapi.json").await.json();
    for address in findall_server::addresses(&service.app).into_iter().filter(|it| *it != findall_server::MCP)
    {
        let methods = document["paths"][address].as_object();
        let methods = methods.unwrap_or_else(|| panic!("{address} is not documented"));
        for (method, described) in methods {
            let request = axum::http::Request::builder().method(method.to_uppercase().as_str()).uri(address);
            let request = request.header("host", "127.0.0.1").header("content-type", "application/json");
            let status = service.send(request.body(Body::from("{}")).unwrap()).await.status;
            let is_open = described["security"] == serde_json::json!([]);
            // A code that is none is refused like a token that is none.
            let refused = status == 401 && address != "/v1/pair";
            assert_eq!(refused, !is_open, "{method} {address}: {status}");
        }
    }
}

#[tokio::test]
async fn answers_have_the_documented_fields() {
    let service = Service::new();
    let document = service.get("/openapi.json").await.json();
    let held = service.hold("WeChat is here.").await;
    let answer = service
        .post("/v1/find", serde_json::json!({"document": held, "query": "app", "all": true}))
        .await
        .json();
    let schema = &document["components"]["schemas"]["FindResponse"];
    check(&document, schema, &answer, "FindResponse");
}

/// As much of JSON Schema as the wire types use.
fn check(document: &Value, schema: &Value, value: &Value, place: &str) {
    if let Some(reference) = schema["$ref"].as_str() {
        return check(document, document.pointer(&reference[1..]).unwrap(), value, place);
    }
    if let Some(options) = schema["anyOf"].as_array() {
        let chosen = options.iter().find(|option| (option["type"] == "null") == value.is_null());
        return check(document, chosen.unwrap_or_else(|| panic!("{place}")), value, place);
    }
    for required in schema["required"].as_array().into_iter().flatten() {
        assert!(value.get(required.as_str().unwrap()).is_some(), "{place} lacks {required}");
    }
    for (name, inner) in value.as_object().into_iter().flatten() {
        let property = &schema["properties"][name];
        assert!(!property.is_null(), "{place}.{name} is not documented");
        check(document, property, inner, &format!("{place}.{name}"));
    }
    for inner in value.as_array().into_iter().flatten() {
        check(document, &schema["items"], inner, place);
    }
}
