//! `findall-eval store threshold`: from which likeness on is a question of another page worth showing? Real questions are
//! compared with those of other paragraphs; one is about the same when it was asked of the same article. For every
//! threshold: how often the nearest at or above it is about the same, and how many questions have one at all.

use std::io::Write;
use std::path::PathBuf;

use findall::encode::{Encoder, TextKind};

use super::similar::product;
use crate::EvalError;
use crate::inputs::{self, ModelArgs};
use crate::qa::squad;
use crate::record::{self, RecordArgs, Row};
use crate::table;

/// Arguments of `findall-eval store threshold`.
#[derive(Debug, clap::Args)]
pub struct ThresholdArgs {
    /// Files in SQuAD's format; may end in .xz
    #[arg(value_name = "FILE", required = true)]
    questions: Vec<PathBuf>,

    /// Questions asked, evenly spread
    #[arg(long, default_value_t = 1000)]
    queries: usize,

    #[command(flatten)]
    models: ModelArgs,

    #[command(flatten)]
    record: RecordArgs,
}

/// A question and where it was asked.
struct ArticleQuestion {
    text: String,
    article: String,
    paragraph: usize,
}

const THRESHOLDS: [f32; 9] = [0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9];

/// Measures and records.
pub fn run(args: &ThresholdArgs, out: &mut dyn Write) -> Result<(), EvalError> {
    let asked = read(&args.questions)?;
    let texts: Vec<&str> = asked.iter().map(|asked| asked.text.as_str()).collect();
    let encoder = args.models.open()?.encoder().map_err(inputs::wrap_error)?;
    let mut vectors: Vec<Vec<f32>> = Vec::with_capacity(texts.len());
    for chunk in texts.chunks(256) {
        let encoded = encoder.encode(chunk, TextKind::Query).map_err(inputs::wrap_error)?;
        vectors.extend(encoded.into_iter().map(|one| direction(one.pooled)));
    }
    // The nearest question of another paragraph: how near, and whether it is about the same.
    let every = (asked.len() / args.queries.max(1)).max(1);
    let nearest: Vec<(f32, bool)> = (0..asked.len())
        .step_by(every)
        .filter_map(|one| {
            let others = (0..asked.len()).filter(|&other| asked[other].paragraph != asked[one].paragraph);
            let scored = others.map(|other| (product(&vectors[one], &vectors[other]), other));
            let (likeness, other) = scored.max_by(|a, b| a.0.total_cmp(&b.0))?;
            Some((likeness, asked[other].article == asked[one].article))
        })
        .collect();
    let set = format!("{} questions, {} asked", asked.len(), nearest.len());
    let (mut rows, mut lines) = (Vec::new(), Vec::new());
    for threshold in THRESHOLDS {
        let shown: Vec<bool> =
            nearest.iter().filter(|(likeness, _)| *likeness >= threshold).map(|(_, same)| *same).collect();
        let right = shown.iter().filter(|same| **same).count() as f64 / shown.len().max(1) as f64;
        let share = shown.len() as f64 / nearest.len().max(1) as f64;
        rows.push(Row::new(&set, "findall", &format!("from {threshold:.2}: about the same"), right, "share"));
        rows.push(Row::new(
            &set,
            "findall",
            &format!("from {threshold:.2}: questions that have one"),
            share,
            "share",
        ));
        lines.push(vec![format!("{threshold:.2}"), format!("{right:.3}"), format!("{share:.3}")]);
    }
    table::write(out, &["likeness from", "about the same", "have one"], &lines)?;
    record::write(&args.record, "store-threshold", &rows, out)
}

fn direction(values: Vec<f32>) -> Vec<f32> {
    let length = values.iter().map(|value| value * value).sum::<f32>().sqrt().max(f32::MIN_POSITIVE);
    values.into_iter().map(|value| value / length).collect()
}

/// Every question once.
fn read(files: &[PathBuf]) -> Result<Vec<ArticleQuestion>, EvalError> {
    let (mut asked, mut seen, mut paragraphs) = (Vec::new(), std::collections::HashSet::new(), 0);
    for file in files {
        for article in squad::read(file)? {
            for paragraph in article.paragraphs {
                paragraphs += 1;
                for question in paragraph.qas {
                    let text = question.question.trim().to_owned();
                    if seen.insert(text.clone()) {
                        asked.push(ArticleQuestion {
                            text,
                            article: article.title.clone(),
                            paragraph: paragraphs,
                        });
                    }
                }
            }
        }
    }
    Ok(asked)
}
