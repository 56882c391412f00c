//! The real program as a Model Context Protocol server, with the official SDK's client at the other end of the pipe.

use std::process::Stdio;

use rmcp::model::CallToolRequestParams;
use rmcp::service::RunningService;
use rmcp::{RoleClient, ServiceExt};
use serde_json::{Value, json};

const TALE: &str = "Ida Brandt kept the lamp on Stone Head. Her sister, Tove Brandt, kept the inn below.\n\n\
    \"My sister Tove never climbs the stairs,\" said Ida Brandt. Tove Brandt laughed at her sister Ida. \
    Every evening Ida and Tove ate together with Captain Duarte, who was no relation of theirs.\n\n\
    Tove was the younger sister of Ida. Duarte played the fiddle, and Ida Brandt listened to Tove singing.\n";

/// The program, started by an assistant that may read one folder.
struct Assistant {
    folder: tempfile::TempDir,
    child: tokio::process::Child,
    client: RunningService<RoleClient, ()>,
}

/// What a tool answered.
struct ToolReply {
    failed: bool,
    answer: Value,
    /// All of it, as text.
    said: String,
}

impl Assistant {
    async fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("open")).unwrap();
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
        Self { folder, child, client }
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        std::fs::write(self.folder.path().join(name), content).unwrap();
    }

    async fn call(&self, tool: &'static str, arguments: Value) -> ToolReply {
        let arguments = arguments.as_object().unwrap().clone();
        let params = CallToolRequestParams::new(tool).with_arguments(arguments);
        let result = self.client.call_tool(params).await.unwrap();
        ToolReply {
            failed: result.is_error == Some(true),
            answer: result.structured_content.clone().unwrap_or_default(),
            said: format!("{result:?}"),
        }
    }

    async fn end(mut self) {
        self.client.cancel().await.unwrap();
        assert!(self.child.wait().await.unwrap().success());
    }
}

fn texts_of<'v>(objects: &'v Value, key: &str) -> Vec<&'v str> {
    objects.as_array().unwrap().iter().map(|one| one[key].as_str().unwrap()).collect()
}

#[tokio::test]
async fn an_assistant_finds_in_texts_and_in_the_files_it_may_read() {
    let assistant = Assistant::start().await;
    let tools = assistant.client.list_all_tools().await.unwrap();
    let mut names: Vec<&str> = tools.iter().map(|tool| &*tool.name).collect();
    names.sort_unstable();
    assert_eq!(names, ["ask", "find", "kb", "kb_find", "list"]);
    assert!(tools.iter().all(|tool| tool.output_schema.is_some() && tool.description.is_some()));

    check_find(&assistant).await;
    check_ask_and_kb(&assistant).await;
    check_list(&assistant).await;
    check_unreadable_pages(&assistant).await;
    assistant.end().await;
}

async fn check_find(assistant: &Assistant) {
    assistant.write("open/trip.md", "# Trip\n\nFrom **Lisbon** to *Prague*, with a guitar.\n");
    assistant.write("secret.txt", "Vienna");
    let found = assistant.call("find", json!({"path": "trip.md", "query": "capital cities"})).await;
    assert!(!found.failed);
    assert_eq!(texts_of(&found.answer["matches"], "text"), ["Lisbon", "Prague"], "{}", found.said);
    let nothing =
        assistant.call("find", json!({"text": "Nothing of the sort.", "query": "capital cities"})).await;
    assert!(!nothing.failed && nothing.answer["nothing"] == true);
    for path in ["../secret.txt", "/etc/passwd", "missing.txt"] {
        let ToolReply { failed, said, .. } =
            assistant.call("find", json!({"path": path, "query": "x"})).await;
        assert!(failed && said.contains("no such file under the folders"), "{said}");
    }
    let ToolReply { failed, said, .. } = assistant.call("find", json!({"query": "x"})).await;
    assert!(failed && said.contains("either"), "{said}");
}

async fn check_ask_and_kb(assistant: &Assistant) {
    let question = json!({"path": "trip.md", "question": "What did we take with us?"});
    let ToolReply { failed, answer, said } = assistant.call("ask", question).await;
    assert!(!failed && answer["read"]["passages"].as_u64() > Some(0), "{said}");
    let question =
        json!({"text": "The lamp was lit by Ida Brandt in 1904.", "question": "Who lit the lamp?"});
    let ToolReply { failed, answer, said } = assistant.call("ask", question).await;
    assert!(!failed && answer["answers"][0]["text"] == "Ida Brandt", "{said}");
    let ToolReply { failed, answer, said } = assistant.call("kb", json!({"name": "WeChat"})).await;
    assert!(!failed && answer["candidates"][0]["title"] == "WeChat", "{said}");
}

async fn check_list(assistant: &Assistant) {
    assistant.write("open/tale.txt", TALE);
    let siblings = json!({"path": "tale.txt", "subject": "Ida Brandt", "relation": "sibling"});
    let ToolReply { failed, answer, said } = assistant.call("list", siblings).await;
    assert!(!failed, "{said}");
    assert!(texts_of(&answer["objects"], "name").iter().any(|name| name.contains("Tove")), "{said}");
    assert!(answer["objects"][0]["support"][0]["text"].as_str().unwrap().contains("Tove"), "{said}");
    let misspelt = json!({"path": "tale.txt", "subject": "Ida Brant", "relation": "sibling"});
    let ToolReply { failed, said, .. } = assistant.call("list", misspelt).await;
    assert!(failed && said.contains("did you mean"), "{said}");
}

async fn check_unreadable_pages(assistant: &Assistant) {
    let gap = "2 of 3 pages are scanned";
    assistant.write("open/part.pdf", include_bytes!("cmd/formats.in/part.pdf"));
    assistant.write("open/scan.pdf", include_bytes!("cmd/formats.in/scan.pdf"));
    let ToolReply { failed, answer, said } =
        assistant.call("find", json!({"path": "part.pdf", "query": "Bergen"})).await;
    assert!(!failed && answer["matches"][0]["text"] == "Bergen", "{said}");
    assert!(answer["coverage"]["skipped"][0].as_str().is_some_and(|told| told.starts_with(gap)), "{said}");
    let question = json!({"path": "part.pdf", "question": "Which harbour is it?"});
    let ToolReply { answer, said, .. } = assistant.call("ask", question).await;
    assert!(answer["unread"].as_str().is_some_and(|told| told.starts_with(gap)), "{said}");
    for (tool, words) in [("find", "query"), ("ask", "question")] {
        let request = json!({"path": "scan.pdf", words: "Who was in Bergen?"});
        let ToolReply { failed, said, .. } = assistant.call(tool, request).await;
        assert!(
            failed && said.contains("no text in this file can be read: 2 of 2 pages are scanned"),
            "{said}"
        );
    }
}
