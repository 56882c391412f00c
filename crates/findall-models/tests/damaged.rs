//! Damaged, missing and mismatched model folders: each gives its own error, which names the file and the fix.

use std::path::{Path, PathBuf};

use findall::encode::{Encoder, TextKind};
use findall_models::{LoadError, Models};

/// A folder that is whole as far as the checks go, though its graph is no graph.
fn folder(name: &str) -> PathBuf {
    let dir = std::env::temp_dir().join(format!("findall-models-{}-{name}", std::process::id()));
    std::fs::create_dir_all(dir.join("encoder")).unwrap();
    let vocab = serde_json::json!({"[UNK]": 0, "[CLS]": 1, "[SEP]": 2});
    let tokenizer = serde_json::json!({
        "normalizer": {"type": "BertNormalizer", "lowercase": true},
        "model": {"vocab": vocab, "continuing_subword_prefix": "##"}
    });
    std::fs::write(dir.join("tokenizer.json"), tokenizer.to_string()).unwrap();
    std::fs::write(dir.join("encoder/model.onnx"), b"no graph").unwrap();
    std::fs::write(dir.join("encoder/model.data"), b"weights").unwrap();
    write_manifest(&dir, |_| ());
    dir
}

fn write_manifest(dir: &Path, change: impl FnOnce(&mut serde_json::Value)) {
    let sum = |name: &str| {
        let bytes = std::fs::read(dir.join("encoder").join(name)).unwrap();
        serde_json::json!({"bytes": bytes.len(), "blake3": blake3::hash(&bytes).to_hex().as_str()})
    };
    let mut manifest = serde_json::json!({
        "format": 1, "kind": "encoder", "name": "test", "max_tokens": 16, "dims": 2,
        "calibration": {"scale": 1, "bias": 0}, "decision": {"sure": 0, "far": 1, "margin": 1, "possible": 0},
        "files": {
            "model.onnx": sum("model.onnx"), "model.data": sum("model.data"),
            "../tokenizer.json": sum("../tokenizer.json")
        }
    });
    change(&mut manifest);
    std::fs::write(dir.join("encoder/model.json"), manifest.to_string()).unwrap();
}

/// The error of loading the encoder; it must name `file`.
fn error(dir: &Path, file: &str) -> LoadError {
    let error = match Models::load(dir).and_then(|models| models.encoder().map(|_| ())) {
        Ok(()) => panic!("a damaged folder was loaded"),
        Err(error) => error,
    };
    let message = error.to_string();
    assert!(message.contains(file), "{message:?} does not name {file}");
    assert!(!message.contains('\n'), "{message:?} is more than one line");
    std::fs::remove_dir_all(dir).unwrap();
    error
}

#[test]
fn nothing_there() {
    let dir = folder("nothing");
    std::fs::remove_file(dir.join("tokenizer.json")).unwrap();
    assert!(matches!(error(&dir, "findall-models"), LoadError::NotFound { .. }));
}

#[test]
fn truncated() {
    let dir = folder("truncated");
    std::fs::write(dir.join("encoder/model.onnx"), b"no gr").unwrap();
    assert!(matches!(error(&dir, "model.onnx"), LoadError::Corrupt { .. }));
}

#[test]
fn one_bit_flipped() {
    let dir = folder("flipped");
    std::fs::write(dir.join("encoder/model.onnx"), b"no grapi").unwrap();
    assert!(matches!(error(&dir, "model.onnx"), LoadError::Corrupt { .. }));
}

#[test]
fn damaged_weights() {
    let dir = folder("weights");
    std::fs::write(dir.join("encoder/model.data"), b"weighty").unwrap();
    assert!(matches!(error(&dir, "model.data"), LoadError::Corrupt { .. }));
}

#[test]
fn a_deferred_model_is_checked_when_it_first_runs() {
    for (name, damaged) in [("deferred", "model.data"), ("deferred-graph", "model.onnx")] {
        let dir = folder(name);
        if damaged == "model.data" {
            std::fs::write(dir.join("encoder/model.data"), b"weighty").unwrap();
        }
        let encoder = Models::load(&dir).unwrap().deferred_encoder().expect("its weights are not needed yet");
        for _ in 0..2 {
            let failed = encoder.encode(&["lamp"], TextKind::Query).expect_err("a damaged model ran");
            assert!(failed.to_string().contains(damaged), "{failed}");
        }
        std::fs::remove_dir_all(&dir).unwrap();
    }
}

#[test]
fn other_tokenizer() {
    let dir = folder("tokenizer");
    std::fs::write(dir.join("tokenizer.json"), b"{}").unwrap();
    assert!(matches!(error(&dir, "tokenizer.json"), LoadError::Corrupt { .. }));
}

#[test]
fn missing_file() {
    let dir = folder("missing");
    std::fs::remove_file(dir.join("encoder/model.onnx")).unwrap();
    assert!(matches!(error(&dir, "model.onnx"), LoadError::Unreadable { .. }));
}

#[test]
fn not_a_graph() {
    let dir = folder("graph");
    assert!(matches!(error(&dir, "model.onnx"), LoadError::Graph { .. }));
}

#[test]
fn manifests_that_do_not_fit() {
    let changes: [fn(&mut serde_json::Value); 5] = [
        |m| m["kind"] = "reader".into(),
        |m| m["max_tokens"] = 2.into(),
        |m| m["dims"] = "many".into(),
        |m| m["files"] = serde_json::json!({}),
        |m| m["files"]["../../secret"] = serde_json::json!({"bytes": 1, "blake3": "00"}),
    ];
    for (n, change) in changes.into_iter().enumerate() {
        let dir = folder(&format!("manifest{n}"));
        write_manifest(&dir, change);
        assert!(matches!(error(&dir, "model.json"), LoadError::Manifest { .. }), "change {n}");
    }
    let dir = folder("format");
    write_manifest(&dir, |m| m["format"] = 2.into());
    assert!(matches!(error(&dir, "model.json"), LoadError::Format { found: 2, .. }));
    let dir = folder("json");
    std::fs::write(dir.join("encoder/model.json"), b"{").unwrap();
    assert!(matches!(error(&dir, "model.json"), LoadError::Manifest { .. }));
}
