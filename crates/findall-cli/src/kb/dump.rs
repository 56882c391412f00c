//! `findall kb dump`: every entity of a base as one line of JSON, best known first. `findall kb build --jsonl` reads the
//! lines again, and programs that join further facts to a base read what it knows from them.

use clap::Args;
use findall::knowledge::{EntityId, Record};
use findall_wire::lines::KbDumpLine;

use super::{BaseArgs, open};
use crate::failure::{Failure, Outcome};
use crate::output::Output;
use crate::printer::json;

/// Arguments of `findall kb dump`.
#[derive(Debug, Args)]
pub struct DumpArgs {
    #[command(flatten)]
    base: BaseArgs,
}

/// Lines gathered before they are written.
const MAX_BUFFERED_BYTES: usize = 1 << 16;

/// Writes every record.
pub fn run(args: &DumpArgs) -> Result<Outcome, Failure> {
    let kb = open(&args.base)?;
    let out = Output::stdout();
    let mut lines = Vec::with_capacity(MAX_BUFFERED_BYTES * 2);
    for number in 0..u32::try_from(kb.len()).unwrap_or(u32::MAX) {
        let record = kb.record(EntityId(number)).map_err(|error| Failure::Verb(error.to_string()))?;
        write_line(&record, &mut lines);
        if lines.len() > MAX_BUFFERED_BYTES {
            out.write(&lines)?;
            lines.clear();
        }
    }
    out.write(&lines)?;
    Ok(Outcome::Found)
}

pub(super) fn write_line(record: &Record, out: &mut Vec<u8>) {
    let line = KbDumpLine {
        title: &record.title,
        id: &record.key,
        kind: record.kind.name(),
        description: &record.description,
        facts: record.phrases.iter().map(|phrase| phrase.text.as_str()).collect(),
        aliases: &record.aliases,
        popularity: record.popularity,
    };
    json::push(out, &line);
}
