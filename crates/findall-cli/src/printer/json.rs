//! Matches as JSON Lines: for each file that matches `begin`, its `match`es and `end`; after the last file one
//! `summary`. Offsets are half-open; `bytes` and `chars` count into the document's text, `source` into the file.

use std::borrow::Cow;
use std::path::Path;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use findall::Span;
use findall::document::{Document, Positions, SourceRange};
use serde::Serialize;

use super::{FileReport, PrintConfig, Summary};
use crate::hit::Hit;

#[derive(Serialize)]
#[serde(tag = "type", content = "data", rename_all = "lowercase")]
enum FindEvent<'e> {
    Begin {
        #[serde(flatten)]
        path: &'e PathEvent<'e>,
        format: &'e str,
        title: Option<&'e str>,
    },
    Match(Box<MatchEvent<'e>>),
    End {
        #[serde(flatten)]
        path: &'e PathEvent<'e>,
        matches: usize,
        bytes: usize,
        #[serde(skip_serializing_if = "Option::is_none")]
        coverage: Option<CoverageEvent<'e>>,
    },
    Summary(SummaryEvent),
}

#[derive(Serialize)]
struct MatchEvent<'e> {
    #[serde(flatten)]
    path: &'e PathEvent<'e>,
    text: &'e str,
    label: &'static str,
    score: f32,
    why: &'e str,
    /// What it was taken for, if it names something.
    #[serde(skip_serializing_if = "Option::is_none")]
    entity: Option<EntityEvent<'e>>,
    #[serde(flatten)]
    place: PlaceEvent<'e>,
    /// The whole lines that the match touches.
    lines: &'e str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    before: Vec<&'e str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    after: Vec<&'e str>,
}

/// The name of a file: as text, and where that is not all of it, its bytes in base64.
#[derive(Serialize)]
struct PathEvent<'e> {
    path: Cow<'e, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    path_bytes: Option<String>,
}

impl<'e> PathEvent<'e> {
    fn of(path: &'e Path) -> Self {
        let bytes = || BASE64.encode(path.as_os_str().as_encoded_bytes());
        Self { path: path.to_string_lossy(), path_bytes: path.to_str().is_none().then(bytes) }
    }
}

/// Where something stands.
#[derive(Serialize)]
pub(super) struct PlaceEvent<'e> {
    bytes: Range,
    chars: Range,
    /// Line and column (in characters) of the first character, from 1.
    line: usize,
    column: usize,
    /// Only in formats that have pages.
    #[serde(skip_serializing_if = "Option::is_none")]
    page: Option<usize>,
    /// The cell, slide, message, file in an archive or time of a subtitle, in formats that have such.
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<String>,
    /// Empty in formats whose bytes hold no readable text (PDF).
    source: Vec<SourceBytes<'e>>,
}

impl<'e> PlaceEvent<'e> {
    pub fn of(document: &'e Document, positions: &Positions<'e>, span: Span) -> Self {
        let Span { start, end } = span;
        let place = positions.line_column(start);
        Self {
            bytes: Range { start, end },
            chars: Range {
                start: positions.char_of(start).unwrap_or_default(),
                end: positions.char_of(end).unwrap_or_default(),
            },
            line: place.map_or(1, |place| place.line),
            column: place.map_or(1, |place| place.column),
            page: positions.page_of(start),
            place: document.place_at(start).map(|place| place.to_string()),
            source: document.source_range(span).iter().map(SourceBytes::of).collect(),
        }
    }
}

#[derive(Serialize)]
struct EntityEvent<'e> {
    name: &'e str,
    /// Its number in the knowledge base; absent when it is not in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<u32>,
    confidence: f32,
}

/// How much was read, and what was passed over and why.
#[derive(Serialize)]
struct CoverageEvent<'e> {
    bytes: usize,
    passages: usize,
    mentions: usize,
    linked: usize,
    skipped: Vec<String>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    notes: &'e [String],
}

#[derive(Serialize)]
struct Range {
    start: usize,
    end: usize,
}

