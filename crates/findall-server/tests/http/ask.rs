//! Asking: read, remembered, in other words, corrected, private, forgotten, forbidden.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::body::Body;
use findall::ask::{Reader, Reading};
use findall::chat::{ChatError, ChatModel, Reply, Turn};
use findall::encode::ModelError;
use findall::testing::{small_reader, small_tagger};
use findall_server::ServerConfig;
use serde_json::{Value, json};
use tokio_stream::StreamExt;
use tower::ServiceExt;

use crate::gate::{Gate, GateKeeper, in_time, until_idle};
use crate::support::Service;

const PAGE: &str =
    "The harbour lamp was lighted first by Brandt. Its keeper was named Otto. Nothing else happened here.";
const URL: &str = "https://example.org/harbour";
const QUESTION: &str = "Who lighted the harbour lamp first?";

async fn page(service: &Service) -> Value {
    let sent = json!({"text": PAGE, "url": URL, "title": "Harbour"});
    service.post("/v1/documents", sent).await.json()["document"].clone()
}

async fn ask(service: &Service, document: &Value, question: &str) -> Value {
    let reply = service.post("/v1/ask", json!({"document": document, "question": question})).await;
    assert_eq!(reply.status, 200, "{}", reply.text);
    reply.json()
}

fn first(answered: &Value) -> (&str, &str) {
    let answer = &answered["answers"][0];
    (answer["text"].as_str().unwrap_or_default(), answer["origin"].as_str().unwrap_or_default())
}

