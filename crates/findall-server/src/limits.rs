//! How much a client may cost: sizes, times and counts, each with a default that ordinary pages stay far below.

use std::time::Duration;

/// Guards of the server. What goes over is refused with a status that says so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Largest body of a request, in bytes (413).
    pub body_bytes: usize,
    /// Memory for all bodies that are being received, in bytes (503); at least one of the largest fits in.
    pub bodies_bytes: usize,
    /// Longest text of a document, in bytes (413).
    pub text_bytes: usize,
    /// Memory for documents that are held, in bytes; those used longest ago make room.
    pub documents_bytes: usize,
    /// Longest time for one request (408).
    pub time: Duration,
    /// Jobs that read text at a time.
    pub long_jobs: usize,
    /// Jobs that look something up at a time.
    pub short_jobs: usize,
    /// Jobs that only ask what is remembered at a time: a store that does not answer holds up nothing else.
    pub memory_jobs: usize,
    /// Requests that may wait for a job of either sort to end (503).
    pub waiting: usize,
    /// Requests that one client may have under way (429).
    pub per_client: usize,
    /// Open connections; for a further one, the one idle longest is cut off.
    pub connections: usize,
    /// Matches and entities in one answer; the answer says how many were left out.
    pub matches: usize,
}

impl Default for Limits {
    fn default() -> Self {
        const MIB: usize = 1024 * 1024;
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        Limits {
            body_bytes: 32 * MIB,
            bodies_bytes: 256 * MIB,
            text_bytes: 16 * MIB,
            documents_bytes: 512 * MIB,
            time: Duration::from_secs(120),
            long_jobs: cores,
            short_jobs: 2 * cores,
            memory_jobs: 2 * cores,
            waiting: 256,
            per_client: 128,
            connections: 1024,
            matches: 10_000,
        }
    }
}
