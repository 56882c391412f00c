//! One person's store: an SQLite file in WAL mode. One connection writes, a few read; other processes may do the same.

mod layout;
mod scan;

pub use layout::is_open_to_others;

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, ErrorCode, TransactionBehavior};

use crate::backend::{Backend, Durability};
use crate::error::StoreError;
use crate::model::Statistics;
use crate::pool::Pool;
use crate::schema::LAYOUT;
use crate::settings::Reach;
use crate::sql::{Cell, Param, QuestionLikeness, Row, Sql, VectorSearch};

/// How long another process may write before we give up.
const MAX_LOCK_TIME: Duration = Duration::from_secs(10);
/// Connections that read at once.
const MAX_READERS: usize = 4;
/// Statements kept ready by each connection.
const MAX_CACHED_STATEMENTS: usize = 64;

/// A store in a file.
pub struct SqliteStore {
    path: PathBuf,
    writer: Pool<Connection>,
    readers: Pool<Connection>,
}

impl SqliteStore {
    /// Opens a store, making it or bringing it up to date as needed. A file that is no store is not touched.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let store = Self { path: path.to_owned(), writer: Pool::new(1), readers: Pool::new(MAX_READERS) };
        layout::prepare_file(path)?;
        let connect = || -> Result<Connection, StoreError> {
            let mut connection = store.connect()?;
            layout::bring_up_to_date(path, &mut connection)?;
            Ok(connection)
        };
        store.writer.lend(connect, |_| (Ok(()), true))?;
        Ok(store)
    }

    fn connect(&self) -> Result<Connection, StoreError> {
        let connection = Connection::open(&self.path).map_err(|error| failure(&self.path, error))?;
        layout::configure(&connection).map_err(|error| failure(&self.path, error))?;
        Ok(connection)
    }

    fn use_connection<T>(
        &self,
        pool: &Pool<Connection>,
        work: impl FnOnce(&mut Connection) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        // A connection that met an error is as good as before: what it had begun is rolled back.
        pool.lend(|| self.connect(), |connection| (work(connection), true))
    }
}

impl Backend for SqliteStore {
    fn reach(&self) -> Reach {
        Reach::Own
    }

    fn read<T>(&self, work: impl FnMut(&mut dyn Sql) -> Result<T, StoreError>) -> Result<T, StoreError> {
        self.snapshot(work)
    }

    fn snapshot<T>(
        &self,
        mut work: impl FnMut(&mut dyn Sql) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.use_connection(&self.readers, |connection| {
            let transaction = connection.transaction().map_err(|error| failure(&self.path, error))?;
            work(&mut Sqlite { path: &self.path, connection: &transaction })
        })
    }

    fn write<T>(
        &self,
        durability: Durability,
        mut work: impl FnMut(&mut dyn Sql) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.use_connection(&self.writer, |connection| {
            let failed = |error| failure(&self.path, error);
            let synchronous = match durability {
                Durability::Acknowledged => "FULL",
                Durability::Eventual => "NORMAL",
            };
            connection.pragma_update(None, "synchronous", synchronous).map_err(failed)?;
            let transaction =
                connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(failed)?;
            let done = work(&mut Sqlite { path: &self.path, connection: &transaction })?;
            transaction.commit().map_err(failed)?;
            Ok(done)
        })
    }

    /// `secure_delete` has zeroed what was deleted; this rewrites the file and empties the log, where copies may be.
    fn wipe(&self) -> Result<bool, StoreError> {
        self.use_connection(&self.writer, |connection| {
            let failed = |error| failure(&self.path, error);
            connection.execute_batch("VACUUM").map_err(failed)?;
            let checkpoint = "PRAGMA wal_checkpoint(TRUNCATE)";
            let busy: i64 = connection.query_row(checkpoint, [], |row| row.get(0)).map_err(failed)?;
            Ok(busy == 0)
        })
    }

    fn describe(&self) -> Result<Statistics, StoreError> {
        self.use_connection(&self.readers, |connection| {
            let number = |statement: &str| connection.query_row(statement, [], |row| row.get::<_, i64>(0));
            let failed = |error| failure(&self.path, error);
            let size =
                number("PRAGMA page_count").map_err(failed)? * number("PRAGMA page_size").map_err(failed)?;
            Ok(Statistics {
                backend: "sqlite",
                place: self.path.display().to_string(),
                layout: LAYOUT,
                bytes: u64::try_from(size).unwrap_or(0),
                ..Statistics::default()
            })
        })
    }

