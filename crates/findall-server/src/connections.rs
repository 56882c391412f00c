//! Open connections: so many at once. Where all places are taken, the connection that has done nothing for the longest
//! time makes room, so that nobody can keep others out by holding connections and saying nothing. One on which a client
//! with a token is served is never cut off; how many of those there are is bounded by client.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use axum::response::Response;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_stream::Stream;
use tokio_util::sync::CancellationToken;

/// All of them. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Connections {
    room: Arc<Semaphore>,
    idle: Arc<Mutex<IdleConnections>>,
}

/// Those that serve nobody, in the order in which that began.
#[derive(Debug, Default)]
struct IdleConnections {
    next: u64,
    waiting: BTreeMap<u64, CancellationToken>,
}

/// One of them. Cheap to clone; travels with every request on it.
#[derive(Clone, Debug)]
pub struct Connection {
    all: Connections,
    place: Arc<Mutex<Option<u64>>>,
    cut: CancellationToken,
}

impl Connections {
    /// Room for this many.
    pub fn new(most: usize) -> Self {
        Self { room: Arc::new(Semaphore::new(most)), idle: Arc::default() }
    }

    /// A place, for as long as the permit is held; the connection that was idle longest is cut off for it if need be.
    pub async fn make_room(&self) -> Option<OwnedSemaphorePermit> {
        if let Ok(permit) = self.room.clone().try_acquire_owned() {
            return Some(permit);
        }
        if let Some((_, cut)) = self.lock().waiting.pop_first() {
            cut.cancel();
        }
        // The semaphore is never closed.
        self.room.clone().acquire_owned().await.ok()
    }

    /// A connection that has said nothing yet.
    pub fn open_connection(&self) -> Connection {
        let connection =
            Connection { all: self.clone(), place: Arc::default(), cut: CancellationToken::new() };
        connection.become_idle();
        connection
    }

    fn lock(&self) -> MutexGuard<'_, IdleConnections> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Connection {
    /// Comes when it is cut off.
    pub async fn cut_off(&self) {
        self.cut.cancelled().await;
    }

    /// It is over, and does not come back when an answer on it is dropped later.
    pub fn end(&self) {
        self.cut.cancel();
        self.leave_idle();
    }

    fn leave_idle(&self) {
        let mut idle = self.all.lock();
        if let Some(place) = self.place.lock().unwrap_or_else(PoisonError::into_inner).take() {
            idle.waiting.remove(&place);
        }
    }

    /// It serves a client that may ask, until the guard is dropped.
    pub fn serve(&self) -> ServingGuard {
        self.leave_idle();
        ServingGuard(self.clone())
    }

    fn become_idle(&self) {
        let mut idle = self.all.lock();
        if self.cut.is_cancelled() {
            return;
        }
        idle.next += 1;
        let number = idle.next;
        idle.waiting.insert(number, self.cut.clone());
        *self.place.lock().unwrap_or_else(PoisonError::into_inner) = Some(number);
    }
}

/// Keeps a connection from being cut off.
#[derive(Debug)]
pub struct ServingGuard(Connection);

impl ServingGuard {
    /// The same answer, served until its last byte has been taken. One that is there as a whole is on its way already.
    pub fn serve_until_read(self, response: Response) -> Response {
        match response.body().size_hint().exact() {
            Some(_) => response,
            None => response.map(|body| {
                Body::from_stream(ServedBody { bytes: Box::pin(body.into_data_stream()), _serving: self })
            }),
        }
    }
}

impl Drop for ServingGuard {
    fn drop(&mut self) {
        self.0.become_idle();
    }
}

struct ServedBody<S> {
    bytes: Pin<Box<S>>,
    _serving: ServingGuard,
}

impl<S: Stream<Item = Result<Bytes, axum::Error>>> Stream for ServedBody<S> {
    type Item = S::Item;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.bytes.as_mut().poll_next(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_one_idle_longest_makes_room_and_one_that_serves_does_not() {
        let connections = Connections::new(3);
        let mut held = Vec::new();
        for _ in 0..3 {
            held.push((connections.make_room().await, connections.open_connection()));
        }
        let serving = held[0].1.serve();
        let waiting = tokio::spawn({
            let connections = connections.clone();
            async move { connections.make_room().await }
        });
        held[1].1.cut_off().await;
        assert!(!held[0].1.cut.is_cancelled() && !held[2].1.cut.is_cancelled());
        held[1].1.end();
        held[1].0 = None;
        held[1].0 = waiting.await.unwrap();
        drop(serving);
        assert_eq!(connections.lock().waiting.len(), 2);
        let serving = held[0].1.serve();
        for (_, connection) in &held {
            connection.end();
        }
        drop(serving);
        assert!(connections.lock().waiting.is_empty(), "what has ended does not come back");
    }
}
