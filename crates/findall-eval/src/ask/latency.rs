//! How long asking takes: on pages of 2,000 and 3,700 characters, there also for another question, and on texts of about
//! 10,000 tokens until the first answer and until the end. Nothing is kept between pages; the other question finds what
//! the first one left in the cache, as it does in the server.

use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

use findall::ask::AskOptions;
use findall::{Document, Engine};

use super::AskedQuestion;
use crate::EvalError;
use crate::inputs;

const SHORT_CHARS: usize = 2_000;
const PAGE_CHARS: usize = 3_700;
/// About 10,000 tokens: English has four to five characters a token.
const LONG_CHARS: usize = 44_000;
const PAGES: usize = 40;
const LONG_TEXTS: usize = 12;

/// Medians and maxima.
pub fn measure(
    open: impl Fn(Option<&Path>) -> Result<Engine, EvalError>,
    documents: &[Document],
    asked: &[AskedQuestion<'_>],
) -> Result<Vec<(&'static str, f64, &'static str)>, EvalError> {
    let engine = &open(None)?;
    let spread = |most: usize| asked.iter().step_by(asked.len().div_ceil(most));
    let (mut short, mut pages, mut others) =
        (QuestionTimes::default(), QuestionTimes::default(), QuestionTimes::default());
    for question in spread(PAGES) {
        let text = documents[question.article].text();
        let start = text.find(question.paragraph).unwrap_or_default();
        short.push(time(engine, &Document::from_text(cut(&text[start..], SHORT_CHARS)), question)?.1);
        let page = Document::from_text(cut(&text[start..], PAGE_CHARS));
        let folder = tempfile::tempdir()?;
        let served = &open(Some(folder.path()))?;
        // A server has been asked before: what an engine works out once is no page's time.
        time(served, &Document::from_text(""), question)?;
        pages.push(time(served, &page, question)?.1);
        let same_page = |other: &&AskedQuestion<'_>| other.article == question.article;
        if let Some(other) =
            asked.iter().filter(same_page).find(|other| other.question.id != question.question.id)
        {
            others.push(time(served, &page, other)?.1);
        }
    }
    let all: String = documents.iter().map(Document::text).collect::<Vec<_>>().join("\n\n");
    let (mut first, mut whole) = (QuestionTimes::default(), QuestionTimes::default());
    for asked in spread(LONG_TEXTS) {
        let start = all.find(asked.paragraph).unwrap_or_default();
        let from = all.floor_char_boundary(start.saturating_sub(LONG_CHARS / 2));
        let long = Document::from_text(cut(&all[from..], LONG_CHARS));
        let (first_answer, end) = time(engine, &long, asked)?;
        first.push(first_answer);
        whole.push(end);
    }
    let mut values = Vec::new();
    for (names, mut times) in [
        (["page of 2,000 characters, p50", "page of 2,000 characters, slowest"], short.wall),
        (["page of 2,000 characters, CPU p50", "page of 2,000 characters, CPU most"], short.cpu),
        (["page of 3,700 characters, p50", "page of 3,700 characters, slowest"], pages.wall),
        (["page of 3,700 characters, CPU p50", "page of 3,700 characters, CPU most"], pages.cpu),
        (["another question there, p50", "another question there, slowest"], others.wall),
        (["another question there, CPU p50", "another question there, CPU most"], others.cpu),
        (["10,000 tokens: first batch, p50", "10,000 tokens: first batch, slowest"], first.wall),
        (["10,000 tokens: first batch, CPU p50", "10,000 tokens: first batch, CPU most"], first.cpu),
        (["10,000 tokens: all, p50", "10,000 tokens: all, slowest"], whole.wall),
        (["10,000 tokens: all, CPU p50", "10,000 tokens: all, CPU most"], whole.cpu),
    ] {
        if times.is_empty() {
            continue;
        }
        times.sort_by(f64::total_cmp);
        values.push((names[0], times[times.len() / 2], "ms"));
        values.push((names[1], times[times.len() - 1], "ms"));
    }
    Ok(values)
}

/// Milliseconds by the clock and of all cores.
type QuestionCost = (f64, f64);

/// Milliseconds of many questions.
#[derive(Default)]
struct QuestionTimes {
    wall: Vec<f64>,
    /// Of all cores; what others do on the machine adds nothing to it.
    cpu: Vec<f64>,
}

impl QuestionTimes {
    fn push(&mut self, (wall, cpu): QuestionCost) {
        self.wall.push(wall);
        self.cpu.push(cpu);
    }
}

/// What it cost until the first batch was read, and until the end.
fn time(
    engine: &Engine,
    document: &Document,
    asked: &AskedQuestion<'_>,
) -> Result<(QuestionCost, QuestionCost), EvalError> {
    let (started, used) = (Instant::now(), cpu_time());
    let since = || (started.elapsed().as_secs_f64() * 1e3, cpu_time() - used);
    let mut first = None;
    let documents = std::slice::from_ref(document);
    let watch = &mut |_: findall::ask::AskProgress<'_>| {
        first.get_or_insert_with(since);
        ControlFlow::Continue(())
    };
    engine
        .ask_streaming(documents, &asked.question.question, &AskOptions::default(), watch)
        .map_err(inputs::wrap_error)?;
    let end = since();
    Ok((first.unwrap_or(end), end))
}

/// Milliseconds that all threads of this process have run, where the system tells (Linux, in hundredths of a second).
fn cpu_time() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() * 10.0
}

fn cut(text: &str, chars: usize) -> String {
    text.chars().take(chars).collect()
}
