//! Every refusal of the door: tokens, hosts, origins, codes, paths, headers.

use axum::body::Body;
use axum::http::Request;
use serde_json::json;

use crate::support::{EXTENSION, Service};
use findall_server::ServerConfig;

const PROTECTED: &[&str] = &["/v1/documents", "/v1/find", "/v1/suggest", "/v1/nothing", "/v1", "/nothing"];

fn bare(method: &str, path: &str) -> axum::http::request::Builder {
    Request::builder()
        .method(method)
        .uri(path)
        .header("host", "localhost:7345")
        .header("content-type", "application/json")
}

fn body(request: axum::http::request::Builder) -> Request<Body> {
    request.body("{}".into()).unwrap()
}

#[tokio::test]
async fn without_a_token_nothing_is_said() {
    let service = Service::new();
    for path in PROTECTED {
        for method in ["GET", "POST", "PUT", "DELETE"] {
            let reply = service.send(body(bare(method, path))).await;
            reply.refused(401, "not_paired");
            assert_eq!(reply.headers["www-authenticate"], "Bearer");
        }
    }
}

#[tokio::test]
async fn wrong_tokens_are_refused() {
    let service = Service::new();
    let cut = &service.token[..service.token.len() - 1];
    let wrong = [
        "Bearer ",
        "Bearer x",
        "Basic dTpw",
        "",
        "Bearer",
        &format!("Bearer {cut}"),
        &format!("Bearer {cut}g"),
    ];
    for value in wrong {
        let request = bare("POST", "/v1/find").header("authorization", value);
        service.send(body(request)).await.refused(401, "not_paired");
    }
    let right = bare("POST", "/v1/find").header("authorization", format!("bearer {}", service.token));
    service.send(body(right)).await.refused(400, "bad_request");
}

#[tokio::test]
async fn a_token_taken_back_opens_nothing() {
    let service = Service::new();
    service.hold("WeChat is here.").await;
    service.app.access.rotate().unwrap();
    service.post("/v1/find", json!({"text": "a", "query": "a"})).await.refused(401, "not_paired");
}

#[tokio::test]
async fn a_foreign_host_is_refused_even_with_the_token() {
    let service = Service::new();
    for host in [
        "evil.example:7345",
        "127.0.0.1.evil.example",
        "10.1.2.3",
        "findall.example",
        "[::1].evil.example",
        "127.0.0.1:evil",
    ] {
        let request = Request::builder()
            .method("POST")
            .uri("/v1/find")
            .header("host", host)
            .header("authorization", format!("Bearer {}", service.token));
        service.send(body(request)).await.refused(403, "forbidden_origin");
        let open = Request::builder().uri("/health").header("host", host);
        service.send(body(open)).await.refused(403, "forbidden_origin");
    }
    let twice = Request::builder().uri("/health").header("host", "127.0.0.1").header("host", "127.0.0.1");
    service.send(body(twice)).await.refused(403, "forbidden_origin");
    let none = Request::builder().uri("/health");
    service.send(body(none)).await.refused(403, "forbidden_origin");
    let in_line = Request::builder().uri("http://evil.example/health").header("host", "127.0.0.1");
    service.send(body(in_line)).await.refused(403, "forbidden_origin");

    let named = Service::with(ServerConfig { hosts: vec!["findall.example".into()], ..Default::default() });
    let request = Request::builder().uri("/health").header("host", "findall.example");
    assert!(named.send(body(request)).await.status.is_success());
}

#[tokio::test]
async fn web_pages_are_refused_everywhere() {
    let service = Service::new();
    for origin in
        ["https://evil.example", "http://localhost:7345", "null", "file://", "chrome-extension://a/b"]
    {
        for path in ["/health", "/metrics", "/openapi.json", "/v1/pair", "/v1/find"] {
            let request = bare("POST", path)
                .header("origin", origin)
                .header("authorization", format!("Bearer {}", service.token));
            let reply = service.send(body(request)).await;
            reply.refused(403, "forbidden_origin");
            assert!(!reply.headers.contains_key("access-control-allow-origin"), "{origin} {path}");
        }
    }
}

#[tokio::test]
async fn a_token_is_of_use_to_its_own_extension_only() {
    let service = Service::new();
    let other = "chrome-extension://ponmlkjihgfedcbaponmlkjihgfedcba";
    let request = bare("POST", "/v1/find")
        .header("origin", other)
        .header("authorization", format!("Bearer {}", service.token));
    let reply = service.send(body(request)).await;
    reply.refused(403, "forbidden_origin");
    assert!(!reply.headers.contains_key("access-control-allow-origin"));
    let without = bare("POST", "/v1/find").header("authorization", format!("Bearer {}", service.token));
    service.send(body(without)).await.refused(400, "bad_request");
}

