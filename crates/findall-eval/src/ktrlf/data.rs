//! The KTRL+F dataset, and list queries, as documents with entities, mentions and queries. Offsets in the files count
//! characters and are sometimes off by a little; here they are bytes and checked against the text.

use std::path::Path;

use findall::engine::KnownEntity;
use findall::{Document, Span};
use serde::Deserialize;

use crate::EvalError;

/// A document with its gold entities and queries.
pub struct Sample {
    /// Its name.
    pub id: String,
    /// Its text.
    pub document: Document,
    /// What it names, and where.
    pub entities: Vec<KnownEntity>,
    /// What is asked.
    pub queries: Vec<Query>,
}

/// A query and its answers.
pub struct Query {
    /// What a person types.
    pub text: String,
    /// Which of the document's entities answer it.
    pub answers: Vec<usize>,
    /// What an answer needs: the bare kind, knowledge, or what the text says; where the data tells.
    pub needs: Option<String>,
}

impl Sample {
    /// The gold mentions of a query, in document order.
    pub fn gold(&self, query: &Query) -> Vec<Span> {
        let mut spans: Vec<Span> =
            query.answers.iter().flat_map(|&number| self.entities[number].mentions.iter().copied()).collect();
        spans.sort_unstable();
        spans
    }
}

#[derive(Deserialize)]
struct Line {
    id: String,
    data: Data,
}

#[derive(Deserialize)]
struct Data {
    qa_pairs: Vec<Pair>,
    target_text: String,
    entity_info: Vec<Info>,
}

#[derive(Deserialize)]
struct Pair {
    question: String,
    target_entities: Vec<String>,
}

#[derive(Deserialize)]
struct Info {
    mention: String,
    entity: String,
    start: usize,
    end: usize,
}

/// Reads a file of KTRL+F.
pub fn read_ktrlf(path: &Path) -> Result<Vec<Sample>, EvalError> {
    lines(path)?.into_iter().map(|line: Line| Ok(sample(line))).collect()
}

fn sample(line: Line) -> Sample {
    let Line { id, data } = line;
    let offsets: Vec<usize> =
        data.target_text.char_indices().map(|(at, _)| at).chain([data.target_text.len()]).collect();
    let mut entities: Vec<KnownEntity> = Vec::new();
    for info in data.entity_info {
        let span = place(&data.target_text, &offsets, &info);
        match entities.iter_mut().find(|entity| entity.title == info.entity) {
            Some(entity) => entity.mentions.push(span),
            None => entities.push(KnownEntity { title: info.entity, mentions: vec![span] }),
        }
    }
    let queries = data.qa_pairs.into_iter().map(|pair| Query {
        answers: (0..entities.len()).filter(|&n| pair.target_entities.contains(&entities[n].title)).collect(),
        text: pair.question,
        needs: None,
    });
    let queries = queries.collect();
    Sample { id, document: Document::from_text(data.target_text), entities, queries }
}

/// Where a mention stands: where the file says, or else its occurrence nearest to there.
fn place(text: &str, offsets: &[usize], info: &Info) -> Span {
    let byte = |chars: usize| offsets[chars.min(offsets.len() - 1)];
    let claimed = Span::new(byte(info.start), byte(info.end.max(info.start)));
    if claimed.slice(text) == Some(&info.mention) {
        return claimed;
    }
    let nearest = text.match_indices(&info.mention).min_by_key(|(at, _)| at.abs_diff(claimed.start));
    nearest.map_or(claimed, |(at, found)| Span::new(at, at + found.len()))
}

#[derive(Deserialize)]
struct ListLine {
    id: String,
    text: String,
    entities: Vec<ListEntity>,
    queries: Vec<ListQuery>,
}

#[derive(Deserialize)]
struct ListEntity {
    name: String,
    mentions: Vec<String>,
}

#[derive(Deserialize)]
struct ListQuery {
    q: String,
    answers: Vec<String>,
    #[serde(default)]
    needs: Option<String>,
}

/// Reads a file of list queries. Mentions are given as strings: every occurrence as whole words counts, a longer
/// name before the shorter ones inside it.
pub fn read_lists(path: &Path) -> Result<Vec<Sample>, EvalError> {
    lines(path)?.into_iter().map(|line: ListLine| Ok(list_sample(line))).collect()
}

fn list_sample(line: ListLine) -> Sample {
    let mut names: Vec<(usize, &str)> = Vec::new();
    for (number, entity) in line.entities.iter().enumerate() {
        names.extend(
            entity.mentions.iter().map(|name| (number, name.as_str())).filter(|(_, name)| !name.is_empty()),
        );
    }
    names.sort_by_key(|(_, name)| std::cmp::Reverse(name.len()));
    let mut entities: Vec<KnownEntity> = line
        .entities
        .iter()
        .map(|entity| KnownEntity { title: entity.name.clone(), mentions: Vec::new() })
        .collect();
    let mut taken: Vec<(Span, usize)> = Vec::new();
    for (number, name) in names {
        for (at, found) in line.text.match_indices(name) {
            let span = Span::new(at, at + found.len());
            // Two entities may bear the same name: then the place is both's.
            let free = taken.iter().all(|(other, _)| !other.overlaps(&span) || *other == span);
            if free && is_whole(&line.text, span) && !entities[number].mentions.contains(&span) {
                taken.push((span, number));
                entities[number].mentions.push(span);
            }
        }
    }
    let queries = line.queries.into_iter().map(|query| Query {
        answers: (0..entities.len()).filter(|&n| query.answers.contains(&entities[n].title)).collect(),
        text: query.q,
        needs: query.needs,
    });
    let queries = queries.collect();
    Sample { id: line.id, document: Document::from_text(line.text), entities, queries }
}

fn is_whole(text: &str, span: Span) -> bool {
    let joins = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    !joins(text[..span.start].chars().next_back()) && !joins(text[span.end..].chars().next())
}

fn lines<T: for<'de> Deserialize<'de>>(path: &Path) -> Result<Vec<T>, EvalError> {
    let text =
        std::fs::read_to_string(path).map_err(|error| EvalError::File { path: path.to_owned(), error })?;
    let parse = |(number, line): (usize, &str)| {
        serde_json::from_str(line).map_err(|error| EvalError::Definition {
            path: path.to_owned(),
            message: format!(
                "line {}: {error}; check that the file is the dataset this verb reads",
                number + 1
            ),
        })
    };
    text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).map(parse).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_are_characters_and_repaired() {
        let text = "Élan met Bo. Bo left.";
        let info = |start, end| Info { mention: "Bo".into(), entity: "Bo".into(), start, end };
        let offsets: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
        assert_eq!(place(text, &offsets, &info(9, 11)), Span::new(10, 12));
        assert_eq!(place(text, &offsets, &info(14, 16)), Span::new(14, 16), "off by one");
        assert_eq!(place(text, &offsets, &info(900, 902)), Span::new(14, 16));
    }

    #[test]
    fn longer_names_come_first() {
        let sample = list_sample(ListLine {
            id: "x".into(),
            text: "New York and York, Yorkers".into(),
            entities: vec![
                ListEntity { name: "York".into(), mentions: vec!["York".into()] },
                ListEntity { name: "New York City".into(), mentions: vec!["New York".into()] },
            ],
            queries: vec![ListQuery { q: "towns".into(), answers: vec!["York".into()], needs: None }],
        });
        assert_eq!(sample.gold(&sample.queries[0]), [Span::new(13, 17)]);
        assert_eq!(sample.entities[1].mentions, [Span::new(0, 8)]);
    }
}
