//! A team's store: a PostgreSQL server with pgvector.
//!
//! The trait blocks, SQLite blocks, and a server runs both on threads made for that; so [`client`] makes blocking calls of
//! the asynchronous ones, each with a limit. A server that gave no answer is left alone for a while: whoever asks
//! meanwhile is told at once, and goes on without memory.

mod breaker;
mod client;
mod connect;
mod convert;
mod layout;
mod nearest;
mod records;

pub use records::{PreparedRecord, Records};

use std::collections::HashMap;
use std::time::{Duration, Instant};

use tokio_postgres::Statement;
use tokio_postgres::types::ToSql;

use self::breaker::Breaker;
use self::client::{CallLimit, Client};
use self::connect::Address;
use self::convert::failure;
use crate::backend::{Backend, Durability};
use crate::error::StoreError;
use crate::model::{Question, Statistics};
use crate::ops::record::COUNT_ON_CONFLICT;
use crate::pool::Pool;
use crate::schema::LAYOUT;
use crate::settings::Reach;
use crate::sql::{Cell, Param, QuestionLikeness, Row, Sql, VectorSearch, params};

/// Connections at once; a server with many clients queues here rather than on the database.
const MAX_CONNECTIONS: usize = 8;
/// Longest that a call may take for which a person waits, with the wait for a connection.
const MAX_CALL_TIME: Duration = Duration::from_millis(2500);
/// Longest that one statement may take where all of a store is gone through; the server's own limit comes first.
const MAX_STATEMENT_TIME: Duration = Duration::from_secs(11 * 60);
/// A transaction that lost against another is tried again so often.
const MAX_ATTEMPTS: u32 = 5;

/// A store on a server.
pub struct PostgresStore {
    address: Address,
    pool: Pool<Connection>,
    breaker: Breaker,
}

/// A connection and the statements it has prepared.
struct Connection {
    client: Client,
    prepared: HashMap<String, Statement>,
    /// Whether the server was told to take its time.
    patient: bool,
}

impl Connection {
    /// The limit on this side, and the server's own a little before it: a server that is slow and not silent says so, and
    /// does not work on for nobody.
    fn set_limit(&mut self, limit: CallLimit) -> Result<(), StoreError> {
        self.client.set_limit(limit);
        let patient = matches!(limit, CallLimit::Each(_));
        if patient != self.patient {
            self.client.batch_execute(if patient {
                connect::BULK_TIMEOUTS
            } else {
                connect::PERSON_TIMEOUTS
            })?;
            self.patient = patient;
        }
        Ok(())
    }
}

impl PostgresStore {
    /// Opens the store at `postgres://…`, making it or bringing it up to date as needed.
    pub fn open(url: &str) -> Result<Self, StoreError> {
        let (address, pool, breaker) = (Address::read(url)?, Pool::new(MAX_CONNECTIONS), Breaker::default());
        let store = Self { address, pool, breaker };
        // A stopped server is noticed in seconds; bringing a store up to date may take as long as it takes.
        store.use_connection(BULK_CALL_LIMIT, |connection| {
            layout::bring_up_to_date(&mut connection.client, &store.address.place)
        })?;
        Ok(store)
    }

    fn connect(&self, limit: CallLimit) -> Result<Connection, StoreError> {
        let limit = match limit {
            CallLimit::Each(_) => self.address.connect_limit(),
            until => until,
        };
        Ok(Connection { client: self.address.connect(limit)?, prepared: HashMap::new(), patient: false })
    }

    /// Lends a connection to `work`, for as long as the limit says.
    fn use_connection<T>(
        &self,
        limit: CallLimit,
        work: impl FnOnce(&mut Connection) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let place = &self.address.place;
        let (deadline, seconds) = match limit {
            CallLimit::Until(deadline) => (Some(deadline), MAX_CALL_TIME.as_secs()),
            CallLimit::Each(_) => (None, 0),
        };
        if deadline.is_some() {
            self.breaker.check(place)?;
        }
        let result = self.pool.lend_before(
            deadline,
            || StoreError::Busy { place: place.clone(), seconds },
            || self.connect(limit),
            |connection| {
                let result = connection.set_limit(limit).and_then(|()| work(connection));
                let lost = matches!(result, Err(StoreError::Lost { .. } | StoreError::Silent { .. }));
                (result, !lost && !connection.client.is_closed())
            },
        );
        self.breaker.note(&result);
        result
    }

