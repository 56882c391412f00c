//! Looking: what is known about a question, on its page and elsewhere.

use std::collections::HashMap;

use super::hex;
use crate::error::StoreError;
use crate::model::{
    Answer, Corrections, NearQuestion, Origin, RememberedAnswers, Selector, SimilarQuestion,
    SimilarQuestionSearch, TopQuestion, Verdict,
};
use crate::page::{Page, page_key};
use crate::sql::{Param, Row, Sql, VectorSearch, params};

/// More wordings of one question than this say nothing new.
const MAX_WORDINGS: usize = 5;

/// What is known about exactly this question on exactly this content; of other pages only those with the same content.
pub fn recall_exact(
    sql: &mut dyn Sql,
    page: &Page<'_>,
    normalised: &str,
    model: Option<&str>,
) -> Result<Option<RememberedAnswers>, StoreError> {
    let content = hex(&page.content);
    let key = page_key(page.key);
    let here = "(SELECT q.id FROM questions q JOIN pages p ON p.id = q.page_id WHERE p.key = $1 AND q.normalised = $2)";
    let own = load_known_questions(sql, here, params![&*key, normalised], Some(&content), model)?;
    if let Some(known) = own.into_values().find_map(|question| question.known) {
        return Ok(Some(known));
    }
    let elsewhere = sql.first(
        "SELECT q.id FROM readings r JOIN questions q ON q.id = r.question_id JOIN pages p ON p.id = q.page_id
         WHERE r.content = $1 AND q.normalised = $2 AND p.key <> $3 ORDER BY r.at DESC, q.id LIMIT 1",
        params![&*content, normalised, &*key],
    )?;
    // A copy's answers count unless they were rejected here.
    let Some(row) = elsewhere else { return Ok(None) };
    let copies = load_known_questions(sql, "($1)", params![row.int(0)?], Some(&content), model)?;
    let Some(mut copy) = copies.into_values().find_map(|question| question.known) else { return Ok(None) };
    let said = corrections_of(sql, &key, normalised)?;
    let before = copy.answers.len();
    copy.answers.retain(|answer| !said.rejects(&answer.selector));
    Ok((before == 0 || !copy.answers.is_empty()).then_some(copy))
}

/// The same question in other words on the same content.
pub fn recall_same_question(
    sql: &mut dyn Sql,
    page: &Page<'_>,
    encoder: &str,
    direction: &[f32],
    threshold: f32,
    model: Option<&str>,
) -> Result<Vec<NearQuestion>, StoreError> {
    let content = hex(&page.content);
    let Some(page) = find_page(sql, &page_key(page.key))? else { return Ok(Vec::new()) };
    let near = sql.find_nearest_on_page(page, encoder, direction, threshold)?;
    let mut found = Vec::new();
    for near in near.chunks(MAX_WORDINGS) {
        let ids: Vec<Param<'_>> = near.iter().map(|(id, _)| Param::Int(*id)).collect();
        let mut known = load_known_questions(sql, &list(&ids), &ids, Some(&content), model)?;
        for &(id, likeness) in near {
            let remembered = known.remove(&id).and_then(|question| question.known);
            found.extend(remembered.map(|remembered| NearQuestion { likeness, remembered }));
        }
        if found.len() >= MAX_WORDINGS {
            break;
        }
    }
    found.truncate(MAX_WORDINGS);
    Ok(found)
}

/// What persons said about a question on a page.
pub fn corrections_of(sql: &mut dyn Sql, page: &str, normalised: &str) -> Result<Corrections, StoreError> {
    let rows = sql.query(
        "SELECT f.quote, f.prefix, f.suffix, f.start, f.verdict, f.at FROM feedback f
         JOIN questions q ON q.id = f.question_id JOIN pages p ON p.id = q.page_id
         WHERE p.key = $1 AND q.normalised = $2 ORDER BY f.at, f.id",
        params![&*page_key(page), normalised],
    )?;
    let mut said = Corrections::default();
    for row in rows {
        said.take(verdict(&row, 4, 0)?, row.int(5)?);
    }
    Ok(said)
}

/// The questions of a page, the most asked first, then the latest.
pub fn top_questions(sql: &mut dyn Sql, page: &str, limit: usize) -> Result<Vec<TopQuestion>, StoreError> {
    let rows = sql.query(
        "SELECT q.id, q.text, CAST(COALESCE(SUM(a.count), 0) AS BIGINT) AS times, COALESCE(MAX(a.last_asked), 0) AS latest
         FROM pages p JOIN questions q ON q.page_id = p.id LEFT JOIN asked a ON a.question_id = q.id
         WHERE p.key = $1 GROUP BY q.id, q.text ORDER BY times DESC, latest DESC, q.id LIMIT $2",
        params![&*page_key(page), limit as u64],
    )?;
    read_top_questions(sql, &rows)
}

