//! Between our words and the client's: parameters go in, cells come out, and what the server or the connection says becomes
//! a [`StoreError`].

use tokio_postgres::error::SqlState;
use tokio_postgres::types::{FromSql, IsNull, ToSql, Type, to_sql_checked};

use crate::error::StoreError;
use crate::sql::{Cell, Param};

type BoxedError = Box<dyn std::error::Error + Sync + Send>;

impl ToSql for Param<'_> {
    fn to_sql(
        &self,
        kind: &Type,
        out: &mut tokio_postgres::types::private::BytesMut,
    ) -> Result<IsNull, BoxedError> {
        match (self, kind) {
            (Param::Null, _) => Ok(IsNull::Yes),
            (Param::Int(value), &Type::INT8) => value.to_sql(kind, out),
            (Param::Real(value), &Type::FLOAT8) => value.to_sql(kind, out),
            (Param::Text(text), &Type::TEXT) => text.to_sql(kind, out),
            (param, kind) => Err(format!("{param:?} given where {kind} is wanted").into()),
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

impl<'a> FromSql<'a> for Cell {
    fn from_sql(kind: &Type, raw: &'a [u8]) -> Result<Self, BoxedError> {
        match *kind {
            Type::INT8 => i64::from_sql(kind, raw).map(Cell::Int),
            Type::FLOAT8 => f64::from_sql(kind, raw).map(Cell::Real),
            Type::TEXT => String::from_sql(kind, raw).map(Cell::Text),
            _ => Ok(Cell::Vector(pgvector::Vector::from_sql(kind, raw)?.into())),
        }
    }

    fn from_sql_null(_: &Type) -> Result<Self, BoxedError> {
        Ok(Cell::Null)
    }

    fn accepts(kind: &Type) -> bool {
        [Type::INT8, Type::FLOAT8, Type::TEXT].contains(kind) || kind.name() == "vector"
    }
}

/// What the server or the connection said, in the words of [`StoreError`].
pub fn failure(place: &str, error: &tokio_postgres::Error) -> StoreError {
    let place = place.to_owned();
    let Some(said) = error.as_db_error() else {
        let reason = match std::error::Error::source(error) {
            Some(source) => format!("{error}: {source}"),
            None => error.to_string(),
        };
        let lost = error.is_closed() || reason.contains("communicating") || reason.contains("connection");
        return if lost { StoreError::Lost { place, reason } } else { StoreError::Failed { place, reason } };
    };
    let state = said.code();
    let shutting_down = [
        SqlState::ADMIN_SHUTDOWN,
        SqlState::CRASH_SHUTDOWN,
        SqlState::CANNOT_CONNECT_NOW,
        SqlState::DATABASE_DROPPED,
    ];
    let in_the_way =
        [SqlState::T_R_SERIALIZATION_FAILURE, SqlState::T_R_DEADLOCK_DETECTED, SqlState::LOCK_NOT_AVAILABLE];
    let reason = said.message().to_owned();
    if shutting_down.contains(state) {
        StoreError::Lost { place, reason }
    } else if in_the_way.contains(state) {
        StoreError::Busy { place, seconds: 1 }
    } else if [SqlState::DATA_CORRUPTED, SqlState::INDEX_CORRUPTED].contains(state) {
        StoreError::Damaged { place, reason }
    } else if *state == SqlState::READ_ONLY_SQL_TRANSACTION {
        let reason = "it is a replica that can only be read; name the primary server to write".to_owned();
        StoreError::Failed { place, reason }
    } else {
        StoreError::Failed { place, reason }
    }
}
