//! `findall-eval lexical`: precision and recall of lexical find on the definitions, beside what Ctrl+F would find.

use std::io::Write;
use std::path::PathBuf;

use findall::lexical::{Finder, LexicalOptions, Spelling};
use findall::{Document, Span};

use crate::EvalError;
use crate::definition::{self, Definition};
use crate::record::{self, RecordArgs, Row};
use crate::score::Counts;
use crate::table;

/// Arguments of `findall-eval lexical`.
#[derive(Debug, clap::Args)]
pub struct LexicalArgs {
    /// Folder of the definitions
    #[arg(long, value_name = "DIR", default_value = "eval/definitions/lexical")]
    definitions: PathBuf,

    #[command(flatten)]
    record: RecordArgs,
}

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum System {
    /// What browsers do: the query's characters in any case, left to right.
    CtrlF,
    /// findall with `--exact`.
    Exact,
    /// findall as it comes.
    Findall,
}

const LEXICAL_SYSTEMS: [System; 3] = [System::CtrlF, System::Exact, System::Findall];

impl System {
    fn name(self) -> &'static str {
        match self {
            Self::CtrlF => "ctrl-f",
            Self::Exact => "findall --exact",
            Self::Findall => "findall",
        }
    }

    fn find(self, document: &Document, query: &str) -> Vec<Span> {
        let spelling = match self {
            Self::CtrlF => return ctrl_f(document.text(), query),
            Self::Exact => Spelling::Exact,
            Self::Findall => Spelling::Fuzzy,
        };
        // A query that findall refuses finds nothing, which is what the person sees.
        let finder = Finder::new(query, LexicalOptions { spelling, ..LexicalOptions::default() });
        finder
            .map(|finder| finder.find(document.text()).iter().map(|found| found.span).collect())
            .unwrap_or_default()
    }
}

/// Literal search in any case. It is given the document's clean text, which flatters it on HTML.
fn ctrl_f(text: &str, query: &str) -> Vec<Span> {
    let lower = |c: char| c.to_lowercase();
    let wanted: Vec<char> = query.chars().flat_map(lower).collect();
    let mut spans: Vec<Span> = Vec::new();
    for (start, _) in text.char_indices() {
        if spans.last().is_some_and(|last| start < last.end) {
            continue;
        }
        let mut left = wanted.as_slice();
        for (offset, c) in text[start..].char_indices() {
            let folded: Vec<char> = lower(c).collect();
            let Some(rest) = left.strip_prefix(folded.as_slice()) else { break };
            left = rest;
            if left.is_empty() {
                spans.push(Span::new(start, start + offset + c.len_utf8()));
                break;
            }
        }
    }
    spans
}

/// Measures, prints, records.
pub fn run(args: &LexicalArgs, out: &mut dyn Write) -> Result<(), EvalError> {
    let definitions = definition::read_all(&args.definitions)?;
    let mut rows = Vec::new();
    let mut lines = Vec::new();
    for system in LEXICAL_SYSTEMS {
        let mut total = Counts::default();
        for definition in &definitions {
            let counts = measure(system, definition);
            total.add(&counts);
            report(&definition.name, system, &counts, &mut rows, &mut lines);
        }
        report("all", system, &total, &mut rows, &mut lines);
    }
    lines.sort_by(|a, b| (a[0] == "all", &a[0]).cmp(&(b[0] == "all", &b[0])));
    table::write(
        out,
        &["definition", "system", "expected", "found", "P", "R", "F1", "silent when none"],
        &lines,
    )?;
    record::write(&args.record, "lexical", &rows, out)
}

fn measure(system: System, definition: &Definition) -> Counts {
    let mut counts = Counts::default();
    for query in &definition.queries {
        counts.add(&Counts::of(&system.find(&definition.document, &query.text), &query.expected));
    }
    counts
}

fn report(
    definition: &str,
    system: System,
    counts: &Counts,
    rows: &mut Vec<Row>,
    lines: &mut Vec<Vec<String>>,
) {
    let figures = [("precision", counts.precision()), ("recall", counts.recall()), ("f1", counts.f1())];
    for (metric, value) in figures {
        rows.push(Row::new(definition, system.name(), metric, value, "share"));
    }
    let silent = (counts.unanswerable > 0).then(|| counts.abstention());
    if let Some(share) = silent {
        rows.push(Row::new(definition, system.name(), "silent when there is no answer", share, "share"));
    }
    let percent = |share: f64| format!("{:.1}", share * 100.0);
    lines.push(vec![
        definition.to_owned(),
        system.name().to_owned(),
        counts.expected.to_string(),
        counts.found.to_string(),
        percent(counts.precision()),
        percent(counts.recall()),
        percent(counts.f1()),
        silent.map_or_else(String::new, percent),
    ]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ctrl_f_finds_what_a_browser_finds() {
        let found = |text: &'static str, query| {
            ctrl_f(text, query).iter().filter_map(|span| span.slice(text)).collect::<Vec<_>>()
        };
        assert_eq!(found("Ab ab aB", "AB"), ["Ab", "ab", "aB"]);
        assert_eq!(found("aaaa", "aa"), ["aa", "aa"]);
        assert!(found("ab", "abc").is_empty());
    }

    /// The shipped definitions are read, and findall finds more of them than Ctrl+F without finding worse.
    #[test]
    fn findall_beats_ctrl_f_on_the_definitions() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../eval/definitions/lexical");
        let definitions = definition::read_all(folder.as_ref()).unwrap();
        let total = |system| {
            definitions.iter().fold(Counts::default(), |mut total, definition| {
                total.add(&measure(system, definition));
                total
            })
        };
        let (ctrl_f, findall) = (total(System::CtrlF), total(System::Findall));
        assert!(findall.expected > 50);
        assert!(findall.recall() > ctrl_f.recall(), "{findall:?} {ctrl_f:?}");
        assert!(findall.f1() > ctrl_f.f1(), "{findall:?} {ctrl_f:?}");
    }
}
