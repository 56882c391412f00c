//! `findall doctor`: what is present, what is missing, and the command that fixes it.

use std::fmt::Write;
use std::io::IsTerminal;
use std::path::Path;

use clap::Args;

use crate::config::Config;
use crate::config::color::Palette;
use crate::config::layer::Layer;
use crate::config::sources::{PROJECT_FILE, Sources};
use crate::failure::{Failure, Outcome};
use crate::output::Output;
use crate::resources::Artifact;

/// Arguments of `findall doctor`.
#[derive(Debug, Args)]
pub struct DoctorArgs {}

/// One line of the report.
struct Check {
    subject: &'static str,
    finding: Finding,
}

enum Finding {
    /// There, and what it is.
    Present(String),
    /// Not there, which is fine; what it would do.
    Optional(String),
    /// Not there although it was asked for, and what to do.
    Missing(String),
}

/// Reports; exit 1 when something that findall needs is missing.
pub fn run(_: DoctorArgs) -> Result<Outcome, Failure> {
    let sources = Sources::read(Layer::default())?;
    let config = Config::build(sources.resolve())?;
    let mut checks = vec![program(), terminal(&config.palette)];
    checks.extend(settings(&sources));
    checks.push(artifact("models", Artifact::Models, config.model.as_deref()));
    checks.push(artifact("knowledge", Artifact::KnowledgeBase, config.kb.as_deref()));
    let missing = checks.iter().any(|check| matches!(check.finding, Finding::Missing(_)));
    let mut report = String::new();
    for Check { subject, finding } in &checks {
        let (sign, text) = match finding {
            Finding::Present(text) => ("ok", text),
            Finding::Optional(text) => ("--", text),
            Finding::Missing(text) => ("!!", text),
        };
        let style = match finding {
            Finding::Present(_) => config.palette.line,
            Finding::Optional(_) => config.palette.dim,
            Finding::Missing(_) => config.palette.exact,
        };
        // Writing into memory cannot fail.
        let _ = writeln!(report, "{style}{sign}{style:#} {subject:<12} {text}");
    }
    Output::stdout().write(report.as_bytes())?;
    Ok(if missing { Outcome::Nothing } else { Outcome::Found })
}

/// A named artifact must be there; without a name it may be missing, and find then goes by words alone.
fn artifact(subject: &'static str, artifact: Artifact, named: Option<&Path>) -> Check {
    let places = artifact.places(named);
    let finding = match (artifact.locate(named), named, places.first()) {
        (Some(path), _, _) => Finding::Present(path.display().to_string()),
        (None, Some(path), _) => {
            Finding::Missing(format!("{} is not there; correct the setting", path.display()))
        }
        (None, None, place) => {
            let place = place.map(|path| path.display().to_string()).unwrap_or_default();
            Finding::Optional(format!("not installed, so find goes by words; put it at {place}"))
        }
    };
    Check { subject, finding }
}

fn program() -> Check {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let finding = Finding::Present(format!("findall {}, {threads} threads", env!("CARGO_PKG_VERSION")));
    Check { subject: "program", finding }
}

fn terminal(palette: &Palette) -> Check {
    let place = if std::io::stdout().is_terminal() { "a terminal" } else { "not a terminal" };
    let colored = palette.exact != anstyle::Style::new();
    let color = if colored { "with colour" } else { "without colour (--color=always forces it)" };
    Check { subject: "output", finding: Finding::Present(format!("{place}, {color}")) }
}

fn settings(sources: &Sources) -> Vec<Check> {
    let mut checks: Vec<Check> = sources
        .found
        .iter()
        .filter(|source| source.name != "flags")
        .map(|source| {
            let keys = source.layer.keys_set().join(", ");
            let keys = if keys.is_empty() { "nothing".to_owned() } else { keys };
            Check { subject: "settings", finding: Finding::Present(format!("{} sets {keys}", source.name)) }
        })
        .collect();
    if checks.is_empty() {
        let user_file = sources.user_file.as_ref().map(|path| format!(" or {}", path.display()));
        let text = format!(
            "none; defaults apply ({PROJECT_FILE}{} would change them)",
            user_file.unwrap_or_default()
        );
        checks.push(Check { subject: "settings", finding: Finding::Optional(text) });
    }
    checks
}
