//! Records: every figure that is claimed anywhere is a row here, in `eval/record/<date>/<verb>.csv`.
//!
//! Rows are long rather than wide (one figure a row), so that every verb shares one shape and any of them can be
//! compared or drawn by the same code.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use serde::Serialize;

use crate::EvalError;

/// Where the record goes; flattened into every verb's arguments.
#[derive(Clone, Debug, clap::Args)]
pub struct RecordArgs {
    /// Folder of the records; the day's folder is made in it
    #[arg(long, value_name = "DIR", default_value = "eval/record")]
    pub record: PathBuf,

    /// Print the table only
    #[arg(long)]
    pub no_record: bool,
}

/// One figure.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// What was measured on: a definition, a dataset, a size.
    pub definition: String,
    /// What was measured: findall, a variant of it, or what it is compared with.
    pub system: String,
    /// Which figure.
    pub metric: String,
    /// The figure.
    pub value: f64,
    /// Its unit; `share` for ratios of one.
    pub unit: &'static str,
}

impl Row {
    /// A figure.
    pub fn new(definition: &str, system: &str, metric: &str, value: f64, unit: &'static str) -> Self {
        Self { definition: definition.into(), system: system.into(), metric: metric.into(), value, unit }
    }
}

/// What is the same for all rows of a run.
#[derive(Serialize)]
struct StampedRow<'r> {
    time: &'r str,
    commit: &'r str,
    verb: &'r str,
    definition: &'r str,
    system: &'r str,
    metric: &'r str,
    value: f64,
    unit: &'r str,
}

/// Writes the rows of one run of `verb`, replacing an earlier run of the same day, and says where on `out`.
pub fn write(args: &RecordArgs, verb: &str, rows: &[Row], out: &mut dyn Write) -> Result<(), EvalError> {
    if args.no_record {
        return Ok(());
    }
    let now = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
    let folder = args.record.join(&now[..10]);
    let path = folder.join(format!("{verb}.csv"));
    let failed = |error| EvalError::File { path: path.clone(), error };
    std::fs::create_dir_all(&folder).map_err(failed)?;
    // Written aside and renamed: a run that is stopped leaves the old record whole.
    let aside = tempfile::NamedTempFile::new_in(&folder).map_err(failed)?;
    write_rows(&now, verb, rows, aside.as_file())?;
    readable_by_all(aside.path()).map_err(failed)?;
    aside.persist(&path).map_err(|error| failed(error.error))?;
    writeln!(out, "recorded in {}", path.display())?;
    Ok(())
}

fn write_rows(time: &str, verb: &str, rows: &[Row], file: impl Write) -> Result<(), EvalError> {
    let commit = commit();
    let mut csv = csv::Writer::from_writer(file);
    for Row { definition, system, metric, value, unit } in rows {
        csv.serialize(StampedRow {
            time,
            commit: &commit,
            verb,
            definition,
            system,
            metric,
            value: *value,
            unit,
        })?;
    }
    csv.flush()?;
    Ok(())
}

#[cfg(unix)]
fn readable_by_all(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn readable_by_all(_: &Path) -> std::io::Result<()> {
    Ok(())
}

/// The commit measured, with a plus sign when the checkout had changes; empty outside of one.
fn commit() -> String {
    let git = |args: &[&str]| {
        let output = Command::new("git").args(args).output().ok().filter(|output| output.status.success());
        output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let Some(commit) = git(&["rev-parse", "--short=12", "HEAD"]) else { return String::new() };
    let changed = git(&["status", "--porcelain", "--untracked-files=no", "--", "crates", "Cargo.lock"]);
    if changed.is_some_and(|changes| !changes.is_empty()) { commit + "+" } else { commit }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_dated_stamped_and_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let args = RecordArgs { record: folder.path().into(), no_record: false };
        let mut said = Vec::new();
        for value in [0.25, 0.5] {
            write(&args, "verb", &[Row::new("set, one", "findall", "recall", value, "share")], &mut said)
                .unwrap();
        }
        let said = String::from_utf8(said).unwrap();
        let path = said.lines().last().unwrap().strip_prefix("recorded in ").unwrap().to_owned();
        let text = std::fs::read_to_string(path).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "time,commit,verb,definition,system,metric,value,unit");
        assert!(lines[1].ends_with(",verb,\"set, one\",findall,recall,0.5,share"), "{}", lines[1]);
        assert_eq!(lines.len(), 2);
    }
}
