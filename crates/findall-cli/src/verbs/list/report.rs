//! A list as it is shown and kept: every place as bytes and characters of the text, with the text itself.

use std::fmt::Write;
use std::path::Path;

use findall::list::Listing;
use findall::names::Cast;
use findall::{Document, Span};
use serde::{Deserialize, Serialize};

/// One list.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Report {
    pub book: String,
    pub subject: String,
    pub aliases: Vec<String>,
    pub relation: String,
    pub objects: Vec<Object>,
}

/// One object.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Object {
    pub name: String,
    pub aliases: Vec<String>,
    pub score: f32,
    pub accepted: bool,
    /// The test that decided.
    pub by: String,
    /// The paper's score: over batches, how likely each gives it.
    pub generated: f32,
    /// True when it follows from other ties, and no retrieved passage names it with the subject.
    pub inferred: bool,
    /// How often the book names it.
    pub mentions: usize,
    pub support: Vec<Passage>,
}

/// A passage that speaks for an object.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Passage {
    pub text: String,
    pub line: usize,
    pub bytes: [usize; 2],
    pub chars: [usize; 2],
    /// Bytes into the text of the book.
    pub highlights: Vec<[usize; 2]>,
}

impl Report {
    pub fn of(listing: &Listing, cast: &Cast, document: &Document, book: &Path) -> Report {
        let subject = &cast.members[listing.subject];
        let names =
            |number: usize| cast.members[number].aliases.iter().map(|alias| alias.text.clone()).collect();
        let objects = listing.objects.iter().map(|object| Object {
            name: cast.members[object.member].name.clone(),
            aliases: names(object.member),
            score: object.score,
            accepted: object.accepted,
            by: object.by.to_owned(),
            generated: object.generated,
            inferred: object.inferred,
            mentions: cast.members[object.member].spans.len(),
            support: (object.support.iter())
                .map(|support| passage(document, support.span, &support.highlights))
                .collect(),
        });
        Report {
            book: book.display().to_string(),
            subject: subject.name.clone(),
            aliases: names(listing.subject),
            relation: listing.relation.name().to_owned(),
            objects: objects.collect(),
        }
    }

    /// The list as one line of JSON.
    pub fn json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

fn passage(document: &Document, span: Span, highlights: &[Span]) -> Passage {
    let positions = document.positions();
    let chars = |byte: usize| positions.char_of(byte).unwrap_or_default();
    Passage {
        text: span.slice(document.text()).unwrap_or_default().to_owned(),
        line: positions.line_column(span.start).map_or(1, |place| place.line),
        bytes: [span.start, span.end],
        chars: [chars(span.start), chars(span.end)],
        highlights: highlights.iter().map(|span| [span.start, span.end]).collect(),
    }
}

/// Characters of a passage shown in a table.
const SHOWN: usize = 90;

/// The list as a table: what was accepted, or everything with a mark for what was not.
pub fn table(report: &Report, all: bool) -> String {
    let shown: Vec<&Object> = report.objects.iter().filter(|object| all || object.accepted).collect();
    let accepted = report.objects.iter().filter(|object| object.accepted).count();
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{} · {}: {accepted} accepted of {} candidates",
        report.subject,
        report.relation,
        report.objects.len()
    );
    let width = shown.iter().map(|object| object.name.chars().count()).max().unwrap_or(0);
    for object in shown {
        let mark = if object.accepted { ' ' } else { '?' };
        let _ = write!(out, "{mark} {:.2}  {:<width$}", object.score, object.name);
        match object.support.first() {
            Some(passage) => {
                let words = passage.text.split_whitespace().collect::<Vec<_>>().join(" ");
                let short: String = words.chars().take(SHOWN).collect();
                let more = if words.chars().count() > SHOWN { "…" } else { "" };
                let _ = writeln!(out, "  {}: {short}{more}", passage.line);
            }
            None => {
                let _ = writeln!(out);
            }
        }
    }
    out
}
