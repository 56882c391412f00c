//! Standard output, buffered, shared with the interrupt handler so that nothing already found is lost.

use std::io::{self, BufWriter, Stdout, Write};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

static STDOUT: OnceLock<Mutex<BufWriter<Stdout>>> = OnceLock::new();

/// A handle on the process's standard output.
#[derive(Clone, Copy, Debug)]
pub struct Output(());

impl Output {
    /// The one standard output.
    pub fn stdout() -> Self {
        Self(())
    }

    /// Writes and flushes: what has been found is on the screen before the next file is read.
    pub fn write(&self, bytes: &[u8]) -> io::Result<()> {
        // A thread that died while writing leaves the bytes as they are; going on is right.
        let mut out = shared_stdout().lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        out.write_all(bytes)?;
        out.flush()
    }
}

/// Writes out what is buffered and keeps the output from then on, so that a process about to exit cannot cut a line
/// in two. A writer that is stuck (a full pipe that nobody reads) is not waited for.
pub fn flush_and_hold(patience: Duration) {
    let deadline = Instant::now() + patience;
    while Instant::now() < deadline {
        match shared_stdout().try_lock() {
            Ok(mut out) => {
                // Whether the last bytes arrive or not, the process ends.
                let _ = out.flush();
                std::mem::forget(out);
                return;
            }
            Err(_) => std::thread::sleep(Duration::from_millis(5)),
        }
    }
}

fn shared_stdout() -> &'static Mutex<BufWriter<Stdout>> {
    STDOUT.get_or_init(|| Mutex::new(BufWriter::with_capacity(64 * 1024, io::stdout())))
}