#[tokio::test]
async fn cors_is_for_the_paired_extension() {
    let service = Service::new();
    let preflight = |origin: &str, path: &str| {
        let request = Request::builder()
            .method("OPTIONS")
            .uri(path)
            .header("host", "127.0.0.1")
            .header("origin", origin)
            .header("access-control-request-method", "POST")
            .header("access-control-request-headers", "authorization,content-type");
        service.send(body(request))
    };
    let allowed = preflight(EXTENSION, "/v1/find").await;
    assert!(allowed.status.is_success());
    assert_eq!(allowed.headers["access-control-allow-origin"], EXTENSION);
    assert!(allowed.headers["access-control-allow-headers"].to_str().unwrap().contains("authorization"));
    assert!(!allowed.headers.contains_key("access-control-allow-credentials"));
    let stranger = "chrome-extension://ponmlkjihgfedcbaponmlkjihgfedcba";
    assert!(!preflight(stranger, "/v1/find").await.headers.contains_key("access-control-allow-origin"));
    assert_eq!(preflight(stranger, "/v1/pair").await.headers["access-control-allow-origin"], stranger);
    preflight("https://evil.example", "/v1/find").await.refused(403, "forbidden_origin");
    let answer = service.get("/v1/nothing").await;
    assert_eq!(answer.headers["access-control-allow-origin"], EXTENSION, "errors can be read too");
}

#[tokio::test]
async fn pairing_takes_a_code_once() {
    let service = Service::new();
    let stranger = "moz-extension://2c127fa4-62c7-7e4f-90e5-472b45eecfdc";
    let pair = |origin: Option<&str>, sent: serde_json::Value| {
        let mut request = bare("POST", "/v1/pair");
        if let Some(origin) = origin {
            request = request.header("origin", origin);
        }
        service.send(request.body(sent.to_string().into()).unwrap())
    };
    pair(None, json!({"code": "AAAA-0000"})).await.refused(401, "not_paired");
    let code = service.app.access.new_code().unwrap();
    pair(Some(stranger), json!({"code": code, "origin": EXTENSION})).await.refused(403, "forbidden_origin");
    pair(None, json!({"code": code, "origin": "https://evil.example"}))
        .await
        .refused(403, "forbidden_origin");
    let reply = pair(Some(stranger), json!({"code": code, "origin": stranger, "name": "Firefox"})).await;
    let token = reply.json()["token"].as_str().unwrap().to_owned();
    assert!(token.len() >= 64);
    assert_eq!(service.app.access.grant(&token).unwrap().origin.as_deref(), Some(stranger));
    pair(Some(stranger), json!({"code": code, "origin": stranger})).await.refused(401, "not_paired");
}

#[tokio::test]
async fn a_code_is_gone_after_five_wrong_ones() {
    let service = Service::new();
    let code = service.app.access.new_code().unwrap();
    for _ in 0..5 {
        service
            .post("/v1/pair", json!({"code": "WRNG-0000", "origin": EXTENSION}))
            .await
            .refused(401, "not_paired");
    }
    service.post("/v1/pair", json!({"code": code, "origin": EXTENSION})).await.refused(401, "not_paired");
}

#[tokio::test]
async fn no_path_of_the_file_system_is_reachable() {
    let service = Service::new();
    for path in [
        "/../../etc/passwd",
        "/v1/../../etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/v1/documents/etc/passwd",
        "//etc/passwd",
    ] {
        service.get(path).await.refused(404, "not_found");
    }
    service.post("/v1/documents", json!({"url": "file:///etc/passwd"})).await.refused(400, "bad_request");
    service
        .post("/v1/find", json!({"document": "/etc/passwd", "query": "root"}))
        .await
        .refused(404, "unknown_document");
    service
        .post("/v1/find", json!({"document": "../../../etc/passwd", "query": "root"}))
        .await
        .refused(404, "unknown_document");
}

#[tokio::test]
async fn every_answer_is_data_only() {
    let service = Service::new();
    for path in ["/health", "/v1/find", "/nothing", "/metrics"] {
        let reply = service.get(path).await;
        assert_eq!(reply.headers["x-content-type-options"], "nosniff", "{path}");
        assert_eq!(reply.headers["cache-control"], "no-store", "{path}");
        assert_eq!(reply.headers["x-frame-options"], "DENY", "{path}");
        assert!(reply.headers["content-security-policy"].to_str().unwrap().starts_with("default-src 'none'"));
    }
}

#[tokio::test]
async fn only_json_gets_in() {
    let service = Service::new();
    for kind in
        ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/jsonp"]
    {
        let request = Request::builder()
            .method("POST")
            .uri("/v1/find")
            .header("host", "127.0.0.1")
            .header("content-type", kind)
            .header("authorization", format!("Bearer {}", service.token));
        service.send(body(request)).await.refused(400, "bad_request");
    }
    let cut = service.request("POST", "/v1/find").body(r#"{"query": "secret words"#.into()).unwrap();
    let message = service.send(cut).await.refused(400, "bad_request");
    assert!(!message.contains("secret"), "{message}");
    let wrong = service.request("POST", "/v1/find").body(r#"{"query": ["secret words"]}"#.into()).unwrap();
    let message = service.send(wrong).await.refused(400, "bad_request");
    assert!(!message.contains("secret"), "{message}");
}
