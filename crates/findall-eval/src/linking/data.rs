//! Linking datasets: JSON lines of three shapes in, articles with labelled mentions out.
//!
//! The shapes are told apart by their fields: ELEVANT benchmarks (`labels`), KTRL+F (`data.entity_info`) and our own
//! list queries (`entities`). Offsets are characters in all of them; here they are bytes.

use std::path::Path;

use findall::knowledge::EntityKind;
use findall::mentions::{Mention, MentionType};
use findall::{Document, Span};
use serde::Deserialize;

use crate::EvalError;

/// One document.
pub struct LinkedArticle {
    /// Its text.
    pub text: String,
    /// The part that is judged.
    pub scope: Span,
    /// What stands where, in text order.
    pub labels: Vec<Label>,
}

impl LinkedArticle {
    /// Its sentences that have two labels or more, each as an article.
    pub fn sentences(&self) -> Vec<LinkedArticle> {
        let document = Document::from_text(self.text.clone());
        let within = |sentence: &Span| {
            let inside =
                |label: &&Label| sentence.start <= label.span.start && label.span.end <= sentence.end;
            let moved = |label: &Label| {
                let span = Span::new(label.span.start - sentence.start, label.span.end - sentence.start);
                Label { span, ..label.clone() }
            };
            let labels: Vec<Label> = self.labels.iter().filter(inside).map(moved).collect();
            let text = sentence.slice(&self.text)?.to_owned();
            (labels.len() > 1).then(|| LinkedArticle { scope: Span::new(0, text.len()), labels, text })
        };
        document.sentences().iter().filter_map(within).collect()
    }
}

/// A labelled mention.
#[derive(Clone)]
pub struct Label {
    /// Where it stands.
    pub span: Span,
    /// The name of what it means; `None` when the annotators found no entry for it.
    pub name: Option<String>,
    /// The id in the source of the name, if it has one ("Q42").
    pub key: String,
    /// What sorts of thing it may be; empty when nothing is said.
    pub kinds: Vec<EntityKind>,
    /// The type a tagger would give it, where the data says.
    pub kind: MentionType,
}

/// Which shape a file has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// ELEVANT benchmark.
    Elevant,
    /// KTRL+F.
    Ktrlf,
    /// List queries: what the linker is trained on; one document in ten is held out.
    ListQueries,
}

impl Shape {
    /// Whether a document of a training file is kept for measuring.
    pub fn is_measured(self, index: usize) -> bool {
        self != Shape::ListQueries || index % 10 == 3
    }
}

#[derive(Deserialize)]
#[serde(untagged)]
enum LinkedLine {
    Elevant { text: String, evaluation_span: [usize; 2], labels: Vec<ElevantLabel> },
    Ktrlf { data: KtrlfData },
    ListQueries { text: String, entities: Vec<LinkedListEntity> },
}

#[derive(Deserialize)]
struct ElevantLabel {
    span: [usize; 2],
    entity_id: String,
    name: String,
    #[serde(rename = "type")]
    types: String,
    #[serde(default)]
    coref: bool,
    #[serde(default)]
    parent: Option<serde_json::Value>,
    #[serde(default)]
    optional: bool,
}

#[derive(Deserialize)]
struct KtrlfData {
    target_text: String,
    entity_info: Vec<KtrlfLabel>,
}

#[derive(Deserialize)]
struct KtrlfLabel {
    mention: String,
    entity: String,
    start: usize,
}

#[derive(Deserialize)]
struct LinkedListEntity {
    name: String,
    #[serde(rename = "type")]
    kind: String,
    mentions: Vec<String>,
}

/// Reads a file.
pub fn read(path: &Path) -> Result<(Shape, Vec<LinkedArticle>), EvalError> {
    let file = std::fs::read_to_string(path).map_err(|error| EvalError::File { path: path.into(), error })?;
    let mut shape = Shape::Elevant;
    let mut articles = Vec::new();
    for (number, line) in file.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let line: LinkedLine = serde_json::from_str(line).map_err(|error| EvalError::Definition {
            path: path.into(),
            message: format!(
                "line {}: {error}; expected ELEVANT, KTRL+F or list-query JSON lines",
                number + 1
            ),
        })?;
        let (line_shape, article) = match line {
            LinkedLine::Elevant { text, evaluation_span, labels } => {
                (Shape::Elevant, from_elevant(text, evaluation_span, labels))
            }
            LinkedLine::Ktrlf { data } => (Shape::Ktrlf, from_ktrlf(data)),
            LinkedLine::ListQueries { text, entities } => {
                (Shape::ListQueries, from_list_queries(text, &entities))
            }
        };
        shape = line_shape;
        articles.push(article);
    }
    Ok((shape, articles))
}

