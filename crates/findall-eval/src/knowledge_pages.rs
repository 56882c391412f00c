//! `findall-eval knowledge` on labelled pages: how much is known of what real pages name by the time a judge reads it, from
//! the knowledge base, from the page itself, and from either; by type.

use std::collections::BTreeMap;
use std::path::Path;

use findall::engine::Engine;
use findall::index::{OccurrenceOrigin, PreparedDocument, PreparedEntity};
use findall::knowledge::{EntityId, KnowledgeBase};
use findall::{Document, Span};
use serde::Deserialize;

use crate::record::Row;
use crate::{EvalError, inputs};

/// A labelled page, as `findall-eval lists` reads them.
#[derive(Deserialize)]
pub struct Page {
    text: String,
    entities: Vec<PageLabel>,
}

#[derive(Deserialize)]
struct PageLabel {
    #[serde(rename = "type")]
    kind: String,
    name: String,
    mentions: Vec<String>,
}

/// How many labelled names of a type reach the judge, and with what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    names: usize,
    /// The tagger found it.
    found: usize,
    /// It is linked to an entity of the base.
    linked: usize,
    /// It is linked, and the base has the entity that the label names.
    checked: usize,
    /// It is linked to that entity.
    right: usize,
    /// The base says something of the entity it is linked to.
    base: usize,
    /// The page says something of it.
    said: usize,
    /// The page says something of it, or stands it under a heading, in a list or a table.
    page: usize,
    either: usize,
}

impl Tally {
    fn add(&mut self, other: &Tally) {
        let pairs = [
            (&mut self.names, other.names),
            (&mut self.found, other.found),
            (&mut self.linked, other.linked),
            (&mut self.checked, other.checked),
            (&mut self.right, other.right),
            (&mut self.base, other.base),
            (&mut self.said, other.said),
            (&mut self.page, other.page),
            (&mut self.either, other.either),
        ];
        pairs.into_iter().for_each(|(own, more)| *own += more);
    }

    /// Each figure with its name, as a share of the names (of the checked ones for what is right).
    fn figures(&self) -> [(&'static str, f64); 7] {
        let of_names = |part: usize| part as f64 / self.names.max(1) as f64;
        [
            ("found", of_names(self.found)),
            ("linked", of_names(self.linked)),
            ("linked rightly, where the label tells", self.right as f64 / self.checked.max(1) as f64),
            ("text from the base", of_names(self.base)),
            ("said by the page", of_names(self.said)),
            ("text from the page", of_names(self.page)),
            ("text from either", of_names(self.either)),
        ]
    }
}

/// Tallies by type, the sum last.
pub struct Tallies {
    kinds: Vec<(String, Tally)>,
    /// The names of which nothing is known, each with where it first stands.
    pub misses: Vec<String>,
}

/// Bytes shown on either side of a name of which nothing is known.
const MISS_CONTEXT_BYTES: usize = 90;

impl Tallies {
    /// The header and the lines of a table.
    pub fn table(&self) -> (Vec<&'static str>, Vec<Vec<String>>) {
        let mut header = vec!["type", "names"];
        header.extend(Tally::default().figures().map(|(name, _)| name));
        let line = |(kind, tally): &(String, Tally)| {
            let mut line = vec![kind.clone(), tally.names.to_string()];
            line.extend(tally.figures().map(|(_, share)| format!("{:.1} %", 100.0 * share)));
            line
        };
        (header, self.kinds.iter().map(line).collect())
    }

