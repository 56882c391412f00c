//! Everything out, and in again.

use std::collections::HashMap;

use super::look::selector;
use super::{group_by_id, record, settings};
use crate::error::StoreError;
use crate::exchange::*;
use crate::model::{Question, Vector, Verdict};
use crate::page::page_key;
use crate::settings::{Pattern, PatternUse, Reach, Settings};
use crate::sql::{Row, Sql, params};

/// Pages or questions fetched at once.
const MAX_FETCHED_ROWS: u64 = 200;

/// Hands out all lines of the scope.
pub fn export(
    sql: &mut dyn Sql,
    scope: Scope,
    sink: &mut dyn FnMut(Line) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let store = sql.first("SELECT value FROM settings WHERE name = 'store'", &[])?;
    let store = store.map(|row| row.text(0)).transpose()?.unwrap_or_default();
    sink(Line::Store { format: FORMAT, store })?;
    let privacy = settings::read(sql)?;
    if scope == Scope::Everything {
        let patterns = |purpose| privacy.patterns_for(purpose).map(|pattern| pattern.as_str().to_owned());
        let (deny, share) = (patterns(PatternUse::Deny).collect(), patterns(PatternUse::Share).collect());
        sink(Line::Settings { remember: privacy.remember, deny, share })?;
    }
    let pages = export_pages(sql, scope, &privacy, sink)?;
    let questions = export_questions(sql, scope, &privacy, sink)?;
    sink(Line::End { pages, questions })
}

fn is_in_scope(scope: Scope, privacy: &Settings, key: &str) -> bool {
    scope != Scope::Shared || privacy.shares(key)
}

fn export_pages(
    sql: &mut dyn Sql,
    scope: Scope,
    privacy: &Settings,
    sink: &mut dyn FnMut(Line) -> Result<(), StoreError>,
) -> Result<u64, StoreError> {
    let (mut last, mut written) = (0, 0);
    loop {
        let rows = sql.query(
            "SELECT id, key, title, first_seen, last_seen FROM pages WHERE id > $1 ORDER BY id LIMIT $2",
            params![last, MAX_FETCHED_ROWS],
        )?;
        let Some((from, to)) = range(&rows)? else { return Ok(written) };
        let mut versions = group_by_id(sql.query(
            "SELECT page_id, content, first_seen, last_seen FROM versions WHERE page_id BETWEEN $1 AND $2
             ORDER BY page_id, first_seen, content",
            params![from, to],
        )?)?;
        for row in rows {
            let key = row.text(1)?;
            if !is_in_scope(scope, privacy, &key) {
                continue;
            }
            let version = |row: &Row| {
                Ok(VersionLine { content: row.text(1)?, first_seen: row.int(2)?, last_seen: row.int(3)? })
            };
            let versions = versions.remove(&row.int(0)?).unwrap_or_default();
            sink(Line::Page(PageLine {
                key,
                title: row.optional_text(2)?,
                first_seen: row.int(3)?,
                last_seen: row.int(4)?,
                versions: versions.iter().map(version).collect::<Result<_, StoreError>>()?,
            }))?;
            written += 1;
        }
        last = to;
    }
}

fn export_questions(
    sql: &mut dyn Sql,
    scope: Scope,
    privacy: &Settings,
    sink: &mut dyn FnMut(Line) -> Result<(), StoreError>,
) -> Result<u64, StoreError> {
    let corrected = match scope {
        Scope::Corrected => "AND EXISTS (SELECT 1 FROM feedback f WHERE f.question_id = q.id)",
        Scope::Everything | Scope::Shared => "",
    };
    let statement = format!(
        "SELECT q.id, p.key, q.text, q.normalised FROM questions q JOIN pages p ON p.id = q.page_id
         WHERE q.id > $1 {corrected} ORDER BY q.id LIMIT $2"
    );
    let (mut last, mut written) = (0, 0);
    loop {
        let rows = sql.query(&statement, params![last, MAX_FETCHED_ROWS])?;
        let Some((from, to)) = range(&rows)? else { return Ok(written) };
        let mut hanging = QuestionRows::fetch(sql, from, to)?;
        for row in rows {
            let page = row.text(1)?;
            if is_in_scope(scope, privacy, &page) {
                let question = QuestionLine {
                    page,
                    text: row.text(2)?,
                    normalised: row.text(3)?,
                    ..QuestionLine::default()
                };
                sink(Line::Question(Box::new(hanging.fill_line(question, row.int(0)?)?)))?;
                written += 1;
            }
        }
        last = to;
    }
}