#[tokio::test]
async fn read_once_and_remembered_after() {
    let service = Service::new();
    let document = page(&service).await;
    let read = ask(&service, &document, QUESTION).await;
    assert_eq!(first(&read), ("Brandt", "reader"), "{read}");
    assert_eq!(read["outcome"], "answered");
    assert!(read["answers"][0]["sentence"]["text"].as_str().unwrap().contains("lighted"));
    assert_eq!(read["read"]["percent"], 100);
    let again = ask(&service, &document, "who LIGHTED the harbour lamp first").await;
    assert_eq!(first(&again), ("Brandt", "remembered"));
    assert!(again.get("read").is_none());
    let top = service
        .get(&format!("/v1/pages/top-questions?url={URL}&document={}", document.as_str().unwrap()))
        .await;
    let top = top.json()["questions"][0].clone();
    assert_eq!((top["count"].as_u64(), &top["answers"][0]["text"]), (Some(2), &json!("Brandt")), "{top}");
    assert_eq!(top["answers"][0]["span"], read["answers"][0]["span"]);
    let fresh = json!({"document": document, "question": QUESTION, "fresh": true});
    assert_eq!(first(&service.post("/v1/ask", fresh).await.json()), ("Brandt", "reader"));
    let metrics = service.get("/metrics").await.text;
    assert!(metrics.contains(r#"findall_questions_total{origin="remembered"} 1"#), "{metrics}");
}

#[tokio::test]
async fn lines_begin_with_an_answer_and_end_with_all() {
    let service = Service::new();
    let document = page(&service).await;
    for origin in ["reader", "remembered"] {
        let sent = json!({"document": document, "question": QUESTION, "offsets": "utf16"});
        let lines = service.post_for_lines("/v1/ask", sent).await.lines();
        assert_eq!(lines.len(), 2, "{lines:?}");
        assert_eq!((&lines[0]["event"], &lines[0]["answer"]["origin"]), (&json!("answer"), &json!(origin)));
        assert_eq!((&lines[1]["event"], &lines[1]["outcome"]), (&json!("end"), &json!("answered")));
    }
}

#[tokio::test]
async fn a_list_is_answered_by_find_with_every_occurrence() {
    let service = Service::new();
    let text = "WeChat is everywhere in China. Lyon is not. People like WeChat.";
    let sent = json!({"text": text, "url": URL, "question": "Which messaging apps are mentioned here?"});
    let listed = service.post("/v1/ask", sent).await.json();
    assert_eq!((first(&listed), &listed["outcome"]), (("WeChat", "reader"), &json!("answered")), "{listed}");
    assert_eq!(listed["answers"][0]["also"][0]["start"], 56, "{listed}");
    assert!(listed.get("question_id").is_none(), "find keeps its own verdicts");
}

#[tokio::test]
async fn an_enumeration_has_its_items() {
    let service = Service::new();
    let text = "The strike closed Oldham Works, Perth Mill and Quarn in spring.";
    let sent = json!({"text": text, "question": "Which factories closed in the spring strike?"});
    let answered = service.post("/v1/ask", sent).await.json();
    let items = answered["answers"][0]["items"].as_array().unwrap();
    let words: Vec<&Value> = items.iter().map(|item| &item["text"]).collect();
    assert_eq!(words, ["Oldham Works", "Perth Mill", "Quarn"]);
}

/// Reads like the small reader, and waits at a gate before it does.
struct GatedReader(Arc<dyn Reader>, Arc<Gate>);

impl Reader for GatedReader {
    fn id(&self) -> &str {
        "gated"
    }

    fn read(&self, question: &str, passages: &[&str]) -> Result<Vec<Reading>, ModelError> {
        self.1.pass();
        self.0.read(question, passages)
    }
}

#[tokio::test]
async fn the_first_answer_comes_before_the_text_is_read_and_who_hangs_up_stops_the_rest() {
    let gate = GateKeeper(Arc::new(Gate::default()));
    let reader = Arc::new(GatedReader(small_reader(), gate.0.clone()));
    let service = Service::of_models(ServerConfig::default(), small_tagger(), reader, None);
    let text =
        format!("{PAGE} {}", "It is a sentence of about sixty letters, which is not short. ".repeat(600));
    let request = service.request("POST", "/v1/ask").header("accept", "application/x-ndjson");
    let request = request.body(Body::from(json!({"text": text, "question": QUESTION}).to_string())).unwrap();
    let response = service.router.clone().oneshot(request).await.unwrap();
    let mut lines = response.into_body().into_data_stream();
    // The first of three batches, and a second look at its answers.
    gate.let_through(2);
    let first = in_time(lines.next()).await.unwrap().unwrap();
    let first: Value = serde_json::from_slice(&first).unwrap();
    assert_eq!((&first["event"], &first["answer"]["text"]), (&json!("answer"), &json!("Brandt")), "{first}");
    gate.until_arrived(3).await;
    drop(lines);
    gate.open();
    until_idle(&service.app).await;
    assert_eq!(gate.arrived(), 3, "the batch under way is the last");
}

/// Says the same to everybody, and counts.
struct FixedChatModel(&'static str, Arc<AtomicUsize>);

impl ChatModel for FixedChatModel {
    fn id(&self) -> &str {
        "says"
    }

    fn chat(&self, _: &[Turn], _: u32) -> Result<Reply, ChatError> {
        self.1.fetch_add(1, Ordering::SeqCst);
        Ok(Reply { text: self.0.into(), ..Reply::default() })
    }
}

#[tokio::test]
async fn a_larger_model_is_asked_where_the_request_allows_it_and_the_reader_is_not_sure() {
    let calls = Arc::new(AtomicUsize::new(0));
    let larger = Box::new(FixedChatModel("named otto", calls.clone()));
    let service = Service::of_models(ServerConfig::default(), small_tagger(), small_reader(), Some(larger));
    let document = page(&service).await;
    let unsure = "Why is it so?";
    let allowed = json!({"document": document, "question": unsure, "allow_llm": true});
    assert_eq!(ask(&service, &document, unsure).await["outcome"], "not_here");
    assert_eq!(calls.load(Ordering::SeqCst), 0, "not without consent");
    let sure = json!({"document": document, "question": QUESTION, "allow_llm": true});
    assert_eq!(first(&service.post("/v1/ask", sure).await.json()), ("Brandt", "reader"));
    assert_eq!(calls.load(Ordering::SeqCst), 0, "not where the reader is sure");
    assert_eq!(first(&service.post("/v1/ask", allowed.clone()).await.json()), ("named Otto", "llm"));
    assert_eq!(first(&service.post("/v1/ask", allowed).await.json()), ("named Otto", "llm"));
    assert_eq!(
        first(&ask(&service, &document, unsure).await),
        ("named Otto", "llm"),
        "remembered as its word"
    );
    assert_eq!(calls.load(Ordering::SeqCst), 1);
    let private = json!({"text": PAGE, "url": URL, "private": true});
    let private = service.post("/v1/documents", private).await.json()["document"].clone();
    let asked = json!({"document": private, "question": unsure, "allow_llm": true});
    assert_eq!(
        service.post("/v1/ask", asked).await.json()["outcome"],
        "not_here",
        "a private page stays here"
    );
    assert_eq!(calls.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn corrections_hold_from_the_next_question_on() {
    let service = Service::new();
    let document = page(&service).await;
    let id = ask(&service, &document, QUESTION).await["question_id"].clone();
    let say = |verdict: &str, more: Value| {
        let mut sent = json!({"document": document, "question_id": id, "verdict": verdict});
        sent.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        service.post("/v1/feedback", sent)
    };
    assert_eq!(say("wrong", json!({"text": "Brandt"})).await.json(), json!({"ok": true}));
    let rejected = ask(&service, &document, QUESTION).await;
    assert!(
        rejected["answers"].as_array().unwrap().iter().all(|answer| answer["text"] != "Brandt"),
        "{rejected}"
    );
    let at = PAGE.find("Otto").unwrap();
    say("correction", json!({"span": {"start": at, "end": at + 4}})).await;
    assert_eq!(first(&ask(&service, &document, QUESTION).await), ("Otto", "person"));
    say("right", json!({})).await.refused(400, "bad_request");
    say("right", json!({"span": {"start": 5, "end": 5}})).await.refused(400, "bad_request");
    say("right", json!({"text": "not there"})).await.refused(422, "unprocessable");
    let sent = json!({"document": document, "question_id": "!", "verdict": "right", "text": "Otto"});
    service.post("/v1/feedback", sent).await.refused(400, "bad_request");
}

#[tokio::test]
async fn words_without_a_place_mean_the_answer_that_was_given() {
    let service = Service::new();
    let text = format!("Brandt sold his boats in spring. {PAGE}");
    let document =
        service.post("/v1/documents", json!({"text": text, "url": URL})).await.json()["document"].clone();
    let read = ask(&service, &document, QUESTION).await;
    let given = json!({"start": text.rfind("Brandt"), "end": text.rfind("Brandt").map(|at| at + 6)});
    assert_eq!((first(&read), &read["answers"][0]["span"]), (("Brandt", "reader"), &given), "{read}");
    let sent = json!({"document": document, "question_id": read["question_id"], "verdict": "right", "text": "Brandt"});
    assert_eq!(service.post("/v1/feedback", sent).await.json(), json!({"ok": true}));
    let said = ask(&service, &document, QUESTION).await;
    assert_eq!((first(&said), &said["answers"][0]["span"]), (("Brandt", "person"), &given), "{said}");
}

#[tokio::test]
async fn private_and_placeless_pages_are_read_and_forgotten() {
    let service = Service::new();
    let private =
        service.post("/v1/documents", json!({"text": PAGE, "url": URL, "private": true})).await.json();
    for _ in 0..2 {
        let answered = ask(&service, &private["document"], QUESTION).await;
        assert_eq!(first(&answered), ("Brandt", "reader"));
        assert!(answered.get("question_id").is_none());
        let loose = service.post("/v1/ask", json!({"text": PAGE, "question": QUESTION})).await.json();
        assert_eq!(first(&loose), ("Brandt", "reader"));
    }
    let top = service.get(&format!("/v1/pages/top-questions?url={URL}")).await.json();
    assert_eq!(top["questions"], json!([]));
}

#[tokio::test]
async fn what_is_forbidden_is_not_kept_and_what_is_forgotten_is_gone() {
    let service = Service::new();
    let document = page(&service).await;
    assert_eq!(service.get("/v1/settings").await.json(), json!({"remember": true, "deny": []}));
    let put = |body: Value| {
        service.send(service.request("PUT", "/v1/settings").body(body.to_string().into()).unwrap())
    };
    let denied = put(json!({"remember": true, "deny": ["example.org"]})).await.json();
    assert_eq!(denied["deny"], json!(["example.org"]));
    ask(&service, &document, QUESTION).await;
    assert_eq!(first(&ask(&service, &document, QUESTION).await).1, "reader", "nothing was kept");
    put(json!({"remember": true, "deny": ["[a"]})).await.refused(400, "bad_request");
    put(json!({"remember": true, "deny": []})).await;
    ask(&service, &document, QUESTION).await;
    assert_eq!(first(&ask(&service, &document, QUESTION).await).1, "remembered");
    let suggested = service.post("/v1/suggest", json!({"url": URL, "prefix": "who li"})).await.json();
    assert_eq!(suggested["suggestions"], json!([{"text": QUESTION, "kind": "question"}]));
    let gone = service.post("/v1/forget", json!({"url": URL})).await.json();
    assert!(gone["forgotten"].as_u64() > Some(0), "{gone}");
    service
        .post("/v1/ask", json!({"document": document, "question": "x"}))
        .await
        .refused(404, "unknown_document");
    assert_eq!(first(&ask(&service, &page(&service).await, QUESTION).await).1, "reader");
    service.post("/v1/forget", json!({})).await.refused(400, "bad_request");
    service.post("/v1/forget", json!({"url": URL, "everything": true})).await.refused(400, "bad_request");
    assert!(service.post("/v1/forget", json!({"everything": true})).await.status.is_success());
}

#[tokio::test]
async fn what_cannot_be_asked_or_answered() {
    let service = Service::new();
    let document = page(&service).await;
    let nothing = ask(&service, &document, "Which elephants danced yesterday?").await;
    assert_eq!((&nothing["outcome"], &nothing["answers"]), (&json!("not_here"), &json!([])), "{nothing}");
    let yes_or_no = ask(&service, &document, "Was the harbour lamp lighted by Brandt?").await;
    assert_eq!(yes_or_no["outcome"], "cannot");
    assert!(!yes_or_no["evidence"].as_array().unwrap().is_empty() && yes_or_no["message"].is_string());
    let post = |body: Value| service.post("/v1/ask", body);
    post(json!({"document": document, "question": "?"})).await.refused(422, "unprocessable");
    post(json!({"document": document, "question": "x".repeat(5000)})).await.refused(422, "unprocessable");
    post(json!({"question": QUESTION})).await.refused(400, "bad_request");
    post(json!({"document": document, "question": QUESTION, "top": 0})).await.refused(400, "bad_request");
    post(json!({"document": "0", "question": QUESTION})).await.refused(404, "unknown_document");
    service.get("/v1/pages/top-questions").await.refused(400, "bad_request");
    service.get("/v1/pages/top-questions?url=a&limit=0").await.refused(400, "bad_request");
    service.get("/v1/questions/similar?q=%3F").await.refused(400, "bad_request");
}
