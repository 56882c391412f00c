//! `findall doctor`: what is present and works, what is missing, and the command that fixes it. Nothing is taken on
//! trust: models are loaded, the knowledge base is read to its last byte, and a sentence is searched.

mod meaning;

use std::fmt::Display;
use std::io::IsTerminal;
use std::path::Path;
use std::time::Duration;

use clap::Args;

use crate::absent::describe_absent;
use crate::args::EngineArgs;
use crate::config::Config;
use crate::config::color::Palette;
use crate::config::sources::{PROJECT_FILE, SettingOrigin, SettingSources};
use crate::failure::{Failure, Outcome};
use crate::output::Output;

/// Arguments of `findall doctor`.
#[derive(Debug, Args)]
pub struct DoctorArgs {
    #[command(flatten)]
    engine: EngineArgs,
}

/// What was found out about one thing.
enum Finding {
    /// There, and what it is.
    Present(String),
    /// Not there, which is fine; what it would do.
    Optional(String),
    /// Missing or broken, and what to do.
    Missing(String),
}

/// The report, written line by line: checking takes a moment, and a person sees where it is.
struct DoctorReport {
    palette: Palette,
    missing: bool,
}

/// Reports; exit 1 when something that findall was told to use is missing or broken.
pub fn run(args: DoctorArgs) -> Result<Outcome, Failure> {
    let sources = SettingSources::read(args.engine.layer())?;
    let config = Config::build(sources.resolve())?;
    let mut report = DoctorReport { palette: config.palette, missing: false };
    report.add("program", program())?;
    if let Some(absent) = describe_absent() {
        report.add("program", Finding::Optional(absent))?;
    }
    report.add("output", terminal(&config.palette))?;
    for finding in settings(&sources) {
        report.add("settings", finding)?;
    }
    report.add("cache", cache(&config))?;
    report.add("network", network(&config))?;
    meaning::check(&config, &mut report)?;
    Ok(if report.missing { Outcome::Nothing } else { Outcome::Found })
}

impl DoctorReport {
    fn add(&mut self, subject: &str, finding: Finding) -> Result<(), Failure> {
        let (sign, style, text) = match finding {
            Finding::Present(text) => ("ok", self.palette.line, text),
            Finding::Optional(text) => ("--", self.palette.dim, text),
            Finding::Missing(text) => {
                self.missing = true;
                ("!!", self.palette.exact, text)
            }
        };
        let line = format!("{style}{sign}{style:#} {subject:<12} {text}\n");
        Ok(Output::stdout().write(line.as_bytes())?)
    }
}

fn program() -> Finding {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    Finding::Present(format!("findall {}, {threads} threads", env!("CARGO_PKG_VERSION")))
}

fn terminal(palette: &Palette) -> Finding {
    let place = if std::io::stdout().is_terminal() { "a terminal" } else { "not a terminal" };
    let colored = palette.exact != anstyle::Style::new();
    let color = if colored { "with colour" } else { "without colour (--color=always forces it)" };
    Finding::Present(format!("{place}, {color}"))
}

fn settings(sources: &SettingSources) -> Vec<Finding> {
    let found = sources.found.iter().filter(|source| source.origin != SettingOrigin::Flags);
    let mut findings: Vec<Finding> = found
        .map(|source| {
            let keys = source.layer.keys_set().join(", ");
            let keys = if keys.is_empty() { "nothing".to_owned() } else { keys };
            Finding::Present(format!("{} sets {keys}", source.origin))
        })
        .collect();
    if findings.is_empty() {
        let user_file = sources.user_file.as_ref().map(|path| format!(" or {}", path.display()));
        findings.push(Finding::Optional(format!(
            "none; defaults apply ({PROJECT_FILE}{} would change them)",
            user_file.unwrap_or_default()
        )));
    }
    findings
}

fn cache(config: &Config) -> Finding {
    let Some(folder) = crate::meaning::cache_folder() else {
        return Finding::Optional(
            "no place for it; set HOME or XDG_CACHE_HOME to keep prepared documents".into(),
        );
    };
    let place = folder.display();
    match size_of_folder(&folder, 0) {
        _ if !config.cache => Finding::Optional(format!("{place}, not used (cache = false)")),
        0 => Finding::Optional(format!("{place} is empty; findall index PATH fills it")),
        bytes => Finding::Present(format!("{place}, {}; it can be deleted at any time", megabytes(bytes))),
    }
}

fn network(config: &Config) -> Finding {
    match config.offline {
        true => Finding::Optional("offline: no verb opens a connection".into()),
        false => {
            Finding::Optional("not needed; offline = true forbids every verb to open a connection".into())
        }
    }
}

/// Folders of a cache nest two deep; a link that leads elsewhere is not followed far.
const MAX_FOLDER_DEPTH: usize = 8;

fn size_of_folder(folder: &Path, depth: usize) -> u64 {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|entry| match entry.file_type() {
            Ok(kind) if kind.is_dir() && depth < MAX_FOLDER_DEPTH => size_of_folder(&entry.path(), depth + 1),
            Ok(kind) if kind.is_file() => entry.metadata().map_or(0, |metadata| metadata.len()),
            _ => 0,
        })
        .sum()
}

fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}

fn milliseconds(time: Duration) -> impl Display {
    format!("{} ms", time.as_millis())
}
