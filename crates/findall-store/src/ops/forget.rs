//! Forgetting, and counting what is left.

use crate::error::StoreError;
use crate::model::{ForgetReport, ForgetTarget, Statistics};
use crate::page::page_key;
use crate::settings::Pattern;
use crate::sql::{Sql, params};

/// Deletes; what hangs on a page or a question goes with it.
pub fn forget(sql: &mut dyn Sql, what: ForgetTarget<'_>) -> Result<ForgetReport, StoreError> {
    let pages = sql.number("SELECT COUNT(*) FROM pages", &[])?;
    let questions = sql.number("SELECT COUNT(*) FROM questions", &[])?;
    match what {
        ForgetTarget::Pages(pattern) => forget_pages(sql, pattern)?,
        ForgetTarget::Question { normalised, page } => forget_question(sql, normalised, page)?,
        ForgetTarget::Everything => {
            sql.execute("DELETE FROM pages", &[])?;
            // The old name would tie what is asked from now on to copies made before.
            sql.execute("DELETE FROM settings WHERE name = 'store'", &[])?;
        }
    }
    let gone = |before: i64, after: i64| u64::try_from(before - after).unwrap_or(0);
    Ok(ForgetReport {
        pages: gone(pages, sql.number("SELECT COUNT(*) FROM pages", &[])?),
        questions: gone(questions, sql.number("SELECT COUNT(*) FROM questions", &[])?),
        wiped: false,
    })
}

/// The page of that key; when there is none, every page that the glob matches.
fn forget_pages(sql: &mut dyn Sql, pattern: &str) -> Result<(), StoreError> {
    if sql.execute("DELETE FROM pages WHERE key = $1", params![&*page_key(pattern)])? > 0 {
        return Ok(());
    }
    let pattern = Pattern::new(pattern)?;
    for row in sql.query("SELECT id, key FROM pages", &[])? {
        if pattern.matches(&row.text(1)?) {
            sql.execute("DELETE FROM pages WHERE id = $1", params![row.int(0)?])?;
        }
    }
    Ok(())
}

/// A page that nothing was asked about any more is forgotten with its last question.
fn forget_question(sql: &mut dyn Sql, normalised: &str, page: Option<&str>) -> Result<(), StoreError> {
    let key = page.map(page_key);
    let rows = sql.query(
        "SELECT q.id, q.page_id, p.key FROM questions q JOIN pages p ON p.id = q.page_id WHERE q.normalised = $1",
        params![normalised],
    )?;
    for row in rows {
        if key.is_some() && key != row.optional_text(2)? {
            continue;
        }
        sql.execute("DELETE FROM questions WHERE id = $1", params![row.int(0)?])?;
        sql.execute(
            "DELETE FROM pages WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM questions WHERE page_id = pages.id)",
            params![row.int(1)?],
        )?;
    }
    Ok(())
}

/// Fills in the counts.
pub fn count(sql: &mut dyn Sql, described: Statistics) -> Result<Statistics, StoreError> {
    let mut number = |query: &str| Ok::<_, StoreError>(u64::try_from(sql.number(query, &[])?).unwrap_or(0));
    Ok(Statistics {
        pages: number("SELECT COUNT(*) FROM pages")?,
        versions: number("SELECT COUNT(*) FROM versions")?,
        questions: number("SELECT COUNT(*) FROM questions")?,
        asked: number("SELECT CAST(COALESCE(SUM(count), 0) AS BIGINT) FROM asked")?,
        answers: number("SELECT COUNT(*) FROM answers")?,
        corrections: number("SELECT COUNT(*) FROM feedback")?,
        ..described
    })
}
