//! Typing errors: a query or question and the documents that it is put to in, what was meant to be typed out.
//!
//! ```text
//! words that stand in no document ─▶ words a letter or two away ─▶ features of each ─▶ the likeliest, or as typed
//!          (speller)                 (choices, vocabulary)         (features, slip)     (speller)
//! ```
//!
//! A word that stands in the documents is never touched. `asked_words` says which words people put beside which.

mod asked_words;
mod choices;
mod features;
mod slip;
mod speller;
mod vocabulary;

use crate::lexical::{LexicalKind, LexicalMatch, Reason};
use crate::span::Span;

pub(crate) use features::SpellingTuning;
pub use features::{SPELLING_FEATURES, SpellingFeatures};
pub use speller::{DoubtfulWord, Speller, SpellingChoice};

/// A word that was taken for a typing error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryCorrection {
    /// Where it stands in the query.
    pub span: Span,
    /// What was typed.
    pub from: String,
    /// What was searched for.
    pub to: String,
}

/// The query with its corrections.
pub fn apply_corrections(query: &str, corrections: &[QueryCorrection]) -> String {
    let mut out = String::with_capacity(query.len());
    let mut at = 0;
    for correction in corrections {
        out.push_str(&query[at..correction.span.start]);
        out.push_str(&correction.to);
        at = correction.span.end;
    }
    out.push_str(&query[at..]);
    out
}

/// Where a typing error was corrected, what was typed stands nowhere: the words found are another spelling of it.
pub(crate) fn label_corrected(
    found: Vec<LexicalMatch>,
    corrections: &[QueryCorrection],
) -> Vec<LexicalMatch> {
    let corrected = |one: LexicalMatch| match one.kind {
        LexicalKind::Exact if !corrections.is_empty() => LexicalMatch {
            kind: LexicalKind::Fuzzy(Reason::Corrected),
            score: Reason::Corrected.score(),
            ..one
        },
        _ => one,
    };
    found.into_iter().map(corrected).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corrections_keep_the_rest_of_the_query() {
        let span = Span::new(7, 16);
        let corrections = [QueryCorrection { span, from: "compnaies".into(), to: "companies".into() }];
        assert_eq!(apply_corrections("German compnaies, all", &corrections), "German companies, all");
    }
}
