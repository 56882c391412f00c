//! Our tables live in the schema `findall`. Many programs may start at once: one takes the missing steps, the others wait
//! for it by an advisory lock.

use super::client::Client;
use crate::error::StoreError;
use crate::schema::{LAYOUT, STEPS};

/// `fndl`, as with the file's header.
const LAYOUT_LOCK: i64 = 0x666e_646c;
/// The first pgvector that goes on searching where a filter left too few.
const PGVECTOR: (u32, u32) = (0, 8);

/// Refuses a foreign or newer schema, then takes the steps that it lacks, all in one transaction.
pub fn bring_up_to_date(client: &mut Client, place: &str) -> Result<(), StoreError> {
    if layout_of(client, place)? == Some(LAYOUT) {
        return Ok(());
    }
    // A migration may take longer than a person waits for a lock otherwise.
    client.batch_execute("BEGIN; SET LOCAL lock_timeout = '5min'")?;
    match take_steps(client, place) {
        Ok(()) => client.batch_execute("COMMIT"),
        Err(error) => {
            // When this fails the connection is gone, and the transaction with it.
            let _ = client.batch_execute("ROLLBACK");
            Err(error)
        }
    }
}

fn take_steps(client: &mut Client, place: &str) -> Result<(), StoreError> {
    client.execute("SELECT pg_advisory_xact_lock($1)", &[&LAYOUT_LOCK])?;
    let from = layout_of(client, place)?;
    if from.is_none() {
        require_pgvector(client, place)?;
        client.batch_execute(
            "CREATE SCHEMA IF NOT EXISTS findall; CREATE TABLE layout (steps BIGINT NOT NULL); INSERT INTO layout VALUES (0)",
        )?;
    }
    for step in STEPS.iter().skip(usize::try_from(from.unwrap_or(0)).unwrap_or(0)) {
        client.batch_execute(&step.for_postgres())?;
    }
    client.execute("UPDATE layout SET steps = $1", &[&LAYOUT])?;
    Ok(())
}

/// Steps taken; `None` where there is no store yet.
fn layout_of(client: &mut Client, place: &str) -> Result<Option<i64>, StoreError> {
    let tables = "SELECT COUNT(*), COUNT(*) FILTER (WHERE c.relname = 'layout') FROM pg_class c
                  JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'findall' AND c.relkind IN ('r', 'p')";
    let row = client.query_one(tables, &[])?;
    match (row.get::<_, i64>(0), row.get::<_, i64>(1)) {
        (0, _) => return Ok(None),
        (_, 0) => return Err(StoreError::Foreign { place: format!("the schema findall at {place}") }),
        _ => {}
    }
    let steps: i64 = client.query_one("SELECT MAX(steps) FROM findall.layout", &[])?.get(0);
    if steps > LAYOUT {
        return Err(StoreError::Newer { place: place.to_owned(), found: steps, known: LAYOUT });
    }
    Ok(Some(steps))
}

fn require_pgvector(client: &mut Client, place: &str) -> Result<(), StoreError> {
    let lacks = |reason: String| Err(StoreError::Unreachable { place: place.to_owned(), reason });
    let version = "SELECT extversion FROM pg_extension WHERE extname = 'vector'";
    let mut installed = client.query_opt(version, &[])?;
    if installed.is_none() {
        match client.batch_execute("CREATE EXTENSION vector SCHEMA public") {
            Ok(()) => {}
            Err(StoreError::Failed { reason: said, .. }) => {
                return lacks(format!(
                    "pgvector is missing: {said}; install it on the server, then let its owner run CREATE EXTENSION vector"
                ));
            }
            Err(error) => return Err(error),
        }
        installed = client.query_opt(version, &[])?;
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
