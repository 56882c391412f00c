//! `findall-eval store cached`: a question that was asked before, through the cascade: found in the store, its quotes found
//! in the page's text, the asking counted. Encoder and reader must not be called.

use std::io::Write;

use findall::Span;
use findall_store::cascade::{FreshReading, Inquiry, Source};
use findall_store::{Page, Pattern, PatternUse, Store, StoreError};

use super::server::DatabaseServer;
use super::similar::quantile;
use super::{Backend, load, make_error, wrap_error};
use crate::EvalError;
use crate::record::{self, RecordArgs, Row};
use crate::table;

/// Arguments of `findall-eval store cached`.
#[derive(Debug, clap::Args)]
pub struct CachedArgs {
    /// Which databases
    #[arg(long, value_enum, value_delimiter = ',', default_value = "sqlite,postgresql")]
    backend: Vec<Backend>,

    /// Other questions in the store
    #[arg(long, default_value_t = 20_000)]
    rows: u64,

    /// Questions asked twice; the second time is measured
    #[arg(long, default_value_t = 500)]
    queries: usize,

    #[command(flatten)]
    record: RecordArgs,
}

/// A page of 2,000 characters.
fn text() -> String {
    (0..)
        .map(|line| format!("Lamp {line} was lit by person {line}.\n"))
        .scan(0, |length, line: String| {
            *length += line.len();
            (*length < 2000).then_some(line)
        })
        .collect()
}

/// Measures and records.
pub fn run(args: &CachedArgs, out: &mut dyn Write) -> Result<(), EvalError> {
    let (mut rows, mut lines) = (Vec::new(), Vec::new());
    for &backend in &args.backend {
        let folder = tempfile::tempdir()?;
        let server;
        let place = match backend {
            Backend::Sqlite => folder.path().join("store.db").to_string_lossy().into_owned(),
            Backend::Postgresql => {
                server = DatabaseServer::start("")?;
                server.url.clone()
            }
        };
        let store = findall_store::open(&place).map_err(wrap_error)?;
        store.add_pattern(PatternUse::Share, &Pattern::new("*").map_err(wrap_error)?).map_err(wrap_error)?;
        load::load_through_import(&*store, args.rows, &|number| super::synthetic::vector(number, args.rows))?;
        let times = ask_twice(&*store, args.queries)?;
        let set = format!("2,000-character page, {} questions stored", args.rows);
        let figures = [
            ("time p50", quantile(&times, 0.5)),
            ("time p95", quantile(&times, 0.95)),
            ("time p99", quantile(&times, 0.99)),
        ];
        let mut line = vec![backend.name().to_owned()];
        for (name, value) in figures {
            rows.push(Row::new(&set, backend.name(), name, value, "ms"));
            line.push(format!("{value:.3}"));
        }
        lines.push(line);
    }
    table::write(out, &["cached question", "p50 ms", "p95 ms", "p99 ms"], &lines)?;
    record::write(&args.record, "store-cached", &rows, out)
}

fn ask_twice(store: &dyn Store, queries: usize) -> Result<Vec<f64>, EvalError> {
    let text = text();
    let mut times = Vec::new();
    for round in 0..2 {
        for number in 0..queries {
            let question = format!("Who lit lamp {number}?");
            let key = format!("https://cached.example/{}", number % 50);
            let content = [(number % 50) as u8; 32];
            let inquiry = Inquiry {
                store,
                page: Page { key: &key, title: None, content },
                text: &text,
                question: &question,
                encoder: "encoder",
                reader: "reader",
                recall: true,
                remember: true,
            };
            let start = text.find("person").unwrap_or_default();
            let answers = vec![(Span::new(start, start + 8), 0.9)];
            let found = FreshReading { answers, no_answer: 0.1, ..FreshReading::default() };
            let vector = || Ok::<_, StoreError>(super::synthetic::vector(number as u64 + 7_000_000, 1000));
            let answered = inquiry.ask(vector, |_| Ok(((), Some(found)))).map_err(wrap_error)?;
            if let Some(trouble) = answered.trouble {
                return Err(wrap_error(trouble));
            }
            match (round, answered.source) {
                (1, Source::Remembered) => times.push(answered.took.as_secs_f64() * 1e3),
                (1, other) => return Err(make_error(format!("asked again, but {other:?}"))),
                _ => {}
            }
        }
    }
    times.sort_by(f64::total_cmp);
    Ok(times)
}
