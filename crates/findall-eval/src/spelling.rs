//! `findall-eval spelling`: questions or list queries, each as it is and with one slip, put to the speller with the
//! document that they are about: how many slips are put right, and how many questions without one are changed.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use findall::Document;
use findall::spelling::{SPELLING_FEATURES, Speller};
use serde::Deserialize;

use crate::EvalError;
use crate::ask::misspell::Misspeller;
use crate::figures::Figures;
use crate::inputs;
use crate::qa::squad;
use crate::record::RecordArgs;
use crate::resources::ResourceArgs;

/// Arguments of `findall-eval spelling`.
#[derive(Debug, clap::Args)]
pub struct SpellingArgs {
    /// Questions in SQuAD 2.0's format (.json), or documents with list queries, one a line (.jsonl); also .xz
    #[arg(value_name = "DATA", required = true)]
    data: Vec<PathBuf>,

    /// Measure this article or document only, by title; may be given several times
    #[arg(long = "article", value_name = "TITLE")]
    articles: Vec<String>,

    /// Spell a word as people misspell it, instead of a letter added, replaced or removed: lines of `word: misspelling, …`
    #[arg(long, value_name = "FILE")]
    misspellings: Option<PathBuf>,

    /// Chooses the slips
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Write what every choice is judged by here, for training/fit_spelling.py
    #[arg(long, value_name = "OUT.jsonl")]
    features: Option<PathBuf>,

    /// Print what is put wrong
    #[arg(long)]
    wrong: bool,

    /// Print the figures as JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    resources: ResourceArgs,

    #[command(flatten)]
    record: RecordArgs,
}

/// A document and what is asked of it.
struct AskedDocument {
    title: String,
    document: Document,
    questions: Vec<String>,
}

#[derive(Deserialize)]
struct QueryLine {
    id: String,
    text: String,
    #[serde(default)]
    queries: Vec<QueryText>,
}

#[derive(Deserialize)]
struct QueryText {
    q: String,
}

/// How all questions went.
#[derive(Default)]
struct SpellingRun {
    questions: usize,
    slips: usize,
    /// Slips that were put right.
    put_right: usize,
    /// Slips that made a word of the document, or left no word that is near to the one that was meant.
    out_of_reach: usize,
    /// Questions with a slip of which something else was changed, or the wrong word to another wrong one.
    put_wrong: usize,
    /// Questions without a slip that were changed.
    changed: usize,
    seconds: f64,
    features: Vec<String>,
    wrong: Vec<String>,
}

/// Measures and records.
pub fn run(args: &SpellingArgs, out: &mut dyn Write) -> Result<(), EvalError> {
    let encoder = args.resources.models()?.encoder().map_err(inputs::wrap_error)?;
    let knowledge = args.resources.knowledge()?;
    let misspeller = match &args.misspellings {
        Some(file) => Misspeller::of_people(&inputs::text(file)?, args.seed),
        None => Misspeller::of_letters(args.seed),
    };
    let mut run = SpellingRun::default();
    for path in &args.data {
        for asked in read(path)? {
            if !args.articles.is_empty() && !args.articles.contains(&asked.title) {
                continue;
            }
            let documents = std::slice::from_ref(&asked.document);
            let speller = Speller { documents, entities: &[], knowledge: &knowledge, encoder: &*encoder };
            for question in &asked.questions {
                run.add(&speller, &asked.title, question, &misspeller.misspell(question));
            }
        }
    }
    if run.questions == 0 {
        let message = "holds no questions; check the file and --article".into();
        return Err(EvalError::Definition { path: args.data[0].clone(), message });
    }
    if let Some(path) = &args.features {
        let names = serde_json::json!({ "features": SPELLING_FEATURES }).to_string();
        let lines = std::iter::once(&names).chain(&run.features);
        inputs::write(path, &lines.map(|line| format!("{line}\n")).collect::<String>())?;
    }
    if args.wrong {
        run.wrong.iter().try_for_each(|line| writeln!(out, "{line}"))?;
    }
    let names: Vec<_> = args.data.iter().filter_map(|path| path.file_name()).collect();
    let set = names.iter().map(|name| name.to_string_lossy()).collect::<Vec<_>>().join(", ");
    let system = findall::encode::Encoder::id(&*encoder).to_owned();
    Figures { verb: "spelling", set, system, values: run.figures(), published: &[] }.report(
        args.json,
        &args.record,
        out,
    )
}

fn read(path: &Path) -> Result<Vec<AskedDocument>, EvalError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    if name.trim_end_matches(".xz").ends_with(".jsonl") {
        let lines: Vec<QueryLine> = inputs::json_lines(path)?;
        return Ok(lines.into_iter().map(AskedDocument::of_queries).collect());
    }
    Ok(squad::read(path)?.iter().map(AskedDocument::of_article).collect())
}

impl AskedDocument {
    fn of_queries(line: QueryLine) -> Self {
        let questions = line.queries.into_iter().map(|query| query.q).collect();
        Self { title: line.id, document: Document::from_text(line.text), questions }
    }

