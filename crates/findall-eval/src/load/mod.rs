//! `findall-eval load`: many clients at once against a real `findall serve`, with calls mixed as people mix them. How many
//! fail, how long they take, whether any is answered otherwise than it was at first, and whether the server's memory grows
//! once it is warm; where that is asked for, while clients hang up and the database is frozen and restarted.

mod answers;
mod client;
mod pages;
mod server;
mod unrest;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::EvalError;
use crate::record::{self, RecordArgs, Row};
use crate::store::DatabaseServer;
use crate::table;
use answers::FirstAnswers;
use client::Client;
use server::Server;

/// Arguments of `findall-eval load`.
#[derive(Debug, clap::Args)]
pub struct LoadArgs {
    /// Clients at a time
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=1000))]
    clients: u32,

    /// Seconds of measurement
    #[arg(long, value_name = "SECONDS", default_value_t = 120)]
    seconds: u64,

    /// Seconds before it, in which caches fill
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    warm_up: u64,

    /// Different pages that are asked about
    #[arg(long, value_name = "N", default_value_t = 48, value_parser = clap::value_parser!(u32).range(1..))]
    pages: u32,

    /// Where the server remembers: a file, or postgres://… [default: a file of its own]
    #[arg(long, value_name = "PLACE")]
    store: Option<String>,

    /// Remember in a PostgreSQL of its own, which is frozen after a third of the time and killed and restarted after two
    #[arg(long, conflicts_with = "store")]
    shaken_postgres: bool,

    /// Of a hundred calls so many end with the client hanging up in the middle
    #[arg(long, value_name = "PERCENT", default_value_t = 0, value_parser = clap::value_parser!(u64).range(0..=100))]
    hang_ups: u64,

    /// The findall program to start [default: the one beside this program]
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,

    #[command(flatten)]
    record: RecordArgs,
}

/// What one client saw.
#[derive(Default)]
struct LoadObservations {
    /// Milliseconds, by what was asked.
    times: BTreeMap<&'static str, Vec<f64>>,
    /// What failed, by status.
    errors: BTreeMap<String, usize>,
    /// Answers that differ from the first ones.
    wrong: Vec<String>,
    /// Calls that were broken off.
    hung_up: usize,
}

/// What is measured, and against what it is held.
struct Load<'l> {
    args: &'l LoadArgs,
    server: Server,
    pages: Vec<String>,
    first: FirstAnswers,
}

/// Wrong answers that are shown.
const MAX_SHOWN_WRONG: usize = 5;

/// Measures and records; a wrong answer is an error.
pub fn run(args: &LoadArgs, out: &mut dyn Write) -> Result<(), EvalError> {
    let database = if args.shaken_postgres { Some(unrest::start_database()?) } else { None };
    let store = database.as_ref().map(|database| database.url.as_str()).or(args.store.as_deref());
    let server = Server::start(args.program.clone(), store)?;
    let load =
        Load { args, server, pages: pages::pages(args.pages as usize), first: FirstAnswers::default() };
    load.read_all()?;
    let (warming, _) = load.run_clients(None, Duration::from_secs(args.warm_up))?;
    let before = load.server.resident();
    let (mut seen, marks) = load.run_clients(database.as_ref(), Duration::from_secs(args.seconds))?;
    let after = load.server.resident();
    seen.wrong.extend(warming.wrong);
    report(args, seen, &[&[before][..], &marks, &[after]].concat(), out)
}