/// Byte offsets of the characters of a text, its end included.
fn offsets(text: &str) -> Vec<usize> {
    text.char_indices().map(|(at, _)| at).chain([text.len()]).collect()
}

fn span_of(offsets: &[usize], start: usize, end: usize) -> Span {
    let last = offsets.len() - 1;
    Span::new(offsets[start.min(last)], offsets[end.clamp(start.min(last), last)])
}

fn from_elevant(text: String, scope: [usize; 2], labels: Vec<ElevantLabel>) -> LinkedArticle {
    let offsets = offsets(&text);
    // Pronouns, alternatives inside another label, and times and quantities are not names.
    let labels = labels
        .into_iter()
        .filter(|label| !label.coref && !label.optional && label.parent.is_none())
        .filter(|label| !matches!(label.types.as_str(), "QUANTITY" | "DATETIME"))
        .map(|label| Label {
            span: span_of(&offsets, label.span[0], label.span[1]),
            kinds: kinds_of_types(&label.types),
            name: label.entity_id.starts_with('Q').then_some(label.name),
            key: label.entity_id,
            kind: MentionType::Other,
        })
        .collect();
    LinkedArticle { scope: span_of(&offsets, scope[0], scope[1]), labels, text }
}

/// The kinds that ELEVANT's coarse Wikidata classes allow.
fn kinds_of_types(types: &str) -> Vec<EntityKind> {
    use EntityKind as E;
    types
        .split('|')
        .flat_map(|class| match class {
            "Q215627" => &[E::Person, E::Character, E::Group][..],
            "Q43229" => &[E::Organization, E::Team, E::Group],
            "Q27096213" => &[E::Place],
            "Q2424752" | "Q431289" => &[E::Product, E::Work, E::Organization, E::Substance],
            "Q17537576" | "Q483394" => &[E::Work, E::Character, E::Organization],
            "Q1656682" => &[E::Event],
            "Q33829" | "Q4392985" => &[E::Group, E::Place],
            "Q16521" => &[E::Species],
            _ => &[],
        })
        .copied()
        .collect()
}

fn from_ktrlf(data: KtrlfData) -> LinkedArticle {
    let offsets = offsets(&data.target_text);
    let text = data.target_text;
    let labels = data
        .entity_info
        .into_iter()
        .map(|label| {
            // Some offsets are off by a little: the nearest place where the mention stands is meant.
            let given = span_of(&offsets, label.start, label.start + label.mention.chars().count());
            let nearest = text
                .match_indices(&label.mention)
                .map(|(at, _)| at)
                .min_by_key(|at| at.abs_diff(given.start))
                .filter(|_| !label.mention.is_empty());
            Label {
                span: nearest.map_or(given, |at| Span::new(at, at + label.mention.len())),
                name: Some(label.entity),
                key: String::new(),
                kinds: Vec::new(),
                kind: MentionType::Other,
            }
        })
        .collect();
    LinkedArticle { scope: Span::new(0, text.len()), labels, text }
}

fn from_list_queries(text: String, entities: &[LinkedListEntity]) -> LinkedArticle {
    let mut names: Vec<(&str, usize)> = entities
        .iter()
        .enumerate()
        .flat_map(|(at, entity)| entity.mentions.iter().map(move |name| (name.as_str(), at)))
        .filter(|(name, _)| !name.is_empty())
        .collect();
    names.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
    // A string that belongs to two entities teaches nothing.
    let shared = |name: &str, at: usize| names.iter().any(|(other, of)| *other == name && *of != at);
    let mut taken = vec![false; text.len()];
    let mut labels = Vec::new();
    for (name, at) in names.iter().filter(|(name, at)| !shared(name, *at)) {
        for (start, _) in text.match_indices(name) {
            let span = Span::new(start, start + name.len());
            let letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
            let inside_word =
                letter(text[..start].chars().next_back()) || letter(text[span.end..].chars().next());
            if inside_word || taken[span.start..span.end].contains(&true) {
                continue;
            }
            taken[span.start..span.end].fill(true);
            labels.push(Label {
                span,
                name: Some(entities[*at].name.clone()),
                key: String::new(),
                kinds: kinds_of_type(&entities[*at].kind),
                kind: simulate_tag(&entities[*at].kind, start),
            });
        }
    }
    labels.sort_by_key(|label| label.span);
    LinkedArticle { scope: Span::new(0, text.len()), labels, text }
}

