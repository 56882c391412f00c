//! Long lists from long texts: a subject and a relation enter, all objects that a book gives leave, ranked, each with
//! its support in the text. After L3X (Singhania et al. 2024), with a generator that needs no network, and one that asks
//! a larger model where a person names one.
//!
//! ```text
//! Book ─▶ Pool ─▶ Ranked ─▶ batches ─▶ Candidate ─▶ ListedObject
//!        (pool)  (rerank)             (generate)    (scrutiny, judge)
//!   └─▶ Reading ─▶ ties, pairs ─▶ Graph ────────────────┘
//! ```
//!
//! Stage 1 is for recall: passages are retrieved by words and by meaning, re-ranked and batched, and the generator
//! names every candidate that a batch gives. Stage 2 is for precision: candidates are tested and ranked. What a book
//! says of its people (ties), whom they are met with (pairs), and what follows from both (graph) is worked out once a
//! book and serves all lists.

mod book;
mod generate;
mod graph;
mod hints;
mod judge;
mod larger;
mod letters;
mod options;
mod pairs;
mod pool;
mod prompts;
mod reading;
mod relation;
mod rerank;
mod scrutiny;
mod ties;
mod tokens;
mod verbs;
mod weights;

pub use book::{Book, Helpers, ListedObject, Listing, Stage, Support};
pub use larger::{LargerListModel, LargerModelReport, NameOutsideCast, PromptStyle};
pub use options::{Batching, ListOptions, RerankMethod, Retriever, Scrutiny};
pub use relation::{RELATION_NAMES, Relation, RelationError};
pub(crate) use weights::ListTuning;
pub use weights::{OBJECT_FEATURES, ObjectFeatures};

pub(crate) use pool::STRETCH_OPTIONS;

const RELATION_WORD_LISTS: &str = include_str!("words.txt");

#[cfg(test)]
mod tests;
