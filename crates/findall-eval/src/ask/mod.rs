//! `findall-eval ask`: asking end to end on questions in SQuAD 2.0's format, with the whole article as the document, not
//! the paragraph that holds the answer: how good the answers are, whether it answers when it should, how fast it is,
//! and how much a typing error in each question costs.

mod faults;
mod larger;
mod latency;
pub(crate) mod misspell;
mod spans;

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use findall::ask::{AskOptions, FoundAnswer, Outcome, Place};
use findall::mentions::Mention;
use findall::{Cache, Document, Engine, Span};
use findall_models::{Models, SpanReader};

use crate::EvalError;
use crate::figures::Figures;
use crate::inputs;
use crate::larger::LargerArgs;
use crate::qa::squad::{self, Article, JudgedAnswer, Question};
use crate::record::RecordArgs;
use crate::resources::ResourceArgs;
use faults::Faults;
use misspell::Misspeller;

/// Arguments of `findall-eval ask`.
#[derive(Debug, clap::Args)]
pub struct AskArgs {
    /// Questions in SQuAD 2.0's format, .json or .json.xz
    #[arg(value_name = "DATA.json")]
    data: PathBuf,

    /// Measure this article only, by title; may be given several times
    #[arg(long = "article", value_name = "TITLE")]
    articles: Vec<String>,

    /// Leave this article out, by title; may be given several times
    #[arg(long = "without-article", value_name = "TITLE")]
    left_out: Vec<String>,

    /// Ask so many of the questions, evenly spread
    #[arg(long, value_name = "N")]
    sample: Option<usize>,

    /// Ask every question again with one letter added, replaced or removed
    #[arg(long)]
    typos: bool,

    /// Ask every question again with a word spelled as people misspell it: lines of `word: misspelling, …`, or .xz
    #[arg(long, value_name = "FILE", conflicts_with = "typos")]
    misspellings: Option<PathBuf>,

    /// Chooses the typing errors
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Passages read at most
    #[arg(long, value_name = "N")]
    passages: Option<usize>,

    /// Only time it: pages of 2,000 and 3,700 characters, and texts of about 10,000 tokens
    #[arg(long)]
    latency: bool,

    /// The data has several answers a question, in MultiSpanQA's format: compare every span that is shown
    #[arg(long, conflicts_with_all = ["latency", "typos", "misspellings", "features", "predictions", "articles", "left_out", "llm"])]
    spans: bool,

    /// Write {id: best answer} here, for the official script
    #[arg(long, value_name = "OUT.json")]
    predictions: Option<PathBuf>,

    /// Write what every possible answer was judged by here, for training/fit_ask.py
    #[arg(long, value_name = "OUT.jsonl")]
    features: Option<PathBuf>,

    /// Print the figures as JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    larger: LargerArgs,

    #[command(flatten)]
    resources: ResourceArgs,

    #[command(flatten)]
    record: RecordArgs,
}

const PUBLISHED_ASK_FIGURES: &[&str] = &[
    "Command-F (seed paper): 75 % of answers satisfying (21 of 28), F1 36.1 under typing errors, 2.34 ms a token in the browser",
];

/// One question with its article.
struct AskedQuestion<'a> {
    article: usize,
    title: &'a str,
    paragraph: &'a str,
    question: &'a Question,
}

/// How a run over all questions went.
#[derive(Default)]
struct AskRun {
    judged: Vec<JudgedAnswer>,
    /// For each question, whether an answer was given.
    answered: Vec<bool>,
    /// For each answerable question, whether a passage with a right answer was read, and the F1 of the best proposal.
    reached: Vec<(bool, f64)>,
    features: Vec<serde_json::Value>,
    faults: Faults,
}