/// Questions of all pages, nearest first.
pub fn find_similar_questions(
    sql: &mut dyn Sql,
    wanted: &SimilarQuestionSearch<'_>,
    direction: &[f32],
) -> Result<Vec<SimilarQuestion>, StoreError> {
    let except_page = match wanted.except_page {
        Some(page) => find_page(sql, &page_key(page))?,
        None => None,
    };
    let near = sql.find_nearest(&VectorSearch {
        encoder: wanted.vector.encoder,
        direction,
        limit: wanted.limit,
        threshold: wanted.threshold,
        except_page,
        answered: wanted.answered,
    })?;
    if near.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<Param<'_>> = near.iter().map(|(id, _)| Param::Int(*id)).collect();
    let statement = format!(
        "SELECT q.id, q.text, CAST(COALESCE(SUM(a.count), 0) AS BIGINT), COALESCE(MAX(a.last_asked), 0), p.key, p.title
         FROM questions q JOIN pages p ON p.id = q.page_id LEFT JOIN asked a ON a.question_id = q.id
         WHERE q.id IN {} GROUP BY q.id, q.text, p.key, p.title",
        list(&ids)
    );
    let rows = sql.query(&statement, &ids)?;
    let likeness: HashMap<i64, f32> = near.into_iter().collect();
    let questions = read_top_questions(sql, &rows)?;
    let mut found = Vec::with_capacity(rows.len());
    for (row, question) in rows.iter().zip(questions) {
        found.push(SimilarQuestion {
            likeness: likeness.get(&question.id).copied().unwrap_or_default(),
            question,
            page_key: row.text(4)?,
            page_title: row.optional_text(5)?,
        });
    }
    found.sort_by(|a, b| b.likeness.total_cmp(&a.likeness).then(a.question.id.cmp(&b.question.id)));
    Ok(found)
}

/// Questions with their answers from rows that begin with id, text, count and time.
fn read_top_questions(sql: &mut dyn Sql, rows: &[Row]) -> Result<Vec<TopQuestion>, StoreError> {
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<i64> = rows.iter().map(|row| row.int(0)).collect::<Result<_, _>>()?;
    let ids: Vec<Param<'_>> = ids.into_iter().map(Param::Int).collect();
    let mut known = load_known_questions(sql, &list(&ids), &ids, None, None)?;
    let question = |row: &Row| {
        let known = known.remove(&row.int(0)?).and_then(|question| question.known);
        let known = known.filter(|known| !known.guessed);
        Ok(TopQuestion {
            id: row.int(0)?,
            text: row.text(1)?,
            count: row.count(2)?,
            last_asked: row.int(3)?,
            answers: known.map(|known| known.answers).unwrap_or_default(),
        })
    };
    rows.iter().map(question).collect()
}

fn find_page(sql: &mut dyn Sql, key: &str) -> Result<Option<i64>, StoreError> {
    sql.first("SELECT id FROM pages WHERE key = $1", params![key])?.map(|row| row.int(0)).transpose()
}

/// All that is stored about a question.
#[derive(Default)]
struct StoredQuestion {
    text: String,
    said: Corrections,
    readings: Vec<StoredReading>,
    known: Option<RememberedAnswers>,
}

/// What one model read in one content.
struct StoredReading {
    id: i64,
    larger: bool,
    at: i64,
    no_answer: f32,
    model: String,
    content: String,
    guessed: bool,
    answers: Vec<(Selector, f32)>,
}

