//! Looking: what is known about a question, on its page and elsewhere.

use std::collections::HashMap;

use super::{by_id, hex};
use crate::error::StoreError;
use crate::model::{
    Answer, Corrections, Near, Origin, Remembered, Selector, Similar, SimilarQuestion, TopQuestion,
};
use crate::page::{Page, page_key};
use crate::sql::{Nearest, Param, Row, Sql, params};

/// More wordings of one question than this say nothing new.
const MOST_WORDINGS: usize = 5;

/// What is known about exactly this question on exactly this content; of other pages only those with the same content.
pub fn cached(
    sql: &mut dyn Sql,
    page: &Page<'_>,
    normalised: &str,
    model: Option<&str>,
) -> Result<Option<Remembered>, StoreError> {
    let content = hex(&page.content);
    let key = page_key(page.key);
    let own = question_of(sql, &key, normalised)?;
    if let Some(question) = own
        && let Some(known) = known(sql, question, Some(&content), model)?
    {
        return Ok(Some(known));
    }
    let elsewhere = sql.query(
        "SELECT q.id, q.text FROM readings r JOIN questions q ON q.id = r.question_id JOIN pages p ON p.id = q.page_id
         WHERE r.content = $1 AND q.normalised = $2 AND p.key <> $3 ORDER BY r.at DESC, q.id LIMIT 1",
        params![&*content, normalised, &*key],
    )?;
    // A copy's answers count unless they were rejected here.
    let Some(row) = elsewhere.first() else { return Ok(None) };
    let Some(mut copy) = known(sql, (row.int(0)?, row.text(1)?), Some(&content), model)? else {
        return Ok(None);
    };
    let said = corrections_of(sql, &key, normalised)?;
    let before = copy.answers.len();
    copy.answers.retain(|answer| !said.rejects(&answer.selector));
    Ok((before == 0 || !copy.answers.is_empty()).then_some(copy))
}

/// The same question in other words on the same content.
pub fn same_question(
    sql: &mut dyn Sql,
    page: &Page<'_>,
    encoder: &str,
    direction: &[f32],
    threshold: f32,
    model: Option<&str>,
) -> Result<Vec<Near>, StoreError> {
    let content = hex(&page.content);
    let Some(page) = page_of(sql, &page_key(page.key))? else { return Ok(Vec::new()) };
    let near = sql.nearest_on_page(page, encoder, direction, threshold)?;
    let mut found = Vec::new();
    for near in near.chunks(MOST_WORDINGS) {
        let ids: Vec<Param<'_>> = near.iter().map(|(id, _)| Param::Int(*id)).collect();
        let texts = format!("SELECT id, text FROM questions WHERE id IN {}", list(&ids));
        let texts: HashMap<i64, String> = sql
            .query(&texts, &ids)?
            .iter()
            .map(|row| Ok((row.int(0)?, row.text(1)?)))
            .collect::<Result<_, StoreError>>()?;
        let questions: Vec<(i64, String)> =
            near.iter().map(|(id, _)| (*id, texts.get(id).cloned().unwrap_or_default())).collect();
        for (remembered, (_, likeness)) in
            known_all(sql, &questions, Some(&content), model)?.into_iter().zip(near)
        {
            found.extend(remembered.map(|remembered| Near { likeness: *likeness, remembered }));
        }
        if found.len() >= MOST_WORDINGS {
            break;
        }
    }
    found.truncate(MOST_WORDINGS);
    Ok(found)
}

/// What persons said about a question on a page.
pub fn corrections_of(sql: &mut dyn Sql, page: &str, normalised: &str) -> Result<Corrections, StoreError> {
    match question_of(sql, &page_key(page), normalised)? {
        Some((id, _)) => {
            let rows = sql.query(&said_about("($1)"), params![id])?;
            corrections(&rows)
        }
        None => Ok(Corrections::default()),
    }
}

/// The questions of a page, the most asked first, then the latest.
pub fn top_questions(sql: &mut dyn Sql, page: &str, limit: usize) -> Result<Vec<TopQuestion>, StoreError> {
    let rows = sql.query(
        "SELECT q.id, q.text, CAST(COALESCE(SUM(a.count), 0) AS BIGINT) AS times, COALESCE(MAX(a.last_asked), 0) AS latest
         FROM pages p JOIN questions q ON q.page_id = p.id LEFT JOIN asked a ON a.question_id = q.id
         WHERE p.key = $1 GROUP BY q.id, q.text ORDER BY times DESC, latest DESC, q.id LIMIT $2",
        params![&*page_key(page), limit as u64],
    )?;
    top_of_rows(sql, &rows)
}

