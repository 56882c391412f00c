//! The systems that are measured beside each other: findall, and what people and the paper use instead.

use std::collections::HashSet;
use std::sync::Arc;

use findall::Span;
use findall::ask::Reader;
use findall::document::Document;
use findall::encode::{Embedding, Encoder, TextKind, cosine};
use findall::engine::Engine;
use findall::find::{EvidenceSource, FindOptions, KeepRule, MatchKind, Order};
use findall::index::PreparedDocument;
use findall::lexical::{Finder, LexicalOptions, Spelling, WordRule};

use super::data::Sample;
use super::llm::Endpoint;
use crate::EvalError;

/// What can be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum SystemName {
    /// Find by meaning
    Findall,
    /// Every mention of every entity, whatever is asked
    EveryMention,
    /// The query's words, literally, as a browser's Ctrl+F finds them
    CtrlF,
    /// The query's words with any ending, as a careful regular expression finds them
    Regex,
    /// The three sentences nearest to the query
    Sentences,
    /// The extractive reader, asked with the query
    Reader,
    /// A generative model behind an OpenAI-compatible endpoint (--endpoint), with the paper's task
    Llm,
}

impl SystemName {
    /// Those that need nothing but this machine.
    pub const LOCAL: [SystemName; 6] =
        [Self::Findall, Self::EveryMention, Self::CtrlF, Self::Regex, Self::Sentences, Self::Reader];

    /// The name used in tables and records.
    pub fn name(self) -> &'static str {
        match self {
            Self::Findall => "findall",
            Self::EveryMention => "every-mention",
            Self::CtrlF => "ctrl-f",
            Self::Regex => "regex",
            Self::Sentences => "sentences",
            Self::Reader => "reader",
            Self::Llm => "llm",
        }
    }
}

/// What the systems work with.
pub struct Tools {
    /// The engine under test.
    pub engine: Engine,
    /// Its encoder, for the sentence baseline.
    pub encoder: Arc<dyn Encoder>,
    /// The reader, when the reader baseline runs.
    pub reader: Option<Arc<dyn Reader>>,
    /// The endpoint, when the generative baseline runs.
    pub endpoint: Option<Endpoint>,
    /// Take the gold entities instead of tagging and linking.
    pub gold_entities: bool,
    /// The ablation.
    pub without: Option<EvidenceSource>,
    /// Whether the judge reads the page's word.
    pub page_words: bool,
    /// Whether descriptions of an entity count as its mentions, as in KTRL+F.
    pub descriptions: bool,
    /// Which entities count as answers.
    pub keep: KeepRule,
}

/// A document made ready for one system.
pub enum PreparedSample {
    /// By the engine.
    Prepared(PreparedDocument),
    /// Vectors of its sentences.
    Sentences(Vec<Embedding>),
    /// As it is.
    Plain,
}

/// What a system found.
pub struct SystemMatches {
    /// The prediction, in document order.
    pub spans: Vec<Span>,
    /// Everything it ranked, best first; the prediction itself where it does not rank.
    pub ranked: Vec<Span>,
    /// For each predicted span, which entity it was taken for, where that is known.
    pub entities: Vec<Option<usize>>,
    /// For each predicted span, how likely the system says it is right.
    pub probabilities: Vec<f32>,
}

impl SystemMatches {
    fn from_spans(mut spans: Vec<Span>) -> Self {
        let ranked = spans.clone();
        spans.sort_unstable();
        spans.dedup();
        Self { entities: vec![None; spans.len()], probabilities: vec![1.0; spans.len()], spans, ranked }
    }
}

impl Tools {
    /// Makes a document ready; the time that this takes is preparation time.
    pub fn prepare_sample(&self, system: SystemName, sample: &Sample) -> Result<PreparedSample, EvalError> {
        match system {
            SystemName::Findall | SystemName::EveryMention => {
                let prepared = match self.gold_entities {
                    true => self.engine.prepare_known(&sample.document, &sample.entities),
                    false => self.engine.prepare(&sample.document),
                };
                prepared.map(PreparedSample::Prepared).map_err(model_failed)
            }
            SystemName::Sentences => {
                let document = &sample.document;
                let texts: Vec<&str> =
                    document.sentences().iter().filter_map(|span| span.slice(document.text())).collect();
                self.encoder
                    .encode(&texts, TextKind::Passage)
                    .map(PreparedSample::Sentences)
                    .map_err(model_failed)
            }
            _ => Ok(PreparedSample::Plain),
        }
    }

