//! `findall-eval load`: many clients at once against a real `findall serve`, with calls mixed as people mix them. How many
//! fail, how long they take, and whether the server's memory grows once it is warm.

mod client;
mod pages;
mod server;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::EvalError;
use crate::record::{self, RecordArgs, Row};
use crate::table;
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

    /// The findall program to start [default: the one beside this program]
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,

    #[command(flatten)]
    record: RecordArgs,
}

/// What one client saw.
#[derive(Default)]
struct Seen {
    /// Milliseconds, by what was asked.
    times: BTreeMap<&'static str, Vec<f64>>,
    /// What failed, by status.
    errors: BTreeMap<String, usize>,
}

/// Measures and records.
pub fn run(args: &LoadArgs, out: &mut dyn Write) -> Result<(), EvalError> {
    let server = Server::start(args.program.clone(), args.store.as_deref())?;
    let pages = pages::pages(args.pages as usize);
    read_all(args, &server, &pages)?;
    drive(args, &server, &pages, Duration::from_secs(args.warm_up));
    let before = server.resident();
    let seen = drive(args, &server, &pages, Duration::from_secs(args.seconds));
    let after = server.resident();

    let remembers = if args.store.is_some() { "a named store" } else { "SQLite" };
    let set = format!("{} clients, {} pages, {} s, {remembers}", args.clients, args.pages, args.seconds);
    let (mut shown, mut rows) = (Vec::new(), Vec::new());
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
    let growth = after / before - 1.0;
    row("calls a second".into(), all as f64 / args.seconds as f64, "1/s");
    row("errors".into(), errors as f64, "count");
    row("memory when warm".into(), before / 1e6, "MB");
    row("memory at the end".into(), after / 1e6, "MB");
    row("memory growth".into(), growth, "share");
    table::write(out, &["call", "count", "p50 ms", "p99 ms"], &shown)?;
    let which: Vec<String> = seen.errors.iter().map(|(what, count)| format!("{count} × {what}")).collect();
    writeln!(
        out,
        "{:.0} calls a second; {errors} errors {}; memory {:.0} → {:.0} MB ({:+.1} %)",
        all as f64 / args.seconds as f64,
        which.join(", "),
        before / 1e6,
        after / 1e6,
        growth * 100.0
    )?;
    record::write(&args.record, "load", &rows, out)
}

/// All clients at once, for so long.
fn drive(args: &LoadArgs, server: &Server, pages: &[String], time: Duration) -> Seen {
    let end = Instant::now() + time;
    let mut all = Seen::default();
    std::thread::scope(|scope| {
        let clients: Vec<_> =
            (0..args.clients).map(|number| scope.spawn(move || ask(number, server, pages, end))).collect();
        for client in clients {
            let Ok(seen) = client.join() else { continue };
            for (call, times) in seen.times {
                all.times.entry(call).or_default().extend(times);
            }
            for (error, count) in seen.errors {
                *all.errors.entry(error).or_default() += count;
            }
        }
    });
    all
}

/// Every page read once, and every question about it, so that what is measured afterwards can be remembered.
fn read_all(args: &LoadArgs, server: &Server, pages: &[String]) -> Result<(), EvalError> {
    let workers = args.clients.min(8) as usize;
    let read = |first: usize| {
        let mut seen = Seen::default();
        let mut client = Client::new(&server.address, &server.token);
        for number in (first..pages.len()).step_by(workers) {
            let Some(document) = open(&mut seen, &mut client, pages, number) else { continue };
            for question in pages::QUESTIONS {
                seen.time(
                    Call::Ask,
                    &mut client,
                    "/v1/ask",
                    &json!({"document": document, "question": question}),
                );
            }
        }
        seen.errors
    };
    let failed: BTreeMap<String, usize> = std::thread::scope(|scope| {
        let running: Vec<_> = (0..workers).map(|first| scope.spawn(move || read(first))).collect();
        running.into_iter().filter_map(|one| one.join().ok()).flatten().collect()
    });
    match failed.first_key_value() {
        None => Ok(()),
        Some((what, _)) => Err(EvalError::Program {
            program: "findall serve".into(),
            message: format!("before the measurement: {what}"),
        }),
    }
}

/// Sends a page; its id there.
fn open(seen: &mut Seen, client: &mut Client, pages: &[String], number: usize) -> Option<serde_json::Value> {
    let sent = json!({"text": pages[number], "url": format!("https://example.org/{number}")});
    seen.time(Call::Documents, client, "/v1/documents", &sent).map(|answer| answer["document"].clone())
}

/// One client: opens a page, asks a few things about it, goes on to the next. Of twenty calls eight are questions that were
/// asked before, eight searches, four suggestions; one question of fifty is to be read anew.
fn ask(number: u32, server: &Server, pages: &[String], end: Instant) -> Seen {
    let mut seen = Seen::default();
    let mut client = Client::new(&server.address, &server.token);
    // Every client walks the pages in an order of its own.
    let mut state = u64::from(number).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    while Instant::now() < end {
        let page = next(&mut state) as usize % pages.len();
        let Some(document) = open(&mut seen, &mut client, pages, page) else { continue };
        for _ in 0..8 {
            if Instant::now() >= end {
                break;
            }
            let mut pick = |list: &[&'static str]| list[next(&mut state) as usize % list.len()];
            let (query, question) = (pick(pages::QUERIES), pick(pages::QUESTIONS));
            let (call, path, sent) = match next(&mut state) % 20 {
                0..=3 => (Call::Suggest, "/v1/suggest", json!({"document": document, "prefix": &query[..2]})),
                4..=11 => {
                    let fresh = next(&mut state).is_multiple_of(50);
                    (
                        Call::Ask,
                        "/v1/ask",
                        json!({"document": document, "question": question, "fresh": fresh}),
                    )
                }
                _ => (
                    Call::Find,
                    "/v1/find",
                    json!({"document": document, "query": query, "offsets": "utf16"}),
                ),
            };
            seen.time(call, &mut client, path, &sent);
        }
    }
    seen
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
    /// Under which name its time counts: a remembered answer says nothing of how much was read.
    fn name(self, answer: &serde_json::Value) -> &'static str {
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
            other => other.name(&serde_json::Value::Null),
        }
    }
}

impl Seen {
    /// Calls, and notes how long it took or why it failed.
    fn time(
        &mut self,
        call: Call,
        client: &mut Client,
        path: &str,
        body: &serde_json::Value,
    ) -> Option<serde_json::Value> {
        let started = Instant::now();
        match client.post(path, body) {
            Ok((200, answer)) => {
                let time = started.elapsed().as_secs_f64() * 1000.0;
                self.times.entry(call.name(&answer)).or_default().push(time);
                Some(answer)
            }
            // A page that made room for others: sent again, as the contract says.
            Ok((404, _)) => None,
            Ok((status, _)) => {
                *self.errors.entry(format!("{} {status}", call.route())).or_default() += 1;
                None
            }
            Err(error) => {
                *self.errors.entry(format!("{} {error}", call.route())).or_default() += 1;
                None
            }
        }
    }
}

/// Numbers that are the same in every run (xorshift).
fn next(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state >> 11
}
