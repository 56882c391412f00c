//! The collection that `eval/build_like_collection.py` writes: examples, targets, and a corpus of sentences; and the
//! corpus as a library, analysed once and kept.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::path::Path;

use findall::document::Document;
use findall::engine::Engine;
use findall::like::{Corpus, Example, Term};
use findall_library::{Library, Stamp};
use serde::Deserialize;

use crate::EvalError;
use crate::inputs;

#[derive(Deserialize)]
struct QueryRow {
    id: String,
    entity: String,
    sentence: String,
    sentence_id: String,
    #[serde(default)]
    terms: HashMap<String, u8>,
}

#[derive(Deserialize)]
struct SentenceRow {
    id: String,
    entity: String,
    text: String,
}

/// One example and what is like it.
pub struct LikeQuery {
    pub id: String,
    pub example: Example,
    /// The sentence that is the example itself.
    pub own: String,
    /// Entities to be found.
    pub targets: HashSet<String>,
}

/// A sentence of the corpus.
pub struct Sentence {
    pub id: String,
    pub entity: String,
}

/// Everything that is measured on.
pub struct Collection {
    pub queries: Vec<LikeQuery>,
    pub corpus: Corpus,
    /// For every sentence of the corpus, the row that it is from.
    pub rows: Vec<usize>,
    pub sentences: Vec<Sentence>,
}

impl Collection {
    /// Reads the three files, and analyses the corpus unless the library in `folder` already is.
    pub fn read(
        queries: &Path,
        qrels: &Path,
        corpus: &Path,
        folder: &Path,
        engine: &Engine,
        say: &mut dyn FnMut(&str),
    ) -> Result<Self, EvalError> {
        let rows: Vec<SentenceRow> = inputs::json_lines(corpus)?;
        let asked: Vec<QueryRow> = inputs::json_lines(queries)?;
        let entity_of: HashMap<&str, &str> =
            rows.iter().map(|row| (row.id.as_str(), row.entity.as_str())).collect();
        let mut targets: HashMap<String, HashSet<String>> = HashMap::new();
        for line in inputs::text(qrels)?.lines() {
            let parts: Vec<&str> = line.split_whitespace().collect();
            if let [query, _, sentence, grade] = parts[..]
                && grade.parse::<i64>().is_ok_and(|grade| grade > 0)
                && let Some(entity) = entity_of.get(sentence)
            {
                targets.entry(query.into()).or_default().insert((*entity).to_owned());
            }
        }
        let queries = asked.into_iter().map(|row| {
            let mut terms: Vec<Term> =
                row.terms.into_iter().map(|(word, weight)| Term { word, weight }).collect();
            terms.sort_by(|a, b| b.weight.cmp(&a.weight).then(a.word.cmp(&b.word)));
            let example = Example { entity: row.entity, sentence: row.sentence, terms };
            LikeQuery {
                targets: targets.remove(&row.id).unwrap_or_default(),
                id: row.id,
                example,
                own: row.sentence_id,
            }
        });
        let queries = queries.filter(|query| !query.targets.is_empty()).collect();
        let (corpus, numbers) = build(&rows, folder, engine, say)?;
        let sentences = rows.into_iter().map(|row| Sentence { id: row.id, entity: row.entity }).collect();
        Ok(Self { queries, corpus, rows: numbers, sentences })
    }
}

/// Rows of one entity are one document; a blank line stands between two rows, so that no sentence runs over.
fn documents(rows: &[SentenceRow]) -> Vec<(String, Vec<usize>)> {
    let mut documents: Vec<(String, Vec<usize>)> = Vec::new();
    for (number, row) in rows.iter().enumerate() {
        match documents.last_mut() {
            Some((text, starts)) if rows[number - 1].entity == row.entity => {
                text.push_str("\n\n");
                starts.push(text.len());
                text.push_str(&row.text);
            }
            _ => documents.push((row.text.clone(), vec![0])),
        }
    }
    documents
}

fn build(
    rows: &[SentenceRow],
    folder: &Path,
    engine: &Engine,
    say: &mut dyn FnMut(&str),
) -> Result<(Corpus, Vec<usize>), EvalError> {
    let failed = |error: &dyn std::fmt::Display| EvalError::Program {
        program: "library".into(),
        message: error.to_string(),
    };
    let documents = documents(rows);
    let library = Library::create(folder).map_err(|error| failed(&error))?;
    let mut writer = library.writer().map_err(|error| failed(&error))?;
    for (number, (text, _)) in documents.iter().enumerate() {
        let (name, stamp) = (format!("{number:08}"), Stamp::of_text(text));
        if writer.find_file(&name).is_none_or(|known| known.stamp != stamp) {
            writer.put(&name, stamp, &Document::from_text(text)).map_err(|error| failed(&error))?;
        }
    }
    let beyond: Vec<String> = writer
        .paths()
        .filter(|path| path.parse::<usize>().is_ok_and(|n| n >= documents.len()))
        .map(str::to_owned)
        .collect();
    for path in &beyond {
        writer.remove(path);
    }
    writer.commit().map_err(|error| failed(&error))?;
    let analyser = engine.analyser();
    let made_by = engine.made_by();
    writer
        .analyse(&analyser, &made_by, &mut |_, _| Ok(()), &mut |done| {
            say(&format!("analysed {} of {} documents, {} sentences", done.files, done.of, done.sentences));
            ControlFlow::Continue(())
        })
        .map_err(|error| failed(&error))?;
    let snapshot = library.snapshot().map_err(|error| failed(&error))?;
    let (corpus, files) = snapshot.corpus(&made_by, None).map_err(|error| failed(&error))?;
    let mut first = vec![0];
    first.extend(documents.iter().scan(0, |sum, (_, starts)| {
        *sum += starts.len();
        Some(*sum)
    }));
    let mut numbers = Vec::with_capacity(corpus.len());
    for file in files {
        let number: usize = snapshot.files()[file].path.parse().unwrap_or(0);
        let document =
            snapshot.document(file).ok_or_else(|| failed(&"a text is gone; remove the library"))?;
        for span in document.sentences() {
            let row = documents[number].1.partition_point(|&start| start <= span.start) - 1;
            numbers.push(first[number] + row);
        }
    }
    Ok((corpus, numbers))
}