    /// One row a figure.
    pub fn rows(&self, set: &str) -> Vec<Row> {
        let of_kind =
            |(kind, tally): &(String, Tally)| {
                let mut rows =
                    vec![Row::new(set, "findall", &format!("{kind}: names"), tally.names as f64, "names")];
                let shares = tally.figures().into_iter();
                rows.extend(shares.map(|(name, share)| {
                    Row::new(set, "findall", &format!("{kind}: {name}"), share, "share")
                }));
                rows
            };
        self.kinds.iter().flat_map(of_kind).collect()
    }
}

/// The pages of a file; nothing when it is in another format.
pub fn read(path: &Path) -> Result<Option<Vec<Page>>, EvalError> {
    #[derive(Deserialize)]
    struct PageShape {
        entities: Option<serde::de::IgnoredAny>,
    }
    let text = inputs::text(path)?;
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let is_pages = serde_json::from_str::<PageShape>(first).is_ok_and(|shape| shape.entities.is_some());
    if is_pages { inputs::json_lines(path).map(Some) } else { Ok(None) }
}

/// Prepares every page and counts what is known of its labelled names.
pub fn count(
    pages: Vec<Page>,
    engine: &Engine,
    resolve: impl Fn(&KnowledgeBase, &str) -> Option<EntityId>,
) -> Result<Tallies, EvalError> {
    let mut kinds: BTreeMap<String, Tally> = BTreeMap::new();
    let mut misses = Vec::new();
    for page in pages {
        let document = Document::from_text(page.text);
        let prepared = engine.prepare(&document).map_err(inputs::wrap_error)?;
        for label in &page.entities {
            let entity = find(&document, &prepared, label);
            let tally = judge(entity, resolve(engine.knowledge(), &label.name));
            if tally.either == 0 {
                misses.push(miss(document.text(), label, entity));
            }
            kinds.entry(label.kind.clone()).or_default().add(&tally);
        }
    }
    let mut sum = Tally::default();
    kinds.values().for_each(|tally| sum.add(tally));
    Ok(Tallies { kinds: kinds.into_iter().chain([("all".to_owned(), sum)]).collect(), misses })
}

/// A name of which nothing is known, on one line.
fn miss(text: &str, label: &PageLabel, entity: Option<&PreparedEntity>) -> String {
    let at = label.mentions.iter().find_map(|name| text.find(name.as_str())).unwrap_or(0);
    let start = text.floor_char_boundary(at.saturating_sub(MISS_CONTEXT_BYTES));
    let end = text.ceil_char_boundary((at + label.name.len() + MISS_CONTEXT_BYTES).min(text.len()));
    let found = if entity.is_some() { "nothing known" } else { "not found" };
    format!("{found}: {} {}: {:?}", label.kind, label.name, &text[start..end])
}

/// What counts for one labelled name.
fn judge(entity: Option<&PreparedEntity>, gold: Option<EntityId>) -> Tally {
    let mut tally = Tally { names: 1, ..Tally::default() };
    let Some(entity) = entity else { return tally };
    let one = usize::from;
    tally.found = 1;
    tally.linked = one(entity.id.is_some());
    tally.checked = one(entity.id.is_some() && gold.is_some());
    tally.right = one(entity.id.is_some() && entity.id == gold);
    tally.base = one(!entity.knowledge.is_empty());
    tally.said = one(!entity.page_word.said.is_empty());
    tally.page = one(!entity.page_word.is_empty());
    tally.either = tally.base.max(tally.page);
    tally
}

/// The entity that most places of a labelled name were taken for.
fn find<'p>(
    document: &Document,
    prepared: &'p PreparedDocument,
    label: &PageLabel,
) -> Option<&'p PreparedEntity> {
    let text = document.text();
    let named = label.mentions.iter().filter(|name| !name.is_empty());
    let gold: Vec<Span> = named
        .flat_map(|name| text.match_indices(name.as_str()).map(|(at, found)| Span::new(at, at + found.len())))
        .collect();
    let votes = |entity: &PreparedEntity| {
        let places = entity.mentions.iter().filter(|at| at.found != OccurrenceOrigin::Described);
        places.filter(|at| gold.iter().any(|span| crate::score::overlap(&at.span, span) >= 0.5)).count()
    };
    let best = prepared.entities.iter().map(|entity| (votes(entity), entity)).max_by_key(|(votes, _)| *votes);
    best.filter(|(votes, _)| *votes > 0).map(|(_, entity)| entity)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_of_the_names_and_right_ones_of_the_checked() {
        let unknown = judge(None, None);
        assert_eq!(unknown, Tally { names: 1, ..Tally::default() });
        let known =
            Tally { names: 1, found: 1, linked: 1, checked: 1, right: 1, base: 1, either: 1, ..unknown };
        let mut sum = unknown;
        sum.add(&known);
        let figures = sum.figures();
        assert_eq!(figures[0], ("found", 0.5));
        assert_eq!(figures[2], ("linked rightly, where the label tells", 1.0));
        assert_eq!(figures[6], ("text from either", 0.5));
    }

    #[test]
    fn pages_are_told_from_other_files() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.jsonl");
        let page =
            r#"{"id":"a","text":"Ada came.","entities":[{"type":"person","name":"Ada","mentions":["Ada"]}]}"#;
        std::fs::write(&path, page).unwrap();
        assert_eq!(read(&path).unwrap().map(|pages| pages.len()), Some(1));
        std::fs::write(&path, r#"{"data":{"qa_pairs":[],"entity_info":[]}}"#).unwrap();
        assert!(read(&path).unwrap().is_none());
    }
}
