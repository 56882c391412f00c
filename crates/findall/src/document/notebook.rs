//! Jupyter notebooks to text: what stands in the cells and what running them printed; each cell is a place of its own.
//! Pictures and other data are left out.

use std::ops::Range;

use super::builder::TextBuilder;
use super::json::{JsonEvent, JsonWalk, unescape};
use super::limits::Limits;
use super::places::PlaceMark;
use crate::error::DocumentError;

/// Reads the decoded file into the builder.
pub(super) fn read(text: &str, builder: &mut TextBuilder, limits: &Limits) -> Result<(), DocumentError> {
    // The way to the value: the key under which each open object or array stands.
    let mut path: Vec<String> = Vec::new();
    let mut key = String::new();
    let mut cell = 0u32;
    for event in JsonWalk::new(text) {
        match event {
            JsonEvent::Open => {
                if path.last().is_some_and(|last| last == "cells") {
                    cell += 1;
                    builder.end_block(2);
                    builder.start_place(PlaceMark::NotebookCell(cell));
                }
                path.push(std::mem::take(&mut key));
            }
            JsonEvent::Close => {
                let closed = path.pop();
                if closed.is_some_and(|closed| is_shown(&closed)) {
                    builder.end_block(1);
                }
            }
            JsonEvent::Key(name) => key = name,
            JsonEvent::Text(range) => {
                let name = if key.is_empty() { path.last().map_or("", String::as_str) } else { &key };
                if cell > 0 && is_shown(name) {
                    write(text, range, builder);
                }
                if !key.is_empty() {
                    if is_shown(&key) {
                        builder.end_block(1);
                    }
                    key.clear();
                }
            }
            JsonEvent::Other => key.clear(),
        }
        builder.check(limits)?;
    }
    Ok(())
}

/// Keys whose texts a reader of the notebook sees.
fn is_shown(key: &str) -> bool {
    matches!(key, "source" | "text" | "text/plain" | "text/markdown" | "evalue")
}

fn write(text: &str, range: Range<usize>, builder: &mut TextBuilder) {
    unescape(text, range, |piece, source| match piece {
        "\n" => builder.line_break(source),
        piece if piece.len() == source.len() => builder.push_verbatim(piece, source.start),
        piece => builder.push_replaced(piece, source),
    });
}