    /// Between `begin` and commit; rolled back on an error.
    fn transaction<T>(
        &self,
        limit: CallLimit,
        begin: &str,
        work: &mut impl FnMut(&mut dyn Sql) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let place = &self.address.place;
        let begun = std::cell::Cell::new(false);
        let mut attempt = || {
            self.use_connection(limit, |connection| {
                begun.set(false);
                connection.client.batch_execute(begin)?;
                begun.set(true);
                let result = work(&mut Postgres { place, connection });
                match result {
                    Ok(done) => connection.client.batch_execute("COMMIT").map(|()| done),
                    Err(error) => {
                        // When this fails the connection is gone, and the transaction with it.
                        let _ = connection.client.batch_execute("ROLLBACK");
                        Err(error)
                    }
                }
            })
        };
        match attempt() {
            // A connection that had died while idle: nothing was sent yet, so nothing can be done twice.
            Err(StoreError::Lost { .. }) if !begun.get() => {
                self.pool.clear();
                attempt()
            }
            other => other,
        }
    }
}

impl PostgresStore {
    /// Once more when the connection was lost: reading twice harms nothing.
    fn read_within<T>(
        &self,
        limit: CallLimit,
        work: &mut impl FnMut(&mut dyn Sql) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let place = &self.address.place;
        let mut attempt =
            || self.use_connection(limit, |connection| work(&mut Postgres { place, connection }));
        match attempt() {
            Err(StoreError::Lost { .. }) => {
                self.pool.clear();
                attempt()
            }
            other => other,
        }
    }

    fn write_within<T>(
        &self,
        limit: CallLimit,
        begin: &str,
        work: &mut impl FnMut(&mut dyn Sql) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let mut attempt = 1;
        loop {
            match self.transaction(limit, begin, work) {
                // Two transactions were in each other's way; this one was rolled back whole.
                Err(StoreError::Busy { .. }) if attempt < MAX_ATTEMPTS && !limit.is_over() => {
                    std::thread::sleep(Duration::from_millis(10 << attempt));
                    attempt += 1;
                }
                other => return other,
            }
        }
    }
}

/// For what a person waits for.
fn call_limit() -> CallLimit {
    CallLimit::Until(Instant::now() + MAX_CALL_TIME)
}

/// For what goes through all of a store.
const BULK_CALL_LIMIT: CallLimit = CallLimit::Each(MAX_STATEMENT_TIME);

impl Backend for PostgresStore {
    fn reach(&self) -> Reach {
        Reach::Shared
    }

    fn read<T>(&self, mut work: impl FnMut(&mut dyn Sql) -> Result<T, StoreError>) -> Result<T, StoreError> {
        self.read_within(call_limit(), &mut work)
    }

    fn snapshot<T>(
        &self,
        mut work: impl FnMut(&mut dyn Sql) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.transaction(BULK_CALL_LIMIT, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", &mut work)
    }

    fn write<T>(
        &self,
        durability: Durability,
        mut work: impl FnMut(&mut dyn Sql) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let begin = match durability {
            Durability::Acknowledged => "BEGIN",
            Durability::Eventual => "BEGIN; SET LOCAL synchronous_commit = off",
        };
        self.write_within(call_limit(), begin, &mut work)
    }

    fn write_bulk<T>(
        &self,
        mut work: impl FnMut(&mut dyn Sql) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.write_within(BULK_CALL_LIMIT, "BEGIN", &mut work)
    }

    fn read_bulk<T>(
        &self,
        mut work: impl FnMut(&mut dyn Sql) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.read_within(BULK_CALL_LIMIT, &mut work)
    }

    /// A statement is a transaction of its own here; that saves the two calls around it. Counted twice when the
    /// connection is lost at the wrong moment: no harm.
    fn count<T>(&self, work: impl FnMut(&mut dyn Sql) -> Result<T, StoreError>) -> Result<T, StoreError> {
        self.read(work)
    }

    /// Deleted rows are invisible at once; this lets go of their text. The graph of vectors is left to autovacuum, which
    /// takes minutes over a large one.
    fn wipe(&self) -> Result<bool, StoreError> {
        self.use_connection(BULK_CALL_LIMIT, |connection| {
            let tables = "VACUUM answers, readings, feedback, asked, questions, versions, pages";
            connection.client.batch_execute(tables)
        })?;
        Ok(true)
    }

    fn describe(&self) -> Result<Statistics, StoreError> {
        let size = self.read_bulk(|sql| {
            sql.number(
                "SELECT CAST(COALESCE(SUM(pg_total_relation_size(c.oid)), 0) AS BIGINT) FROM pg_class c
                 JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'findall' AND c.relkind = 'r'",
                &[],
            )
        })?;
        Ok(Statistics {
            backend: "postgresql",
            place: self.address.place.clone(),
            layout: LAYOUT,
            bytes: u64::try_from(size).unwrap_or(0),
            ..Statistics::default()
        })
    }

    /// Constraints cannot be broken by a crash; what can is a checksum or an index, and reading all of it shows that.
    fn verify(&self) -> Result<(), StoreError> {
        self.snapshot(|sql| {
            for table in ["pages", "versions", "questions", "asked", "vectors", "readings", "answers", "feedback"] {
                sql.number(&format!("SELECT COUNT(*) FROM (SELECT t::text FROM {table} t) whole"), &[])?;
            }
            let orphans = sql.number(
                "SELECT (SELECT COUNT(*) FROM questions q LEFT JOIN pages p ON p.id = q.page_id WHERE p.id IS NULL)
                      + (SELECT COUNT(*) FROM answers a LEFT JOIN readings r ON r.id = a.reading_id WHERE r.id IS NULL)
                      + (SELECT COUNT(*) FROM readings r LEFT JOIN questions q ON q.id = r.question_id WHERE q.id IS NULL)",
                &[],
            )?;
            match orphans {
                0 => Ok(()),
                _ => Err(StoreError::Damaged {
                    place: self.address.place.clone(),
                    reason: format!("{orphans} rows hang on nothing"),
                }),
            }
        })
    }
}

/// A connection as [`Sql`] sees it.
struct Postgres<'c> {
    place: &'c str,
    connection: &'c mut Connection,
}