/// What hangs on a range of questions, by question.
struct QuestionRows {
    asked: HashMap<i64, Vec<Row>>,
    vectors: HashMap<i64, Vec<Row>>,
    readings: HashMap<i64, Vec<Row>>,
    answers: HashMap<i64, Vec<Row>>,
    feedback: HashMap<i64, Vec<Row>>,
}

impl QuestionRows {
    fn fetch(sql: &mut dyn Sql, from: i64, to: i64) -> Result<Self, StoreError> {
        let mut fetch = |statement: &str| group_by_id(sql.query(statement, params![from, to])?);
        Ok(Self {
            asked: fetch(
                "SELECT question_id, source, count, last_asked FROM asked WHERE question_id BETWEEN $1 AND $2
                 ORDER BY question_id, source",
            )?,
            vectors: fetch(
                "SELECT question_id, encoder, vector FROM vectors WHERE question_id BETWEEN $1 AND $2
                 ORDER BY question_id, encoder",
            )?,
            readings: fetch(
                "SELECT question_id, id, content, larger, model, no_answer, at, guessed FROM readings
                 WHERE question_id BETWEEN $1 AND $2 ORDER BY question_id, at, id",
            )?,
            answers: fetch(
                "SELECT a.reading_id, a.quote, a.prefix, a.suffix, a.start, a.confidence FROM answers a
                 JOIN readings r ON r.id = a.reading_id WHERE r.question_id BETWEEN $1 AND $2
                 ORDER BY a.reading_id, a.place",
            )?,
            feedback: fetch(
                "SELECT question_id, mark, content, verdict, quote, prefix, suffix, start, passage, at FROM feedback
                 WHERE question_id BETWEEN $1 AND $2 ORDER BY question_id, at, id",
            )?,
        })
    }

    fn fill_line(&mut self, mut line: QuestionLine, id: i64) -> Result<QuestionLine, StoreError> {
        for row in self.asked.remove(&id).unwrap_or_default() {
            line.asked.push(AskedLine { store: row.text(1)?, count: row.count(2)?, last_asked: row.int(3)? });
        }
        for row in self.vectors.remove(&id).unwrap_or_default() {
            line.vectors.push(VectorLine::new(row.text(1)?, &row.vector(2)?));
        }
        for row in self.readings.remove(&id).unwrap_or_default() {
            let mut answers = Vec::new();
            for row in self.answers.remove(&row.int(1)?).unwrap_or_default() {
                answers.push(AnswerLine { selector: selector(&row, 1)?.into(), confidence: row.real(5)? });
            }
            line.readings.push(ReadingLine {
                content: row.text(2)?,
                larger: row.int(3)? != 0,
                model: row.text(4)?,
                no_answer: row.real(5)?,
                at: row.int(6)?,
                guessed: row.int(7)? != 0,
                answers,
            });
        }
        for row in self.feedback.remove(&id).unwrap_or_default() {
            line.feedback.push(FeedbackLine {
                mark: row.text(1)?,
                content: row.text(2)?,
                right: row.text(3)? == "right",
                selector: selector(&row, 4)?.into(),
                passage: row.text(8)?,
                at: row.int(9)?,
            });
        }
        Ok(line)
    }
}

/// First and last id of some rows in order.
fn range(rows: &[Row]) -> Result<Option<(i64, i64)>, StoreError> {
    match (rows.first(), rows.last()) {
        (Some(first), Some(last)) => Ok(Some((first.int(0)?, last.int(0)?))),
        _ => Ok(None),
    }
}

/// Takes lines in, as far as this store's privacy settings allow.
pub fn import(
    sql: &mut dyn Sql,
    lines: &[Line],
    options: ImportOptions,
    reach: Reach,
) -> Result<ImportCounts, StoreError> {
    let mut privacy = settings::read(sql)?;
    let mut brought = ImportCounts::default();
    for line in lines {
        match line {
            Line::Store { .. } | Line::End { .. } => {}
            Line::Settings { remember, deny, share } => {
                if options.settings {
                    settings::set_remember(sql, *remember)?;
                    for (purpose, patterns) in [(PatternUse::Deny, deny), (PatternUse::Share, share)] {
                        for pattern in patterns {
                            settings::add(sql, purpose, Pattern::new(pattern)?.as_str())?;
                        }
                    }
                    privacy = settings::read(sql)?;
                }
            }
            Line::Page(page) if is_permitted(&privacy, &page.key, reach) => {
                import_page(sql, page, &mut brought)?
            }
            Line::Question(line) if is_permitted(&privacy, &line.page, reach) => {
                import_question(sql, line, &mut brought)?;
            }
            Line::Page(_) | Line::Question(_) => brought.refused += 1,
        }
    }
    Ok(brought)
}

