//! `findall-eval store similar`: similar questions among many. Time is taken around the whole call, answers and pages
//! included; recall is against comparing the question with every other, computed here.

use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use findall::encode::{Encoder, TextKind};
use findall_store::{DIMENSIONS, PostgresStore, SimilarQuestionSearch, SqliteStore, Store, Vector};

use super::load;
use super::server::DatabaseServer;
use super::{Backend, synthetic, wrap_error};
use crate::EvalError;
use crate::inputs::{self, ModelArgs};
use crate::qa::squad;
use crate::record::{self, RecordArgs, Row};
use crate::table;

/// Arguments of `findall-eval store similar`.
#[derive(Debug, clap::Args)]
pub struct SimilarArgs {
    /// Which database
    #[arg(long, value_enum, default_value = "postgresql")]
    backend: Backend,

    /// Made-up questions in clusters
    #[arg(long, default_value_t = 1_000_000, conflicts_with = "questions")]
    rows: u64,

    /// Real questions instead: files in SQuAD's format, encoded by our encoder; may end in .xz
    #[arg(long, value_name = "FILE", num_args = 1..)]
    questions: Vec<PathBuf>,

    /// Questions asked; of real ones as many are held out
    #[arg(long, default_value_t = 200)]
    queries: usize,

    /// Results asked for
    #[arg(long, default_value_t = 10)]
    limit: usize,

    /// More lines for postgresql.conf, such as shared_buffers = 2GB
    #[arg(long, value_name = "LINE")]
    setting: Vec<String>,

    #[command(flatten)]
    models: ModelArgs,

    #[command(flatten)]
    record: RecordArgs,
}

/// What is stored and what is asked; vectors are made when needed where they are made up.
enum Questions {
    Synthetic { rows: u64 },
    Real { stored: Vec<Vec<f32>>, asked: Vec<Vec<f32>> },
}

impl Questions {
    fn name(&self) -> String {
        match self {
            Self::Synthetic { rows } => format!("{rows} synthetic questions"),
            Self::Real { stored, .. } => format!("{} real questions", stored.len()),
        }
    }

    fn count(&self) -> u64 {
        match self {
            Self::Synthetic { rows } => *rows,
            Self::Real { stored, .. } => stored.len() as u64,
        }
    }

    fn stored_vector(&self, number: u64) -> Vec<f32> {
        match self {
            Self::Synthetic { rows } => synthetic::vector(number, *rows),
            Self::Real { stored, .. } => stored[number as usize].clone(),
        }
    }

    fn make_queries(&self, queries: usize) -> Vec<Vec<f32>> {
        match self {
            Self::Synthetic { rows } => {
                (0..queries as u64).map(|number| synthetic::vector(rows + number, *rows)).collect()
            }
            Self::Real { asked, .. } => asked.clone(),
        }
    }
}

/// Loads, asks, compares, records.
pub fn run(args: &SimilarArgs, out: &mut dyn Write) -> Result<(), EvalError> {
    let questions = match args.questions.as_slice() {
        [] => Questions::Synthetic { rows: args.rows },
        files => encode(files, args)?,
    };
    let started = Instant::now();
    let folder = tempfile::tempdir()?;
    let server;
    let store: Box<dyn Store> = match args.backend {
        Backend::Sqlite => {
            let store = SqliteStore::open(&folder.path().join("store.db")).map_err(wrap_error)?;
            load::load_through_import(&store, questions.count(), &|number| questions.stored_vector(number))?;
            Box::new(store)
        }
        Backend::Postgresql => {
            server = DatabaseServer::start(&args.setting.join("\n"))?;
            let store = PostgresStore::open(&server.url).map_err(wrap_error)?;
            load::load_by_copy(
                &server.url,
                questions.count(),
                &|number| questions.stored_vector(number),
                out,
            )?;
            Box::new(store)
        }
    };
    let loaded = started.elapsed().as_secs_f64();
    let bytes = store.statistics().map_err(wrap_error)?.bytes as f64;
    let asked = questions.make_queries(args.queries);
    let (found, times) = ask(&*store, &asked, args.limit)?;
    let nearest = nearest_of_all(&questions, &asked, args.limit);
    let recall = recall(&found, &nearest);
    let recall_name = format!("recall@{} against comparing all", args.limit);
    let figures = [
        ("time p50", quantile(&times, 0.5) * 1e3, "ms"),
        ("time p95", quantile(&times, 0.95) * 1e3, "ms"),
        (recall_name.as_str(), recall, "share"),
        ("loading and indexing", loaded, "s"),
        ("size", bytes / 1e6, "MB"),
    ];
    let (set, system) = (questions.name(), args.backend.name());
    let lines: Vec<Vec<String>> = figures
        .iter()
        .map(|(name, value, unit)| vec![name.to_string(), format!("{value:.3} {unit}")])
        .collect();
    table::write(out, &[&set, system], &lines)?;
    let rows: Vec<Row> =
        figures.iter().map(|(name, value, unit)| Row::new(&set, system, name, *value, unit)).collect();
    let kind = if args.questions.is_empty() { "synthetic" } else { "real" };
    let verb = format!("store-similar-{}-{kind}", system.to_lowercase());
    record::write(&args.record, &verb, &rows, out)
}