/// Questions of all pages, nearest first.
pub fn similar(
    sql: &mut dyn Sql,
    wanted: &Similar<'_>,
    direction: &[f32],
) -> Result<Vec<SimilarQuestion>, StoreError> {
    let except_page = match wanted.except_page {
        Some(page) => page_of(sql, &page_key(page))?,
        None => None,
    };
    let near = sql.nearest(&Nearest {
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
    let questions = top_of_rows(sql, &rows)?;
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
fn top_of_rows(sql: &mut dyn Sql, rows: &[Row]) -> Result<Vec<TopQuestion>, StoreError> {
    let questions: Vec<(i64, String)> =
        rows.iter().map(|row| Ok((row.int(0)?, row.text(1)?))).collect::<Result<_, StoreError>>()?;
    let known = known_all(sql, &questions, None, None)?;
    let question = |(row, known): (&Row, Option<Remembered>)| {
        let answers = known.map(|known| known.answers).unwrap_or_default();
        Ok(TopQuestion {
            id: row.int(0)?,
            text: row.text(1)?,
            count: row.count(2)?,
            last_asked: row.int(3)?,
            answers,
        })
    };
    rows.iter().zip(known).map(question).collect()
}

fn page_of(sql: &mut dyn Sql, key: &str) -> Result<Option<i64>, StoreError> {
    sql.first("SELECT id FROM pages WHERE key = $1", params![key])?.map(|row| row.int(0)).transpose()
}

fn question_of(sql: &mut dyn Sql, key: &str, normalised: &str) -> Result<Option<(i64, String)>, StoreError> {
    let row = sql.first(
        "SELECT q.id, q.text FROM questions q JOIN pages p ON p.id = q.page_id WHERE p.key = $1 AND q.normalised = $2",
        params![key, normalised],
    )?;
    row.map(|row| Ok((row.int(0)?, row.text(1)?))).transpose()
}

fn known(
    sql: &mut dyn Sql,
    question: (i64, String),
    content: Option<&str>,
    model: Option<&str>,
) -> Result<Option<Remembered>, StoreError> {
    Ok(known_all(sql, &[question], content, model)?.into_iter().next().flatten())
}

/// What is known about each of some questions, in a fixed number of statements however many they are.
fn known_all(
    sql: &mut dyn Sql,
    questions: &[(i64, String)],
    content: Option<&str>,
    model: Option<&str>,
) -> Result<Vec<Option<Remembered>>, StoreError> {
    if questions.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<Param<'_>> = questions.iter().map(|(id, _)| Param::Int(*id)).collect();
    let list = list(&ids);
    let mut said = by_id(sql.query(&said_about(&list), &ids)?)?;
    let mut readings = by_id(sql.query(
        &format!(
            "SELECT question_id, id, larger, model, no_answer, at, content FROM readings WHERE question_id IN {list}
             ORDER BY larger DESC, at DESC, id DESC"
        ),
        &ids,
    )?)?;
    let mut answers = by_id(sql.query(
        &format!(
            "SELECT a.reading_id, a.quote, a.prefix, a.suffix, a.start, a.confidence FROM answers a
             JOIN readings r ON r.id = a.reading_id WHERE r.question_id IN {list} ORDER BY a.reading_id, a.place"
        ),
        &ids,
    )?)?;
    let mut known = Vec::with_capacity(questions.len());
    for (id, text) in questions {
        let said = corrections(&said.remove(id).unwrap_or_default())?;
        let readings = readings.remove(id).unwrap_or_default();
        let chosen = choose(said, &readings, &mut answers, content, model)?;
        known.push(chosen.map(|(answers, no_answer)| Remembered {
            question: *id,
            text: text.clone(),
            answers,
            no_answer,
        }));
    }
    Ok(known)
}

/// The rule by which answers are chosen. Persons come first. A reading counts for its own content only (`None`: the
/// latest of any), one by a larger model before the reader's, and without what persons rejected; if they rejected all
/// of it, nothing is known.
fn choose(
    said: Corrections,
    readings: &[Row],
    answers: &mut HashMap<i64, Vec<Row>>,
    content: Option<&str>,
    model: Option<&str>,
) -> Result<Option<(Vec<Answer>, f32)>, StoreError> {
    if !said.right.is_empty() {
        let right = said.right.into_iter().map(|(selector, at)| Answer {
            selector,
            confidence: 1.0,
            origin: Origin::Person,
            at,
        });
        return Ok(Some((right.collect(), 0.0)));
    }
    for row in readings {
        let larger = row.int(2)? != 0;
        let wanted = larger || model.is_none_or(|model| row.is_text(3, model));
        if !wanted || !content.is_none_or(|content| row.is_text(6, content)) {
            continue;
        }
        let (origin, at) = (if larger { Origin::Larger } else { Origin::Reader }, row.int(5)?);
        let read = answers.remove(&row.int(1)?).unwrap_or_default();
        let answer =
            |row: &Row| Ok(Answer { selector: selector(row, 1)?, confidence: row.real(5)?, origin, at });
        let mut shown: Vec<Answer> = read.iter().map(answer).collect::<Result<_, StoreError>>()?;
        shown.retain(|answer| !said.rejects(&answer.selector));
        if read.is_empty() || !shown.is_empty() {
            return Ok(Some((shown, row.real(4)?)));
        }
    }
    Ok(None)
}

/// Feedback about the questions of a list.
fn said_about(list: &str) -> String {
    format!(
        "SELECT question_id, quote, prefix, suffix, start, verdict, at FROM feedback WHERE question_id IN {list}
         ORDER BY at, id"
    )
}

/// The latest word for each place.
fn corrections(rows: &[Row]) -> Result<Corrections, StoreError> {
    let mut said = Corrections::default();
    for row in rows {
        let place = selector(row, 1)?;
        said.wrong.retain(|wrong| !wrong.same_place(&place));
        said.right.retain(|(right, _)| !right.same_place(&place));
        if row.is_text(5, "right") {
            said.right.push((place, row.int(6)?));
        } else {
            said.wrong.push(place);
        }
    }
    Ok(said)
}

/// `($1, $2, …)` for so many parameters.
fn list(params: &[Param<'_>]) -> String {
    let places: Vec<String> = (1..=params.len()).map(|number| format!("${number}")).collect();
    format!("({})", places.join(", "))
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