/// Shows and records. `memory` is what the server held when it was warm, at every minute and at the end.
fn report(
    args: &LoadArgs,
    seen: LoadObservations,
    memory: &[f64],
    out: &mut dyn Write,
) -> Result<(), EvalError> {
    let (mut shown, mut rows) = (Vec::new(), Vec::new());
    let set = definition(args);
    let mut row =
        |metric: String, value: f64, unit| rows.push(Row::new(&set, "findall", &metric, value, unit));
    let mut all = 0;
    for (call, mut times) in seen.times {
        times.sort_by(f64::total_cmp);
        all += times.len();
        let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
        let (median, high) = (at(0.5), at(0.99));
        shown.push(vec![
            call.to_owned(),
            times.len().to_string(),
            format!("{median:.1}"),
            format!("{high:.1}"),
        ]);
        row(format!("{call} calls"), times.len() as f64, "count");
        row(format!("{call} p50"), median, "ms");
        row(format!("{call} p99"), high, "ms");
    }
    let errors: usize = seen.errors.values().sum();
    let rate = all as f64 / args.seconds as f64;
    let (before, after) = (memory[0], memory[memory.len() - 1]);
    let growth = |bytes: f64| bytes / before - 1.0;
    let most = memory.iter().copied().fold(before, f64::max);
    row("calls a second".into(), rate, "1/s");
    row("errors".into(), errors as f64, "count");
    for (what, count) in &seen.errors {
        row(format!("errors, {what}"), *count as f64, "count");
    }
    row("wrong answers".into(), seen.wrong.len() as f64, "count");
    row("calls broken off".into(), seen.hung_up as f64, "count");
    row("memory when warm".into(), before / 1e6, "MB");
    for (minute, bytes) in memory[1..memory.len() - 1].iter().enumerate() {
        row(format!("memory after minute {}", minute + 1), bytes / 1e6, "MB");
    }
    row("memory at the end".into(), after / 1e6, "MB");
    row("memory growth".into(), growth(after), "share");
    row("memory growth, most".into(), growth(most), "share");
    table::write(out, &["call", "count", "p50 ms", "p99 ms"], &shown)?;
    let which: Vec<String> = seen.errors.iter().map(|(what, count)| format!("{count} × {what}")).collect();
    writeln!(
        out,
        "{rate:.0} calls a second, {} broken off; {errors} errors {}",
        seen.hung_up,
        which.join(", ")
    )?;
    let marks: Vec<String> = memory.iter().map(|bytes| format!("{:.0}", bytes / 1e6)).collect();
    let (end, most) = (growth(after) * 100.0, growth(most) * 100.0);
    writeln!(out, "memory {} MB ({end:+.1} % at the end, {most:+.1} % at most)", marks.join(" "))?;
    writeln!(out, "{} wrong answers", seen.wrong.len())?;
    record::write(&args.record, "load", &rows, out)?;
    if seen.wrong.is_empty() {
        return Ok(());
    }
    let some: Vec<&str> = seen.wrong.iter().take(MAX_SHOWN_WRONG).map(String::as_str).collect();
    Err(make_error(format!("{} answers differ from the first: {}", seen.wrong.len(), some.join("; "))))
}

/// What was measured, in words.
fn definition(args: &LoadArgs) -> String {
    let remembers = match (&args.store, args.shaken_postgres) {
        (_, true) => "PostgreSQL frozen and restarted",
        (Some(_), false) => "a named store",
        (None, false) => "SQLite",
    };
    let hang_ups = if args.hang_ups > 0 { format!(", {} % hang up", args.hang_ups) } else { String::new() };
    format!("{} clients, {} pages, {} s, {remembers}{hang_ups}", args.clients, args.pages, args.seconds)
}

fn make_error(message: String) -> EvalError {
    EvalError::Program { program: "findall serve".into(), message }
}

