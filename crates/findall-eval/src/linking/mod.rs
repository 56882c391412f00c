//! `eval linking`: labelled mentions in; how often the linker finds the right entity out, beside two baselines that
//! see the name only: the most popular candidate, and the entity whose title is the name.
//!
//! On gold mentions: the share linked rightly of those whose entity the knowledge base has. End to end, with a
//! tagger's mentions: precision, recall and F1 of (span, entity) pairs against all labelled names.

mod data;
mod gold;
mod learn;

use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use findall::knowledge::{EntityId, KnowledgeBase};
use findall::linking::Linker;
use findall::mentions::{Mention, MentionTagger, MentionType};
use findall::{Document, Span};
use findall_models::Models;

use crate::record::{self, RecordArgs, Row};
use crate::score::Counts;
use crate::{EvalError, table};
use data::LinkedArticle;
use gold::GoldIndex;
use learn::Learner;

/// Arguments of `eval linking`.
#[derive(Debug, clap::Args)]
pub struct LinkingArgs {
    /// JSON lines: ELEVANT benchmarks, KTRL+F, list queries (of which every tenth document is measured)
    #[arg(required = true)]
    data: Vec<PathBuf>,

    /// The knowledge base
    #[arg(long, value_name = "FILE", default_value = "kb/default.kb")]
    kb: PathBuf,

    /// Folder of the models: its tagger finds mentions end to end
    #[arg(long, value_name = "DIR")]
    models: Option<PathBuf>,

    /// Folder with mentions of another tagger, DATA's name each: {"mentions":[[start,end,"person"],…]} a document
    #[arg(long, value_name = "DIR", conflicts_with = "models")]
    mentions: Option<PathBuf>,

    /// Write the features of every chain of DATA here, for training the weights, and stop
    #[arg(long, value_name = "FILE")]
    features: Option<PathBuf>,

    /// Print each wrong link
    #[arg(long)]
    errors: bool,

    #[command(flatten)]
    record: RecordArgs,
}

/// Who links.
#[derive(Clone, Copy)]
enum LinkSystem {
    Findall,
    Popularity,
    Title,
}

impl LinkSystem {
    const ALL: [LinkSystem; 3] = [LinkSystem::Findall, LinkSystem::Popularity, LinkSystem::Title];

    fn name(self) -> &'static str {
        match self {
            Self::Findall => "findall",
            Self::Popularity => "popularity only",
            Self::Title => "exact title",
        }
    }
}

/// Counts over a dataset, for one system.
#[derive(Clone, Copy, Default)]
struct LinkTally {
    known: usize,
    right: usize,
    unknown: usize,
    silent: usize,
    pairs: Counts,
}

