//! `findall-eval mentions`: how many of the gold mentions of KTRL+F documents the tagger finds, and what else it finds.

use std::io::Write;
use std::path::PathBuf;

use findall::Span;
use findall::mentions::MentionTagger;
use serde::Deserialize;

use crate::EvalError;
use crate::figures::Figures;
use crate::inputs::{self, ModelArgs};
use crate::record::RecordArgs;

/// Arguments of `findall-eval mentions`.
#[derive(Debug, clap::Args)]
pub struct MentionsArgs {
    /// Documents with gold mentions in KTRL+F's format
    #[arg(value_name = "DATA.jsonl")]
    data: PathBuf,

    /// Write the mentions found here, one document a line
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

#[derive(Deserialize)]
struct GoldLine {
    id: String,
    data: MentionData,
}

#[derive(Deserialize)]
struct MentionData {
    target_text: String,
    entity_info: Vec<MentionInfo>,
}

/// A gold mention; offsets count characters.
#[derive(Deserialize)]
struct MentionInfo {
    mention: String,
    start: usize,
    end: usize,
}

/// Counts over all documents.
#[derive(Default)]
struct MentionCounts {
    gold: usize,
    found: usize,
    /// Gold mentions found with exact boundaries; each such is also a found one that is exactly gold.
    exact: usize,
    /// Gold mentions that something found overlaps.
    touched: usize,
    /// Found mentions that overlap something gold.
    touching: usize,
}

const PUBLISHED_MENTIONS: &[&str] = &[
    "no figures are published for this; spaCy en_core_web_md finds 67 % of the dev part exactly, 81 % overlapping",
    "gold mentions are those that have a Wikipedia page: a name without one counts against precision here",
];

/// Measures and records.
pub fn run(args: &MentionsArgs, out: &mut dyn Write) -> Result<(), EvalError> {
    let lines: Vec<GoldLine> = inputs::json_lines(&args.data)?;
    let tagger = args.models.open()?.tagger().map_err(inputs::wrap_error)?;
    let mut counts = MentionCounts::default();
    let mut predictions = String::new();
    let start = std::time::Instant::now();
    let texts: Vec<&str> = lines.iter().map(|line| line.data.target_text.as_str()).collect();
    let tagged = tagger.tag(&texts).map_err(inputs::wrap_error)?;
    let seconds = start.elapsed().as_secs_f64();
    for (line, mentions) in lines.iter().zip(&tagged) {
        let text = &line.data.target_text;
        let offsets: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
        let mut gold: Vec<Span> =
            line.data.entity_info.iter().map(|info| place(text, &offsets, info)).collect();
        gold.sort_unstable();
        gold.dedup();
        let found: Vec<Span> = mentions.iter().map(|m| m.span).collect();
        counts.add(&gold, &found);
        let shown: Vec<_> = mentions
            .iter()
            .map(|m| {
                let (start, end) = (characters(&offsets, m.span.start), characters(&offsets, m.span.end));
                serde_json::json!({
                    "mention": m.span.slice(text), "start": start, "end": end,
                    "type": format!("{:?}", m.kind).to_lowercase(), "confidence": m.confidence,
                })
            })
            .collect();
        predictions += &serde_json::json!({"id": line.id, "mentions": shown}).to_string();
        predictions.push('\n');
    }
    if let Some(path) = &args.predictions {
        inputs::write(path, &predictions)?;
    }
    let share = |part: usize, whole: usize| part as f64 / whole.max(1) as f64;
    let characters: usize = texts.iter().map(|text| text.chars().count()).sum();
    let values = vec![
        ("gold mentions", counts.gold as f64, "count"),
        ("found exactly", share(counts.exact, counts.gold), "share"),
        ("found overlapping", share(counts.touched, counts.gold), "share"),
        ("mentions predicted", counts.found as f64, "count"),
        ("precision, exact", share(counts.exact, counts.found), "share"),
        ("precision, overlapping", share(counts.touching, counts.found), "share"),
        ("time for 2000 characters", seconds * 1e3 * 2000.0 / characters.max(1) as f64, "ms"),
    ];
    let set = args.data.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let system = tagger.id().to_owned();
    Figures { verb: "mentions", set, system, values, published: PUBLISHED_MENTIONS }.report(
        args.json,
        &args.record,
        out,
    )
}

impl MentionCounts {
    fn add(&mut self, gold: &[Span], found: &[Span]) {
        self.gold += gold.len();
        self.found += found.len();
        self.exact += gold.iter().filter(|g| found.contains(g)).count();
        self.touched += gold.iter().filter(|g| found.iter().any(|f| f.overlaps(g))).count();
        self.touching += found.iter().filter(|f| gold.iter().any(|g| f.overlaps(g))).count();
    }
}

/// Where a mention stands: where the file says, or else its occurrence nearest to there (one offset in a hundred is
/// off by a little).
fn place(text: &str, offsets: &[usize], info: &MentionInfo) -> Span {
    let byte = |chars: usize| offsets[chars.min(offsets.len() - 1)];
    let claimed = Span::new(byte(info.start), byte(info.end.max(info.start)));
    if info.mention.is_empty() || claimed.slice(text) == Some(&info.mention) {
        return claimed;
    }
    let nearest = text.match_indices(&info.mention).min_by_key(|(at, _)| at.abs_diff(claimed.start));
    nearest.map_or(claimed, |(at, found)| Span::new(at, at + found.len()))
}

fn characters(offsets: &[usize], byte: usize) -> usize {
    offsets.partition_point(|&at| at < byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_tell_exact_from_overlapping() {
        let mut counts = MentionCounts::default();
        let span = Span::new;
        counts.add(
            &[span(0, 4), span(10, 20), span(30, 31)],
            &[span(0, 4), span(12, 14), span(14, 20), span(40, 41)],
        );
        assert_eq!((counts.gold, counts.found), (3, 4));
        assert_eq!((counts.exact, counts.touched, counts.touching), (1, 2, 3));
    }

    #[test]
    fn offsets_that_are_off_are_repaired() {
        let text = "Élan met Bo. Bo left.";
        let offsets: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
        let info = |start, end| MentionInfo { mention: "Bo".into(), start, end };
        assert_eq!(place(text, &offsets, &info(9, 11)), Span::new(10, 12));
        assert_eq!(place(text, &offsets, &info(14, 16)), Span::new(14, 16));
        assert_eq!(characters(&offsets, 10), 9);
    }
}
