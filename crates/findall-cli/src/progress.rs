//! A progress line on stderr, only on a terminal, and only once the work has lasted a second.

use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Work shorter than this is done before a person wonders.
const MIN_SHOWN_TIME: Duration = Duration::from_secs(1);
const FRAME_INTERVAL: Duration = Duration::from_millis(120);

/// What is being done, and how much of it is done.
pub struct Progress {
    done: AtomicU64,
    shown: Option<ProgressState>,
}

struct ProgressState {
    bar: ProgressBar,
    /// Dropped with the work; the thread that waits to draw then gives up.
    _finished: Sender<()>,
}

impl Progress {
    /// Starts the clock; nothing is drawn before a second has passed, and nothing ever when stderr is no terminal.
    pub fn start() -> Self {
        Self { done: AtomicU64::new(0), shown: io::stderr().is_terminal().then(ProgressState::start_delayed) }
    }

    /// Work on `path` begins.
    pub fn begin_file(&self, path: &Path) {
        if let Some(shown) = &self.shown {
            let done = self.done.load(Ordering::Relaxed);
            let name: String = path.display().to_string().chars().filter(|c| !c.is_control()).collect();
            shown.bar.set_message(format!("{done} files searched, now {name}"));
        }
    }

    /// Says what is being done.
    pub fn say(&self, message: &str) {
        if let Some(shown) = &self.shown {
            shown.bar.set_message(message.chars().filter(|c| !c.is_control()).collect::<String>());
        }
    }

    /// One more file is done.
    pub fn finish_file(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }

    /// Runs `work` with the progress line out of the way, so that it can write to the same terminal.
    pub fn run_aside<T>(&self, work: impl FnOnce() -> T) -> T {
        match &self.shown {
            Some(shown) => shown.bar.suspend(work),
            None => work(),
        }
    }
}

impl ProgressState {
    fn start_delayed() -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template("{spinner} {wide_msg} {elapsed}") {
            bar.set_style(style);
        }
        let (finished, wait) = mpsc::channel::<()>();
        let later = bar.clone();
        std::thread::spawn(move || {
            if wait.recv_timeout(MIN_SHOWN_TIME) == Err(RecvTimeoutError::Timeout) {
                later.set_draw_target(ProgressDrawTarget::stderr());
                later.enable_steady_tick(FRAME_INTERVAL);
            }
        });
        Self { bar, _finished: finished }
    }
}

impl Drop for ProgressState {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// Shows the cursor again and clears what a progress line may have left, for an exit that runs no destructor.
pub fn restore_terminal() {
    let mut stderr = io::stderr();
    if stderr.is_terminal() {
        let _ = stderr.write_all(b"\r\x1b[2K\x1b[?25h");
    }
}
