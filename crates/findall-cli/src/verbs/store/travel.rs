//! Taking along: everything as JSON Lines, and corrections as training data.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::PathBuf;

use clap::Args;
use findall::cache::private_options;
use findall_store::Store;
use findall_store::exchange::{self, ImportOptions, Scope};

use crate::failure::{Failure, Outcome};
use crate::interrupt;
use crate::output::Output;
use crate::remember::store_failure;

/// Arguments of `findall store export`.
#[derive(Debug, Args)]
pub struct ExportArgs {
    /// File to write, which must not exist [default: standard output]
    file: Option<PathBuf>,

    /// Only pages that the settings allow to share, and their questions
    #[arg(long)]
    shared: bool,

    /// Corrections as training data, one question a line in SQuAD's form
    #[arg(long, conflicts_with = "shared")]
    corrections: bool,
}

/// Arguments of `findall store import`.
#[derive(Debug, Args)]
pub struct ImportArgs {
    /// File to read; - is standard input
    file: PathBuf,

    /// Take the privacy settings too: for a backup of your own
    #[arg(long)]
    settings: bool,
}

/// Writes, for its owner alone; a file that could not be written whole is not left behind.
pub fn export(store: &dyn Store, args: &ExportArgs) -> Result<Outcome, Failure> {
    interrupt::install();
    let write = |out: &mut dyn Write| {
        if args.corrections {
            exchange::write_corrections(store, out).map(|_| ())
        } else {
            let scope = if args.shared { Scope::Shared } else { Scope::Everything };
            exchange::write_all(store, scope, out)
        }
    };
    let Some(path) = &args.file else {
        let mut out = BufWriter::with_capacity(1 << 16, StdoutWriter);
        write(&mut out).map_err(store_failure)?;
        out.flush()?;
        return Ok(Outcome::Found);
    };
    let wrong = |error: io::Error| Failure::Verb(format!("{}: {error}", path.display()));
    let file = private_options().write(true).create_new(true).open(path).map_err(wrong)?;
    let mut out = BufWriter::new(file);
    let written = write(&mut out).map_err(store_failure).and_then(|()| {
        let file = out.into_inner().map_err(|error| wrong(error.into_error()))?;
        file.sync_all().map_err(wrong)
    });
    if written.is_err() {
        let _ = std::fs::remove_file(path);
    }
    written.map(|()| Outcome::Found)
}

/// Reads; what came before a bad line stays, and doing it again is safe.
pub fn import(store: &dyn Store, args: &ImportArgs) -> Result<Outcome, Failure> {
    interrupt::install();
    let mut input: Box<dyn BufRead> = if args.file.as_os_str() == "-" {
        Box::new(io::stdin().lock())
    } else {
        let file = File::open(&args.file);
        Box::new(BufReader::new(
            file.map_err(|error| Failure::Verb(format!("{}: {error}", args.file.display())))?,
        ))
    };
    let options = ImportOptions { settings: args.settings };
    let brought = exchange::import(store, &mut *input, options, &mut |_| {}).map_err(store_failure)?;
    let mut said = format!(
        "new: {} pages, {} questions, {} readings, {} corrections\n",
        brought.pages, brought.questions, brought.readings, brought.corrections
    );
    if brought.refused > 0 {
        said += &format!("kept out by the privacy settings: {} pages and questions\n", brought.refused);
    }
    Output::stdout().write(said.as_bytes())?;
    Ok(Outcome::Found)
}

/// The one standard output, as a writer.
struct StdoutWriter;

impl Write for StdoutWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Output::stdout().write(bytes).map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
