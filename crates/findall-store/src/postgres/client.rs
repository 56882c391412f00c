//! A connection whose every call ends in time. A server that is stopped, or a network that swallows what is sent, gives no
//! error by itself: the limit is kept on this side.
//!
//! Each connection has a small runtime of its own, so that the store can block as its trait does. Dropping one waits for
//! nothing, because a server drops its store wherever it happens to end.

use std::future::Future;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use tokio::runtime::{Builder, Runtime};
use tokio_postgres::tls::{MakeTlsConnect, TlsConnect};
use tokio_postgres::types::ToSql;
use tokio_postgres::{Config, Error, Row, Socket, Statement, ToStatement};
use tokio_stream::StreamExt;

use super::failure;
use crate::error::StoreError;

/// How long the server may take.
#[derive(Clone, Copy, Debug)]
pub enum CallLimit {
    /// All statements together, up to this moment: what a person waits for.
    Until(Instant),
    /// Each statement: what may go through the whole store.
    Each(Duration),
}

impl CallLimit {
    /// True when there is no time left.
    pub fn is_over(self) -> bool {
        matches!(self, Self::Until(moment) if Instant::now() >= moment)
    }

    fn deadline(self) -> Instant {
        match self {
            Self::Until(moment) => moment,
            Self::Each(time) => Instant::now() + time,
        }
    }
}

/// Parameters of a statement.
pub type Params<'p> = &'p [&'p (dyn ToSql + Sync)];

/// A connection.
pub struct Client {
    client: tokio_postgres::Client,
    /// There until it is dropped.
    runtime: Option<Runtime>,
    place: String,
    limit: CallLimit,
    /// True once an answer did not come: what the connection says next would belong to an earlier call.
    silent: bool,
}

impl Client {
    /// A new connection to this place, made within the limit.
    pub fn connect<T>(config: &Config, tls: T, place: &str, limit: CallLimit) -> Result<Self, StoreError>
    where
        T: MakeTlsConnect<Socket> + 'static,
        T::TlsConnect: Send,
        T::Stream: Send,
        <T::TlsConnect as TlsConnect<Socket>>::Future: Send,
    {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let started = Instant::now();
        let connecting = wait(&runtime, limit, config.connect(tls));
        let (client, connection) = match connecting {
            Ok(connected) => connected.map_err(|error| failure(place, &error))?,
            Err(CallTimeout) => {
                runtime.shutdown_background();
                return Err(describe_silence(place, started));
            }
        };
        // Ends with the connection; what it says at its end is also said to whoever uses the client.
        runtime.spawn(async move { drop(connection.await) });
        Ok(Self { client, runtime: Some(runtime), place: place.to_owned(), limit, silent: false })
    }

    /// From now on the server may take so long.
    pub fn set_limit(&mut self, limit: CallLimit) {
        self.limit = limit;
    }

    /// True when no further call can succeed.
    pub fn is_closed(&self) -> bool {
        self.silent || self.client.is_closed()
    }

    /// Runs statements without parameters.
    pub fn batch_execute(&mut self, statements: &str) -> Result<(), StoreError> {
        self.call(|client| client.batch_execute(statements))
    }

    /// Makes a statement ready.
    pub fn prepare(&mut self, statement: &str) -> Result<Statement, StoreError> {
        self.call(|client| client.prepare(statement))
    }

    /// Rows of a statement.
    pub fn query<S: ?Sized + ToStatement>(
        &mut self,
        statement: &S,
        params: Params<'_>,
    ) -> Result<Vec<Row>, StoreError> {
        self.call(|client| client.query(statement, params))
    }

    /// The one row of a statement.
    pub fn query_one(&mut self, statement: &str, params: Params<'_>) -> Result<Row, StoreError> {
        self.call(|client| client.query_one(statement, params))
    }

    /// The row of a statement, if there is one.
    pub fn query_opt(&mut self, statement: &str, params: Params<'_>) -> Result<Option<Row>, StoreError> {
        self.call(|client| client.query_opt(statement, params))
    }

    /// Runs a statement; how many rows it changed.
    pub fn execute<S: ?Sized + ToStatement>(
        &mut self,
        statement: &S,
        params: Params<'_>,
    ) -> Result<u64, StoreError> {
        self.call(|client| client.execute(statement, params))
    }

    /// Shows every row to `visit` as it comes, until that breaks.
    pub fn each_row(
        &mut self,
        statement: &str,
        visit: &mut dyn FnMut(&Row) -> Result<ControlFlow<()>, Error>,
    ) -> Result<(), StoreError> {
        let none: [&str; 0] = [];
        let rows = self.call(|client| client.query_raw(statement, none))?;
        let mut rows = Box::pin(rows);
        while let Some(row) = self.call(|_| async { rows.next().await.transpose() })? {
            if visit(&row).map_err(|error| failure(&self.place, &error))?.is_break() {
                break;
            }
        }
        Ok(())
    }

    fn call<'c, T, F: Future<Output = Result<T, Error>>>(
        &'c mut self,
        start: impl FnOnce(&'c tokio_postgres::Client) -> F,
    ) -> Result<T, StoreError> {
        let started = Instant::now();
        let gone =
            || StoreError::Lost { place: self.place.clone(), reason: "the connection is closed".into() };
        let Some(runtime) = self.runtime.as_ref().filter(|_| !self.silent) else { return Err(gone()) };
        match wait(runtime, self.limit, start(&self.client)) {
            Ok(answer) => answer.map_err(|error| failure(&self.place, &error)),
            Err(CallTimeout) => {
                self.silent = true;
                Err(describe_silence(&self.place, started))
            }
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// The answer did not come in time.
struct CallTimeout;

fn wait<F: Future>(runtime: &Runtime, limit: CallLimit, future: F) -> Result<F::Output, CallTimeout> {
    let deadline = tokio::time::Instant::from_std(limit.deadline());
    runtime.block_on(async { tokio::time::timeout_at(deadline, future).await.map_err(|_| CallTimeout) })
}

fn describe_silence(place: &str, since: Instant) -> StoreError {
    StoreError::Silent { place: place.to_owned(), seconds: since.elapsed().as_secs().max(1) }
}
