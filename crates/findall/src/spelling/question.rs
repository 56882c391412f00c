//! Typing errors in a question: as in a query, and a short word that opens the question and is one letter from a
//! question word ("Wat is BERT?").

use std::collections::HashSet;

use super::{QueryCorrection, WordSource, apply, correct, with_case_of};
use crate::document::Document;
use crate::encode::Encoder;
use crate::knowledge::KnowledgeBase;
use crate::lexical::{distance, words};

const OPENINGS: &[&str] = &["what", "who", "when", "where", "which", "why", "how", "whose", "whom"];

/// The question with its typing errors corrected, and what was corrected. Words that occur in the documents are
/// never touched.
pub(crate) fn correct_question(
    question: &str,
    documents: &[Document],
    knowledge: &KnowledgeBase,
    encoder: &dyn Encoder,
) -> (String, Vec<QueryCorrection>) {
    let known = WordSource { documents, entities: &[], knowledge, encoder };
    let mut corrections = correct(question, &known);
    if let Some(opening) = opening(question, documents, encoder)
        && corrections.first().is_none_or(|first| first.span.start >= opening.span.end)
    {
        corrections.insert(0, opening);
    }
    (apply(question, &corrections), corrections)
}

fn opening(question: &str, documents: &[Document], encoder: &dyn Encoder) -> Option<QueryCorrection> {
    let span = words::Words::new(question).next()?;
    let typed = span.slice(question)?;
    let lower = typed.to_lowercase();
    let chars: Vec<char> = lower.chars().collect();
    // Vocabularies hold many short strings that open no question.
    let known = chars.len() > 3 && encoder.knows_word(&lower);
    if !(2..=6).contains(&chars.len()) || known || OPENINGS.contains(&lower.as_str()) {
        return None;
    }
    let near = |opening: &&&str| {
        let opening: Vec<char> = opening.chars().collect();
        distance::within(&chars, &opening, 1).is_some()
    };
    let to = OPENINGS.iter().find(near)?;
    let occurs = |document: &Document| {
        let text = document.text();
        let words: HashSet<&str> = words::Words::new(text).filter_map(|word| word.slice(text)).collect();
        words.contains(typed)
    };
    if documents.iter().any(occurs) {
        return None;
    }
    Some(QueryCorrection { span, from: typed.to_owned(), to: with_case_of(typed, to) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{BagOfWords, small_knowledge};

    fn corrected(question: &str, text: &str) -> String {
        let document = Document::from_text(text);
        correct_question(question, std::slice::from_ref(&document), &small_knowledge(), &BagOfWords).0
    }

    #[test]
    fn questions_are_corrected_from_the_document() {
        assert_eq!(
            corrected("Wat is a transformer?", "A transformer changes voltage."),
            "What is a transformer?"
        );
        assert_eq!(
            corrected("What is a tranformer?", "A transformer changes voltage."),
            "What is a transformer?"
        );
        assert_eq!(
            corrected("Wat is Thai for temple?", "Wat is Thai for temple."),
            "Wat is Thai for temple?"
        );
        assert_eq!(corrected("What is it?", "A transformer."), "What is it?");
    }
}
