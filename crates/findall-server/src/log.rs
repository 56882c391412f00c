//! The log on standard error: one line an event, for people or as JSON. No page text, no query, no address of a page
//! gets in unless the person asked for it.

use tracing_subscriber::filter::LevelFilter;

/// How lines look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LogFormat {
    /// For people.
    #[default]
    Text,
    /// For programs.
    Json,
}

/// Starts the log of this process; a second call changes nothing.
pub fn init(format: LogFormat, every_request: bool) {
    let level = if every_request { LevelFilter::INFO } else { LevelFilter::WARN };
    let builder = tracing_subscriber::fmt().with_max_level(level).with_writer(std::io::stderr);
    let _ = match format {
        LogFormat::Text => builder.with_ansi(false).with_target(false).try_init(),
        LogFormat::Json => builder.json().flatten_event(true).with_target(false).try_init(),
    };
}
