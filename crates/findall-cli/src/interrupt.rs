//! Ctrl-C and SIGTERM: the cursor comes back, the line being written is finished, the process exits with 130.

use std::time::Duration;

use crate::{output, progress};

/// Exit status of a run that a person stopped, as shells expect it.
const INTERRUPTED_STATUS: i32 = 130;

/// Installs the handler. Without one (a system that refuses) the default action still ends the process.
#[expect(clippy::disallowed_methods, reason = "the handler cannot return an exit code; it flushes first")]
pub fn install() {
    let _ = ctrlc::set_handler(|| {
        progress::restore_terminal();
        output::flush_and_hold(Duration::from_millis(200));
        std::process::exit(INTERRUPTED_STATUS);
    });
}