    fn verify(&self) -> Result<(), StoreError> {
        self.use_connection(&self.readers, |connection| {
            let failed = |error| failure(&self.path, error);
            let damaged =
                |reason: String| Err(StoreError::Damaged { place: self.path.display().to_string(), reason });
            let found: String =
                connection.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0)).map_err(failed)?;
            if found != "ok" {
                return damaged(found);
            }
            let orphans: i64 = connection
                .query_row("SELECT COUNT(*) FROM pragma_foreign_key_check", [], |row| row.get(0))
                .map_err(failed)?;
            if orphans > 0 {
                return damaged(format!("{orphans} rows hang on nothing"));
            }
            Ok(())
        })
    }
}

/// A connection as [`Sql`] sees it.
struct Sqlite<'c> {
    path: &'c Path,
    connection: &'c Connection,
}

impl Sqlite<'_> {
    fn try_query(&self, sql: &str, params: &[Param<'_>]) -> rusqlite::Result<Vec<Row>> {
        let mut statement = self.connection.prepare_cached(sql)?;
        let columns = statement.column_count();
        let mut rows = statement.query(rusqlite::params_from_iter(params))?;
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            let cells = (0..columns).map(|column| Ok(cell(row.get_ref(column)?)));
            found.push(Row(cells.collect::<rusqlite::Result<_>>()?));
        }
        Ok(found)
    }
}

impl Sql for Sqlite<'_> {
    fn query(&mut self, sql: &str, params: &[Param<'_>]) -> Result<Vec<Row>, StoreError> {
        self.try_query(sql, params).map_err(|error| failure(self.path, error))
    }

    fn execute(&mut self, sql: &str, params: &[Param<'_>]) -> Result<u64, StoreError> {
        let run = || self.connection.prepare_cached(sql)?.execute(rusqlite::params_from_iter(params));
        run().map(|changed| changed as u64).map_err(|error| failure(self.path, error))
    }

    fn put_vector(&mut self, question: i64, encoder: &str, direction: &[f32]) -> Result<(), StoreError> {
        scan::put(self.connection, question, encoder, direction).map_err(|error| failure(self.path, error))
    }

    fn find_nearest_on_page(
        &mut self,
        page: i64,
        encoder: &str,
        direction: &[f32],
        threshold: f32,
    ) -> Result<Vec<QuestionLikeness>, StoreError> {
        scan::find_on_page(self.connection, page, encoder, direction, threshold)
            .map_err(|error| failure(self.path, error))
    }

    fn find_nearest(&mut self, wanted: &VectorSearch<'_>) -> Result<Vec<QuestionLikeness>, StoreError> {
        scan::find_everywhere(self.connection, wanted).map_err(|error| failure(self.path, error))
    }
}

impl rusqlite::ToSql for Param<'_> {
    fn to_sql(&self) -> rusqlite::Result<rusqlite::types::ToSqlOutput<'_>> {
        Ok(rusqlite::types::ToSqlOutput::Borrowed(match *self {
            Param::Null => ValueRef::Null,
            Param::Int(value) => ValueRef::Integer(value),
            Param::Real(value) => ValueRef::Real(value),
            Param::Text(text) => ValueRef::Text(text.as_bytes()),
        }))
    }
}

fn cell(value: ValueRef<'_>) -> Cell {
    match value {
        ValueRef::Null => Cell::Null,
        ValueRef::Integer(value) => Cell::Int(value),
        ValueRef::Real(value) => Cell::Real(value),
        ValueRef::Text(text) => Cell::Text(String::from_utf8_lossy(text).into_owned()),
        ValueRef::Blob(bytes) => Cell::Vector(scan::floats(bytes).collect()),
    }
}

/// What SQLite said, in the words of [`StoreError`].
fn failure(path: &Path, error: rusqlite::Error) -> StoreError {
    let place = path.display().to_string();
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            StoreError::Busy { place, seconds: MAX_LOCK_TIME.as_secs() }
        }
        Some(ErrorCode::NotADatabase) => StoreError::Foreign { place },
        Some(ErrorCode::DatabaseCorrupt) => StoreError::Damaged { place, reason: error.to_string() },
        Some(ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {
            StoreError::Unreachable { place, reason: error.to_string() }
        }
        Some(ErrorCode::DiskFull) => {
            StoreError::Failed { place, reason: "the disk is full; make room and try again".into() }
        }
        Some(ErrorCode::ReadOnly) => {
            StoreError::Failed { place, reason: "it may not be written; check its permissions".into() }
        }
        _ => StoreError::Failed { place, reason: error.to_string() },
    }
}
