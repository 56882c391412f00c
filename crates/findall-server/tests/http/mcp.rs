//! The tools over HTTP: behind the token, without files.

use serde_json::{Value, json};

use crate::support::{Reply, Service};

async fn call(service: &Service, message: Value) -> Reply {
    let request = service
        .request("POST", "/mcp")
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", "2025-06-18");
    service.send(request.body(message.to_string().into()).unwrap()).await
}

async fn tool(service: &Service, name: &str, arguments: Value) -> Value {
    let message = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": name, "arguments": arguments}});
    let reply = call(service, message).await;
    assert_eq!(reply.status, 200, "{}", reply.text);
    reply.json()["result"].clone()
}

#[tokio::test]
async fn assistants_find_and_look_up() {
    let service = Service::new();
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}});
    let reply = call(&service, hello).await.json();
    assert_eq!(reply["result"]["serverInfo"]["name"], "findall");
    let found = tool(&service, "find", json!({"text": "WeChat and Lyon.", "query": "messaging app"})).await;
    assert_eq!(found["structuredContent"]["matches"][0]["text"], "WeChat", "{found}");
    let asked = json!({"text": "The lamp was lighted by Brandt.", "question": "Who lighted the lamp?"});
    let answered = tool(&service, "ask", asked).await;
    assert_eq!(answered["structuredContent"]["answers"][0]["text"], "Brandt", "{answered}");
    let asked = json!({"text": "Nobody.", "subject": "Ida", "relation": "friend"});
    let listed = tool(&service, "list", asked).await;
    assert!(
        listed["isError"] == true && listed["content"][0]["text"].as_str().unwrap().contains("Ida"),
        "{listed}"
    );
    let known = tool(&service, "kb", json!({"name": "weibo"})).await;
    assert_eq!(known["structuredContent"]["candidates"][0]["title"], "Sina Weibo", "{known}");
    let listed = tool(&service, "kb_find", json!({"query": "city in France"})).await;
    assert_eq!(listed["structuredContent"]["entities"][0]["title"], "Lyon", "{listed}");
    let nothing = tool(&service, "kb", json!({"name": "nobody knows this"})).await;
    assert_eq!(nothing["structuredContent"]["candidates"], json!([]));
}

#[tokio::test]
async fn no_file_is_reachable_and_no_token_means_no_tools() {
    let service = Service::new();
    for path in ["/etc/passwd", "access.json", "../state/access.json"] {
        let refused = tool(&service, "find", json!({"path": path, "query": "root"})).await;
        assert_eq!(refused["isError"], true);
        assert!(refused["content"][0]["text"].as_str().unwrap().contains("send the text"), "{refused}");
    }
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).to_string();
    let bare = axum::http::Request::post("/mcp")
        .header("host", "127.0.0.1")
        .header("content-type", "application/json");
    service.send(bare.body(message.into()).unwrap()).await.refused(401, "not_paired");
}
