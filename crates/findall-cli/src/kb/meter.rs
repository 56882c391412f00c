//! The progress bar of a build: bytes of the source read and rows a second, then entities written.

use std::io::IsTerminal;
#[cfg(feature = "builder")]
use std::path::Path;
use std::time::Duration;

#[cfg(feature = "builder")]
use findall_kb::sources::reading::Position;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar on a terminal, nothing elsewhere.
pub struct Meter {
    bar: ProgressBar,
}

const METER_FRAME_INTERVAL: Duration = Duration::from_millis(200);

fn bar(length: u64, template: &str) -> ProgressBar {
    let target = if std::io::stderr().is_terminal() {
        ProgressDrawTarget::stderr_with_hz(5)
    } else {
        ProgressDrawTarget::hidden()
    };
    let bar = ProgressBar::with_draw_target(Some(length), target);
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.enable_steady_tick(METER_FRAME_INTERVAL);
    bar
}

impl Meter {
    /// For reading the entities of a base.
    pub fn reading_entities() -> Self {
        Self { bar: bar(0, "indexing {bar:30} {pos}/{len} entities, {eta} left") }
    }

    /// So many entities are read or written.
    pub fn entity(&self, done: u64, total: u64) {
        self.bar.set_length(total);
        self.bar.set_position(done);
    }
}

/// What only a build shows.
#[cfg(feature = "builder")]
impl Meter {
    /// For reading a file.
    pub fn start(path: &Path) -> Self {
        let length = std::fs::metadata(path).map(|meta| meta.len()).unwrap_or(0);
        let name: String = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .chars()
            .filter(|c| !c.is_control())
            .collect();
        let bar = bar(length, "{prefix} {bar:30} {percent}% {msg} rows, {eta} left");
        bar.set_prefix(name);
        Self { bar }
    }

    /// For writing entities.
    pub fn entities() -> Self {
        Self { bar: bar(0, "writing {bar:30} {pos}/{len} entities, {eta} left") }
    }

    /// So many rows are read, up to `position` in the file.
    pub fn rows(&self, rows: u64, position: &Position) {
        if rows.is_multiple_of(4096) {
            self.bar.set_position(position.get());
            self.bar.set_message(rows.to_string());
        }
    }

    /// Runs `work` with the bar out of the way.
    pub fn run_aside<T>(&self, work: impl FnOnce() -> T) -> T {
        self.bar.suspend(work)
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