    fn of_article(article: &squad::Article) -> Self {
        let paragraphs: Vec<&str> = article.paragraphs.iter().map(|p| p.context.as_str()).collect();
        let questions = article.paragraphs.iter().flat_map(|p| &p.qas).map(|qa| qa.question.clone());
        Self {
            title: article.title.clone(),
            document: Document::from_text(paragraphs.join("\n\n")),
            questions: questions.collect(),
        }
    }
}

impl SpellingRun {
    fn add(&mut self, speller: &Speller<'_>, title: &str, question: &str, slipped: &str) {
        let same = |a: &str, b: &str| a.to_lowercase() == b.to_lowercase();
        let started = Instant::now();
        let (corrected, corrections) = speller.correct(question);
        self.seconds += started.elapsed().as_secs_f64();
        self.questions += 1;
        if !corrections.is_empty() {
            self.changed += 1;
            self.wrong.push(format!("changed  {question}  ->  {corrected}"));
        }
        self.features.push(features_line(speller, title, question, question).0);
        if same(slipped, question) {
            return;
        }
        self.slips += 1;
        let (corrected, corrections) = speller.correct(slipped);
        let (line, reachable) = features_line(speller, title, slipped, question);
        self.features.push(line);
        if same(&corrected, question) {
            self.put_right += 1;
            return;
        }
        self.out_of_reach += usize::from(!reachable);
        self.put_wrong += usize::from(!corrections.is_empty());
        let why = if reachable { "missed" } else { "lost" };
        self.wrong.push(format!("{why}  {question}  |  {slipped}  ->  {corrected}"));
    }

    fn figures(&self) -> Vec<(&'static str, f64, &'static str)> {
        let share = |part: usize, all: usize| part as f64 / all.max(1) as f64;
        vec![
            ("questions", self.questions as f64, "count"),
            ("with a slip", self.slips as f64, "count"),
            ("put right", share(self.put_right, self.slips), "share"),
            ("out of reach", share(self.out_of_reach, self.slips), "share"),
            ("changed, but not put right", share(self.put_wrong, self.slips), "share"),
            ("without a slip, changed", share(self.changed, self.questions), "share"),
            ("time a question", self.seconds * 1e3 / self.questions.max(1) as f64, "ms"),
        ]
    }
}

/// What the choices for every doubtful word are judged by, with the one that makes the question right; and whether all
/// of them together can.
fn features_line(speller: &Speller<'_>, title: &str, asked: &str, meant: &str) -> (String, bool) {
    let mut words = Vec::new();
    let mut reachable = asked.to_lowercase() == meant.to_lowercase();
    let slip = !reachable;
    for doubt in speller.find_doubts(asked) {
        let with = |word: &str| format!("{}{word}{}", &asked[..doubt.span.start], &asked[doubt.span.end..]);
        let is_right = |word: &str| with(word).to_lowercase() == meant.to_lowercase();
        let right = doubt.choices.iter().position(|choice| is_right(&choice.word));
        // A word beside the slip was meant as it stands; the slip itself may have no right choice.
        let is_slip = slip && right.is_none() && covers_slip(asked, meant, doubt.span);
        reachable |= right.is_some();
        let right = if is_slip { None } else { right.or(Some(0)) };
        let choices: Vec<_> = doubt.choices.iter().map(|choice| choice.features.values()).collect();
        words.push(serde_json::json!({ "right": right, "choices": choices }));
    }
    let line = serde_json::json!({ "page": title, "slip": slip, "lost": !reachable, "words": words });
    (line.to_string(), reachable)
}

/// Whether the first letter in which two texts differ stands in or beside a word.
fn covers_slip(asked: &str, meant: &str, word: findall::Span) -> bool {
    let differs = asked.char_indices().zip(meant.chars()).find(|((_, a), b)| a != b);
    let at = differs.map_or(asked.len(), |((at, _), _)| at);
    word.start <= at && at <= word.end
}

#[cfg(test)]
mod tests {
    use super::*;
    use findall::testing::{BagOfWords, small_knowledge};

    #[test]
    fn slips_are_counted_and_their_right_choice_is_known() {
        let (documents, knowledge) =
            ([Document::from_text("A transformer changes voltage.")], small_knowledge());
        let speller =
            Speller { documents: &documents, entities: &[], knowledge: &knowledge, encoder: &BagOfWords };
        let mut run = SpellingRun::default();
        run.add(&speller, "page", "What is a transformer?", "What is a tranformer?");
        run.add(&speller, "page", "What is a transformer?", "What is a trxxxformer?");
        assert_eq!((run.questions, run.slips, run.put_right, run.out_of_reach), (2, 2, 1, 1));
        let line = |n: usize| serde_json::from_str::<serde_json::Value>(&run.features[n]).unwrap();
        assert_eq!(line(1)["lost"], false);
        let rights: Vec<_> =
            line(1)["words"].as_array().unwrap().iter().map(|w| w["right"].clone()).collect();
        assert!(rights.iter().any(|right| right.as_u64() > Some(0)), "{rights:?}");
        assert_eq!((line(3)["lost"].clone(), line(0)["slip"].clone()), (true.into(), false.into()));
    }
}
