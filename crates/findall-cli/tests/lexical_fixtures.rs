//! The fixtures that the search inside the browser extension is tested on: both must find the same places. This test is
//! where the expectations come from: `FINDALL_UPDATE=1 cargo test -p findall-cli --test lexical_fixtures` writes them.

use findall::lexical::{Finder, LexicalKind, LexicalOptions};
use serde_json::{Value, json};

#[test]
fn the_extension_and_the_engine_find_the_same() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../extension/tests/fixtures/lexical.json");
    let mut cases: Vec<Value> = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let update = std::env::var_os("FINDALL_UPDATE").is_some();
    for case in &mut cases {
        let found = find_as_json(case["text"].as_str().unwrap(), case["query"].as_str().unwrap());
        if update {
            case["expected"] = found;
        } else {
            assert_eq!(case["expected"], found, "{}", case["name"]);
        }
    }
    assert!(cases.len() > 40);
    if update {
        std::fs::write(path, serde_json::to_string_pretty(&cases).unwrap() + "\n").unwrap();
    }
}

/// Matches in text order, in UTF-16 units as browsers count.
fn find_as_json(text: &str, query: &str) -> Value {
    let mut matches = Finder::new(query, LexicalOptions::default()).unwrap().find(text);
    matches.sort_by_key(|found| found.span);
    let utf16 = |byte: usize| text[..byte].encode_utf16().count();
    let rows = matches.iter().map(|found| {
        let kind = if found.kind == LexicalKind::Exact { "exact" } else { "fuzzy" };
        json!({
            "start": utf16(found.span.start),
            "end": utf16(found.span.end),
            "kind": kind,
            "score": (f64::from(found.score) * 100.0).round() / 100.0,
        })
    });
    Value::Array(rows.collect())
}
