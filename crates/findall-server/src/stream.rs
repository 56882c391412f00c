//! Lines as they come: a job on a blocking thread writes events, the client reads them, and when the client goes away the
//! job is told to stop.

use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, header};
use axum::response::Response;
use serde::Serialize;
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::mpsc::{Sender, channel};
use tokio_stream::StreamExt;
use tokio_stream::wrappers::ReceiverStream;

use crate::workers::{AbandonOnDrop, Stop};

/// One JSON value a line.
pub const NDJSON: &str = "application/x-ndjson";

/// Lines that wait for a slow reader before the job waits too.
const MAX_WAITING_LINES: usize = 64;

/// How long a job waits before it tries a full channel again.
const MIN_PAUSE_TIME: Duration = Duration::from_millis(5);

/// The writing end.
pub struct Lines {
    sender: Sender<Bytes>,
    stop: Stop,
}

/// A response whose lines are yet to be written.
pub fn lines(stop: Stop) -> (Lines, Response) {
    let (sender, receiver) = channel(MAX_WAITING_LINES);
    // Who hangs up drops the body; the job hears of it at once, also while it has nothing to say.
    let hangs_up = AbandonOnDrop(stop.clone());
    let lines = ReceiverStream::new(receiver).map(move |line| {
        let _ = &hangs_up;
        Ok::<_, std::convert::Infallible>(line)
    });
    let body = Body::from_stream(lines);
    let mut response = Response::new(body);
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(NDJSON));
    (Lines { sender, stop }, response)
}

impl Lines {
    /// Writes one line, waiting for a slow reader as long as the job has time; false when nobody reads any more, after
    /// which the job's stop is set.
    pub fn send(&self, event: &impl Serialize) -> bool {
        let Ok(mut line) = serde_json::to_vec(event) else { return true };
        line.push(b'\n');
        let mut line = Bytes::from(line);
        loop {
            match self.sender.try_send(line) {
                Ok(()) => return true,
                Err(TrySendError::Full(back)) if !self.stop.is_set() => line = back,
                Err(_) => {
                    self.stop.abandon();
                    return false;
                }
            }
            std::thread::sleep(MIN_PAUSE_TIME);
        }
    }

    /// Writes one line if there is room, drops it if not: the next one says more. False when nobody reads any more.
    pub fn offer(&self, event: &impl Serialize) -> bool {
        if self.sender.is_closed() {
            self.stop.abandon();
            return false;
        }
        if self.sender.capacity() > MAX_WAITING_LINES / 2 { self.send(event) } else { true }
    }
}
