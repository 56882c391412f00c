//! `findall-eval building`: a piece of a Wikidata dump in; how fast `findall kb build` reads it, in how much memory, and
//! what that comes to for the whole dump, out.

use std::io::Write;
use std::path::PathBuf;
use std::process::Command;

use findall::knowledge::KnowledgeBase;

use crate::record::{self, RecordArgs, Row};
use crate::{EvalError, process, table};

/// Items of Wikidata's full dump, in millions.
const FULL_DUMP: f64 = 115.0;

/// Arguments of `findall-eval building`.
#[derive(Debug, clap::Args)]
pub struct BuildingArgs {
    /// A piece of a Wikidata dump; `kb/make_wikidata_piece.py` writes one
    dump: PathBuf,

    /// How many items it holds
    #[arg(long, default_value_t = 100_000)]
    items: u32,

    /// The findall program to measure [default: the one beside this program]
    #[arg(long, value_name = "PROGRAM")]
    findall: Option<PathBuf>,

    #[command(flatten)]
    record: RecordArgs,
}

/// Measures, prints, records.
pub fn run(args: &BuildingArgs, out: &mut dyn Write) -> Result<(), EvalError> {
    let program = process::findall_program(args.findall.as_deref())?;
    let size = std::fs::metadata(&args.dump)
        .map_err(|error| EvalError::File { path: args.dump.clone(), error })?
        .len();
    let folder = tempfile::tempdir()?;
    let built = folder.path().join("piece.kb");
    let mut command = Command::new(program);
    command.args(["kb", "build", "--out"]).arg(&built).arg("--wikidata").arg(&args.dump);
    let (cost, _) = process::run(&mut command, "name the program with --findall")?;
    let entities = KnowledgeBase::open(&built).map(|base| base.len()).map_err(|error| {
        EvalError::Program { program: "findall kb build".into(), message: error.to_string() }
    })?;
    let rate = f64::from(args.items) / cost.cpu_s.max(1e-9);
    let figures = [
        ("items in the piece", f64::from(args.items), "items"),
        ("compressed size", size as f64 / 1e6, "MB"),
        ("entities built", entities as f64, "entities"),
        ("wall time", cost.wall_s, "s"),
        ("cpu time", cost.cpu_s, "s"),
        ("items a second of one core", rate, "items/s"),
        ("peak memory", cost.memory_mb, "MB"),
        ("full dump at this rate, one core", FULL_DUMP * 1e6 / rate / 3600.0, "h"),
    ];
    let name = args.dump.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let rows: Vec<Row> = figures
        .iter()
        .map(|(metric, value, unit)| Row::new(&name, "findall kb build", metric, *value, unit))
        .collect();
    let lines: Vec<Vec<String>> = figures
        .iter()
        .map(|(metric, value, unit)| vec![(*metric).to_owned(), format!("{value:.1} {unit}")])
        .collect();
    table::write(out, &["figure", "value"], &lines)?;
    record::write(&args.record, "building", &rows, out)
}