/// Of times in order, the one below which this share of them lies.
pub fn quantile(times: &[f64], share: f64) -> f64 {
    let place = (times.len().saturating_sub(1) as f64 * share).round() as usize;
    times.get(place).copied().unwrap_or_default()
}

/// Numbers of the questions found for each asked, and the times in order.
fn ask(store: &dyn Store, asked: &[Vec<f32>], limit: usize) -> Result<(Vec<Vec<u64>>, Vec<f64>), EvalError> {
    let wanted = |values| SimilarQuestionSearch {
        vector: Vector { encoder: load::ENCODER, values },
        threshold: -1.0,
        limit,
        except_page: None,
        answered: true,
    };
    // Once over without the clock, so that what is measured is a store in use.
    for values in asked.iter().take(asked.len() / 4) {
        store.find_similar_questions(&wanted(values)).map_err(wrap_error)?;
    }
    let (mut found, mut times) = (Vec::new(), Vec::new());
    for values in asked {
        let started = Instant::now();
        let similar = store.find_similar_questions(&wanted(values)).map_err(wrap_error)?;
        times.push(started.elapsed().as_secs_f64());
        let numbers = similar.iter().filter_map(|one| load::number_of(&one.question.text));
        found.push(numbers.collect());
    }
    times.sort_by(f64::total_cmp);
    Ok((found, times))
}

/// The true nearest, by comparing everything once.
fn nearest_of_all(questions: &Questions, asked: &[Vec<f32>], limit: usize) -> Vec<Vec<u64>> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    let part = |thread: u64| {
        let mut best: Vec<Vec<(f32, u64)>> = vec![Vec::new(); asked.len()];
        for number in (thread..questions.count()).step_by(threads as usize) {
            let values = questions.stored_vector(number);
            for (asked, best) in asked.iter().zip(&mut best) {
                keep_best(best, (product(asked, &values), number), limit);
            }
        }
        best
    };
    let parts: Vec<_> = std::thread::scope(|scope| {
        let running: Vec<_> = (0..threads).map(|thread| scope.spawn(move || part(thread))).collect();
        running.into_iter().filter_map(|one| one.join().ok()).collect()
    });
    (0..asked.len())
        .map(|query| {
            let mut best = Vec::new();
            for candidate in parts.iter().flat_map(|part| part[query].iter()) {
                keep_best(&mut best, *candidate, limit);
            }
            best.into_iter().map(|(_, number)| number).collect()
        })
        .collect()
}

fn keep_best(best: &mut Vec<(f32, u64)>, candidate: (f32, u64), limit: usize) {
    if best.len() < limit || best.last().is_some_and(|last| candidate.0 > last.0) {
        let place = best.partition_point(|other| other.0 >= candidate.0);
        best.insert(place, candidate);
        best.truncate(limit);
    }
}

/// Eight sums side by side, so that compilers make vector instructions of it.
pub fn product(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0.0f32; 8];
    let (a, b) = (&a[..DIMENSIONS], &b[..DIMENSIONS]);
    for (a, b) in a.as_chunks::<8>().0.iter().zip(b.as_chunks::<8>().0) {
        for lane in 0..8 {
            sums[lane] += a[lane] * b[lane];
        }
    }
    sums.iter().sum()
}

fn recall(found: &[Vec<u64>], nearest: &[Vec<u64>]) -> f64 {
    let shares = found.iter().zip(nearest).map(|(found, nearest)| {
        let hits = nearest.iter().filter(|number| found.contains(number)).count();
        hits as f64 / nearest.len().max(1) as f64
    });
    shares.sum::<f64>() / found.len().max(1) as f64
}

/// Distinct questions of the files; every so many-th is held out to be asked.
fn encode(files: &[PathBuf], args: &SimilarArgs) -> Result<Questions, EvalError> {
    let mut texts = std::collections::BTreeSet::new();
    for file in files {
        for article in squad::read(file)? {
            let questions = article.paragraphs.into_iter().flat_map(|paragraph| paragraph.qas);
            texts.extend(questions.map(|question| question.question.trim().to_owned()));
        }
    }
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let encoder = args.models.open()?.encoder().map_err(inputs::wrap_error)?;
    let (mut stored, mut asked) = (Vec::new(), Vec::new());
    let every = (texts.len() / args.queries.max(1)).max(2);
    for (batch, chunk) in texts.chunks(256).enumerate() {
        for (at, one) in
            encoder.encode(chunk, TextKind::Query).map_err(inputs::wrap_error)?.into_iter().enumerate()
        {
            let held_out = (batch * 256 + at).is_multiple_of(every) && asked.len() < args.queries;
            if held_out { asked.push(one.pooled) } else { stored.push(one.pooled) }
        }
    }
    Ok(Questions::Real { stored, asked })
}
