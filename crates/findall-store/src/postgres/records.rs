//! Prepared records on a PostgreSQL server: where many machines put what `findall index worker` wrote, and from where a
//! library is filled. One row a document, under its id; a record that is there already changes nothing, however often and by
//! however many it is put in. They hold whole texts, so they lie in a schema of their own, apart from what is remembered.

use std::collections::HashSet;
use std::ops::ControlFlow;

use super::MAX_STATEMENT_TIME;
use super::client::{CallLimit, Client};
use super::connect::{Address, BULK_TIMEOUTS};
use crate::error::StoreError;

/// `fnrc`; many may begin at once.
const RECORDS_LOCK: i64 = 0x666e_7263;

const RECORDS_TABLE: &str = "
    CREATE SCHEMA IF NOT EXISTS findall_records;
    CREATE TABLE IF NOT EXISTS findall_records.records (
        id TEXT NOT NULL PRIMARY KEY, content BYTEA NOT NULL, made_by TEXT NOT NULL, record TEXT NOT NULL
    )";

const PUT_STATEMENT: &str = "
    INSERT INTO findall_records.records AS there (id, content, made_by, record)
    SELECT * FROM UNNEST($1::TEXT[], $2::BYTEA[], $3::TEXT[], $4::TEXT[])
    ON CONFLICT (id) DO UPDATE
        SET content = EXCLUDED.content, made_by = EXCLUDED.made_by, record = EXCLUDED.record
        WHERE there.content <> EXCLUDED.content OR there.made_by <> EXCLUDED.made_by";

/// A prepared document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PreparedRecord {
    /// Its name among all documents.
    pub id: String,
    /// The hash of its text.
    pub content: [u8; 32],
    /// Which models and knowledge prepared it.
    pub made_by: String,
    /// All of it, as it travels: one line.
    pub line: String,
}

/// The records of a server.
pub struct Records {
    client: Client,
}

impl Records {
    /// Opens them at `postgres://…`, making the table when it is not there.
    pub fn open(url: &str) -> Result<Self, StoreError> {
        let address = Address::read(url)?;
        let mut client = address.connect(address.connect_limit())?;
        client.set_limit(CallLimit::Each(MAX_STATEMENT_TIME));
        // Not ended by COMMIT, it ends with the connection, and nothing was made.
        client.batch_execute(&format!("{BULK_TIMEOUTS}; BEGIN"))?;
        client.execute("SELECT pg_advisory_xact_lock($1)", &[&RECORDS_LOCK])?;
        client.batch_execute(RECORDS_TABLE)?;
        client.batch_execute("COMMIT")?;
        Ok(Self { client })
    }

    /// Puts records in, all or none; how many were new or had another text or other makers than the one there. Of several
    /// with one id the first counts.
    pub fn put(&mut self, records: &[PreparedRecord]) -> Result<u64, StoreError> {
        if records.iter().any(|record| record.id.contains('\0')) {
            return Err(StoreError::Unstorable { what: "an id" });
        }
        let mut seen = HashSet::new();
        // In the order of their ids: who puts the same ones in at the same time waits, and is not in the way.
        let mut records: Vec<&PreparedRecord> = records.iter().filter(|one| seen.insert(&one.id)).collect();
        records.sort_by(|a, b| a.id.cmp(&b.id));
        let ids: Vec<&str> = records.iter().map(|record| record.id.as_str()).collect();
        let contents: Vec<&[u8]> = records.iter().map(|record| record.content.as_slice()).collect();
        let makers: Vec<&str> = records.iter().map(|record| record.made_by.as_str()).collect();
        let lines: Vec<&str> = records.iter().map(|record| record.line.as_str()).collect();
        self.client.execute(PUT_STATEMENT, &[&ids, &contents, &makers, &lines])
    }

    /// Hands over every record's line in the order of ids, until `visit` breaks.
    pub fn for_each_record(
        &mut self,
        visit: &mut dyn FnMut(&str) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        let all = "SELECT record FROM findall_records.records ORDER BY id";
        self.client.each_row(all, &mut |row| Ok(visit(row.try_get(0)?)))
    }
}
