//! The real server from start to end: paired, asked, watched, stopped, with the shipped models and knowledge.
#![cfg(unix)]

mod support;

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;
use support::{MAX_WAIT, Server, findall};

const PAGE: &str = "Many people in Guangzhou pay with WeChat. Others post on Weibo or read the news in Paris. 😀 Tencent \
                    made WeChat in 2011, and Berlin has nothing to do with it.";

#[test]
fn a_client_pairs_sends_a_page_and_finds() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    let code = server.code.clone().unwrap();
    assert_eq!(server.call("POST", "/v1/find", None, "{}").status, 401);
    let token = server.pair(&code);

    let page = server.post("/v1/documents", &token, json!({"text": PAGE, "url": "https://example.org/"}));
    assert_eq!(page["chars"], PAGE.chars().count());
    let found = server.post(
        "/v1/find",
        &token,
        json!({"document": page["document"], "query": "cities in Europe", "offsets": "utf16"}),
    );
    let units: Vec<u16> = PAGE.encode_utf16().collect();
    let names: Vec<&str> = found["matches"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            let at = |end: &str| one["span"][end].as_u64().unwrap() as usize;
            assert_eq!(String::from_utf16(&units[at("start")..at("end")]).unwrap(), one["text"]);
            one["text"].as_str().unwrap()
        })
        .collect();
    assert_eq!(names, ["Paris", "Berlin"], "{found}");

    let streamed = server.call_with(
        "POST",
        "/v1/documents",
        Some(&token),
        &json!({"html": format!("<p>{PAGE}</p>")}).to_string(),
        "Accept: application/x-ndjson\r\n",
    );
    assert!(streamed.body.contains(r#"{"event":"ready""#), "{}", streamed.body);
    let foreign = server.call_with("GET", "/health", None, "", "Origin: https://evil.example\r\n");
    assert_eq!(foreign.status, 403);
    assert!(foreign.head.contains("x-content-type-options: nosniff"));
    let metrics = server.call("GET", "/metrics", None, "").body;
    assert!(metrics.contains("findall_documents_prepared_total 2"), "{metrics}");
    assert!(!metrics.contains("WeChat") && !metrics.contains("Europe") && !metrics.contains("example.org"));
    assert_eq!(server.end("-TERM"), Some(0));
}

#[test]
fn answers_are_remembered_corrected_and_survive_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    let token = server.pair(&server.code.clone().unwrap());
    let text = "The lamp in the harbour was lit by Ida Brandt in 1904. Her brother Otto kept the books until he died.";
    let url = "https://example.org/harbour";
    let page = json!({"text": text, "url": url, "title": "Harbour"});
    let document = server.post("/v1/documents", &token, page.clone())["document"].clone();
    let question = "Who lit the lamp in the harbour?";
    let ask = |server: &Server, question: &str, document: &serde_json::Value| {
        server.post("/v1/ask", &token, json!({"document": document, "question": question}))
    };
    let read = ask(&server, question, &document);
    assert_eq!(
        (&read["outcome"], &read["answers"][0]["text"]),
        (&json!("answered"), &json!("Ida Brandt")),
        "{read}"
    );
    assert_eq!(read["answers"][0]["origin"], "reader");
    assert_eq!(
        ask(&server, "who lit THE lamp in the harbour", &document)["answers"][0]["origin"],
        "remembered"
    );
    let streamed = server.call_with(
        "POST",
        "/v1/ask",
        Some(&token),
        &json!({"document": document, "question": question, "fresh": true}).to_string(),
        "Accept: application/x-ndjson\r\n",
    );
    assert!(streamed.body.contains(r#"{"event":"answer""#) && streamed.body.contains(r#"{"event":"end""#));

    // What was acknowledged is there after the worst end.
    assert_eq!(server.end("-KILL"), None);
    let server = Server::start(folder.path(), &[]);
    let document = server.post("/v1/documents", &token, page)["document"].clone();
    assert_eq!(ask(&server, question, &document)["answers"][0]["origin"], "remembered");
    let get = |path: &str| server.call("GET", path, Some(&token), "").json();
    let top = get("/v1/pages/top-questions?url=https://example.org/harbour");
    assert_eq!(top["questions"][0]["answers"][0]["text"], "Ida Brandt", "{top}");
    let similar = get("/v1/questions/similar?q=Who%20lit%20the%20lamp%20at%20the%20harbour%3F");
    assert_eq!(similar["questions"][0]["page"], json!({"url": url, "title": "Harbour"}), "{similar}");

    let said = json!({"document": document, "question_id": read["question_id"], "verdict": "correction", "text": "Otto"});
    assert_eq!(server.post("/v1/feedback", &token, said), json!({"ok": true}));
    let corrected = ask(&server, question, &document);
    assert_eq!(
        (&corrected["answers"][0]["text"], &corrected["answers"][0]["origin"]),
        (&json!("Otto"), &json!("person"))
    );
    assert!(server.post("/v1/forget", &token, json!({"everything": true}))["forgotten"].as_u64() > Some(0));
    assert_eq!(get("/v1/pages/top-questions?url=https://example.org/harbour")["questions"], json!([]));
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[test]
fn memory_that_a_burst_took_is_given_back() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    let token = server.pair(&server.code.clone().unwrap());
    server.post("/v1/find", &token, json!({"text": PAGE, "query": "cities in Europe"}));
    let resident = || {
        let status = std::fs::read_to_string(format!("/proc/{}/status", server.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() / 1024
    };
    let (warm, most) = (resident(), AtomicU64::new(0));
    // Refused only when all of it is there; what cannot be held beside the others is refused before.
    let body = json!({"text": 5, "x": "a".repeat(20_000_000)}).to_string();
    let request = format!(
        "POST /v1/documents HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: application/json\r\n\
         Authorization: Bearer {token}\r\nContent-Length: {}\r\n\r\n{body}",
        server.address,
        body.len()
    );
    std::thread::scope(|scope| {
        for _ in 0..60 {
            scope.spawn(|| {
                let mut stream = TcpStream::connect(&server.address).unwrap();
                // Whoever is refused in the middle finds the connection closed.
                let _ = stream.write_all(request.as_bytes());
                most.fetch_max(resident(), Ordering::Relaxed);
                let _ = stream.read_to_end(&mut Vec::new());
            });
        }
    });
    assert!(most.load(Ordering::Relaxed) > warm + 60, "{warm} MB, then {most:?}: no burst");
    let deadline = Instant::now() + MAX_WAIT;
    while resident() > warm + 40 {
        assert!(Instant::now() < deadline, "{warm} MB, then {most:?}, now {} MB", resident());
        std::thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(server.end("-TERM"), Some(0));
}

#[test]
fn codes_and_tokens_outlive_the_server_until_they_are_taken_back() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    // A code from a second process, beside the running server.
    let out = findall(folder.path()).args(["serve", "--pair"]).output().unwrap();
    let said = String::from_utf8(out.stdout).unwrap();
    let code = said.strip_prefix("pairing code: ").unwrap().split(' ').next().unwrap();
    let token = server.pair(code);
    assert_eq!(server.end("-INT"), Some(0));

    let server = Server::start(folder.path(), &[]);
    assert_eq!(server.code, None, "something is paired");
    server.post("/v1/find", &token, json!({"text": "a lamp", "query": "lamp"}));
    assert!(findall(folder.path()).args(["serve", "--rotate-token"]).status().unwrap().success());
    assert_eq!(server.call("POST", "/v1/find", Some(&token), "{}").status, 401);
}

#[test]
fn the_log_keeps_quiet_about_pages_and_questions() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let run = |extra: &[&str]| {
        let file = std::fs::File::create(&log).unwrap();
        let mut child = findall(folder.path())
            .args(["serve", "--port", "0", "--log", "--log-format", "json"])
            .args(extra)
            .stdout(std::process::Stdio::piped())
            .stderr(file)
            .spawn()
            .unwrap();
        let mut lines = std::io::BufRead::lines(std::io::BufReader::new(child.stdout.take().unwrap()));
        let address = lines.next().unwrap().unwrap().rsplit('/').next().unwrap().to_owned();
        let code = lines.next().and_then(Result::ok);
        let server = Server { child, address, code };
        while server.call("GET", "/ready", None, "").status != 200 {}
        let token = server.pair(server.code.as_deref().unwrap().split(' ').nth(2).unwrap());
        server.post("/v1/find", &token, json!({"text": "Zanzibar lies in the sea.", "query": "quokka"}));
        server.end("-TERM");
        findall(folder.path()).args(["serve", "--rotate-token"]).status().unwrap();
        std::fs::read_to_string(&log).unwrap()
    };
    let quiet = run(&[]);
    assert!(
        quiet.contains(r#""route":"/v1/find""#) && quiet.lines().all(|line| line.starts_with('{')),
        "{quiet}"
    );
    assert!(!quiet.contains("quokka") && !quiet.contains("Zanzibar"), "{quiet}");
    let asked_for = run(&["--log-content"]);
    assert!(asked_for.contains("quokka") && !asked_for.contains("Zanzibar"), "{asked_for}");
}
