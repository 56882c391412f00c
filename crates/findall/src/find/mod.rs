//! Find: a prepared document and a query enter; every place that the query means leaves, labelled and explained.
//!
//! ```text
//! query ─▶ spelling ─▶ Asked ─▶ log-odds of every entity ─▶ verdicts ─▶ decision ─▶ all occurrences ─┐
//!          (spelling) (query)   (score)                     (judging)   (encode, judge) + lexical hits ─┴▶ one list
//! ```

mod base_effort;
mod candidate;
mod explain;
mod gender;
#[cfg(not(target_arch = "wasm32"))]
mod in_base;
pub(crate) mod judging;
mod list;
mod query;
mod region;
mod score;

use crate::document::Document;
use crate::encode::{Encoder, ModelError, probability};
use crate::error::QueryError;
use crate::index::{Coverage, Occurrence, OccurrenceOrigin, PreparedDocument};
use crate::knowledge::KnowledgeBase;
use crate::lexical::{Finder, LexicalKind, LexicalOptions};
use crate::span::Span;
use crate::spelling::{Speller, label_corrected};

pub use base_effort::{BaseEffort, BaseMix};
pub use candidate::{CandidateText, QueryTerms};
pub use explain::MatchReason;
#[cfg(not(target_arch = "wasm32"))]
pub(crate) use in_base::BaseSearcher;
#[cfg(not(target_arch = "wasm32"))]
pub use in_base::{BaseFinding, BaseFindings, BaseOptions};
pub use list::keep_best;
pub use score::{EntityEvidence, EvidenceSource, Mix};

pub use crate::spelling::QueryCorrection;
use judging::CachedJudge;

/// How to search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FindOptions {
    /// Which entities count as answers.
    pub keep: KeepRule,
    /// How the query's own letters are matched.
    pub lexical: LexicalOptions,
    /// Whether typing errors in the query are corrected.
    pub correct_typos: bool,
    /// A source of evidence to leave out, to see what it is worth.
    pub without: Option<EvidenceSource>,
    /// Whether the judge reads what the document itself says that a name is; off to see what that is worth.
    pub page_words: bool,
    /// In which order matches come.
    pub order: Order,
    /// Whether the judge is asked, where the engine has one.
    pub speed: Speed,
    /// Candidates that the judge reads for one query at most; the encoder alone decides the others.
    pub max_judged: usize,
    /// Whether words that only describe an entity ("the company") are matches of it, as KTRL+F counts; people are not
    /// shown them.
    pub descriptions: bool,
    /// The best log-odds met outside of what is searched, when it is a part of a document: the decision rule looks
    /// at the best.
    pub best_elsewhere: Option<f32>,
}

impl Default for FindOptions {
    fn default() -> Self {
        Self {
            keep: KeepRule::Decided,
            lexical: LexicalOptions::default(),
            correct_typos: true,
            without: None,
            page_words: true,
            order: Order::Document,
            speed: Speed::Judged,
            max_judged: judging::MAX_JUDGED_CANDIDATES,
            descriptions: false,
            best_elsewhere: None,
        }
    }
}

/// Which entities count as answers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum KeepRule {
    /// Those that the judge's rule keeps, or the encoder's where no judge is asked: none where nothing is likely.
    Decided,
    /// The same where it is known that something answers: at least the likeliest.
    Expected,
    /// Those of at least this probability.
    AtLeast(f32),
    /// The so many likeliest, whatever their probability.
    Best(usize),
    /// All, ranked.
    All,
}

/// How much time a search may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speed {
    /// The encoder alone: at once.
    Fast,
    /// The judge reads what is not hopeless, and its verdict replaces the encoder's.
    Judged,
}

/// The order of matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// As they stand in the document.
    Document,
    /// Likeliest first.
    Score,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq)]
pub struct Findings {
    /// The query that was searched for, after corrections.
    pub query: String,
    /// Words of the query that were taken for typing errors.
    pub corrections: Vec<QueryCorrection>,
    /// Every match, no two overlapping.
    pub matches: Vec<Match>,
    /// Every entity of the document with its evidence, likeliest first.
    pub ranking: Vec<EntityEvidence>,
    /// How complete the search was.
    pub coverage: Coverage,
    /// True when a judge decided.
    pub judged: bool,
}

/// One place that the query means.
#[derive(Clone, Debug, PartialEq)]
pub struct Match {
    /// Where.
    pub span: Span,
    /// How it came about.
    pub kind: MatchKind,
    /// How likely it is what was meant, 0 to 1.
    pub score: f32,
    /// The entity, as a number into `PreparedDocument::entities`.
    pub entity: Option<usize>,
    /// Why it is a match.
    pub why: MatchReason,
}

/// How a match came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MatchKind {
    /// The query's own words.
    Exact,
    /// The query's words spelled otherwise.
    Fuzzy,
    /// What stands there satisfies the query.
    Meaning,
    /// A number or date of the kind asked for.
    Value,
}

impl From<LexicalKind> for MatchKind {
    fn from(kind: LexicalKind) -> Self {
        match kind {
            LexicalKind::Exact => Self::Exact,
            LexicalKind::Fuzzy(_) => Self::Fuzzy,
        }
    }
}

impl MatchKind {
    /// The word that people and programs see.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Fuzzy => "fuzzy",
            Self::Meaning => "meaning",
            Self::Value => "value",
        }
    }
}