    /// Answers one query.
    pub fn find(
        &self,
        system: SystemName,
        ready: &PreparedSample,
        document: &Document,
        query: &str,
    ) -> Result<SystemMatches, EvalError> {
        match (system, ready) {
            (SystemName::Findall, PreparedSample::Prepared(prepared)) => {
                self.run_findall(document, prepared, query)
            }
            (SystemName::EveryMention, PreparedSample::Prepared(prepared)) => {
                let spans =
                    prepared.entities.iter().flat_map(|entity| entity.mentions.iter().map(|m| m.span));
                Ok(SystemMatches::from_spans(spans.collect()))
            }
            (SystemName::Sentences, PreparedSample::Sentences(embeddings)) => {
                self.rank_sentences(document, embeddings, query)
            }
            (SystemName::Reader, _) => self.run_reader(document, query),
            (SystemName::Llm, _) => match &self.endpoint {
                Some(endpoint) => Ok(SystemMatches::from_spans(endpoint.find(document.text(), query)?)),
                None => Err(make_error("--endpoint URL names the generative model to compare with")),
            },
            (SystemName::CtrlF, _) => {
                Ok(find_words(document.text(), query, Spelling::Exact, WordRule::Anywhere))
            }
            (SystemName::Regex, _) => {
                Ok(find_words(document.text(), query, Spelling::Inflected, WordRule::WholeWords))
            }
            _ => Err(make_error("the document was made ready for another system")),
        }
    }

    fn run_findall(
        &self,
        document: &Document,
        prepared: &PreparedDocument,
        query: &str,
    ) -> Result<SystemMatches, EvalError> {
        let options = FindOptions {
            without: self.without,
            page_words: self.page_words,
            descriptions: self.descriptions,
            keep: self.keep,
            ..FindOptions::default()
        };
        let failed = |error: findall::find::FindError| model_failed_text(error.to_string());
        let findings = self.engine.find(document, prepared, query, &options).map_err(failed)?;
        let ranked = findings.ranking.iter().flat_map(|score| &prepared.entities[score.entity].mentions);
        let ranked = ranked.map(|mention| mention.span).collect();
        debug_assert!(options.order == Order::Document);
        // Where the query's letters stand is told to people beside the answers; it is no answer to a list query
        // unless an entity stands there.
        let answers: Vec<_> =
            findings.matches.iter().filter(|m| m.entity.is_some() || m.kind == MatchKind::Value).collect();
        Ok(SystemMatches {
            spans: answers.iter().map(|found| found.span).collect(),
            ranked,
            entities: answers.iter().map(|found| found.entity).collect(),
            probabilities: answers.iter().map(|found| found.score).collect(),
        })
    }

    fn rank_sentences(
        &self,
        document: &Document,
        embeddings: &[Embedding],
        query: &str,
    ) -> Result<SystemMatches, EvalError> {
        let asked = self.encoder.encode(&[query], TextKind::Query).map_err(model_failed)?.remove(0);
        let like = |at: usize| cosine(&asked.pooled, &embeddings[at].pooled);
        let mut order: Vec<usize> = (0..embeddings.len()).collect();
        order.sort_by(|&a, &b| like(b).total_cmp(&like(a)));
        let ranked: Vec<Span> = order.iter().map(|&number| document.sentences()[number]).collect();
        Ok(SystemMatches {
            ranked: ranked.clone(),
            ..SystemMatches::from_spans(ranked.into_iter().take(3).collect())
        })
    }

    fn run_reader(&self, document: &Document, query: &str) -> Result<SystemMatches, EvalError> {
        let Some(reader) = &self.reader else {
            return Err(make_error("the reader is not installed: see models/README.md"));
        };
        let readings = reader.read(query, &[document.text()]).map_err(model_failed)?;
        let answers = readings.iter().flat_map(|reading| reading.answers.iter());
        Ok(SystemMatches::from_spans(answers.map(|answer| answer.span).collect()))
    }
}

/// Every word of the query that says something, wherever it stands.
fn find_words(text: &str, query: &str, spelling: Spelling, words: WordRule) -> SystemMatches {
    const QUERY_STOP_WORDS: &[&str] = &[
        "a", "all", "an", "and", "any", "are", "at", "been", "by", "find", "for", "from", "had", "has",
        "have", "in", "is", "it", "list", "name", "of", "on", "or", "that", "the", "their", "to", "was",
        "were", "what", "which", "who", "with",
    ];
    let options = LexicalOptions { spelling, words, ..LexicalOptions::default() };
    let distinct: HashSet<String> = query
        .split(|c: char| !c.is_alphanumeric())
        .map(str::to_lowercase)
        .filter(|word| word.len() > 1 && QUERY_STOP_WORDS.binary_search(&word.as_str()).is_err())
        .collect();
    let mut spans = Vec::new();
    for word in distinct {
        // A word that cannot be searched for finds nothing.
        let found = Finder::new(&word, options).map(|finder| finder.find(text)).unwrap_or_default();
        spans.extend(found.into_iter().map(|found| found.span));
    }
    spans.sort_unstable();
    SystemMatches::from_spans(spans)
}

fn make_error(message: &str) -> EvalError {
    EvalError::Program { program: "ktrlf".into(), message: message.into() }
}

fn model_failed(error: findall::encode::ModelError) -> EvalError {
    model_failed_text(error.to_string())
}

fn model_failed_text(message: String) -> EvalError {
    EvalError::Program { program: "findall".into(), message }
}
