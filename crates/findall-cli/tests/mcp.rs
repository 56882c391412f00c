//! The real program as a Model Context Protocol server, with the official SDK's client at the other end of the pipe.

use std::process::Stdio;

use rmcp::ServiceExt;
use rmcp::model::CallToolRequestParams;
use serde_json::{Value, json};

const TALE: &str = "Ida Brandt kept the lamp on Stone Head. Her sister, Tove Brandt, kept the inn below.\n\n\
    \"My sister Tove never climbs the stairs,\" said Ida Brandt. Tove Brandt laughed at her sister Ida. \
    Every evening Ida and Tove ate together with Captain Duarte, who was no relation of theirs.\n\n\
    Tove was the younger sister of Ida. Duarte played the fiddle, and Ida Brandt listened to Tove singing.\n";

fn arguments(value: Value) -> serde_json::Map<String, Value> {
    value.as_object().unwrap().clone()
}

#[tokio::test]
async fn an_assistant_finds_in_texts_and_in_the_files_it_may_read() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("open")).unwrap();
    std::fs::write(
        folder.path().join("open/trip.md"),
        "# Trip\n\nFrom **Lisbon** to *Prague*, with a guitar.\n",
    )
    .unwrap();
    std::fs::write(folder.path().join("secret.txt"), "Vienna").unwrap();
    let mut child = tokio::process::Command::new(env!("CARGO_BIN_EXE_findall"))
        .args(["mcp", "--allow"])
        .arg(folder.path().join("open"))
        .env("XDG_CONFIG_HOME", "/nonexistent")
        .env("XDG_CACHE_HOME", folder.path().join("cache"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let client = ().serve((child.stdout.take().unwrap(), child.stdin.take().unwrap())).await.unwrap();
    let call = async |name: &'static str, value: Value| {
        let result = client
            .call_tool(CallToolRequestParams::new(name).with_arguments(arguments(value)))
            .await
            .unwrap();
        (
            result.is_error == Some(true),
            result.structured_content.clone().unwrap_or_default(),
            format!("{result:?}"),
        )
    };

    let tools = client.list_all_tools().await.unwrap();
    let mut names: Vec<&str> = tools.iter().map(|tool| &*tool.name).collect();
    names.sort_unstable();
    assert_eq!(names, ["ask", "find", "kb", "kb_find", "list"]);
    assert!(tools.iter().all(|tool| tool.output_schema.is_some() && tool.description.is_some()));

    let (failed, found, _) = call("find", json!({"path": "trip.md", "query": "capital cities"})).await;
    assert!(!failed);
    let texts: Vec<&str> =
        found["matches"].as_array().unwrap().iter().map(|one| one["text"].as_str().unwrap()).collect();
    assert_eq!(texts, ["Lisbon", "Prague"], "{found}");
    let (failed, found, _) =
        call("find", json!({"text": "Nothing of the sort.", "query": "capital cities"})).await;
    assert!(!failed && found["nothing"] == true);
    for path in ["../secret.txt", "/etc/passwd", "missing.txt"] {
        let (failed, _, said) = call("find", json!({"path": path, "query": "x"})).await;
        assert!(failed && said.contains("no such file under the folders"), "{said}");
    }
    let (failed, _, said) = call("find", json!({"query": "x"})).await;
    assert!(failed && said.contains("either"), "{said}");
    let (failed, answered, _) =
        call("ask", json!({"path": "trip.md", "question": "What did we take with us?"})).await;
    assert!(!failed && answered["read"]["passages"].as_u64() > Some(0), "{answered}");
    let asked = json!({"text": "The lamp was lit by Ida Brandt in 1904.", "question": "Who lit the lamp?"});
    let (failed, answered, _) = call("ask", asked).await;
    assert!(!failed && answered["answers"][0]["text"] == "Ida Brandt", "{answered}");
    let (failed, known, _) = call("kb", json!({"name": "WeChat"})).await;
    assert!(!failed && known["candidates"][0]["title"] == "WeChat", "{known}");
    std::fs::write(folder.path().join("open/tale.txt"), TALE).unwrap();
    let (failed, listed, said) =
        call("list", json!({"path": "tale.txt", "subject": "Ida Brandt", "relation": "sibling"})).await;
    assert!(!failed, "{said}");
    let names: Vec<&str> =
        listed["objects"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert!(names.iter().any(|name| name.contains("Tove")), "{listed}");
    assert!(listed["objects"][0]["support"][0]["text"].as_str().unwrap().contains("Tove"), "{listed}");
    let (failed, _, said) =
        call("list", json!({"path": "tale.txt", "subject": "Ida Brant", "relation": "sibling"})).await;
    assert!(failed && said.contains("did you mean"), "{said}");
    let whole = "2 of 3 pages are scanned";
    std::fs::write(folder.path().join("open/part.pdf"), include_bytes!("cmd/formats.in/part.pdf")).unwrap();
    std::fs::write(folder.path().join("open/scan.pdf"), include_bytes!("cmd/formats.in/scan.pdf")).unwrap();
    let (failed, found, said) = call("find", json!({"path": "part.pdf", "query": "Bergen"})).await;
    assert!(!failed && found["matches"][0]["text"] == "Bergen", "{said}");
    assert!(found["coverage"]["skipped"][0].as_str().is_some_and(|told| told.starts_with(whole)), "{found}");
    let (_, answered, said) =
        call("ask", json!({"path": "part.pdf", "question": "Which harbour is it?"})).await;
    assert!(answered["unread"].as_str().is_some_and(|told| told.starts_with(whole)), "{said}");
    for (tool, more) in [("find", "query"), ("ask", "question")] {
        let (failed, _, said) = call(tool, json!({"path": "scan.pdf", more: "Who was in Bergen?"})).await;
        assert!(
            failed && said.contains("no text in this file can be read: 2 of 2 pages are scanned"),
            "{said}"
        );
    }
    client.cancel().await.unwrap();
    assert!(child.wait().await.unwrap().success());
}