impl Load<'_> {
    /// All clients at once, for so long; what they saw, and the server's memory at every minute.
    fn run_clients(
        &self,
        database: Option<&DatabaseServer>,
        time: Duration,
    ) -> Result<(LoadObservations, Vec<f64>), EvalError> {
        let end = Instant::now() + time;
        let mut all = LoadObservations::default();
        let marks = std::thread::scope(|scope| {
            let clients: Vec<_> = (0..self.args.clients)
                .map(|number| scope.spawn(move || self.ask_until(number, end)))
                .collect();
            let marks = unrest::watch(&self.server, database, time);
            for client in clients {
                let Ok(seen) = client.join() else { continue };
                all.add(seen);
            }
            marks
        })?;
        Ok((all, marks))
    }

    /// Every page read once, and everything asked about it, so that what is measured afterwards can be remembered, and
    /// has an answer from a quiet time to be held against.
    fn read_all(&self) -> Result<(), EvalError> {
        let workers = self.args.clients.min(8) as usize;
        let read = |first: usize| {
            let mut seen = LoadObservations::default();
            let mut client = Client::new(&self.server.address, &self.server.token);
            for number in (first..self.pages.len()).step_by(workers) {
                let Some(document) = self.open(&mut seen, &mut client, number) else { continue };
                let questions =
                    pages::QUESTIONS.iter().map(|question| Call::Ask.with_body(&document, question));
                let queries = pages::PAGE_QUERIES.iter().map(|query| Call::Find.with_body(&document, query));
                let typed =
                    pages::PAGE_QUERIES.iter().map(|query| Call::Suggest.with_body(&document, &query[..2]));
                for (call, asked) in questions.chain(queries).chain(typed) {
                    self.time(&mut seen, &mut client, call, &asked);
                }
            }
            seen
        };
        let mut all = LoadObservations::default();
        std::thread::scope(|scope| {
            let read = &read;
            let running: Vec<_> = (0..workers).map(|first| scope.spawn(move || read(first))).collect();
            running.into_iter().filter_map(|one| one.join().ok()).for_each(|seen| all.add(seen));
        });
        match all.errors.first_key_value() {
            None => Ok(()),
            Some((what, _)) => Err(make_error(format!("before the measurement: {what}"))),
        }
    }

    /// Sends a page; its id there.
    fn open(&self, seen: &mut LoadObservations, client: &mut Client, number: usize) -> Option<Value> {
        let sent = json!({"text": self.pages[number], "url": format!("https://example.org/{number}")});
        self.time(seen, client, Call::Documents, &sent).map(|answer| answer["document"].clone())
    }

    /// One client: opens a page, asks a few things about it, goes on to the next. Of twenty calls eight are questions that
    /// were asked before, eight searches, four suggestions; one question of fifty is to be read anew.
    fn ask_until(&self, number: u32, end: Instant) -> LoadObservations {
        let mut seen = LoadObservations::default();
        let mut client = Client::new(&self.server.address, &self.server.token);
        // Every client walks the pages in an order of its own.
        let mut state = u64::from(number).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        while Instant::now() < end {
            let page = next(&mut state) as usize % self.pages.len();
            let Some(document) = self.open(&mut seen, &mut client, page) else { continue };
            for _ in 0..8 {
                if Instant::now() >= end {
                    break;
                }
                let mut pick = |list: &[&'static str]| list[next(&mut state) as usize % list.len()];
                let (query, question) = (pick(pages::PAGE_QUERIES), pick(pages::QUESTIONS));
                let (call, mut asked) = match next(&mut state) % 20 {
                    0..=3 => Call::Suggest.with_body(&document, &query[..2]),
                    4..=11 => Call::Ask.with_body(&document, question),
                    _ => Call::Find.with_body(&document, query),
                };
                if matches!(call, Call::Ask) {
                    asked["fresh"] = next(&mut state).is_multiple_of(50).into();
                }
                if self.args.hang_ups > 0 && next(&mut state) % 100 < self.args.hang_ups {
                    // A connection that cannot be made is noticed by the next call.
                    let _ = client.hang_up(call.path(), &asked, next(&mut state));
                    seen.hung_up += 1;
                } else {
                    self.time(&mut seen, &mut client, call, &asked);
                }
            }
        }
        seen
    }

    /// Calls, and notes how long it took, why it failed, or that it was answered otherwise than before.
    fn time(
        &self,
        seen: &mut LoadObservations,
        client: &mut Client,
        call: Call,
        asked: &Value,
    ) -> Option<Value> {
        let started = Instant::now();
        let failure = match client.post(call.path(), asked) {
            Ok((200, answer)) => {
                let time = started.elapsed().as_secs_f64() * 1000.0;
                seen.times.entry(call.name(&answer)).or_default().push(time);
                seen.wrong.extend(self.first.find_difference(call, asked, &answer));
                return Some(answer);
            }
            // A page that made room for others: sent again, as the contract says.
            Ok((404, _)) => return None,
            Ok((status, _)) => format!("{} {status}", call.route()),
            Err(error) => format!("{} {error}", call.route()),
        };
        *seen.errors.entry(failure).or_default() += 1;
        None
    }
}

/// What is called.
#[derive(Clone, Copy)]
enum Call {
    Documents,
    Find,
    Ask,
    Suggest,
}

impl Call {
    /// The call with its body: `words` asked of a document.
    fn with_body(self, document: &Value, words: &str) -> (Self, Value) {
        let asked = match self {
            Self::Ask => json!({"document": document, "question": words}),
            Self::Suggest => json!({"document": document, "prefix": words}),
            Self::Find | Self::Documents => json!({"document": document, "query": words, "offsets": "utf16"}),
        };
        (self, asked)
    }

    fn path(self) -> &'static str {
        match self {
            Self::Documents => "/v1/documents",
            Self::Find => "/v1/find",
            Self::Ask => "/v1/ask",
            Self::Suggest => "/v1/suggest",
        }
    }

    /// Under which name its time counts: a remembered answer says nothing of how much was read.
    fn name(self, answer: &Value) -> &'static str {
        match self {
            Self::Documents => "documents",
            Self::Find => "find",
            Self::Suggest => "suggest",
            Self::Ask if answer["read"].is_null() => "ask, remembered",
            Self::Ask => "ask, read",
        }
    }

    /// Under which name its failures count.
    fn route(self) -> &'static str {
        match self {
            Self::Ask => "ask",
            other => other.name(&Value::Null),
        }
    }
}

impl LoadObservations {
    /// What another client saw.
    fn add(&mut self, other: LoadObservations) {
        for (call, times) in other.times {
            self.times.entry(call).or_default().extend(times);
        }
        for (error, count) in other.errors {
            *self.errors.entry(error).or_default() += count;
        }
        self.wrong.extend(other.wrong);
        self.hung_up += other.hung_up;
    }
}

/// Numbers that are the same in every run (xorshift).
fn next(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state >> 11
}
