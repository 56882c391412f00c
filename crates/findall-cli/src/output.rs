//! Standard output, buffered, shared with the interrupt handler so that nothing already found is lost.

use std::io::{self, BufWriter, Stdout, Write};
use std::sync::{Mutex, MutexGuard, OnceLock};

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
        let mut out = lock();
        out.write_all(bytes)?;
        out.flush()
    }
}

/// Holds the output from now on, so that a process about to exit cannot cut a line in two.
pub(crate) fn lock() -> MutexGuard<'static, BufWriter<Stdout>> {
    let writer = STDOUT.get_or_init(|| Mutex::new(BufWriter::with_capacity(64 * 1024, io::stdout())));
    // A thread that died while writing leaves the bytes as they are; going on is right.
    writer.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}
