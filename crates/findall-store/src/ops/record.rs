//! Writing: a question that was asked and what was read, and a person's word about it.

use super::{hex, settings};
use crate::error::StoreError;
use crate::model::{Feedback, Question, QuestionRecord, Reading, Selector, Vector, Verdict, WriteOutcome};
use crate::page::page_key;
use crate::settings::Reach;
use crate::sql::{Sql, params};

/// Longest texts that are kept, in bytes.
const MAX_KEY: usize = 4096;
const MAX_TITLE: usize = 1000;
const MAX_QUESTION: usize = 4000;
const MAX_QUOTE: usize = 8000;
const MAX_AROUND: usize = 1000;
const MAX_PASSAGE: usize = 16_000;
const MAX_NAME: usize = 300;
/// A reading lists the answers of a page, not the page.
const MAX_ANSWERS: usize = 200;

/// Refuses what is too long or cannot be kept by both databases.
pub fn check_question(asked: &QuestionRecord<'_>) -> Result<(), StoreError> {
    check_page(asked.page.key, asked.page.title)?;
    check_words(&asked.question)?;
    check_name(asked.vector.map_or("", |vector| vector.encoder))?;
    asked.reading.as_ref().map_or(Ok(()), check_reading)
}

/// The same for a correction.
pub fn check_feedback(feedback: &Feedback<'_>) -> Result<(), StoreError> {
    check_page(feedback.page.key, feedback.page.title)?;
    check_words(&feedback.question)?;
    check_name(feedback.vector.map_or("", |vector| vector.encoder))?;
    check_passage(feedback.passage)?;
    let (Verdict::Right(selector) | Verdict::Wrong(selector)) = &feedback.verdict;
    check_selector(selector)
}

/// Address and title. A long title is cut later on.
pub fn check_page(key: &str, title: Option<&str>) -> Result<(), StoreError> {
    check_text("the page's address", key, MAX_KEY)?;
    check_text("the page's title", title.unwrap_or_default(), usize::MAX)
}

/// A question in both forms.
pub fn check_words(question: &Question<'_>) -> Result<(), StoreError> {
    check_text("the question", question.text, MAX_QUESTION)?;
    check_text("the question", question.normalised, MAX_QUESTION)
}

/// Names of models, stores and contents.
pub fn check_name(name: &str) -> Result<(), StoreError> {
    check_text("a name", name, MAX_NAME)
}

/// Text to learn from.
pub fn check_passage(passage: &str) -> Result<(), StoreError> {
    check_text("the passage", passage, MAX_PASSAGE)
}

/// All answers of a reading.
pub fn check_reading(reading: &Reading) -> Result<(), StoreError> {
    check_name(&reading.model)?;
    if reading.answers.len() > MAX_ANSWERS {
        return Err(StoreError::TooLong { what: "the list of answers", limit: MAX_ANSWERS });
    }
    reading.answers.iter().try_for_each(|(selector, _)| check_selector(selector))
}

/// A quote and what stands around it.
pub fn check_selector(selector: &Selector) -> Result<(), StoreError> {
    check_text("the quote", &selector.quote, MAX_QUOTE)?;
    check_text("the text before the quote", &selector.prefix, MAX_AROUND)?;
    check_text("the text after the quote", &selector.suffix, MAX_AROUND)
}

fn check_text(what: &'static str, text: &str, limit: usize) -> Result<(), StoreError> {
    match text {
        text if text.len() > limit => Err(StoreError::TooLong { what, limit }),
        text if text.contains('\0') => Err(StoreError::Unstorable { what }),
        _ => Ok(()),
    }
}

