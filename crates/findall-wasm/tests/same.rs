//! What comes through the door for browsers is what the engine finds: the shipped models and knowledge, held in memory
//! and asked in JSON, against the same from disk.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

use findall::knowledge::KnowledgeBase;
use findall::{Document, Engine, FindOptions};
use findall_models::Models;
use findall_wasm::Edge;
use serde_json::{Value, json};

fn root() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

const FILES: [&str; 7] = [
    "tokenizer.json",
    "encoder/model.json",
    "encoder/model.onnx",
    "encoder/model.data",
    "tagger/model.json",
    "tagger/model.onnx",
    "tagger/model.data",
];

fn edge() -> Edge {
    let mut edge = Edge::default();
    for name in FILES {
        edge.file(name.to_owned(), std::fs::read(root().join("models").join(name)).unwrap());
    }
    edge.file("edge.kb".into(), std::fs::read(root().join("kb/default.kb")).unwrap());
    edge
}

fn call(edge: &mut Edge, request: Value) -> Value {
    serde_json::from_str(&edge.call(request.to_string().as_bytes())).unwrap()
}

#[test]
fn a_page_read_in_batches_gives_what_the_engine_gives() {
    let mut text =
        String::from("Émile bought shares of Siemens and of Sony in Munich. 😀 WeChat was down.\n\n");
    for year in 1990..2030 {
        text.push_str(&format!(
            "In {year} the fund sold Nestlé, bought Toyota, and moved from Berlin to Lyon. Its manager, Ada Roth, \
             disliked Samsung and liked the river Rhine. Nothing else is known about that year, and nobody asked.\n\n"
        ));
    }
    let models = Models::load(&root().join("models")).unwrap();
    let knowledge = KnowledgeBase::open(root().join("kb/default.kb")).unwrap();
    let engine = Engine::new(models.encoder().unwrap(), models.tagger().unwrap(), Arc::new(knowledge));
    let document = Document::from_text(&text);
    let prepared = engine.prepare(&document).unwrap();

    let mut edge = edge();
    assert_eq!(call(&mut edge, json!({"call": "open"})), json!({"ready": true}));
    // What is seen lies near the end, and is wanted first.
    let seen = [text.encode_utf16().count() - 40, text.encode_utf16().count() - 20];
    let mut state = call(&mut edge, json!({"call": "document", "text": text, "seen": seen}));
    assert_eq!(state["whole"], false, "{state}");
    let first = state["wanted"][0]["text"].as_str().unwrap();
    assert!(text.trim_end().ends_with(first.trim_end()), "{first}");
    let id = state["document"].clone();
    let mut done_before: HashSet<String> = HashSet::new();
    while state["whole"] == false {
        // A few at a time, as threads come back; the page is looked at after each few.
        let next: Vec<Value> = state["wanted"].as_array().unwrap().iter().take(6).cloned().collect();
        for task in &next {
            assert!(done_before.insert(task.to_string()), "done twice: {task}");
        }
        let done = call(&mut edge, json!({"call": "work", "tasks": next}))["done"].clone();
        call(&mut edge, json!({"call": "learn", "done": done}));
        state = call(&mut edge, json!({"call": "read", "document": id}));
    }
    assert_eq!(state["whole"], true, "{state}");
    assert_eq!(state["read"], text.encode_utf16().count());

    for query in ["electronics companies", "cities in Germany", "river", "Toyotta"] {
        let found = call(&mut edge, json!({"call": "find", "document": id, "query": query}));
        let units: Vec<u16> = text.encode_utf16().collect();
        let at = |span: &Value, side: &str| span[side].as_u64().unwrap() as usize;
        let through: Vec<(String, String)> = (found["matches"].as_array().unwrap().iter())
            .map(|one| {
                let span = &one["span"];
                let text = String::from_utf16(&units[at(span, "start")..at(span, "end")]).unwrap();
                (one["kind"].as_str().unwrap().to_owned(), text)
            })
            .collect();
        let direct = engine.find(&document, &prepared, query, &FindOptions::default()).unwrap();
        let direct: Vec<(String, String)> = (direct.matches.iter())
            .map(|one| (one.kind.name().to_owned(), one.span.slice(&text).unwrap().to_owned()))
            .collect();
        assert!(!direct.is_empty(), "{query} finds nothing");
        assert_eq!(through, direct, "{query}");
    }
}

#[test]
fn what_cannot_be_answered_is_said() {
    let mut edge = Edge::default();
    for (request, code) in [
        (json!({"call": "open"}), "no_engine"),
        (json!({"call": "document", "text": "x"}), "no_engine"),
        (json!({"call": "find", "document": "00", "query": "x"}), "no_engine"),
        (json!({"call": "dance"}), "bad_request"),
        (json!(7), "bad_request"),
    ] {
        assert_eq!(call(&mut edge, request.clone())["error"]["code"], code, "{request}");
    }
    edge.file("edge.kb".into(), b"torn".to_vec());
    assert_eq!(call(&mut edge, json!({"call": "open"}))["error"]["code"], "no_engine");
    assert!(edge.call(b"\xff\xfe").contains("bad_request"));
}

#[test]
fn a_damaged_model_is_refused_by_name() {
    let mut edge = edge();
    let mut weights = std::fs::read(root().join("models/tagger/model.data")).unwrap();
    weights[1000] ^= 1;
    edge.file("tagger/model.data".into(), weights);
    let answer = call(&mut edge, json!({"call": "open"})).to_string();
    assert!(answer.contains("tagger/model.data"), "{answer}");
}