/// What is known about each of some questions, in one statement however many they are: a server may be far away. `which`
/// is a list or a subquery of their ids.
fn load_known_questions(
    sql: &mut dyn Sql,
    which: &str,
    params: &[Param<'_>],
    content: Option<&str>,
    model: Option<&str>,
) -> Result<HashMap<i64, StoredQuestion>, StoreError> {
    // Parts in the order in which they are needed: the questions, what persons said, readings, their answers.
    let statement = format!(
        "SELECT CAST(0 AS BIGINT) AS part, id AS question, id AS item, CAST(0 AS BIGINT) AS place, CAST(0 AS BIGINT) AS at,
                CAST(0 AS DOUBLE PRECISION) AS sure, text AS a, '' AS b, '' AS c, CAST(0 AS BIGINT) AS start, '' AS verdict
         FROM questions WHERE id IN {which}
         UNION ALL SELECT 1, question_id, id, 0, at, 0, quote, prefix, suffix, start, verdict
         FROM feedback WHERE question_id IN {which}
         UNION ALL SELECT 2, question_id, id, larger, at, no_answer, model, content, '', guessed, ''
         FROM readings WHERE question_id IN {which}
         UNION ALL SELECT 3, r.question_id, r.id, a.place, 0, a.confidence, a.quote, a.prefix, a.suffix, a.start, ''
         FROM answers a JOIN readings r ON r.id = a.reading_id WHERE r.question_id IN {which}
         ORDER BY part, at, item, place"
    );
    let mut stored: HashMap<i64, StoredQuestion> = HashMap::new();
    for row in sql.query(&statement, params)? {
        let question = stored.entry(row.int(1)?).or_default();
        match row.int(0)? {
            0 => question.text = row.text(6)?,
            1 => question.said.take(verdict(&row, 10, 6)?, row.int(4)?),
            2 => question.readings.push(StoredReading {
                id: row.int(2)?,
                larger: row.int(3)? != 0,
                at: row.int(4)?,
                no_answer: row.real(5)?,
                model: row.text(6)?,
                content: row.text(7)?,
                guessed: row.int(9)? != 0,
                answers: Vec::new(),
            }),
            _ => {
                let item = row.int(2)?;
                if let Some(reading) = question.readings.iter_mut().find(|reading| reading.id == item) {
                    reading.answers.push((selector(&row, 6)?, row.real(5)?));
                }
            }
        }
    }
    for (&id, question) in &mut stored {
        question.readings.sort_by_key(|reading| std::cmp::Reverse((reading.larger, reading.at, reading.id)));
        let chosen = choose_answers(&question.said, &question.readings, content, model);
        question.known = chosen.map(|chosen| RememberedAnswers {
            question: id,
            text: question.text.clone(),
            answers: chosen.answers,
            no_answer: chosen.no_answer,
            guessed: chosen.guessed,
        });
    }
    Ok(stored)
}

/// What is to be shown.
struct ChosenAnswers {
    answers: Vec<Answer>,
    no_answer: f32,
    guessed: bool,
}

/// The rule by which answers are chosen. Persons come first. A reading counts for its own content only (`None`: the
/// latest of any), one by a larger model before the reader's, and without what persons rejected; if they rejected all
/// of its answers, nothing is known; if they rejected its guess, there is none.
fn choose_answers(
    said: &Corrections,
    readings: &[StoredReading],
    content: Option<&str>,
    model: Option<&str>,
) -> Option<ChosenAnswers> {
    if !said.right.is_empty() {
        let right = said.right.iter().map(|(selector, at)| Answer {
            selector: selector.clone(),
            confidence: 1.0,
            origin: Origin::Person,
            at: *at,
        });
        return Some(ChosenAnswers { answers: right.collect(), no_answer: 0.0, guessed: false });
    }
    let counts = |reading: &&StoredReading| {
        (reading.larger || model.is_none_or(|model| reading.model == model))
            && content.is_none_or(|content| reading.content == content)
    };
    readings.iter().filter(counts).find_map(|reading| {
        let origin = if reading.larger { Origin::Larger } else { Origin::Reader };
        let kept = reading.answers.iter().filter(|(selector, _)| !said.rejects(selector));
        let shown: Vec<Answer> = kept
            .map(|(selector, confidence)| Answer {
                selector: selector.clone(),
                confidence: *confidence,
                origin,
                at: reading.at,
            })
            .collect();
        let usable = reading.answers.is_empty() || reading.guessed || !shown.is_empty();
        let guessed = reading.guessed && !shown.is_empty();
        usable.then_some(ChosenAnswers { answers: shown, no_answer: reading.no_answer, guessed })
    })
}

/// `($1, $2, …)` for so many parameters.
fn list(params: &[Param<'_>]) -> String {
    let places: Vec<String> = (1..=params.len()).map(|number| format!("${number}")).collect();
    format!("({})", places.join(", "))
}

/// A person's word: the column with the word, and the first of its selector.
fn verdict(row: &Row, word: usize, first: usize) -> Result<Verdict, StoreError> {
    let place = selector(row, first)?;
    Ok(if row.is_text(word, "right") { Verdict::Right(place) } else { Verdict::Wrong(place) })
}

/// A selector from four columns.
pub fn selector(row: &Row, first: usize) -> Result<Selector, StoreError> {
    Ok(Selector {
        quote: row.text(first)?,
        prefix: row.text(first + 1)?,
        suffix: row.text(first + 2)?,
        start: row.count(first + 3)?,
    })
}
