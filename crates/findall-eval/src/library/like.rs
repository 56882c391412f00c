//! `findall-eval library like`: the time of a like query over many sentences. Words are made up and indexed as ever; vectors
//! are made up, too, because reading millions of sentences takes hours; the query itself runs through the real models.

use std::io::Write;
use std::time::Instant;

use findall::document::Document;
use findall::engine::Engine;
use findall::like::{
    AnalysedDocument, AnalysedEntity, AnalysedMention, Example, LikeOptions, PackedVector, Term,
};
use findall::mentions::MentionType;
use findall::span::Span;
use findall_library::{Library, Stamp};

use super::{make_error, texts};
use crate::EvalError;
use crate::record::{self, RecordArgs, Row};
use crate::resources::ResourceArgs;
use crate::store::{RandomSource, vector};
use crate::table;

/// Arguments of `findall-eval library like`.
#[derive(Debug, clap::Args)]
pub struct LikeSpeedArgs {
    /// Sentences
    #[arg(long, default_value_t = 1_000_000)]
    sentences: u64,

    /// Queries timed
    #[arg(long, default_value_t = 30)]
    queries: u64,

    #[command(flatten)]
    resources: ResourceArgs,

    #[command(flatten)]
    record: RecordArgs,
}

/// Sentences of one document.
const SENTENCES_A_DOCUMENT: u64 = 200;

/// Documents between two commits.
const COMMIT_DOCUMENTS: u64 = 500;

/// Measures and records.
pub fn run(args: &LikeSpeedArgs, out: &mut dyn Write) -> Result<(), EvalError> {
    let models = args.resources.models()?;
    let (encoder, tagger) = (models.encoder().map_err(make_error)?, models.tagger().map_err(make_error)?);
    let engine = Engine::new(encoder, tagger, args.resources.knowledge()?);
    let place = tempfile::tempdir()?;
    let library = Library::create(place.path()).map_err(make_error)?;
    fill(&library, &engine, args.sentences)?;
    let snapshot = library.snapshot().map_err(make_error)?;
    let opened = Instant::now();
    let (corpus, _) = snapshot.corpus(&engine.made_by(), None).map_err(make_error)?;
    let opened = opened.elapsed().as_secs_f64() * 1000.0;
    let mut random = RandomSource::new(5);
    let mut times = Vec::new();
    for round in 0..args.queries + 3 {
        let sentence = texts::sentence(&mut random);
        let words: Vec<&str> = sentence.split_whitespace().collect();
        let term = |at: usize, weight| Term { word: words[at % words.len()].to_owned(), weight };
        let example = Example {
            entity: words
                .iter()
                .skip(1)
                .find(|word| word.starts_with(char::is_uppercase))
                .map_or("Ba", |w| w)
                .to_owned(),
            terms: vec![term(2, 3), term(3, 2), term(5, 1)],
            sentence: sentence.clone(),
        };
        let started = Instant::now();
        engine.like(&corpus, &example, &LikeOptions::default()).map_err(make_error)?;
        // The first ones map the file into memory.
        if round >= 3 {
            times.push(started.elapsed().as_secs_f64() * 1000.0);
        }
    }
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times.get((times.len() as f64 * share) as usize).copied().unwrap_or(0.0);
    let set = format!("{} sentences, made-up vectors", corpus.len());
    let figures = [("query p50", at(0.5)), ("query p90", at(0.9)), ("opening", opened)];
    let rows = figures.map(|(metric, value)| Row::new(&set, "findall like", metric, value, "ms"));
    let lines = figures.map(|(metric, value)| vec![metric.to_owned(), format!("{value:.1} ms")]);
    table::write(out, &[&set, "findall like"], &lines)?;
    record::write(&args.record, "library-like", &rows, out)
}

fn fill(library: &Library, engine: &Engine, sentences: u64) -> Result<(), EvalError> {
    let mut writer = library.writer().map_err(make_error)?;
    let kinds = [MentionType::Person, MentionType::Place, MentionType::Organization, MentionType::Work];
    let mut kept = Vec::new();
    let documents = sentences.div_ceil(SENTENCES_A_DOCUMENT);
    for number in 0..documents {
        let mut random = RandomSource::new(number);
        let (mut text, mut spans, mut mentions, mut entities) = (String::new(), vec![], vec![], vec![]);
        let mut vectors = Vec::new();
        for at in 0..SENTENCES_A_DOCUMENT {
            let sentence = texts::sentence(&mut random);
            let start = text.len();
            text.push_str(&sentence);
            spans.push(Span::new(start, start + sentence.trim_end().len()));
            let kind = kinds[random.below(4) as usize];
            entities.push(AnalysedEntity {
                name: format!("Name {}", random.below(50_000)),
                known: false,
                kind,
            });
            let span = Span::new(start, start + 4);
            mentions.push(AnalysedMention { sentence: at as usize, span, entity: at as usize });
            vectors.push(PackedVector::of(&vector(number * SENTENCES_A_DOCUMENT + at, sentences)));
        }
        let analysed = AnalysedDocument { sentences: spans.clone(), vectors, entities, mentions };
        let document =
            Document::from_sentences(text, spans).ok_or_else(|| make_error("made-up spans are wrong"))?;
        writer.put(&format!("{number:08}"), Stamp::of_text(""), &document).map_err(make_error)?;
        kept.push((engine.made_by(), document, analysed.to_bytes()));
        if number % COMMIT_DOCUMENTS == COMMIT_DOCUMENTS - 1 || number + 1 == documents {
            writer.keep(&kept).map_err(make_error)?;
            kept.clear();
        }
    }
    writer.commit().map_err(make_error)?;
    writer.finish().map_err(make_error)
}