impl Postgres<'_> {
    fn prepare(&mut self, sql: &str) -> Result<Statement, StoreError> {
        if let Some(statement) = self.connection.prepared.get(sql) {
            return Ok(statement.clone());
        }
        let statement = self.connection.client.prepare(sql)?;
        self.connection.prepared.insert(sql.to_owned(), statement.clone());
        Ok(statement)
    }
}

impl Sql for Postgres<'_> {
    fn query(&mut self, sql: &str, params: &[Param<'_>]) -> Result<Vec<Row>, StoreError> {
        let statement = self.prepare(sql)?;
        let params: Vec<&(dyn ToSql + Sync)> = params.iter().map(|param| param as _).collect();
        let rows = self.connection.client.query(&statement, &params)?;
        let row = |row: &tokio_postgres::Row| -> Result<Row, tokio_postgres::Error> {
            (0..row.len()).map(|column| row.try_get::<_, Cell>(column)).collect::<Result<_, _>>().map(Row)
        };
        rows.iter().map(|each| row(each).map_err(|error| failure(self.place, &error))).collect()
    }

    fn execute(&mut self, sql: &str, params: &[Param<'_>]) -> Result<u64, StoreError> {
        let statement = self.prepare(sql)?;
        let params: Vec<&(dyn ToSql + Sync)> = params.iter().map(|param| param as _).collect();
        self.connection.client.execute(&statement, &params)
    }

    fn put_vector(&mut self, question: i64, encoder: &str, direction: &[f32]) -> Result<(), StoreError> {
        let sql =
            "INSERT INTO vectors (question_id, encoder, vector) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING";
        let statement = self.prepare(sql)?;
        let vector = pgvector::Vector::from(direction.to_vec());
        self.connection.client.execute(&statement, &[&question, &encoder, &vector]).map(|_| ())
    }

    /// In one statement, which waits for no disk: counts may lag.
    fn count_question(
        &mut self,
        page: &str,
        question: Question<'_>,
        source: &str,
        at: i64,
    ) -> Result<Option<i64>, StoreError> {
        let statement = format!(
            "WITH worded AS (
                 UPDATE questions SET text = $1 WHERE normalised = $2
                 AND page_id = (SELECT id FROM pages WHERE key = $3) RETURNING id)
             INSERT INTO asked (question_id, source, count, last_asked)
             SELECT id, CAST($4 AS TEXT), 1, CAST($5 AS BIGINT) FROM worded WHERE set_config('synchronous_commit', 'off', true) = 'off'
             {COUNT_ON_CONFLICT} RETURNING question_id"
        );
        let counted =
            self.first(&statement, params![question.text, question.normalised, page, source, at])?;
        counted.map(|row| row.int(0)).transpose()
    }

    fn find_nearest_on_page(
        &mut self,
        page: i64,
        encoder: &str,
        direction: &[f32],
        threshold: f32,
    ) -> Result<Vec<QuestionLikeness>, StoreError> {
        nearest::find_on_page(self, page, encoder, direction, threshold)
    }

    fn find_nearest(&mut self, wanted: &VectorSearch<'_>) -> Result<Vec<QuestionLikeness>, StoreError> {
        nearest::find_everywhere(self, wanted)
    }
}
