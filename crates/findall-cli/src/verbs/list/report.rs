//! A list as it is shown and kept: every place as bytes and characters of the text, with the text itself.

use std::fmt::Write;
use std::path::Path;

use findall::list::{LargerModelReport, Listing, NameOutsideCast};
use findall::names::Cast;
use findall::{Document, Span};
use serde::{Deserialize, Serialize};

/// One list.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ListReport {
    pub book: String,
    pub subject: String,
    pub aliases: Vec<String>,
    pub relation: String,
    /// Why the list is not whole, where it is not.
    pub partial: Option<String>,
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
    /// False for a name that a larger model gave and the text does not have.
    pub located: bool,
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

impl ListReport {
    pub fn of(listing: &Listing, cast: &Cast, document: &Document, book: &Path) -> ListReport {
        let subject = &cast.members[listing.subject];
        let names =
            |number: usize| cast.members[number].aliases.iter().map(|alias| alias.text.clone()).collect();
        let known = listing.objects.iter().map(|object| Object {
            name: cast.members[object.member].name.clone(),
            aliases: names(object.member),
            score: object.score,
            accepted: object.accepted,
            by: object.by.to_owned(),
            generated: object.generated,
            inferred: object.inferred,
            located: true,
            mentions: cast.members[object.member].spans.len(),
            support: (object.support.iter())
                .map(|support| passage(document, support.span, &support.highlights))
                .collect(),
        });
        let asked = listing.larger.as_ref();
        let others = asked
            .into_iter()
            .flat_map(|asked| &asked.others)
            .map(|other| object_outside_cast(other, document));
        let mut objects: Vec<Object> = known.chain(others).collect();
        objects.sort_by(|a, b| b.score.total_cmp(&a.score));
        ListReport {
            partial: asked.and_then(explain_partial),
            book: book.display().to_string(),
            subject: subject.name.clone(),
            aliases: names(listing.subject),
            relation: listing.relation.name().to_owned(),
            objects,
        }
    }

    /// The list as one line of JSON.
    pub fn json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// A name that is not in the cast, with its places in the text where it has any.
fn object_outside_cast(other: &NameOutsideCast, document: &Document) -> Object {
    let sentences = document.sentences();
    let support = other.spans.iter().take(3).filter_map(|&span| {
        let sentence = sentences.get(sentences.partition_point(|sentence| sentence.end <= span.start))?;
        Some(passage(document, *sentence, &[span]))
    });
    Object {
        name: other.name.clone(),
        aliases: Vec::new(),
        score: other.generated / (1.0 + other.generated),
        accepted: other.accepted,
        by: if other.spans.is_empty() { "not in the text" } else { "thr" }.to_owned(),
        generated: other.generated,
        inferred: false,
        located: !other.spans.is_empty(),
        mentions: other.spans.len(),
        support: support.collect(),
    }
}

/// Why a list that a larger model made is not whole.
fn explain_partial(asked: &LargerModelReport) -> Option<String> {
    let (done, due) = asked.calls;
    match (&asked.failure, asked.overlong) {
        (Some(failure), _) => Some(format!(
            "{done} of {due} calls were answered, then {failure}; the same command goes on from there"
        )),
        (None, 0) => None,
        (None, replies) => Some(format!("{replies} replies held more names than are read")),
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

/// Characters of a passage shown in a table, and other names.
const MAX_PASSAGE_CHARS: usize = 90;
const MAX_OTHER_NAMES: usize = 3;

/// The list as a table: what was accepted, or everything with a mark for what was not.
pub fn table(report: &ListReport, all: bool) -> String {
    let shown: Vec<&Object> = report.objects.iter().filter(|object| all || object.accepted).collect();
    let accepted = report.objects.iter().filter(|object| object.accepted).count();
    let partial = if report.partial.is_some() { ", partial" } else { "" };
    let mut out = format!(
        "{} · {}: {accepted} accepted of {} candidates{partial}\n",
        report.subject,
        report.relation,
        report.objects.len()
    );
    let names: Vec<String> = shown.iter().map(|object| object.with_aliases()).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    for (object, name) in shown.iter().zip(names) {
        let mark = if object.accepted { ' ' } else { '?' };
        let _ = write!(out, "{mark} {:.2}  {name:<width$}  {}", object.score, object.by);
        let _ = match object.support.first() {
            Some(passage) => {
                let words = passage.text.split_whitespace().collect::<Vec<_>>().join(" ");
                let short: String = words.chars().take(MAX_PASSAGE_CHARS).collect();
                let more = if words.chars().count() > MAX_PASSAGE_CHARS { "…" } else { "" };
                writeln!(out, "  {}: {short}{more}", passage.line)
            }
            None => writeln!(out),
        };
    }
    out
}

impl Object {
    /// The name with the most used others: "Anna Ware (Anna, Miss Ware)".
    fn with_aliases(&self) -> String {
        let others: Vec<&str> = (self.aliases.iter().map(String::as_str))
            .filter(|alias| *alias != self.name)
            .take(MAX_OTHER_NAMES)
            .collect();
        match others.is_empty() {
            true => self.name.clone(),
            false => format!("{} ({})", self.name, others.join(", ")),
        }
    }
}