/// Measures and records.
pub fn run(args: &AskArgs, out: &mut dyn Write) -> Result<(), EvalError> {
    if args.spans {
        return run_spans(args, out);
    }
    let mut articles: Vec<Article> = squad::read(&args.data)?;
    articles.retain(|article| {
        (args.articles.is_empty() || args.articles.contains(&article.title))
            && !args.left_out.contains(&article.title)
    });
    let documents: Vec<Document> = articles.iter().map(join_paragraphs).collect();
    let asked = questions_of(&articles, args.sample);
    if asked.is_empty() {
        let message = "holds no questions; check the file, --article and --sample".into();
        return Err(EvalError::Definition { path: args.data.clone(), message });
    }
    let models = args.resources.models()?;
    let reader = models.reader().map_err(inputs::wrap_error)?;
    let engine = |cache: Option<&Path>| open_engine(args, &models, reader.clone(), cache);
    let name = args.data.file_name().unwrap_or_default().to_string_lossy();
    let system = findall::ask::Reader::id(reader.as_ref()).to_owned();
    if args.latency {
        // Nothing kept: every page is asked for the first time.
        let values = latency::measure(engine, &documents, &asked)?;
        let figures = Figures {
            verb: "ask-time",
            set: format!("{name}, time"),
            system,
            values,
            published: PUBLISHED_ASK_FIGURES,
        };
        return figures.report(args.json, &args.record, out);
    }
    // Questions about one article share its embeddings, as they do for a person.
    let folder = tempfile::tempdir()?;
    let engine = engine(Some(args.resources.cache.as_deref().unwrap_or(folder.path())))?;
    let usual = AskOptions::default();
    let options = AskOptions { passages: args.passages.unwrap_or(usual.passages), ..usual };
    let clean = ask_all(&engine, &documents, &asked, &options, |asked| asked.question.question.clone())?;
    write_files(args, &clean)?;
    let mut values = figures(&clean);
    values.extend(measure_given_paragraph(&reader, &asked)?);
    let misspeller = match &args.misspellings {
        Some(file) => Some(Misspeller::of_people(&inputs::text(file)?, args.seed)),
        None => args.typos.then(|| Misspeller::of_letters(args.seed)),
    };
    if let Some(misspeller) = misspeller {
        let wrong = |asked: &AskedQuestion<'_>| misspeller.misspell(&asked.question.question);
        let typed = ask_all(&engine, &documents, &asked, &options, wrong)?;
        let uncorrected = AskOptions { correct_typos: false, ..options };
        let raw = ask_all(&engine, &documents, &asked, &uncorrected, wrong)?;
        let changed = asked.iter().filter(|a| wrong(a) != a.question.question).count();
        let (f1, clean_f1) =
            (squad::scores(&typed.judged).has_answer_f1, squad::scores(&clean.judged).has_answer_f1);
        values.extend([
            ("misspelt: questions changed", changed as f64, "count"),
            ("misspelt: F1, answerable", f1, "share"),
            ("misspelt: share of the clean F1", f1 / clean_f1, "share"),
            ("misspelt: right decision", typed.right_decisions(), "share"),
            ("misspelt, not corrected: F1, answerable", squad::scores(&raw.judged).has_answer_f1, "share"),
        ]);
    }
    let larger = args.larger.model(args.resources.cache.as_deref())?;
    if let Some(model) = &larger {
        values.extend(larger::measure(&engine, model, &documents, &asked, &options)?);
    }
    let (set, system) = (format!("{name}, whole article"), args.larger.label(&system));
    let verb = match (larger.is_some(), args.typos || args.misspellings.is_some()) {
        (true, _) => "ask-llm",
        (false, true) => "ask-typos",
        (false, false) => "ask",
    };
    Figures { verb, set, system, values, published: PUBLISHED_ASK_FIGURES }.report(
        args.json,
        &args.record,
        out,
    )
}

/// Every question of the articles, or a sample spread evenly over them.
fn questions_of(articles: &[Article], sample: Option<usize>) -> Vec<AskedQuestion<'_>> {
    let mut asked: Vec<AskedQuestion<'_>> = Vec::new();
    for (number, article) in articles.iter().enumerate() {
        for paragraph in &article.paragraphs {
            let context = paragraph.context.as_str();
            asked.extend(paragraph.qas.iter().map(|question| AskedQuestion {
                article: number,
                title: &article.title,
                paragraph: context,
                question,
            }));
        }
    }
    inputs::sample_evenly(asked, sample)
}

