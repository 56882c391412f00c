//! The schema of what an extension and the engine inside its browser tell each other, in `browser.json`. The extension's types
//! are made from that file by `extension/scripts/contract.mjs`; this test is where the file comes from:
//! `FINDALL_UPDATE=1 cargo test -p findall-wire --features schema` writes it.
#![cfg(feature = "schema")]

use findall_wire::browser::engine::{EngineAnswer, EngineRequest};
use findall_wire::browser::letters::{LettersAnswer, LettersRequest};
use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

#[test]
fn the_schema_is_current() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/browser.json");
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.definitions_path = "/components/schemas".into();
        settings.meta_schema = None;
    });
    let mut generator = settings.into_generator();
    generator.subschema_for::<EngineRequest>();
    generator.subschema_for::<EngineAnswer>();
    generator.subschema_for::<LettersRequest>();
    generator.subschema_for::<LettersAnswer>();
    let schema = json!({ "components": { "schemas": generator.take_definitions(true) } });
    if std::env::var_os("FINDALL_UPDATE").is_some() {
        std::fs::write(path, serde_json::to_string_pretty(&schema).unwrap() + "\n").unwrap();
    }
    let kept: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    assert_eq!(kept, schema, "browser.json is not current; FINDALL_UPDATE=1 writes it");
}
