//! Why a match is one: the mention, the entity it was taken for, and the fact that spoke loudest.

use rust_stemmers::{Algorithm, Stemmer};

use super::query::ParsedQuery;
use super::score::EntityEvidence;
use crate::index::PreparedEntity;
use crate::lexical::{LexicalKind, Reason};

/// Why a place is a match.
#[derive(Clone, Debug, PartialEq)]
pub enum MatchReason {
    /// The query's words stand there.
    Words,
    /// The query's words stand there in another spelling.
    Spelling(Reason),
    /// What stands there satisfies the query.
    Meaning {
        /// What it was taken for.
        entity: String,
        /// What is known that speaks for it; empty when only the document speaks for it.
        fact: String,
        /// What the document itself says that it is; empty when it does not say.
        page: String,
        /// Log-odds by outside knowledge.
        knowledge: Option<f32>,
        /// Log-odds by what the document says.
        context: Option<f32>,
        /// Log-odds by the judge that read both with the query, where one was asked.
        judge: Option<f32>,
    },
    /// A value of the kind asked for.
    Value,
}

impl std::fmt::Display for MatchReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Words => f.write_str(LexicalKind::Exact.explain()),
            Self::Spelling(reason) => f.write_str(reason.explain()),
            Self::Meaning { entity, fact, page, knowledge, context, judge } => {
                match (fact.as_str(), page.as_str()) {
                    ("", "") => write!(f, "{entity}, by what the text says about it")?,
                    ("", page) => write!(f, "{entity}; the page: {page}")?,
                    (fact, "") => write!(f, "{entity}: {fact}")?,
                    (fact, page) => write!(f, "{entity}: {fact}; the page: {page}")?,
                }
                let shown = |odds: &Option<f32>| odds.map_or("none".to_owned(), |odds| format!("{odds:+.1}"));
                write!(f, " (knowledge {}, context {}", shown(knowledge), shown(context))?;
                match judge {
                    Some(judge) => write!(f, ", judge {judge:+.1})"),
                    None => f.write_str(")"),
                }
            }
            Self::Value => f.write_str("a value of the kind asked for"),
        }
    }
}

impl From<LexicalKind> for MatchReason {
    fn from(kind: LexicalKind) -> Self {
        match kind {
            LexicalKind::Exact => Self::Words,
            LexicalKind::Fuzzy(reason) => Self::Spelling(reason),
        }
    }
}

/// Why an entity answers.
pub(super) fn by_meaning(
    entity: &PreparedEntity,
    evidence: &EntityEvidence,
    asked: &ParsedQuery,
) -> MatchReason {
    let fact = if evidence.knowledge.is_some() { deciding_fact(entity, &asked.wanted) } else { "" };
    MatchReason::Meaning {
        entity: entity.name.clone(),
        fact: fact.to_owned(),
        page: entity.page_word.to_string(),
        knowledge: evidence.knowledge,
        context: evidence.context,
        judge: evidence.judge,
    }
}

/// The phrase of what is known that shares most with the query; the first one when none does.
fn deciding_fact<'e>(entity: &'e PreparedEntity, query: &str) -> &'e str {
    let known = entity.knowledge.strip_prefix(entity.name.as_str()).unwrap_or(&entity.knowledge);
    let stemmer = Stemmer::create(Algorithm::English);
    let stems = |text: &str| -> Vec<String> {
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 2);
        words.map(|word| stemmer.stem(&word.to_lowercase()).into_owned()).collect()
    };
    let wanted = stems(query);
    let facts = known.trim_start_matches(['.', ' ']).split("; ").filter(|fact| !fact.is_empty());
    let mut best = ("", -1);
    for fact in facts {
        let shared = stems(fact).iter().filter(|stem| wanted.contains(stem)).count() as i32;
        if shared > best.1 {
            best = (fact, shared);
        }
    }
    best.0
}
