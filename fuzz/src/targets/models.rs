//! What lies in a folder of models: the graph, its description and the vocabulary, each changed at will while the others are
//! sound and all sums are right, as they are for whoever writes the whole folder. Loading and judging may fail with an error
//! and in no other way.

use std::collections::BTreeMap;

use findall::judge::Judge;
use findall_models::Models;
use serde_json::{Value, json};

const GRAPH: &[u8] = include_bytes!("../../seeds/graph/verdict.onnx");
const VOCABULARY: &[u8] = include_bytes!("../../seeds/tokenizer/small.json");

/// Any bytes as the judge's network.
pub fn graph(bytes: &[u8]) {
    judge(bytes, &description(bytes, VOCABULARY), VOCABULARY);
}

/// Any bytes as `model.json`, the sums put right where it lists files.
pub fn manifest(bytes: &[u8]) {
    let mut repaired = bytes.to_vec();
    if let Ok(mut description) = serde_json::from_slice::<Value>(bytes)
        && let Some(files) = description.get_mut("files").and_then(Value::as_object_mut)
    {
        for (name, contents) in [("model.onnx", GRAPH), ("../tokenizer.json", VOCABULARY)] {
            if let Some(listed) = files.get_mut(name) {
                *listed = sum(contents);
            }
        }
        repaired = description.to_string().into_bytes();
    }
    judge(GRAPH, &repaired, VOCABULARY);
}

/// Any bytes as `tokenizer.json`.
pub fn tokenizer(bytes: &[u8]) {
    judge(GRAPH, &description(GRAPH, bytes), bytes);
}

fn description(graph: &[u8], vocabulary: &[u8]) -> Vec<u8> {
    let whole = json!({
        "format": 1, "kind": "judge", "name": "small", "max_tokens": 64, "max_query_tokens": 16,
        "files": { "model.onnx": sum(graph), "../tokenizer.json": sum(vocabulary) },
    });
    whole.to_string().into_bytes()
}

fn sum(bytes: &[u8]) -> Value {
    json!({ "bytes": bytes.len(), "blake3": blake3::hash(bytes).to_hex().as_str() })
}

fn judge(graph: &[u8], description: &[u8], vocabulary: &[u8]) {
    let files = BTreeMap::from([
        ("tokenizer.json".to_owned(), vocabulary.to_vec()),
        ("judge/model.json".to_owned(), description.to_vec()),
        ("judge/model.onnx".to_owned(), graph.to_vec()),
    ]);
    let Ok(models) = Models::from_memory(files) else { return };
    if let Ok(Some(judge)) = models.judge() {
        let texts = ["WeChat: an app. People in China use it.", "", "Zürich’s \u{301}\u{0} [SEP]"];
        if let Ok(verdicts) = judge.judge("social networks of China", &texts) {
            assert_eq!(verdicts.len(), texts.len());
        }
    }
}
