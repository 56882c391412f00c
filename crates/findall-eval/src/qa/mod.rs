//! `findall-eval qa`: the reader on questions in SQuAD 2.0's format, scored as its official script does. It is given the
//! paragraph that the question was written for; `findall-eval ask` gives the whole article.
//!
//! Answers and probabilities of no answer can be written out, so that anyone can run the official script on them.

pub(crate) mod squad;

use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use findall::ask::Reading;
use findall_models::SpanReader;

use crate::EvalError;
use crate::figures::Figures;
use crate::inputs::{self, ModelArgs};
use crate::record::RecordArgs;
use squad::{Article, JudgedAnswer};

/// Arguments of `findall-eval qa`.
#[derive(Debug, clap::Args)]
pub struct QaArgs {
    /// Questions in SQuAD 2.0's format, .json or .json.xz
    #[arg(value_name = "DATA.json")]
    data: PathBuf,

    /// Measure this article only, by title; may be given several times
    #[arg(long = "article", value_name = "TITLE")]
    articles: Vec<String>,

    /// Write {id: best answer} here, for the official script
    #[arg(long, value_name = "OUT.json")]
    predictions: Option<PathBuf>,

    /// Write {id: probability of no answer} here, for the official script
    #[arg(long, value_name = "NA.json")]
    na_prob: Option<PathBuf>,

    /// Print the figures as JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    models: ModelArgs,

    #[command(flatten)]
    record: RecordArgs,
}

const PUBLISHED_QA_FIGURES: &[&str] = &[
    "SQuAD 2.0 dev, F1 over all: BERT-base 76.8, MiniLM 12 layers × 384 81.7 (Wang et al. 2020, trained on 130,000 questions)",
    "SQuAD 2.0 dev, F1 over all: BERT-large 81.9 (Devlin et al. 2019); people 89.5 on test (Rajpurkar et al. 2018)",
];

/// Questions read at a time: bounds what is held, and shows progress between.
const BATCH_QUESTIONS: usize = 64;

/// Measures and records.
pub fn run(args: &QaArgs, out: &mut dyn Write) -> Result<(), EvalError> {
    let mut articles: Vec<Article> = squad::read(&args.data)?;
    if !args.articles.is_empty() {
        articles.retain(|article| args.articles.contains(&article.title));
    }
    let reader = args.models.open()?.reader().map_err(inputs::wrap_error)?;
    let start = Instant::now();
    let mut judged = Vec::new();
    for article in &articles {
        read_article(&reader, article, &mut judged)?;
    }
    if judged.is_empty() {
        let message = "holds no questions; check the file and --article".into();
        return Err(EvalError::Definition { path: args.data.clone(), message });
    }
    let per_question = start.elapsed().as_secs_f64() * 1e3 / judged.len() as f64;
    write_predictions(args, &judged)?;
    let scores = squad::scores(&judged);
    let mut values = vec![
        ("questions", judged.len() as f64, "count"),
        ("answerable", scores.answerable as f64, "count"),
        ("EM, answerable", scores.has_answer_exact, "share"),
        ("F1, answerable", scores.has_answer_f1, "share"),
    ];
    if scores.answerable < judged.len() {
        values.extend([
            ("AUROC of no answer", scores.auroc, "share"),
            ("best-threshold EM, all", scores.best_exact, "share"),
            ("best-threshold F1, all", scores.best_f1, "share"),
            ("F1, all, at probability 0.5", scores.f1_at_half, "share"),
        ]);
    }
    values.push(("time a question", per_question, "ms"));
    let set = args.data.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let system = findall::ask::Reader::id(reader.as_ref()).to_owned();
    Figures { verb: "qa", set, system, values, published: PUBLISHED_QA_FIGURES }.report(
        args.json,
        &args.record,
        out,
    )
}

fn read_article(
    reader: &SpanReader,
    article: &Article,
    judged: &mut Vec<JudgedAnswer>,
) -> Result<(), EvalError> {
    for paragraph in &article.paragraphs {
        for questions in paragraph.qas.chunks(BATCH_QUESTIONS) {
            let pairs: Vec<(&str, &str)> =
                questions.iter().map(|q| (q.question.as_str(), paragraph.context.as_str())).collect();
            let readings = reader.read_pairs(&pairs, 0.0).map_err(inputs::wrap_error)?;
            for (question, reading) in questions.iter().zip(readings) {
                judged.push(squad::judge(
                    question,
                    best_answer(&paragraph.context, &reading),
                    reading.no_answer,
                ));
            }
        }
    }
    Ok(())
}

fn best_answer<'t>(text: &'t str, reading: &Reading) -> &'t str {
    reading.answers.first().and_then(|answer| answer.span.slice(text)).unwrap_or_default()
}

fn write_predictions(args: &QaArgs, judged: &[JudgedAnswer]) -> Result<(), EvalError> {
    let object = |value: fn(&JudgedAnswer) -> serde_json::Value| {
        let map: serde_json::Map<_, _> = judged.iter().map(|j| (j.id.clone(), value(j))).collect();
        serde_json::Value::Object(map).to_string()
    };
    if let Some(path) = &args.predictions {
        inputs::write(path, &object(|j| j.answer.clone().into()))?;
    }
    if let Some(path) = &args.na_prob {
        inputs::write(path, &object(|j| j.no_answer.into()))?;
    }
    Ok(())
}
