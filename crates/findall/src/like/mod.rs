//! like: an entity and the sentence that shows it enter, with words of the sentence weighted by the person; ranked
//! entities of the same kind in the same kind of context leave, each with its best sentence, new ones first.
//!
//! ```text
//! Document ─▶ AnalysedDocument ─▶ Corpus ─▶ ranked sentences ─▶ AlikeEntity
//!            (analyse)   (corpus)  (paper · ours)      (entities)
//! ```
//! The methods of "Contextual named entity retrieval" (term relevance feedback, seed of this verb) stand in `paper`; the
//! default is `ours`. Where the words stand is asked of a [`CorpusWords`], so that a page in memory and a library of
//! millions of sentences are searched by the same code.

mod analyse;
mod analysed;
mod corpus;
mod entities;
mod ours;
mod paper;
mod suggest;
mod vectors;

pub use analyse::Analyser;
pub use analysed::{AnalysedDocument, AnalysedEntity, AnalysedMention, sentences_of};
pub use corpus::{Bytes, Corpus, CorpusWords, MemoryWords, Part};
pub use entities::{AlikeEntity, AlikeMention};
pub use suggest::{Suggestion, Suggestions, sentence_words};
pub use vectors::{PackedVector, WordVectors};

pub(crate) use ours::{KnowledgeMethod, LikeWeights};
pub(crate) use paper::Paper;
pub(crate) use suggest::suggest;

use crate::encode::ModelError;
use crate::mentions::{MentionTagger, MentionType};
use crate::retrieval::RankedPassage;

/// What the person shows: an entity in its sentence, and which words of it matter.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Example {
    /// The entity's name.
    pub entity: String,
    /// The sentence that names it.
    pub sentence: String,
    /// Words and their weights.
    pub terms: Vec<Term>,
}

/// A word that matters to the person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// The word.
    pub word: String,
    /// How much it matters, 1 to 9: how often it is repeated in the query.
    pub weight: u8,
}

/// The largest weight of a word.
pub const MAX_WORD_WEIGHT: u8 = 9;

/// How sentences are ranked. All but the last are those of the paper.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Method {
    /// Averaged word vectors of the sentence.
    Se,
    /// The same, averaged with those of the best sentences by words.
    SePrf,
    /// The words nearest to the entity's name help to find those sentences.
    SePrfSim,
    /// The person's words do, each once.
    SePrfCw,
    /// The person's words do, each as often as its weight says.
    SePrfCwWeighted,
    /// Contextual vectors, words, and what is known about the entities, fused; one sentence an entity.
    #[default]
    Findall,
}

impl Method {
    /// Every method, in the order of the paper's table.
    pub const ALL: [Method; 6] =
        [Self::Se, Self::SePrf, Self::SePrfSim, Self::SePrfCw, Self::SePrfCwWeighted, Self::Findall];

    /// Its name on the command line and in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Se => "SE",
            Self::SePrf => "SE+PRF",
            Self::SePrfSim => "SE+PRF+CW+Sim",
            Self::SePrfCw => "SE+PRF+CW",
            Self::SePrfCwWeighted => "SE+PRF+CW+weights",
            Self::Findall => "findall",
        }
    }

    /// The method of that name, in any case.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.name().eq_ignore_ascii_case(name))
    }
}

/// How much is asked for, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LikeOptions {
    /// How sentences are ranked.
    pub method: Method,
    /// Most entities given.
    pub top: usize,
    /// Most sentences ranked.
    pub depth: usize,
    /// Keep only sentences that name something of the example's kind.
    pub same_kind: bool,
}

impl Default for LikeOptions {
    fn default() -> Self {
        Self { method: Method::Findall, top: 20, depth: 1000, same_kind: true }
    }
}

/// What is like the example.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LikeFindings {
    /// What sort of thing the example is, if the tagger knows.
    pub kind: Option<MentionType>,
    /// Entities, best first, none twice.
    pub entities: Vec<AlikeEntity>,
    /// Sentences, best first: what the method ranked.
    pub sentences: Vec<RankedPassage>,
}

impl LikeFindings {
    pub(crate) fn of(
        corpus: &Corpus,
        kind: Option<MentionType>,
        kinds: Option<u8>,
        sentences: Vec<RankedPassage>,
        example: &Example,
        top: usize,
    ) -> Self {
        let mut entities = entities::group(&mut entities::Subjects::new(corpus, kinds), &sentences, example);
        entities.truncate(top);
        Self { kind, entities, sentences }
    }
}

/// What sort of thing the example is: the tagger's word on the mention that holds its name, or stands in it.
pub(crate) fn kind_of_example(
    tagger: &dyn MentionTagger,
    example: &Example,
) -> Result<Option<MentionType>, ModelError> {
    let name = example.entity.split(" (").next().unwrap_or_default();
    let text = match example.sentence.contains(name) {
        true => example.sentence.clone(),
        false => format!("{name}: {}", example.sentence),
    };
    let mentions = tagger.tag(&[&text])?.into_iter().next().unwrap_or_default();
    let place = text.find(name).unwrap_or(0);
    let (start, end) = (place, place + name.len());
    let overlapping = mentions.iter().filter(|mention| mention.span.start < end && start < mention.span.end);
    let best = overlapping.max_by_key(|mention| mention.span.end.min(end) - mention.span.start.max(start));
    Ok(best.map(|mention| mention.kind))
}

/// The kinds that a sentence may name to be like an example of this one.
pub(crate) fn kinds_like(kind: MentionType) -> u8 {
    analysed::kind_bit(kind)
}

#[cfg(test)]
mod tests;
