//! Where the engine works: blocking threads in three lanes, so that neither a book being read nor a store that does not
//! answer holds up a look-up. A bounded number of jobs runs, a bounded number waits, the rest is refused at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;

use crate::error::ApiError;
use crate::limits::Limits;

/// Which lane a job takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    /// Reads text: preparing, asking.
    Long,
    /// Looks up what is ready.
    Short,
    /// Asks the store, and nothing else.
    Memory,
}

/// The lanes.
#[derive(Debug)]
pub struct Workers {
    long: Queue,
    short: Queue,
    memory: Queue,
    most_waiting: usize,
    closing: Arc<AtomicBool>,
}

#[derive(Debug)]
struct Queue {
    permits: Arc<Semaphore>,
    size: usize,
    waiting: AtomicUsize,
}

impl Queue {
    fn new(size: usize) -> Self {
        Self { permits: Arc::new(Semaphore::new(size)), size, waiting: AtomicUsize::new(0) }
    }
}

/// Leave to run one job.
#[derive(Debug)]
pub struct Turn {
    _permit: OwnedSemaphorePermit,
    closing: Arc<AtomicBool>,
}

/// Tells a job to stop: nobody waits for it any more, its time is up, or the server closes.
#[derive(Clone, Debug)]
pub struct Stop {
    abandoned: Arc<AtomicBool>,
    closing: Arc<AtomicBool>,
    deadline: Instant,
}

impl Stop {
    /// True when the job should end.
    pub fn is_set(&self) -> bool {
        self.abandoned.load(Ordering::Relaxed) || self.closing.load(Ordering::Relaxed) || self.is_late()
    }

    /// True when its time is up.
    pub fn is_late(&self) -> bool {
        Instant::now() >= self.deadline
    }

    /// Nobody waits for it any more.
    pub fn abandon(&self) {
        self.abandoned.store(true, Ordering::Relaxed);
    }
}

/// Sets the stop when whoever waits for the job is dropped, as it is when the client goes away.
pub(crate) struct AbandonOnDrop(pub(crate) Stop);

impl Drop for AbandonOnDrop {
    fn drop(&mut self) {
        self.0.abandon();
    }
}

/// Counts one waiting request for as long as it waits.
struct WaitingCount<'q>(&'q AtomicUsize);

impl Drop for WaitingCount<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Workers {
    /// Lanes as wide as the limits say.
    pub fn new(limits: &Limits) -> Self {
        Self {
            long: Queue::new(limits.long_jobs.max(1)),
            short: Queue::new(limits.short_jobs.max(1)),
            memory: Queue::new(limits.memory_jobs.max(1)),
            most_waiting: limits.waiting,
            closing: Arc::default(),
        }
    }

    fn queue(&self, lane: Lane) -> &Queue {
        match lane {
            Lane::Long => &self.long,
            Lane::Short => &self.short,
            Lane::Memory => &self.memory,
        }
    }

    /// Waits for a turn, unless too many wait already.
    pub async fn wait_for_turn(&self, lane: Lane) -> Result<Turn, ApiError> {
        let queue = self.queue(lane);
        let permit = match queue.permits.clone().try_acquire_owned() {
            Ok(permit) => Ok(permit),
            Err(_) => {
                let ahead = queue.waiting.fetch_add(1, Ordering::Relaxed);
                let _waiting = WaitingCount(&queue.waiting);
                if ahead >= self.most_waiting {
                    return Err(ApiError::Busy(
                        "too many requests are waiting; try again in a second".into(),
                    ));
                }
                queue.permits.clone().acquire_owned().await
            }
        };
        let permit = permit.map_err(|_| ApiError::Busy("the server is closing; start it again".into()))?;
        Ok(Turn { _permit: permit, closing: self.closing.clone() })
    }

    /// Waits for a turn and runs the job.
    pub async fn run<T: Send + 'static>(
        &self,
        lane: Lane,
        deadline: Instant,
        job: impl FnOnce(&Stop) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        self.wait_for_turn(lane).await?.run(deadline, job).await
    }

    /// Every running job is told to stop; no new one begins.
    pub fn close(&self) {
        self.closing.store(true, Ordering::Relaxed);
        self.long.permits.close();
        self.short.permits.close();
        self.memory.permits.close();
    }

    /// Jobs that run and requests that wait, in one lane.
    pub fn load(&self, lane: Lane) -> (usize, usize) {
        let queue = self.queue(lane);
        (queue.size.saturating_sub(queue.permits.available_permits()), queue.waiting.load(Ordering::Relaxed))
    }
}

impl Turn {
    /// What the job of this turn looks at.
    pub fn stop(&self, deadline: Instant) -> Stop {
        Stop { abandoned: Arc::default(), closing: self.closing.clone(), deadline }
    }

    /// Runs the job and waits for it. Who stops waiting stops the job, if it looks at its [`Stop`].
    pub async fn run<T: Send + 'static>(
        self,
        deadline: Instant,
        job: impl FnOnce(&Stop) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let stop = self.stop(deadline);
        let _abandon = AbandonOnDrop(stop.clone());
        self.start(move || job(&stop)).await
    }

    /// Begins the job on a thread of its own; the turn ends with it. A panic becomes an answer, not a hang.
    pub async fn start<T: Send + 'static>(
        self,
        job: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let work = move || {
            let _turn = self;
            job()
        };
        match tokio::task::spawn_blocking(work).await {
            Ok(done) => done,
            Err(_) => Err(ApiError::Internal("the search failed; the server's log says where".into())),
        }
    }
}
