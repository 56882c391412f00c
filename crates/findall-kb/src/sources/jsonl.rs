//! JSON Lines: one entity a line.
//!
//! `title` is required; `id`, `kind`, `description` (kept as it is), `text` (read for facts), `field`, `where`, `facts`,
//! `aliases` (names), `redirects` (names that may be topics), `anchors` (link texts, noisy) and `popularity` may be
//! given. Unknown fields are ignored.

use std::collections::HashMap;

use crate::build::{Draft, Name, NameOrigin};
use findall::knowledge::{EntityKind, Phrase, PhraseKind};
use serde::Deserialize;

use super::reading::{Line, Position, next_line, open};
use super::{Sink, Source, SourceError, io_error};

/// No honest row is longer.
const MAX_JSON_ROW_BYTES: usize = 4 << 20;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Row {
    title: String,
    id: String,
    #[serde(alias = "type")]
    kind: String,
    description: String,
    text: String,
    field: String,
    #[serde(rename = "where")]
    place: String,
    facts: Vec<String>,
    aliases: Vec<String>,
    redirects: Vec<String>,
    anchors: Vec<String>,
    #[serde(alias = "pop")]
    popularity: f32,
}

/// Remembers which title an id belongs to: a second row with the same id adds to the first.
#[derive(Default)]
pub struct Ids(HashMap<String, String>);

impl Ids {
    /// Gives a draft whose id was seen before the first row's title; its own becomes another name.
    pub fn reconcile(&mut self, draft: &mut Draft) {
        if draft.key.is_empty() {
            return;
        }
        match self.0.get(&draft.key) {
            Some(first) if *first != draft.title => {
                let own = std::mem::replace(&mut draft.title, first.clone());
                draft.names.push(Name { text: own, origin: NameOrigin::Given });
            }
            Some(_) => {}
            None => {
                self.0.insert(draft.key.clone(), draft.title.clone());
            }
        }
    }
}

/// Reads one JSON object a line.
pub fn read(source: &Source, sink: &mut dyn Sink, position: &Position) -> Result<(), SourceError> {
    let mut reader = open(&source.path, position).map_err(io_error(&source.path, 0))?;
    let mut line = Vec::new();
    let mut ids = Ids::default();
    loop {
        let kind = next_line(&mut *reader, &mut line, MAX_JSON_ROW_BYTES)
            .map_err(io_error(&source.path, sink.rows()))?;
        if kind == Line::End {
            return Ok(());
        }
        let text = String::from_utf8_lossy(&line);
        if text.trim().is_empty() || !sink.wants_row() {
            continue;
        }
        if kind == Line::TooLong {
            sink.refuse_row("the row is longer than 4 MB", &text)?;
            continue;
        }
        match serde_json::from_str::<Row>(&text) {
            Ok(row) => {
                let mut draft = draft_of(row, source.authority, sink);
                ids.reconcile(&mut draft);
                sink.take_draft(&draft)?;
            }
            // A last line that stops in the middle of its JSON is a file that was cut.
            Err(error) if kind == Line::Unended && error.is_eof() => {
                return Err(SourceError::Cut { path: source.path.clone(), rows: sink.rows() });
            }
            Err(error) => sink.refuse_row(&format!("not a row of JSON: {error}"), &text)?,
        }
    }
}

fn draft_of(row: Row, authority: u8, sink: &dyn Sink) -> Draft {
    let mut draft = Draft {
        key: row.id,
        description: row.description.trim().to_owned(),
        popularity: row.popularity.clamp(0.0, 1e9),
        authority,
        ..Draft::new(row.title.replace('_', " ").trim())
    };
    match EntityKind::from_name(&row.kind) {
        Some(kind) => draft.kind = Some(kind),
        None if draft.description.is_empty() && row.text.is_empty() => draft.description = row.kind,
        None => {}
    }
    draft.kind = draft.kind.or_else(|| crate::extract::kind_of_description(&draft.description));
    draft.read_text(&row.text, &sink.extract());
    let typed = [(PhraseKind::Field, row.field), (PhraseKind::Where, row.place)];
    let facts = row.facts.into_iter().map(|text| (PhraseKind::Fact, text));
    for (kind, text) in typed.into_iter().chain(facts) {
        if !text.trim().is_empty() {
            draft.phrases.push(Phrase { kind, text: text.trim().to_owned() });
        }
    }
    let lists = [
        (row.aliases, NameOrigin::Given),
        (row.redirects, NameOrigin::Redirect),
        (row.anchors, NameOrigin::Anchor),
    ];
    for (names, origin) in lists {
        draft.names.extend(names.into_iter().map(|text| Name { text, origin }));
    }
    draft
}