/// Measures.
pub fn run(args: &LinkingArgs, out: &mut dyn Write) -> Result<(), EvalError> {
    let failed = |program: &str, message: String| EvalError::Program { program: program.into(), message };
    let knowledge = KnowledgeBase::open(&args.kb).map_err(|error| failed("linking", error.to_string()))?;
    let models = args.models.as_deref().map(Models::load).transpose();
    let models = models.map_err(|error| failed("linking", error.to_string()))?;
    let load = |error: findall_models::LoadError| failed("linking", error.to_string());
    let tagger = models.as_ref().map(Models::tagger).transpose().map_err(load)?;
    let linker = Linker::new(&knowledge);
    if let Some(path) = &args.features {
        let learner =
            Learner { knowledge: &knowledge, linker: &linker, tagger: tagger.as_deref().map(|t| t as _) };
        return learner.write(&args.data, path, out);
    }
    let mut rows = Vec::new();
    let mut lines = Vec::new();
    for path in &args.data {
        let (shape, articles) = data::read(path)?;
        let name = set_name(path);
        let tagged = match (&args.mentions, &tagger) {
            (Some(folder), _) => Some(data::read_mentions(&folder.join(format!("{name}.jsonl")), &articles)?),
            (None, Some(tagger)) => {
                let texts: Vec<&str> = articles.iter().map(|article| article.text.as_str()).collect();
                Some(tagger.tag(&texts).map_err(|error| failed("tagger", error.to_string()))?)
            }
            (None, None) => None,
        };
        let mut tallies = [LinkTally::default(); 3];
        let mut reached = 0;
        let mut time = Duration::ZERO;
        let mut characters = 0;
        for (index, article) in articles.iter().enumerate().filter(|(index, _)| shape.is_measured(*index)) {
            let tagged = tagged.as_ref().map(|tagged| tagged[index].as_slice());
            let gold = GoldIndex::new(&knowledge, article);
            let document = Document::from_text(article.text.clone());
            let given = gold_mentions(article, tagged);
            characters += article.text.len();
            for (system, tally) in LinkSystem::ALL.into_iter().zip(&mut tallies) {
                let start = Instant::now();
                let links = link(system, &knowledge, &linker, &document, &given);
                if matches!(system, LinkSystem::Findall) {
                    time += start.elapsed();
                    reached += gold.count_reached(&knowledge, article);
                    if args.errors {
                        gold.explain(&knowledge, article, &links, out)?;
                    }
                }
                count_gold(article, &gold, &links, tally);
                if let Some(tagged) = tagged {
                    let links = link(system, &knowledge, &linker, &document, tagged);
                    count_pairs(article, &gold, tagged, &links, tally);
                }
            }
        }
        let known = tallies[0].known;
        rows.push(Row::new(&name, "knowledge base", "gold mentions known", known as f64, "mentions"));
        let reach = share(reached, known);
        rows.push(Row::new(&name, "knowledge base", "gold among candidates", reach, "share"));
        let speed = time.as_secs_f64() * 1e3 / (characters as f64 / 2000.0).max(1e-9);
        rows.push(Row::new(&name, "findall", "link time per 2000 bytes", speed, "ms"));
        let measured = MeasuredSet { name: &name, reach, speed, end_to_end: tagged.is_some() };
        measured.report(&tallies, &mut rows, &mut lines);
    }
    let header =
        ["set", "system", "accuracy", "reachable", "abstained", "precision", "recall", "F1", "ms/2000 B"];
    table::write(out, &header, &lines)?;
    record::write(&args.record, "linking", &rows, out)
}

/// What one set gave beside the counts.
struct MeasuredSet<'s> {
    name: &'s str,
    reach: f64,
    speed: f64,
    /// Whether mentions were tagged, too.
    end_to_end: bool,
}

impl MeasuredSet<'_> {
    /// A row of the record for each figure, and a line of the table for each system.
    fn report(&self, tallies: &[LinkTally], rows: &mut Vec<Row>, lines: &mut Vec<Vec<String>>) {
        let Self { name, reach, speed, end_to_end } = *self;
        for (system, tally) in LinkSystem::ALL.into_iter().zip(tallies) {
            let accuracy = share(tally.right, tally.known);
            rows.push(Row::new(name, system.name(), "accuracy on known gold mentions", accuracy, "share"));
            let abstained = share(tally.silent, tally.unknown);
            rows.push(Row::new(
                name,
                system.name(),
                "abstained on unknown gold mentions",
                abstained,
                "share",
            ));
            let mut line = vec![
                name.to_owned(),
                system.name().to_owned(),
                percent(accuracy),
                percent(reach),
                percent(abstained),
            ];
            if end_to_end {
                for (metric, value) in [
                    ("end-to-end precision", tally.pairs.precision()),
                    ("end-to-end recall", tally.pairs.recall()),
                    ("end-to-end F1", tally.pairs.f1()),
                ] {
                    rows.push(Row::new(name, system.name(), metric, value, "share"));
                    line.push(percent(value));
                }
            } else {
                line.extend(["-".to_owned(), "-".to_owned(), "-".to_owned()]);
            }
            line.push(if matches!(system, LinkSystem::Findall) {
                format!("{speed:.1}")
            } else {
                String::new()
            });
            lines.push(line);
        }
    }
}

