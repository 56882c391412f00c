//! What an extension and the engine inside its browser tell each other, as JSON through WebAssembly's memory: [`engine`] finds by
//! meaning, [`letters`] by letters alone. `tests/browser.rs` writes their schema, of which the extension's types are made.

pub mod engine;
pub mod letters;
