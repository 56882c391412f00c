//! Ctrl-C and SIGTERM: the cursor comes back, the line being written is finished, the process exits with 130.

use std::io::Write;

use crate::progress;

/// Exit status of a run that a person stopped, as shells expect it.
const INTERRUPTED: i32 = 130;

/// Installs the handler. Without one (a system that refuses) the default action still ends the process.
pub fn install() {
    let _ = ctrlc::set_handler(|| {
        progress::restore_terminal();
        let mut out = crate::output::lock();
        let _ = out.flush();
        std::process::exit(INTERRUPTED);
    });
}
