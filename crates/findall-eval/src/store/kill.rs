//! `findall-eval store kill`: a process writes and prints what was acknowledged; it is killed at a random moment, or the
//! server is. Then every acknowledged write must be there, and nothing may be half there, acknowledged or not.

use std::collections::HashSet;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use findall_store::exchange::{Line, Scope};

use super::server::DatabaseServer;
use super::synthetic::RandomSource;
use super::{Backend, make_error, wrap_error, writer};
use crate::EvalError;
use crate::record::{self, RecordArgs, Row};
use crate::table;

/// Arguments of `findall-eval store kill`.
#[derive(Debug, clap::Args)]
pub struct StoreKillArgs {
    /// Rounds for each database; on the server every second one kills the server and not the client
    #[arg(long, default_value_t = 200)]
    rounds: u32,

    /// Which databases
    #[arg(long, value_enum, value_delimiter = ',', default_value = "sqlite,postgresql")]
    backend: Vec<Backend>,

    /// Longest time before a kill, in ms
    #[arg(long, default_value_t = 400)]
    longest: u64,

    /// Where the random moments start
    #[arg(long, default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    record: RecordArgs,
}

/// What the rounds of one database came to.
#[derive(Default)]
struct StoreTally {
    rounds: u32,
    server_kills: u32,
    acknowledged: u64,
    present: u64,
    lost: u64,
    torn: u64,
}

/// Kills, checks, records; a lost or torn write is an error.
pub fn run(args: &StoreKillArgs, out: &mut dyn Write) -> Result<(), EvalError> {
    let (mut lines, mut bad) = (Vec::new(), 0);
    for &backend in &args.backend {
        let started = Instant::now();
        let tally = match backend {
            Backend::Sqlite => {
                let folder = tempfile::tempdir()?;
                let place = folder.path().join("store.db");
                run_rounds(args, &place.to_string_lossy(), None)?
            }
            Backend::Postgresql => {
                let server = DatabaseServer::start("")?;
                run_rounds(args, &server.url, Some(&server))?
            }
        };
        let figures = [
            ("rounds", f64::from(tally.rounds)),
            ("of them the server killed", f64::from(tally.server_kills)),
            ("acknowledged writes", tally.acknowledged as f64),
            ("writes present", tally.present as f64),
            ("acknowledged and lost", tally.lost as f64),
            ("torn", tally.torn as f64),
        ];
        let rows = figures.map(|(metric, value)| Row::new("kill -9", backend.name(), metric, value, "count"));
        record::write(&args.record, &format!("store-kill-{}", backend.name().to_lowercase()), &rows, out)?;
        let mut line = vec![backend.name().to_owned()];
        line.extend(figures.map(|(_, value)| format!("{value}")));
        line.push(format!("{:.0}", started.elapsed().as_secs_f64()));
        lines.push(line);
        bad += tally.lost + tally.torn;
    }
    let header = ["store", "rounds", "server killed", "acknowledged", "present", "lost", "torn", "s"];
    table::write(out, &header, &lines)?;
    if bad > 0 { Err(make_error(format!("{bad} writes were lost or torn"))) } else { Ok(()) }
}

fn run_rounds(
    args: &StoreKillArgs,
    place: &str,
    server: Option<&DatabaseServer>,
) -> Result<StoreTally, EvalError> {
    let mut random = RandomSource::new(args.seed);
    let mut tally = StoreTally::default();
    let mut acknowledged = HashSet::new();
    for round in 0..args.rounds {
        let kills_server = round % 2 == 1 && server.is_some();
        let mut child = start_writer(place, u64::from(round) * 1_000_000)?;
        // From before the store is open to well into the writing.
        std::thread::sleep(Duration::from_micros(random.below(args.longest * 1000)));
        match server.filter(|_| kills_server) {
            Some(server) => {
                server.crash()?;
                tally.server_kills += 1;
                // The writer notices by itself, or never got so far.
                wait_or_kill(&mut child)?;
                server.start_again()?;
            }
            None => child.kill()?,
        }
        let printed = read_printed(child)?;
        tally.acknowledged += printed.len() as u64;
        acknowledged.extend(printed);
        tally.rounds += 1;
        check(place, &acknowledged, &mut tally)?;
    }
    Ok(tally)
}

fn start_writer(place: &str, from: u64) -> Result<Child, EvalError> {
    let child = Command::new(std::env::current_exe()?)
        .args(["store", "write", place, &from.to_string()])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    Ok(child)
}

fn wait_or_kill(child: &mut Child) -> Result<(), EvalError> {
    let deadline = Instant::now() + Duration::from_secs(5);
    while child.try_wait()?.is_none() {
        if Instant::now() > deadline {
            child.kill()?;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    Ok(())
}

/// What it had printed. It prints a few bytes a write, so the pipe holds all of a round.
fn read_printed(mut child: Child) -> Result<Vec<u64>, EvalError> {
    let Some(stdout) = child.stdout.take() else { return Ok(Vec::new()) };
    let mut numbers = Vec::new();
    for line in BufReader::new(stdout).lines() {
        // A line goes into the pipe in one piece or not at all.
        numbers.extend(line?.parse::<u64>().ok());
    }
    child.wait()?;
    Ok(numbers)
}

/// Everything in the store is whole, and everything acknowledged is in it.
fn check(place: &str, acknowledged: &HashSet<u64>, tally: &mut StoreTally) -> Result<(), EvalError> {
    let store = findall_store::open(place).map_err(wrap_error)?;
    store.verify().map_err(wrap_error)?;
    let mut seen = HashSet::new();
    let mut torn = 0;
    let mut sink = |line: Line| {
        if let Line::Question(question) = line {
            let number = question.text.strip_prefix("question ").and_then(|number| number.parse().ok());
            let sure = number.is_some_and(|number| acknowledged.contains(&number));
            torn += u64::from(!writer::is_whole(&question, sure));
            seen.extend(number);
        }
        Ok(())
    };
    store.export(Scope::Everything, &mut sink).map_err(wrap_error)?;
    tally.torn = tally.torn.max(torn);
    tally.lost = tally.lost.max(acknowledged.difference(&seen).count() as u64);
    tally.present = seen.len() as u64;
    Ok(())
}