/// Bytes of the file, or of one part of an archive.
#[derive(Serialize)]
struct SourceBytes<'e> {
    #[serde(skip_serializing_if = "Option::is_none")]
    part: Option<&'e str>,
    start: usize,
    end: usize,
}

impl<'e> SourceBytes<'e> {
    fn of(range: &SourceRange<'e>) -> Self {
        Self { part: range.part, start: range.bytes.start, end: range.bytes.end }
    }
}

#[derive(Serialize)]
struct SummaryEvent {
    searched: u64,
    matched: u64,
    skipped: u64,
    failed: u64,
    matches: u64,
    bytes: u64,
    elapsed_ms: u64,
}

/// The events of one file; none when nothing matches.
pub fn file(report: &FileReport<'_>, config: &PrintConfig, out: &mut Vec<u8>) {
    if report.hits.is_empty() {
        return;
    }
    let document = report.document;
    let path = PathEvent::of(report.path);
    push(out, &FindEvent::Begin { path: &path, format: document.format().name(), title: document.title() });
    let positions = document.positions();
    for hit in report.hits {
        push(out, &FindEvent::Match(Box::new(match_event(&path, document, &positions, hit, config))));
        if report.spill(out).is_break() {
            return;
        }
    }
    let coverage = report.coverage.map(|coverage| CoverageEvent {
        bytes: coverage.bytes,
        passages: coverage.passages,
        mentions: coverage.mentions,
        linked: coverage.linked,
        skipped: coverage.skipped.iter().map(ToString::to_string).collect(),
        notes: report.notes,
    });
    push(
        out,
        &FindEvent::End { path: &path, matches: report.hits.len(), bytes: document.text().len(), coverage },
    );
}

/// The last event of a run.
pub fn summary(summary: &Summary, elapsed: Duration, out: &mut Vec<u8>) {
    let Summary { searched, matched, skipped, failed, matches, bytes, not_indexed: _ } = *summary;
    let elapsed_ms = u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX);
    push(
        out,
        &FindEvent::Summary(SummaryEvent { searched, matched, skipped, failed, matches, bytes, elapsed_ms }),
    );
}

fn match_event<'e>(
    path: &'e PathEvent<'e>,
    document: &'e Document,
    positions: &Positions<'e>,
    hit: &'e Hit,
    config: &PrintConfig,
) -> MatchEvent<'e> {
    let text = document.text();
    let Span { start, end } = hit.span;
    let place = PlaceEvent::of(document, positions, hit.span);
    let line = place.line;
    let last_line = positions.line_column(end).map_or(line, |place| match place.column {
        // A match that ends with the line break does not touch the next line.
        1 if end > start => place.line - 1,
        _ => place.line,
    });
    let line_text = |number: usize| {
        positions
            .line_span(number)
            .and_then(|span| span.slice(text))
            .unwrap_or_default()
            .trim_end_matches(['\n', '\r'])
    };
    let lines = match (positions.line_span(line), positions.line_span(last_line)) {
        (Some(first), Some(last)) => text.get(first.start..last.end).unwrap_or_default(),
        _ => "",
    };
    let after = last_line + 1..=(last_line + config.after).min(positions.line_count());
    MatchEvent {
        path,
        text: hit.span.slice(text).unwrap_or_default(),
        label: hit.label.name(),
        score: hit.score,
        why: &hit.why,
        entity: hit.entity.as_ref().map(|entity| EntityEvent {
            name: &entity.name,
            id: entity.id,
            confidence: entity.confidence,
        }),
        place,
        lines: lines.trim_end_matches(['\n', '\r']),
        before: (line.saturating_sub(config.before).max(1)..line).map(line_text).collect(),
        after: after.map(line_text).collect(),
    }
}

pub(super) fn push(out: &mut Vec<u8>, event: &impl Serialize) {
    // Plain data into memory: neither side can fail.
    if serde_json::to_writer(&mut *out, event).is_ok() {
        out.push(b'\n');
    }
}
