//! `findall-eval questions`: does the encoder find the other wording of a question among many.
//!
//! Every pair's first question is asked, and all second ones are ranked by their likeness to it.

use std::io::Write;
use std::path::{Path, PathBuf};

use findall::encode::{Encoder, TextKind, cosine};

use crate::EvalError;
use crate::figures::Figures;
use crate::inputs::{self, ModelArgs};
use crate::record::RecordArgs;

/// Arguments of `findall-eval questions`.
#[derive(Debug, clap::Args)]
pub struct QuestionsArgs {
    /// Pairs of questions that ask the same: two columns with a tab between, or JSON Lines of two strings; may end in .xz
    #[arg(value_name = "PAIRS")]
    pairs: PathBuf,

    /// Write {asked, wanted, found, rank} here, one pair a line
    #[arg(long, value_name = "OUT.jsonl")]
    predictions: Option<PathBuf>,

    /// Print the figures as JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    models: ModelArgs,

    #[command(flatten)]
    record: RecordArgs,
}

const PUBLISHED_QUESTIONS: &[&str] = &[
    "none on this set; measure the untrained base beside it with --model DIR (training/README.md says how it is exported)",
];

/// Measures and records.
pub fn run(args: &QuestionsArgs, out: &mut dyn Write) -> Result<(), EvalError> {
    let pairs = read(&args.pairs)?;
    let encoder = args.models.open()?.encoder().map_err(inputs::wrap_error)?;
    let encode = |side: fn(&(String, String)) -> &String| {
        let texts: Vec<&str> = pairs.iter().map(|pair| side(pair).as_str()).collect();
        encoder.encode(&texts, TextKind::Query).map_err(inputs::wrap_error)
    };
    let (asked, others) = (encode(|pair| &pair.0)?, encode(|pair| &pair.1)?);
    let mut predictions = String::new();
    let (mut first, mut in_five, mut reciprocal) = (0usize, 0usize, 0.0);
    for (number, question) in asked.iter().enumerate() {
        let scores: Vec<f32> = others.iter().map(|other| cosine(&question.pooled, &other.pooled)).collect();
        let rank = rank(&scores, number, |other| pairs[other].1 == pairs[number].1);
        first += usize::from(rank == 1);
        in_five += usize::from(rank <= 5);
        reciprocal += 1.0 / rank as f64;
        let best = (0..scores.len()).max_by(|&a, &b| scores[a].total_cmp(&scores[b])).unwrap_or(number);
        let (asked, wanted, found) = (&pairs[number].0, &pairs[number].1, &pairs[best].1);
        let line = serde_json::json!({"asked": asked, "wanted": wanted, "found": found, "rank": rank});
        predictions += &format!("{line}\n");
    }
    if let Some(path) = &args.predictions {
        inputs::write(path, &predictions)?;
    }
    let count = pairs.len() as f64;
    let values = vec![
        ("pairs", count, "count"),
        ("recall@1", first as f64 / count, "share"),
        ("recall@5", in_five as f64 / count, "share"),
        ("mean reciprocal rank", reciprocal / count, "share"),
    ];
    let set = args.pairs.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let system = encoder.id().to_owned();
    Figures { verb: "questions", set, system, values, published: PUBLISHED_QUESTIONS }.report(
        args.json,
        &args.record,
        out,
    )
}

/// One plus the number of texts that score higher than the wanted one; copies of it do not count.
fn rank(scores: &[f32], wanted: usize, same: impl Fn(usize) -> bool) -> usize {
    1 + (0..scores.len()).filter(|&other| scores[other] > scores[wanted] && !same(other)).count()
}

fn read(path: &Path) -> Result<Vec<(String, String)>, EvalError> {
    let text = inputs::text(path)?;
    let mut pairs = Vec::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let pair = match line.starts_with(['[', '{']) {
            true => serde_json::from_str::<(String, String)>(line).ok(),
            false => line.split_once('\t').map(|(a, b)| (a.trim().to_owned(), b.trim().to_owned())),
        };
        pairs.push(pair.ok_or_else(|| EvalError::Definition {
            path: path.to_owned(),
            message: format!("line {} is no pair: write two questions with a tab between", number + 1),
        })?);
    }
    if pairs.is_empty() {
        let message = "holds no pairs: write two questions with a tab between, one pair a line".into();
        return Err(EvalError::Definition { path: path.to_owned(), message });
    }
    Ok(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_of_the_wanted_question_do_not_push_it_down() {
        let scores = [0.9, 0.8, 0.95];
        assert_eq!(rank(&scores, 1, |_| false), 3);
        assert_eq!(rank(&scores, 1, |other| other == 2), 2);
    }

    #[test]
    fn pairs_come_as_columns_or_json() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pairs");
        std::fs::write(&path, "who runs it\twho is in charge\n\n[\"a b\", \"c\"]\n").unwrap();
        let pairs = read(&path).unwrap();
        assert_eq!(pairs[0].1, "who is in charge");
        assert_eq!(pairs[1], ("a b".into(), "c".into()));
        std::fs::write(&path, "only one\n").unwrap();
        assert!(read(&path).unwrap_err().to_string().contains("line 1"));
    }
}
