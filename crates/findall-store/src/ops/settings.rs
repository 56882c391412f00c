//! Privacy settings in the tables, and the store's own name.

use super::record::random_name;
use crate::error::StoreError;
use crate::settings::{Pattern, PatternUse, Settings};
use crate::sql::{Sql, params};

/// All settings. A pattern that cannot be read is an error and not a hole.
pub fn read(sql: &mut dyn Sql) -> Result<Settings, StoreError> {
    read_with_name(sql).map(|(settings, _)| settings)
}

/// All settings and the store's name, if it has one yet, in one statement: every write asks.
pub fn read_with_name(sql: &mut dyn Sql) -> Result<(Settings, Option<String>), StoreError> {
    let rows = sql.query(
        "SELECT 'pattern' AS what, purpose AS name, pattern AS value FROM patterns
         UNION ALL SELECT 'setting', name, value FROM settings ORDER BY what, name, value",
        &[],
    )?;
    let (mut settings, mut name) = (Settings { remember: true, patterns: Vec::new() }, None);
    for row in rows {
        let (key, value) = (row.text(1)?, row.text(2)?);
        match (row.is_text(0, "pattern"), key.as_str()) {
            (true, purpose) => {
                if let Some(purpose) = PatternUse::from_name(purpose) {
                    settings.patterns.push((purpose, Pattern::new(&value)?));
                }
            }
            (false, "remember") => settings.remember = value != "off",
            (false, "store") => name = Some(value),
            (false, _) => {}
        }
    }
    Ok((settings, name))
}

/// Turns remembering on or off.
pub fn set_remember(sql: &mut dyn Sql, on: bool) -> Result<(), StoreError> {
    set(sql, "remember", if on { "on" } else { "off" })
}

/// True when it was not there yet.
pub fn add(sql: &mut dyn Sql, purpose: PatternUse, pattern: &str) -> Result<bool, StoreError> {
    let changed = sql.execute(
        "INSERT INTO patterns (purpose, pattern) VALUES ($1, $2) ON CONFLICT (purpose, pattern) DO NOTHING",
        params![purpose.name(), pattern],
    )?;
    Ok(changed > 0)
}

/// True when it was there.
pub fn remove(sql: &mut dyn Sql, purpose: PatternUse, pattern: &str) -> Result<bool, StoreError> {
    let changed = sql.execute(
        "DELETE FROM patterns WHERE purpose = $1 AND pattern = $2",
        params![purpose.name(), pattern],
    )?;
    Ok(changed > 0)
}

/// The random name that tells this store's counts from others', made on first use.
pub fn store_name(sql: &mut dyn Sql) -> Result<String, StoreError> {
    if let Some(name) = value(sql, "store")? {
        return Ok(name);
    }
    sql.execute(
        "INSERT INTO settings (name, value) VALUES ('store', $1) ON CONFLICT (name) DO NOTHING",
        params![&*random_name()?],
    )?;
    Ok(value(sql, "store")?.unwrap_or_default())
}

fn value(sql: &mut dyn Sql, name: &str) -> Result<Option<String>, StoreError> {
    sql.first("SELECT value FROM settings WHERE name = $1", params![name])?.map(|row| row.text(0)).transpose()
}

fn set(sql: &mut dyn Sql, name: &str, value: &str) -> Result<(), StoreError> {
    sql.execute(
        "INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        params![name, value],
    )?;
    Ok(())
}