/// The kinds that a type of the list queries allows.
fn kinds_of_type(kind: &str) -> Vec<EntityKind> {
    use EntityKind as E;
    match kind {
        "person" => vec![E::Person, E::Character],
        "organization" | "team" => vec![E::Organization, E::Team, E::Group],
        "place" => vec![E::Place],
        "group" => vec![E::Group, E::Organization],
        "work" => vec![E::Work],
        "product" => vec![E::Product, E::Work, E::Substance],
        "event" => vec![E::Event],
        _ => Vec::new(),
    }
}

/// The type that a tagger gives: mostly the right one, sometimes none or another, so that the linker learns to doubt it.
fn simulate_tag(kind: &str, place: usize) -> MentionType {
    let right = kind_from_name(kind);
    match place.wrapping_mul(2_654_435_761) >> 7 & 15 {
        0..=2 => MentionType::Other,
        3 if right == MentionType::Person => MentionType::Organization,
        3 => MentionType::Person,
        _ => right,
    }
}

fn kind_from_name(kind: &str) -> MentionType {
    match kind {
        "person" => MentionType::Person,
        "organization" | "team" => MentionType::Organization,
        "place" => MentionType::Place,
        "group" => MentionType::Group,
        "work" => MentionType::Work,
        "product" => MentionType::Product,
        "event" => MentionType::Event,
        _ => MentionType::Other,
    }
}

#[derive(Deserialize)]
struct MentionLine {
    mentions: Vec<(usize, usize, String)>,
}

/// Mentions that another program found: one line a document, `{"mentions":[[start,end,"person"],…]}` in characters.
pub fn read_mentions(path: &Path, articles: &[LinkedArticle]) -> Result<Vec<Vec<Mention>>, EvalError> {
    let file = std::fs::read_to_string(path).map_err(|error| EvalError::File { path: path.into(), error })?;
    let wrong = |message: String| EvalError::Definition { path: path.into(), message };
    let lines: Vec<MentionLine> = file
        .lines()
        .map(serde_json::from_str)
        .collect::<Result<_, _>>()
        .map_err(|error| wrong(format!("{error}; expected one object with \"mentions\" a line")))?;
    if lines.len() != articles.len() {
        return Err(wrong(format!("{} lines for {} documents", lines.len(), articles.len())));
    }
    Ok(lines
        .iter()
        .zip(articles)
        .map(|(line, article)| {
            let offsets = offsets(&article.text);
            line.mentions
                .iter()
                .map(|(start, end, kind)| Mention {
                    span: span_of(&offsets, *start, *end),
                    kind: kind_from_name(kind),
                    confidence: 1.0,
                })
                .collect()
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_one(line: &str) -> (Shape, LinkedArticle) {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), line).unwrap();
        let (shape, mut articles) = read(file.path()).unwrap();
        (shape, articles.pop().unwrap())
    }

    #[test]
    fn shapes_are_told_apart_and_offsets_become_bytes() {
        let (shape, article) = read_one(
            r#"{"text":"é Apple","evaluation_span":[0,7],"labels":[{"span":[2,7],"entity_id":"Q312","name":"Apple","type":"Q43229"}]}"#,
        );
        assert_eq!(shape, Shape::Elevant);
        assert_eq!(article.labels[0].span.slice(&article.text), Some("Apple"));
        let (shape, article) = read_one(
            r#"{"id":"x","data":{"target_text":"éé Ada met Bob","entity_info":[{"mention":"Bob","entity":"Bob","start":10}]}}"#,
        );
        assert_eq!(shape, Shape::Ktrlf);
        assert_eq!(article.labels[0].span.slice(&article.text), Some("Bob"));
        let (shape, article) = read_one(
            r#"{"text":"Rome and Roman Rome","entities":[{"name":"Rome","type":"place","mentions":["Rome","Roman"]}]}"#,
        );
        assert_eq!(shape, Shape::ListQueries);
        let found: Vec<_> = article.labels.iter().filter_map(|l| l.span.slice(&article.text)).collect();
        assert_eq!(found, ["Rome", "Roman", "Rome"]);
    }
}
