//! `findall-eval scaling`: what preparing and searching cost as the text grows, from a page to a shelf: one text is cut
//! and repeated to each size, prepared with nothing kept, and asked the same queries: first by the encoder alone, then with
//! the judge, which has read nothing yet.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Instant;

use findall::find::{FindOptions, Speed};
use findall::{Document, Engine, PreparedDocument};

use crate::EvalError;
use crate::record::{self, RecordArgs, Row};
use crate::resources::ResourceArgs;
use crate::table;

/// Arguments of `findall-eval scaling`.
#[derive(Debug, clap::Args)]
pub struct ScalingArgs {
    /// A long text, such as a novel
    #[arg(value_name = "TEXT")]
    text: PathBuf,

    /// Sizes in bytes
    #[arg(
        long,
        value_name = "BYTES",
        value_delimiter = ',',
        default_value = "2000,20000,200000,700000,2000000"
    )]
    sizes: Vec<usize>,

    /// What to ask
    #[arg(long = "query", value_name = "QUERY", default_values_t = ["cities in England".to_owned(), "members of a family".into(), "books of the Bible".into(), "people".into(), "companies".into(), "European countries".into(), "women".into(), "newspapers".into(), "who travels".into()])]
    queries: Vec<String>,

    #[command(flatten)]
    resources: ResourceArgs,

    #[command(flatten)]
    record: RecordArgs,
}

/// Times a query this often; the median counts.
const QUERY_ROUNDS: usize = 9;

/// Measures and records.
pub fn run(args: &ScalingArgs, out: &mut dyn Write) -> Result<(), EvalError> {
    let whole = std::fs::read_to_string(&args.text)
        .map_err(|error| EvalError::File { path: args.text.clone(), error })?;
    let models = args.resources.models()?;
    let failed = |error: String| EvalError::Program { program: "findall".into(), message: error };
    let encoder = models.encoder().map_err(|error| failed(error.to_string()))?;
    let tagger = models.tagger().map_err(|error| failed(error.to_string()))?;
    let mut engine = Engine::new(encoder, tagger, args.resources.knowledge()?);
    if let Some(judge) = models.judge().map_err(|error| failed(error.to_string()))? {
        engine = engine.with_judge(judge);
    }
    let (mut shown, mut rows) = (Vec::new(), Vec::new());
    for &size in &args.sizes {
        let document = Document::from_text(resize_text(&whole, size));
        let started = Instant::now();
        let mut first = None;
        let prepared = engine
            .prepare_streaming(&document, &mut |_| {
                first.get_or_insert(started.elapsed());
                ControlFlow::Continue(())
            })
            .map_err(|error| failed(error.to_string()))?;
        let prepare = started.elapsed().as_secs_f64() * 1000.0;
        let first = first.map_or(prepare, |first| first.as_secs_f64() * 1000.0);
        let asked = args.queries.iter().cycle().take(QUERY_ROUNDS * args.queries.len());
        let fast = FindOptions { speed: Speed::Fast, ..FindOptions::default() };
        let fast = median_time(&engine, &document, &prepared, asked, &fast)?;
        // A judge remembers what it has read: each query counts once.
        let judged = FindOptions { speed: Speed::Judged, ..FindOptions::default() };
        let judged = median_time(&engine, &document, &prepared, args.queries.iter(), &judged)?;
        let memory = resident().unwrap_or(0.0);
        let name = format!("{size} bytes");
        shown.push(vec![
            name.clone(),
            format!("{prepare:.0}"),
            format!("{:.1}", prepare / size as f64 * 2000.0),
            format!("{first:.0}"),
            format!("{fast:.1}"),
            format!("{judged:.0}"),
            prepared.entities.len().to_string(),
            format!("{memory:.0}"),
        ]);
        let row = |metric: &str, value: f64, unit| Row::new(&name, "findall", metric, value, unit);
        rows.extend([
            row("prepare", prepare, "ms"),
            row("first batch", first, "ms"),
            row("query p50", fast, "ms"),
            row("judged query p50", judged, "ms"),
            row("entities", prepared.entities.len() as f64, "count"),
            row("resident memory", memory, "MB"),
        ]);
    }
    table::write(
        out,
        &["text", "prepare ms", "ms/2 kB", "first ms", "query ms", "judged ms", "entities", "MB"],
        &shown,
    )?;
    record::write(&args.record, "scaling", &rows, out)
}

/// The median time of some queries on a prepared document, in milliseconds.
fn median_time<'q>(
    engine: &Engine,
    document: &Document,
    prepared: &PreparedDocument,
    queries: impl Iterator<Item = &'q String>,
    options: &FindOptions,
) -> Result<f64, EvalError> {
    let mut times = Vec::new();
    for query in queries {
        let started = Instant::now();
        engine
            .find(document, prepared, query, options)
            .map_err(|error| EvalError::Program { program: "findall".into(), message: error.to_string() })?;
        times.push(started.elapsed().as_secs_f64() * 1000.0);
    }
    times.sort_by(f64::total_cmp);
    Ok(times.get(times.len() / 2).copied().unwrap_or(0.0))
}

/// The text cut or repeated to about so many bytes, on a character boundary.
fn resize_text(text: &str, size: usize) -> String {
    let mut out = String::with_capacity(size + text.len().min(size));
    while out.len() < size && !text.is_empty() {
        out.push_str(text);
        out.push('\n');
    }
    out.truncate(out.floor_char_boundary(size));
    out
}

/// Most memory this process has held, in megabytes.
fn resident() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse::<f64>().ok().map(|kilobytes| kilobytes / 1024.0)
}

#[cfg(test)]
mod tests {
    #[test]
    fn texts_get_their_size() {
        assert_eq!(super::resize_text("abcé", 3), "abc");
        assert_eq!(super::resize_text("ab", 7), "ab\nab\na");
        assert_eq!(super::resize_text("", 7), "");
    }
}