fn set_name(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    stem.strip_suffix(".benchmark").unwrap_or(&stem).to_owned()
}

/// The labelled spans as mentions, with the types that the tagger gives where it has them; behind them what else it
/// found, because names are read in each other's company.
fn gold_mentions(article: &LinkedArticle, tagged: Option<&[Mention]>) -> Vec<Mention> {
    let apart = |mention: &&Mention| !article.labels.iter().any(|label| label.span.overlaps(&mention.span));
    let others = tagged.unwrap_or_default().iter().filter(apart).copied();
    let kind_at = |span: Span| {
        tagged.and_then(|tagged| tagged.iter().find(|m| m.span.overlaps(&span))).map(|mention| mention.kind)
    };
    article
        .labels
        .iter()
        .map(|label| Mention {
            span: label.span,
            kind: match tagged {
                Some(_) => kind_at(label.span).unwrap_or(MentionType::Other),
                None => label.kind,
            },
            confidence: 1.0,
        })
        .chain(others)
        .collect()
}

/// The entity of each mention.
fn link(
    system: LinkSystem,
    knowledge: &KnowledgeBase,
    linker: &Linker<'_>,
    document: &Document,
    mentions: &[Mention],
) -> Vec<Option<EntityId>> {
    let surface = |mention: &Mention| mention.span.slice(document.text()).unwrap_or("").to_owned();
    match system {
        LinkSystem::Findall => linker
            .link(document, mentions)
            .into_iter()
            .map(|linked| linked.link.map(|link| link.entity))
            .collect(),
        LinkSystem::Popularity => {
            mentions.iter().map(|m| knowledge.candidates(&surface(m)).first().map(|c| c.id)).collect()
        }
        LinkSystem::Title => mentions.iter().map(|m| knowledge.find_title(&surface(m))).collect(),
    }
}

fn count_gold(article: &LinkedArticle, gold: &GoldIndex, links: &[Option<EntityId>], tally: &mut LinkTally) {
    for (label, (expected, link)) in article.labels.iter().zip(gold.ids.iter().zip(links)) {
        if !article.scope.overlaps(&label.span) {
            continue;
        }
        match expected {
            Some(expected) => {
                tally.known += 1;
                tally.right += usize::from(*link == Some(*expected));
            }
            None => {
                tally.unknown += 1;
                tally.silent += usize::from(link.is_none());
            }
        }
    }
}

/// Pairs of span and entity; a label that the base does not know can only be missed.
fn count_pairs(
    article: &LinkedArticle,
    gold: &GoldIndex,
    mentions: &[Mention],
    links: &[Option<EntityId>],
    tally: &mut LinkTally,
) {
    let named = article.labels.iter().zip(&gold.ids).filter(|(label, _)| label.name.is_some());
    let expected: HashMap<Span, Option<EntityId>> = named
        .filter(|(label, _)| article.scope.overlaps(&label.span))
        .map(|(label, id)| (without_article(label.span, &article.text), *id))
        .collect();
    tally.pairs.expected += expected.len();
    for (mention, link) in mentions.iter().zip(links) {
        let (Some(link), true) = (link, article.scope.overlaps(&mention.span)) else { continue };
        tally.pairs.found += 1;
        let right =
            expected.get(&without_article(mention.span, &article.text)).is_some_and(|id| *id == Some(*link));
        tally.pairs.hits += usize::from(right);
    }
}

/// The span without a leading article: annotators differ on it.
fn without_article(span: Span, text: &str) -> Span {
    match span.slice(text).and_then(|surface| surface.get(..4)) {
        Some(start) if start.eq_ignore_ascii_case("the ") => Span::new(span.start + 4, span.end),
        _ => span,
    }
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 1.0 } else { part as f64 / whole as f64 }
}

fn percent(share: f64) -> String {
    format!("{:.1}", 100.0 * share)
}
