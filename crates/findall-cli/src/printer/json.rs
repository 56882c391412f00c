//! Matches as JSON Lines.

use std::path::Path;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use findall::Span;
use findall::document::{Document, Positions};
use findall_wire::lines::{CoverageLine, FindLine, MatchLine, PathLine, PlaceLine, SummaryLine};
use serde::Serialize;

use super::{FileReport, PrintConfig, Summary};
use crate::hit::Hit;

/// The name of a file, whatever its bytes are.
fn path_line(path: &Path) -> PathLine<'_> {
    let bytes = || BASE64.encode(path.as_os_str().as_encoded_bytes());
    PathLine { path: path.to_string_lossy(), path_bytes: path.to_str().is_none().then(bytes) }
}

/// The events of one file; none when nothing matches.
pub fn file(report: &FileReport<'_>, config: &PrintConfig, out: &mut Vec<u8>) {
    if report.hits.is_empty() {
        return;
    }
    let document = report.document;
    let path = path_line(report.path);
    push(out, &FindLine::Begin { path: &path, format: document.format().name(), title: document.title() });
    let positions = document.positions();
    for hit in report.hits {
        push(out, &FindLine::Match(Box::new(match_line(&path, document, &positions, hit, config))));
        if report.spill(out).is_break() {
            return;
        }
    }
    let coverage = report.coverage.map(|coverage| CoverageLine {
        bytes: coverage.bytes,
        passages: coverage.passages,
        mentions: coverage.mentions,
        linked: coverage.linked,
        skipped: coverage.skipped.iter().map(ToString::to_string).collect(),
        notes: report.notes,
    });
    push(
        out,
        &FindLine::End { path: &path, matches: report.hits.len(), bytes: document.text().len(), coverage },
    );
}

/// The last event of a run.
pub fn summary(summary: &Summary, elapsed: Duration, out: &mut Vec<u8>) {
    let Summary { searched, matched, skipped, failed, matches, bytes, not_indexed: _ } = *summary;
    let elapsed_ms = u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX);
    push(
        out,
        &FindLine::Summary(SummaryLine { searched, matched, skipped, failed, matches, bytes, elapsed_ms }),
    );
}

fn match_line<'e>(
    path: &'e PathLine<'e>,
    document: &'e Document,
    positions: &Positions<'e>,
    hit: &'e Hit,
    config: &PrintConfig,
) -> MatchLine<'e> {
    let text = document.text();
    let Span { start, end } = hit.span;
    let place = PlaceLine::of(document, positions, hit.span);
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
    MatchLine {
        path,
        text: hit.span.slice(text).unwrap_or_default(),
        label: hit.kind.name(),
        score: hit.score,
        why: &hit.why,
        entity: hit.entity.as_deref(),
        place,
        lines: lines.trim_end_matches(['\n', '\r']),
        before: (line.saturating_sub(config.before).max(1)..line).map(line_text).collect(),
        after: after.map(line_text).collect(),
    }
}

/// What a program reads, as one line.
pub fn line(event: &impl Serialize) -> String {
    // Plain structures of text and numbers always serialise.
    serde_json::to_string(event).unwrap_or_default() + "\n"
}

/// The same, after other lines.
pub fn push(out: &mut Vec<u8>, event: &impl Serialize) {
    // Plain data into memory: neither side can fail.
    if serde_json::to_writer(&mut *out, event).is_ok() {
        out.push(b'\n');
    }
}
