//! From a path to a store of the newest layout: whose file it is, how it is opened, and the steps it still lacks.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{ErrorKind, Read};
use std::path::Path;
use std::time::{Duration, Instant};

use findall::cache::tighten;
use rusqlite::{Connection, TransactionBehavior};

use super::{MAX_CACHED_STATEMENTS, MAX_LOCK_TIME, failure, scan};
use crate::error::StoreError;
use crate::schema::{LAYOUT, STEPS};

/// `fndl`, in the header of every store (`PRAGMA application_id`).
const APPLICATION: i64 = 0x666e_646c;
const MAGIC: &[u8] = b"SQLite format 3\0";

/// Makes an empty file that only its owner can read, or looks whether what is there can be a store.
pub fn prepare_file(path: &Path) -> Result<(), StoreError> {
    let place = || path.display().to_string();
    let unreachable =
        |error: std::io::Error| StoreError::Unreachable { place: place(), reason: error.to_string() };
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        let mut builder = DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(folder).map_err(unreachable)?;
    }
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Ok(_) => return Ok(()),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
        Err(error) => return Err(unreachable(error)),
    }
    let mut start = Vec::new();
    File::open(path)
        .and_then(|file| file.take(MAGIC.len() as u64).read_to_end(&mut start))
        .map_err(unreachable)?;
    if !start.is_empty() && start != MAGIC {
        return Err(StoreError::Foreign { place: place() });
    }
    Ok(())
}

/// True when others than its owner may do something with a file.
pub fn is_open_to_others(path: &Path) -> bool {
    #[cfg(unix)]
    return std::fs::metadata(path)
        .is_ok_and(|metadata| std::os::unix::fs::MetadataExt::mode(&metadata) & 0o077 != 0);
    #[cfg(not(unix))]
    {
        let _ = path;
        false
    }
}

/// Takes from everyone but the owner what they may do with a store's files, as far as that is possible: a disk that cannot
/// be written is no reason not to read.
fn tighten_files(path: &Path) {
    for ending in ["", "-wal", "-shm"] {
        let mut name = path.as_os_str().to_owned();
        name.push(ending);
        let _ = tighten(Path::new(&name));
    }
}

/// What every connection does the same.
pub fn configure(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(MAX_LOCK_TIME)?;
    connection.set_prepared_statement_cache_capacity(MAX_CACHED_STATEMENTS);
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "secure_delete", true)?;
    connection.pragma_update(None, "cache_size", -16_000)?;
    connection.pragma_update(None, "synchronous", "FULL")
}

/// Refuses a foreign or newer file before anything is written to it, then takes the steps that it lacks.
pub fn bring_up_to_date(path: &Path, connection: &mut Connection) -> Result<(), StoreError> {
    let failed = |error| failure(path, error);
    let layout = read_layout(path, connection)?;
    if is_open_to_others(path) {
        tighten_files(path);
    }
    if layout < LAYOUT {
        use_write_ahead_log(connection).map_err(failed)?;
        let transaction =
            connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(failed)?;
        // Another process may have been faster.
        let from = layout_of(path, &transaction)?;
        for (number, step) in (1..).zip(STEPS).skip(usize::try_from(from).unwrap_or(0)) {
            transaction.execute_batch(&step.for_sqlite()).map_err(failed)?;
            if number == 2 {
                scan::encode_all(&transaction).map_err(failed)?;
            }
        }
        transaction.pragma_update(None, "application_id", APPLICATION).map_err(failed)?;
        transaction.pragma_update(None, "user_version", LAYOUT).map_err(failed)?;
        transaction.commit().map_err(failed)?;
    }
    Ok(())
}

/// The layout as it is at one moment: another process may be making the store just now, and half of what it does is nobody's
/// layout.
fn read_layout(path: &Path, connection: &mut Connection) -> Result<i64, StoreError> {
    let moment = connection.transaction().map_err(|error| failure(path, error))?;
    layout_of(path, &moment)
}

/// Steps taken; none for an empty file. Asked inside a transaction.
fn layout_of(path: &Path, connection: &Connection) -> Result<i64, StoreError> {
    let number = |statement: &str| {
        connection.query_row(statement, [], |row| row.get::<_, i64>(0)).map_err(|error| failure(path, error))
    };
    let place = path.display().to_string();
    let found = number("PRAGMA user_version")?;
    match number("PRAGMA application_id")? {
        APPLICATION if found > LAYOUT => Err(StoreError::Newer { place, found, known: LAYOUT }),
        APPLICATION => Ok(found),
        0 if found == 0 && number("SELECT COUNT(*) FROM sqlite_schema")? == 0 => Ok(0),
        _ => Err(StoreError::Foreign { place }),
    }
}

/// WAL, so that readers and the writer do not wait for each other and a crash leaves whole transactions. The mode stays
/// with the file. Changing it does not wait for others by itself.
fn use_write_ahead_log(connection: &Connection) -> rusqlite::Result<()> {
    let deadline = Instant::now() + MAX_LOCK_TIME;
    loop {
        match connection.pragma_update(None, "journal_mode", "WAL") {
            Err(error)
                if error.sqlite_error_code() == Some(rusqlite::ErrorCode::DatabaseBusy)
                    && Instant::now() < deadline =>
            {
                std::thread::sleep(Duration::from_millis(20));
            }
            done => return done,
        }
    }
}

#[cfg(test)]
#[path = "layout_tests.rs"]
mod tests;
