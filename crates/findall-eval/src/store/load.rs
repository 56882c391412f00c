//! Filling a store with many questions: through the store's own import, or, where a million are wanted, by PostgreSQL's
//! binary COPY with the index built afterwards, as one would restore a large store.

use std::io::Write;
use std::time::Instant;

use findall_store::exchange::{
    AnswerLine, AskedLine, ImportOptions, Line, QuestionLine, ReadingLine, SelectorLine, VectorLine,
};
use findall_store::{Pattern, PatternUse, Store};
use postgres::binary_copy::BinaryCopyInWriter;
use postgres::types::{ToSql, Type};

use super::{make_error, wrap_error};
use crate::EvalError;

/// The encoder that the vectors claim to come from.
pub const ENCODER: &str = "encoder";
/// Questions a page.
const PER_PAGE: u64 = 100;

/// The wording of a question.
fn text(number: u64) -> String {
    format!("What is known about {number}?")
}

/// The other way.
pub fn number_of(text: &str) -> Option<u64> {
    text.strip_prefix("What is known about ")?.strip_suffix('?')?.parse().ok()
}

/// Line by line, a few hundred in a transaction.
pub fn load_through_import(
    store: &dyn Store,
    count: u64,
    vector: &dyn Fn(u64) -> Vec<f32>,
) -> Result<(), EvalError> {
    store.add_pattern(PatternUse::Share, &Pattern::new("*").map_err(wrap_error)?).map_err(wrap_error)?;
    let mut batch = Vec::new();
    for number in 0..count {
        let selector = SelectorLine {
            quote: format!("answer {number}"),
            prefix: "before ".into(),
            suffix: " after".into(),
            start: 1,
        };
        let reading = ReadingLine {
            content: "content".into(),
            model: "reader".into(),
            larger: false,
            no_answer: 0.1,
            at: 1,
            guessed: false,
            answers: vec![AnswerLine { selector, confidence: 0.9 }],
        };
        batch.push(Line::Question(Box::new(QuestionLine {
            page: format!("https://example.org/{}", number / PER_PAGE),
            text: text(number),
            normalised: text(number),
            asked: vec![AskedLine { store: "s".into(), count: 1, last_asked: 1 }],
            vectors: vec![VectorLine::new(ENCODER.into(), &vector(number))],
            readings: vec![reading],
            feedback: Vec::new(),
        })));
        if batch.len() == 500 || number + 1 == count {
            store.import(&batch, ImportOptions::default()).map_err(wrap_error)?;
            batch.clear();
        }
    }
    Ok(())
}

/// Table by table; the graph is built at the end, by the statement that the layout has for it.
pub fn load_by_copy(
    url: &str,
    count: u64,
    vector: &dyn Fn(u64) -> Vec<f32>,
    out: &mut dyn Write,
) -> Result<(), EvalError> {
    let failed = |error: postgres::Error| make_error(error.to_string());
    let mut client = postgres::Client::connect(url, postgres::NoTls).map_err(failed)?;
    let definition = "SELECT pg_get_indexdef('findall.vectors_nearest'::regclass)";
    let index: String = client.query_one(definition, &[]).map_err(failed)?.get(0);
    client
        .batch_execute(
            "SET search_path = findall, public; DROP INDEX vectors_nearest; SET synchronous_commit = off",
        )
        .map_err(failed)?;
    let pages = count.div_ceil(PER_PAGE);
    let statements = [
        "INSERT INTO patterns VALUES ('share', '*')".to_owned(),
        format!(
            "INSERT INTO pages (id, key, title, first_seen, last_seen) OVERRIDING SYSTEM VALUE
             SELECT n + 1, 'https://example.org/' || n, 'Page ' || n, 1, 1 FROM generate_series(0, {pages} - 1) n"
        ),
        format!(
            "INSERT INTO questions (id, page_id, normalised, text) OVERRIDING SYSTEM VALUE
             SELECT n + 1, n / {PER_PAGE} + 1, t, t FROM (SELECT n, 'What is known about ' || n || '?' AS t
             FROM generate_series(0::bigint, {count} - 1) n) made"
        ),
        "INSERT INTO asked SELECT id, 's', 1, 1 FROM questions".to_owned(),
        "INSERT INTO readings (id, question_id, content, larger, model, no_answer, at) OVERRIDING SYSTEM VALUE
         SELECT id, id, 'content', 0, 'reader', 0.1, 1 FROM questions"
            .to_owned(),
        "INSERT INTO answers SELECT id, 0, 'answer ' || id, 'before ', ' after', 1, 0.9 FROM readings".to_owned(),
    ];
    let started = Instant::now();
    for statement in statements {
        client.batch_execute(&statement).map_err(failed)?;
    }
    copy_vectors(&mut client, count, vector)?;
    client.batch_execute("ANALYZE").map_err(failed)?;
    writeln!(out, "rows in after {:.0} s", started.elapsed().as_secs_f64())?;
    let started = Instant::now();
    client.batch_execute(&index).map_err(failed)?;
    writeln!(out, "index built in {:.0} s", started.elapsed().as_secs_f64())?;
    Ok(())
}

fn copy_vectors(
    client: &mut postgres::Client,
    count: u64,
    vector: &dyn Fn(u64) -> Vec<f32>,
) -> Result<(), EvalError> {
    let failed = |error: postgres::Error| make_error(error.to_string());
    let kind = client.prepare("SELECT vector FROM vectors").map_err(failed)?.columns()[0].type_().clone();
    let copy = "COPY vectors (question_id, encoder, vector) FROM STDIN BINARY";
    let mut writer =
        BinaryCopyInWriter::new(client.copy_in(copy).map_err(failed)?, &[Type::INT8, Type::TEXT, kind]);
    for number in 0..count {
        let vector = pgvector::Vector::from(vector(number));
        let row: [&(dyn ToSql + Sync); 3] = [&(number as i64 + 1), &ENCODER, &vector];
        writer.write(&row).map_err(failed)?;
    }
    writer.finish().map_err(failed)?;
    Ok(())
}