/// Keeps a question and its reading.
pub fn record_question(
    sql: &mut dyn Sql,
    asked: &QuestionRecord<'_>,
    reach: Reach,
) -> Result<WriteOutcome, StoreError> {
    let key = page_key(asked.page.key);
    let (settings, name) = settings::read_with_name(sql)?;
    if let Err(refusal) = settings.permit(&key, reach) {
        return Ok(WriteOutcome::Refused(refusal));
    }
    let page = keep_page(sql, &key, asked.page.title, asked.at, asked.at)?;
    let content = hex(&asked.page.content);
    keep_version(sql, page, &content, asked.at, asked.at)?;
    let question = keep_question(sql, page, asked.question, asked.vector)?;
    let source = name.map_or_else(|| settings::store_name(sql), Ok)?;
    sql.execute(
        &format!(
            "INSERT INTO asked (question_id, source, count, last_asked) VALUES ($1, $2, 1, $3) {COUNT_ON_CONFLICT}"
        ),
        params![question, source.as_str(), asked.at],
    )?;
    if let Some(reading) = &asked.reading {
        keep_reading(sql, question, &content, reading, asked.at)?;
    }
    Ok(WriteOutcome::Kept(question))
}

/// A row of `asked` that was there counts once more.
pub const COUNT_ON_CONFLICT: &str =
    "ON CONFLICT (question_id, source) DO UPDATE SET count = asked.count + 1, last_asked =
    CASE WHEN excluded.last_asked > asked.last_asked THEN excluded.last_asked ELSE asked.last_asked END";

/// Counts a question that is known, in as few statements as can be, because an answer from memory waits for it; `None`
/// when it is not known, and nothing was written. The page's own times move when it is read.
pub fn record_asked_again(
    sql: &mut dyn Sql,
    asked: &QuestionRecord<'_>,
    reach: Reach,
) -> Result<Option<WriteOutcome>, StoreError> {
    let key = page_key(asked.page.key);
    let (settings, name) = settings::read_with_name(sql)?;
    if let Err(refusal) = settings.permit(&key, reach) {
        return Ok(Some(WriteOutcome::Refused(refusal)));
    }
    let Some(source) = name else { return Ok(None) };
    Ok(sql.count_question(&key, asked.question, &source, asked.at)?.map(WriteOutcome::Kept))
}

/// Keeps a person's word, and the question it is about.
pub fn record_feedback(
    sql: &mut dyn Sql,
    feedback: &Feedback<'_>,
    mark: &str,
    reach: Reach,
) -> Result<WriteOutcome, StoreError> {
    let key = page_key(feedback.page.key);
    if let Err(refusal) = settings::read(sql)?.permit(&key, reach) {
        return Ok(WriteOutcome::Refused(refusal));
    }
    let page = keep_page(sql, &key, feedback.page.title, feedback.at, feedback.at)?;
    let content = hex(&feedback.page.content);
    keep_version(sql, page, &content, feedback.at, feedback.at)?;
    let question = keep_question(sql, page, feedback.question, feedback.vector)?;
    keep_feedback(sql, question, mark, &content, &feedback.verdict, feedback.passage, feedback.at)?;
    Ok(WriteOutcome::Kept(question))
}

/// A page by its key; its times widen, its title is the latest.
pub fn keep_page(
    sql: &mut dyn Sql,
    key: &str,
    title: Option<&str>,
    first: i64,
    last: i64,
) -> Result<i64, StoreError> {
    let title = title.map(|title| &title[..title.floor_char_boundary(MAX_TITLE)]).filter(|t| !t.is_empty());
    sql.number(
        "INSERT INTO pages (key, title, first_seen, last_seen) VALUES ($1, $2, $3, $4)
         ON CONFLICT (key) DO UPDATE SET
         title = CASE WHEN pages.title IS NULL OR (excluded.title IS NOT NULL AND excluded.last_seen >= pages.last_seen)
             THEN excluded.title ELSE pages.title END,
         first_seen = CASE WHEN excluded.first_seen < pages.first_seen THEN excluded.first_seen ELSE pages.first_seen END,
         last_seen = CASE WHEN excluded.last_seen > pages.last_seen THEN excluded.last_seen ELSE pages.last_seen END
         RETURNING id",
        params![key, title, first, last],
    )
}