/// Why a search could not be made.
#[derive(Debug, thiserror::Error)]
pub enum FindError {
    /// The query cannot be searched for.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// A model failed.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The prepared document is of another text.
    #[error("the document changed since it was prepared; prepare it again")]
    OtherDocument,
}

/// What a search works with.
pub(crate) struct Searcher<'e> {
    pub encoder: &'e dyn Encoder,
    pub knowledge: &'e KnowledgeBase,
    pub mix: Mix,
    pub cached_judge: Option<CachedJudge<'e>>,
}

impl Searcher<'_> {
    /// Everything that the query means.
    pub fn find(
        &self,
        document: &Document,
        prepared: &PreparedDocument,
        query: &str,
        options: &FindOptions,
    ) -> Result<Findings, FindError> {
        if prepared.content_hash != document.content_hash() {
            return Err(FindError::OtherDocument);
        }
        // Checks the query's length before any model sees it.
        let mut finder = Finder::new(query, options.lexical)?;
        let speller = Speller {
            documents: std::slice::from_ref(document),
            entities: &prepared.entities,
            knowledge: self.knowledge,
            encoder: self.encoder,
        };
        let (query, corrections) = match options.correct_typos {
            true => speller.correct(query),
            false => (query.to_owned(), Vec::new()),
        };
        if !corrections.is_empty() {
            finder = Finder::new(&query, options.lexical)?;
        }
        let asked = query::ParsedQuery::read(&query);
        let by_letters = finder.find(document.text());
        let is_the_query = score::NamedQuery::from_query(&query, &by_letters, self.knowledge);
        let by_letters = label_corrected(by_letters, &corrections);
        let mut evidence = score::weigh_entities(self, prepared, &asked, &is_the_query, options.without)?;
        let by_encoder: Vec<f32> = evidence.iter().map(|entity| entity.log_odds).collect();
        let cached_judge =
            self.cached_judge.as_ref().filter(|_| options.speed == Speed::Judged && asked.values.is_empty());
        let judged = match cached_judge {
            Some(cached_judge) => {
                Some(cached_judge.judge(document, prepared, &asked, &mut evidence, options)?)
            }
            None => None,
        };
        let mut ranking: Vec<EntityEvidence> = evidence.clone();
        ranking.sort_by(|a, b| b.log_odds.total_cmp(&a.log_odds).then(a.entity.cmp(&b.entity)));

        let mut matches = Vec::new();
        let decision = Decision { searcher: self, query: &query, by_encoder: &by_encoder, judged: &judged };
        // A query for dates wants no names.
        let kept =
            if asked.values.is_empty() { decision.choose(&evidence, &ranking, options) } else { Vec::new() };
        for evidence in kept {
            let entity = &prepared.entities[evidence.entity];
            let why = explain::by_meaning(entity, &evidence, &asked);
            let shown = |at: &&Occurrence| options.descriptions || at.found != OccurrenceOrigin::Described;
            for &Occurrence { span, .. } in entity.mentions.iter().filter(shown) {
                matches.push(Match {
                    span,
                    kind: MatchKind::Meaning,
                    score: probability(evidence.log_odds),
                    entity: Some(evidence.entity),
                    why: why.clone(),
                });
            }
        }
        list::add_values(&mut matches, prepared, &asked);
        let matches = list::join(matches, by_letters, options.order);
        let (judged, coverage) = (judged.is_some(), prepared.coverage.clone());
        Ok(Findings { query, corrections, matches, ranking, coverage, judged })
    }
}

/// What decides which entities are kept.
struct Decision<'d> {
    searcher: &'d Searcher<'d>,
    query: &'d str,
    /// The encoder's log-odds of every entity.
    by_encoder: &'d [f32],
    judged: &'d Option<judging::Judgement>,
}

impl Decision<'_> {
    fn choose(
        &self,
        evidence: &[EntityEvidence],
        ranking: &[EntityEvidence],
        options: &FindOptions,
    ) -> Vec<EntityEvidence> {
        match options.keep {
            KeepRule::All => ranking.to_vec(),
            KeepRule::Best(most) => ranking.iter().take(most).cloned().collect(),
            KeepRule::AtLeast(least) => {
                ranking.iter().filter(|entity| probability(entity.log_odds) >= least).cloned().collect()
            }
            KeepRule::Decided | KeepRule::Expected => {
                let expected = options.keep == KeepRule::Expected;
                let by_encoder = || self.decide_by_encoder(options);
                let kept = match self.judged {
                    Some(judged) => {
                        let log_odds: Vec<f32> = evidence.iter().map(|entity| entity.log_odds).collect();
                        judged.decide(self.query, &log_odds, expected, by_encoder)
                    }
                    None => by_encoder(),
                };
                evidence
                    .iter()
                    .zip(kept)
                    .filter(|(_, kept)| *kept)
                    .map(|(entity, _)| entity.clone())
                    .collect()
            }
        }
    }

    fn decide_by_encoder(&self, options: &FindOptions) -> Vec<bool> {
        let log_odds: Vec<f32> = self.by_encoder.iter().copied().chain(options.best_elsewhere).collect();
        let encoder = self.searcher.encoder;
        let rule = match options.without {
            Some(EvidenceSource::Internal) => encoder.decision(),
            _ => encoder.mixed_decision(),
        };
        match options.keep {
            // In a book the judge reads only the likeliest, and keeps the best of them: no second one by the encoder.
            KeepRule::Expected if self.judged.is_none() => rule.keep_expected(&log_odds),
            _ => rule.keep(self.query, &log_odds),
        }
    }
}