/// An import is a person's own act, so that remembering is off does not keep it out; patterns do.
fn is_permitted(privacy: &Settings, key: &str, reach: Reach) -> bool {
    Settings { remember: true, patterns: privacy.patterns.clone() }.permit(&page_key(key), reach).is_ok()
}

fn import_page(sql: &mut dyn Sql, page: &PageLine, brought: &mut ImportCounts) -> Result<(), StoreError> {
    record::check_page(&page.key, page.title.as_deref())?;
    let key = page_key(&page.key);
    if sql.first("SELECT id FROM pages WHERE key = $1", params![&*key])?.is_none() {
        brought.pages += 1;
    }
    let id = record::keep_page(sql, &key, page.title.as_deref(), page.first_seen, page.last_seen)?;
    for version in &page.versions {
        record::check_name(&version.content)?;
        record::keep_version(sql, id, &version.content, version.first_seen, version.last_seen)?;
    }
    Ok(())
}

fn import_question(
    sql: &mut dyn Sql,
    line: &QuestionLine,
    brought: &mut ImportCounts,
) -> Result<(), StoreError> {
    let question = Question { text: &line.text, normalised: &line.normalised };
    record::check_page(&line.page, None)?;
    record::check_words(&question)?;
    let key = page_key(&line.page);
    let page = match sql.first("SELECT id FROM pages WHERE key = $1", params![&*key])? {
        Some(row) => row.int(0)?,
        None => {
            let at = line.asked.iter().map(|asked| asked.last_asked).max().unwrap_or_default();
            brought.pages += 1;
            record::keep_page(sql, &key, None, at, at)?
        }
    };
    let known = sql.first(
        "SELECT id FROM questions WHERE page_id = $1 AND normalised = $2",
        params![page, &*line.normalised],
    )?;
    let id = match known {
        Some(row) => row.int(0)?,
        None => {
            brought.questions += 1;
            record::keep_question(sql, page, question, None)?
        }
    };
    for asked in &line.asked {
        record::check_name(&asked.store)?;
        sql.execute(
            "INSERT INTO asked (question_id, source, count, last_asked) VALUES ($1, $2, $3, $4)
             ON CONFLICT (question_id, source) DO UPDATE SET
             count = CASE WHEN excluded.count > asked.count THEN excluded.count ELSE asked.count END,
             last_asked = CASE WHEN excluded.last_asked > asked.last_asked THEN excluded.last_asked ELSE asked.last_asked END",
            params![id, &*asked.store, asked.count, asked.last_asked],
        )?;
    }
    for line in &line.vectors {
        record::check_name(&line.encoder)?;
        let values = line.values().unwrap_or_default();
        sql.put_vector(id, &line.encoder, &Vector { encoder: &line.encoder, values: &values }.direction()?)?;
    }
    for line in &line.readings {
        let reading = line.reading();
        record::check_reading(&reading)?;
        record::check_name(&line.content)?;
        let newer = "SELECT COUNT(*) FROM readings WHERE question_id = $1 AND content = $2 AND larger = $3
                     AND model = $4 AND at >= $5";
        let key = params![id, &*line.content, i64::from(line.larger), &*line.model, line.at];
        if sql.number(newer, key)? == 0 && record::keep_reading(sql, id, &line.content, &reading, line.at)? {
            brought.readings += 1;
        }
    }
    for line in &line.feedback {
        let verdict = line.verdict();
        let (Verdict::Right(selector) | Verdict::Wrong(selector)) = &verdict;
        record::check_selector(selector)?;
        record::check_passage(&line.passage)?;
        record::check_name(&line.mark)?;
        record::check_name(&line.content)?;
        let new =
            record::keep_feedback(sql, id, &line.mark, &line.content, &verdict, &line.passage, line.at)?;
        brought.corrections += u64::from(new);
    }
    Ok(())
}