/// What the reader does when the paragraph is given, as the published figures have it.
fn measure_given_paragraph(
    reader: &SpanReader,
    asked: &[AskedQuestion<'_>],
) -> Result<[(&'static str, f64, &'static str); 2], EvalError> {
    let pairs: Vec<(&str, &str)> =
        asked.iter().map(|a| (a.question.question.as_str(), a.paragraph)).collect();
    let mut given = Vec::new();
    for (pairs, asked) in pairs.chunks(64).zip(asked.chunks(64)) {
        let readings = reader.read_pairs(pairs, 0.0).map_err(inputs::wrap_error)?;
        for (asked, reading) in asked.iter().zip(readings) {
            let best = reading.answers.first().and_then(|answer| answer.span.slice(asked.paragraph));
            given.push(squad::judge(asked.question, best.unwrap_or_default(), reading.no_answer));
        }
    }
    let given = squad::scores(&given);
    Ok([
        ("paragraph given: F1, answerable", given.has_answer_f1, "share"),
        ("paragraph given: AUROC of no answer", given.auroc, "share"),
    ])
}

/// Compares every span that is shown.
fn run_spans(args: &AskArgs, out: &mut dyn Write) -> Result<(), EvalError> {
    let models = args.resources.models()?;
    let reader = models.reader().map_err(inputs::wrap_error)?;
    let engine = open_engine(args, &models, reader.clone(), None)?;
    let values = spans::measure(&engine, &args.data, args.sample, &AskOptions::default())?;
    let name = args.data.file_name().unwrap_or_default().to_string_lossy();
    let (set, system) = (format!("{name}, every span"), findall::ask::Reader::id(reader.as_ref()).to_owned());
    Figures { verb: "ask-spans", set, system, values, published: &[] }.report(args.json, &args.record, out)
}

/// An engine with this reader, keeping what it works out in a folder if one is given.
fn open_engine(
    args: &AskArgs,
    models: &Models,
    reader: Arc<SpanReader>,
    cache: Option<&Path>,
) -> Result<Engine, EvalError> {
    let encoder = models.encoder().map_err(inputs::wrap_error)?;
    let tagger = models.tagger().map_err(inputs::wrap_error)?;
    let engine = Engine::new(encoder, tagger, args.resources.knowledge()?).with_reader(reader);
    Ok(match cache {
        Some(folder) => engine.with_cache(Cache::new(folder)),
        None => engine,
    })
}

/// All paragraphs of an article as one document.
fn join_paragraphs(article: &Article) -> Document {
    let paragraphs: Vec<&str> = article.paragraphs.iter().map(|p| p.context.as_str()).collect();
    Document::from_text(paragraphs.join("\n\n"))
}

fn ask_all(
    engine: &Engine,
    documents: &[Document],
    asked: &[AskedQuestion<'_>],
    options: &AskOptions,
    wording: impl Fn(&AskedQuestion<'_>) -> String,
) -> Result<AskRun, EvalError> {
    let mut run = AskRun::default();
    let mut names: HashMap<usize, Vec<Mention>> = HashMap::new();
    for asked in asked {
        let document = &documents[asked.article];
        if let Entry::Vacant(unread) = names.entry(asked.article) {
            let all = engine.mentions(document, &mut |_| ControlFlow::Continue(()));
            unread.insert(all.map_err(inputs::wrap_error)?);
        }
        let answers = engine.ask(document, &wording(asked), options).map_err(inputs::wrap_error)?;
        run.faults.add(document, &names[&asked.article], &answers.ranking);
        let text = |answer: &FoundAnswer| answer.place.span.slice(document.text()).unwrap_or_default();
        let judge =
            |answer: &FoundAnswer| squad::judge(asked.question, text(answer), 1.0 - answer.confidence);
        let best = answers.ranking.first().map(judge);
        let candidates: Vec<serde_json::Value> = answers
            .ranking
            .iter()
            .take(MAX_WRITTEN_ANSWERS)
            .map(|answer| {
                let signals = &answer.signals;
                let order = answers.read.iter().position(|passage| passage.span == answer.passage);
                serde_json::json!({
                    "f1": judge(answer).f1, "reader": signals.reader, "again": signals.again,
                    "words": signals.words, "near_words": signals.near_words, "kind": signals.kind,
                    "order": order,
                    "also": answer.also.len(), "chars": text(answer).chars().count(),
                })
            })
            .collect();
        let judged = best.unwrap_or_else(|| squad::judge(asked.question, "", 1.0));
        let right = find_right_passage(asked, document, &answers.read);
        if judged.answerable {
            let best = answers.ranking.iter().map(|answer| judge(answer).f1).fold(0.0, f64::max);
            run.reached.push((right.is_some(), best));
        }
        run.features.push(serde_json::json!({
            "id": judged.id, "page": asked.title, "kind": answers.kind.name(), "answerable": judged.answerable, "right_passage": right, "read": answers.read.len(),
            "candidates": candidates,
        }));
        run.judged.push(judged);
        run.answered.push(answers.outcome == Outcome::Answered);
    }
    Ok(run)
}

/// Which of the passages that were read holds a right answer: the words of one, in the paragraph that was asked about.
fn find_right_passage(asked: &AskedQuestion<'_>, document: &Document, read: &[Place]) -> Option<usize> {
    let start = document.text().find(asked.paragraph)?;
    let paragraph = Span::new(start, start + asked.paragraph.len());
    read.iter().position(|passage| {
        let (from, to) = (passage.span.start.max(paragraph.start), passage.span.end.min(paragraph.end));
        let words = document.text().get(from..to).unwrap_or_default();
        asked.question.gold().any(|answer| words.contains(answer))
    })
}

/// Possible answers of a question that are written out.
const MAX_WRITTEN_ANSWERS: usize = 24;

impl AskRun {
    /// Share of questions that were answered and can be, or were not and cannot be.
    fn right_decisions(&self) -> f64 {
        let right = self
            .judged
            .iter()
            .zip(&self.answered)
            .filter(|(judged, answered)| judged.answerable == **answered);
        right.count() as f64 / self.judged.len().max(1) as f64
    }

    /// Mean over the answerable questions of something that was reached.
    fn mean_reached(&self, value: impl Fn((bool, f64)) -> f64) -> f64 {
        self.reached.iter().map(|reached| value(*reached)).sum::<f64>() / self.reached.len().max(1) as f64
    }

    /// Mean of F1 over all questions, with what was said: nothing counts as right where there is nothing.
    fn f1_as_answered(&self, answerable_only: bool) -> f64 {
        let mut scores = Vec::new();
        for (judged, answered) in self.judged.iter().zip(&self.answered) {
            match (judged.answerable, answered) {
                (true, answered) => scores.push(if *answered { judged.f1 } else { 0.0 }),
                (false, answered) if !answerable_only => scores.push(f64::from(u8::from(!answered))),
                (false, _) => {}
            }
        }
        scores.iter().sum::<f64>() / scores.len().max(1) as f64
    }
}

fn figures(run: &AskRun) -> Vec<(&'static str, f64, &'static str)> {
    let scores = squad::scores(&run.judged);
    let answered = run.answered.iter().filter(|answered| **answered).count();
    vec![
        ("questions", run.judged.len() as f64, "count"),
        ("answerable", scores.answerable as f64, "count"),
        ("F1, answerable", scores.has_answer_f1, "share"),
        ("EM, answerable", scores.has_answer_exact, "share"),
        ("answered", answered as f64, "count"),
        ("right decision to answer or abstain", run.right_decisions(), "share"),
        ("F1, answerable, silence counting 0", run.f1_as_answered(true), "share"),
        ("F1, all, as answered", run.f1_as_answered(false), "share"),
        ("right passage read, answerable", run.mean_reached(|(read, _)| f64::from(u8::from(read))), "share"),
        ("F1 of the best proposal, answerable", run.mean_reached(|(_, f1)| f1), "share"),
        ("AUROC of no answer", scores.auroc, "share"),
        ("best-threshold F1, all", scores.best_f1, "share"),
        ("first three answers", run.faults.answers as f64, "count"),
        ("of these: function words, or with one at an end", run.faults.function_words as f64, "count"),
        ("of these: cut names", run.faults.cut_names as f64, "count"),
        ("of these: overlapping or repeated", run.faults.repeated as f64, "count"),
    ]
}

fn write_files(args: &AskArgs, run: &AskRun) -> Result<(), EvalError> {
    if let Some(path) = &args.predictions {
        let said = run.judged.iter().zip(&run.answered);
        let map: serde_json::Map<_, _> = said
            .map(|(judged, answered)| {
                (judged.id.clone(), if *answered { judged.answer.clone() } else { String::new() }.into())
            })
            .collect();
        inputs::write(path, &serde_json::Value::Object(map).to_string())?;
    }
    if let Some(path) = &args.features {
        let lines: String = run.features.iter().map(|line| format!("{line}\n")).collect();
        inputs::write(path, &lines)?;
    }
    Ok(())
}