/// One content of a page.
pub fn keep_version(
    sql: &mut dyn Sql,
    page: i64,
    content: &str,
    first: i64,
    last: i64,
) -> Result<(), StoreError> {
    sql.execute(
        "INSERT INTO versions (page_id, content, first_seen, last_seen) VALUES ($1, $2, $3, $4)
         ON CONFLICT (page_id, content) DO UPDATE SET
         first_seen = CASE WHEN excluded.first_seen < versions.first_seen THEN excluded.first_seen ELSE versions.first_seen END,
         last_seen = CASE WHEN excluded.last_seen > versions.last_seen THEN excluded.last_seen ELSE versions.last_seen END",
        params![page, content, first, last],
    )?;
    Ok(())
}

/// A question of a page, by its normalised form.
pub fn keep_question(
    sql: &mut dyn Sql,
    page: i64,
    question: Question<'_>,
    vector: Option<Vector<'_>>,
) -> Result<i64, StoreError> {
    let id = sql.number(
        "INSERT INTO questions (page_id, normalised, text) VALUES ($1, $2, $3)
         ON CONFLICT (page_id, normalised) DO UPDATE SET text = excluded.text RETURNING id",
        params![page, question.normalised, question.text],
    )?;
    if let Some(vector) = vector {
        sql.put_vector(id, vector.encoder, &vector.direction()?)?;
    }
    Ok(id)
}

/// A model's reading of a content, in place of an earlier one by the same model; an older one changes nothing.
pub fn keep_reading(
    sql: &mut dyn Sql,
    question: i64,
    content: &str,
    reading: &Reading,
    at: i64,
) -> Result<bool, StoreError> {
    let kept = sql.first(
        "INSERT INTO readings (question_id, content, larger, model, no_answer, at, guessed)
         VALUES ($1, $2, $3, $4, $5, $6, $7)
         ON CONFLICT (question_id, content, larger, model) DO UPDATE
         SET no_answer = excluded.no_answer, at = excluded.at, guessed = excluded.guessed
         WHERE excluded.at >= readings.at RETURNING id",
        params![
            question,
            content,
            i64::from(reading.larger),
            &*reading.model,
            reading.no_answer,
            at,
            i64::from(reading.guessed)
        ],
    )?;
    let Some(id) = kept.map(|row| row.int(0)).transpose()? else { return Ok(false) };
    sql.execute("DELETE FROM answers WHERE reading_id = $1", params![id])?;
    for (place, (selector, confidence)) in reading.answers.iter().enumerate() {
        let Selector { quote, prefix, suffix, start } = selector;
        sql.execute(
            "INSERT INTO answers (reading_id, place, quote, prefix, suffix, start, confidence)
             VALUES ($1, $2, $3, $4, $5, $6, $7)",
            params![id, place as u64, &**quote, &**prefix, &**suffix, *start, *confidence],
        )?;
    }
    Ok(true)
}

/// A person's word under its mark; one that is there stays.
pub fn keep_feedback(
    sql: &mut dyn Sql,
    question: i64,
    mark: &str,
    content: &str,
    verdict: &Verdict,
    passage: &str,
    at: i64,
) -> Result<bool, StoreError> {
    let (word, Selector { quote, prefix, suffix, start }) = match verdict {
        Verdict::Right(selector) => ("right", selector),
        Verdict::Wrong(selector) => ("wrong", selector),
    };
    let changed = sql.execute(
        "INSERT INTO feedback (mark, question_id, content, verdict, quote, prefix, suffix, start, passage, at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (mark) DO NOTHING",
        params![mark, question, content, word, &**quote, &**prefix, &**suffix, *start, passage, at],
    )?;
    Ok(changed > 0)
}

/// 128 random bits in words, to tell stores and corrections apart wherever they travel.
pub fn random_name() -> Result<String, StoreError> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| StoreError::Failed {
        place: "the system's random numbers".into(),
        reason: error.to_string(),
    })?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
