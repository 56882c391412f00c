//! Our tables live in the schema `findall`. Many programs may start at once: one takes the missing steps, the others wait
//! for it by an advisory lock.

use postgres::Client;

use super::failure;
use crate::error::StoreError;
use crate::schema::{LAYOUT, STEPS};

/// `fndl`, as with the file's header.
const LOCK: i64 = 0x666e_646c;
/// The first pgvector that goes on searching where a filter left too few.
const PGVECTOR: (u32, u32) = (0, 8);

/// Refuses a foreign or newer schema, then takes the steps that it lacks, all in one transaction.
pub fn bring_up_to_date(client: &mut Client, place: &str) -> Result<(), StoreError> {
    if layout_of(client, place)? == Some(LAYOUT) {
        return Ok(());
    }
    let failed = |error: postgres::Error| failure(place, &error);
    let mut transaction = client.transaction().map_err(failed)?;
    // A migration may take longer than a person waits for a lock otherwise.
    transaction.batch_execute("SET LOCAL lock_timeout = '5min'").map_err(failed)?;
    transaction.execute("SELECT pg_advisory_xact_lock($1)", &[&LOCK]).map_err(failed)?;
    let from = layout_of(&mut transaction, place)?;
    if from.is_none() {
        require_pgvector(&mut transaction, place)?;
        transaction
            .batch_execute("CREATE SCHEMA IF NOT EXISTS findall; CREATE TABLE layout (steps BIGINT NOT NULL); INSERT INTO layout VALUES (0)")
            .map_err(failed)?;
    }
    for step in STEPS.iter().skip(usize::try_from(from.unwrap_or(0)).unwrap_or(0)) {
        transaction.batch_execute(&step.for_postgres()).map_err(failed)?;
    }
    transaction.execute("UPDATE layout SET steps = $1", &[&LAYOUT]).map_err(failed)?;
    transaction.commit().map_err(failed)
}

/// Steps taken; `None` where there is no store yet.
fn layout_of(client: &mut impl postgres::GenericClient, place: &str) -> Result<Option<i64>, StoreError> {
    let failed = |error: postgres::Error| failure(place, &error);
    let tables = "SELECT COUNT(*), COUNT(*) FILTER (WHERE c.relname = 'layout') FROM pg_class c
                  JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'findall' AND c.relkind IN ('r', 'p')";
    let row = client.query_one(tables, &[]).map_err(failed)?;
    match (row.get::<_, i64>(0), row.get::<_, i64>(1)) {
        (0, _) => return Ok(None),
        (_, 0) => return Err(StoreError::Foreign { place: format!("the schema findall at {place}") }),
        _ => {}
    }
    let steps: i64 = client.query_one("SELECT MAX(steps) FROM findall.layout", &[]).map_err(failed)?.get(0);
    if steps > LAYOUT {
        return Err(StoreError::Newer { place: place.to_owned(), found: steps, known: LAYOUT });
    }
    Ok(Some(steps))
}

fn require_pgvector(client: &mut impl postgres::GenericClient, place: &str) -> Result<(), StoreError> {
    let lacks = |reason: String| Err(StoreError::Unreachable { place: place.to_owned(), reason });
    let failed = |error: postgres::Error| failure(place, &error);
    let version = "SELECT extversion FROM pg_extension WHERE extname = 'vector'";
    let mut installed = client.query_opt(version, &[]).map_err(failed)?;
    if installed.is_none() {
        if let Err(error) = client.batch_execute("CREATE EXTENSION vector SCHEMA public") {
            let said = error.as_db_error().map(|said| said.message().to_owned()).unwrap_or_default();
            return lacks(format!(
                "pgvector is missing: {said}; install it on the server, then let its owner run CREATE EXTENSION vector"
            ));
        }
        installed = client.query_opt(version, &[]).map_err(failed)?;
    }
    let version: String = installed.map(|row| row.get(0)).unwrap_or_default();
    let mut numbers = version.split('.').map(|part| part.parse::<u32>().unwrap_or(0));
    let found = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
    if found < PGVECTOR {
        return lacks(format!(
            "pgvector {version} is too old; install 0.8 or later and run ALTER EXTENSION vector UPDATE"
        ));
    }
    Ok(())
}
