//! Corrections as training data: one question a line in the manner of SQuAD, with what was rejected beside it.

use std::io::Write;

use serde::Serialize;

use super::Scope;
use super::line::{FeedbackLine, Line};
use crate::error::StoreError;
use crate::store::Store;

/// One line. The context is the passage that the person let be kept, or the few words around the span.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TrainingRow {
    /// The correction's mark.
    pub id: String,
    /// The page's title, or nothing.
    pub title: String,
    /// Text that holds the answer.
    pub context: String,
    /// As it was asked.
    pub question: String,
    /// The right span.
    pub answers: Answers,
    /// Always false: a correction names a span.
    pub is_impossible: bool,
    /// Quotes that persons said are no answer.
    pub wrong: Vec<String>,
}

/// Spans, in characters as SQuAD has them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Answers {
    /// Their words.
    pub text: Vec<String>,
    /// Where they begin in the context.
    pub answer_start: Vec<usize>,
}

/// Writes every correction that names a right span and was not taken back. Returns how many.
pub fn write_corrections(store: &dyn Store, out: &mut dyn Write) -> Result<u64, StoreError> {
    let mut titles = std::collections::HashMap::new();
    let mut written = 0;
    store.export(Scope::Corrected, &mut |line| {
        match line {
            Line::Page(page) => {
                titles.insert(page.key, page.title.unwrap_or_default());
            }
            Line::Question(question) => {
                let taken_back = |right: &FeedbackLine| {
                    let place = crate::Selector::from(right.selector.clone());
                    question.feedback.iter().any(|other| {
                        !other.right
                            && other.at >= right.at
                            && place.same_place(&other.selector.clone().into())
                    })
                };
                let wrong = question.feedback.iter().filter(|word| !word.right);
                let wrong: Vec<String> = wrong.map(|word| word.selector.quote.clone()).collect();
                for right in question.feedback.iter().filter(|word| word.right && !taken_back(word)) {
                    let (context, start) = context(right);
                    let row = TrainingRow {
                        id: right.mark.clone(),
                        title: titles.get(&question.page).cloned().unwrap_or_default(),
                        context,
                        question: question.text.clone(),
                        answers: Answers {
                            text: vec![right.selector.quote.clone()],
                            answer_start: vec![start],
                        },
                        is_impossible: false,
                        wrong: wrong.clone(),
                    };
                    serde_json::to_writer(&mut *out, &row).map_err(std::io::Error::from)?;
                    out.write_all(b"\n")?;
                    written += 1;
                }
            }
            Line::Store { .. } | Line::Settings { .. } | Line::End { .. } => {}
        }
        Ok(())
    })?;
    Ok(written)
}

/// The passage and where the quote begins in it; where the passage does not hold it, the selector's own words.
fn context(word: &FeedbackLine) -> (String, usize) {
    let selector = &word.selector;
    // The quote may stand in the passage more than once: the one with the selector's words before it is meant.
    let longest = selector.prefix.char_indices().map(|(at, _)| &selector.prefix[at..]);
    let found = longest.chain([""]).find_map(|before| {
        let at = word.passage.find(&format!("{before}{}", selector.quote))?;
        Some(at + before.len())
    });
    match found {
        Some(at) => (word.passage.clone(), word.passage[..at].chars().count()),
        None => {
            let context = format!("{}{}{}", selector.prefix, selector.quote, selector.suffix);
            (context, selector.prefix.chars().count())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exchange::SelectorLine;

    #[test]
    fn the_context_holds_the_quote_where_it_says() {
        let selector =
            SelectorLine { quote: "1901".into(), prefix: "lit in ".into(), suffix: " by".into(), start: 0 };
        let word = |passage: &str| FeedbackLine {
            mark: String::new(),
            content: String::new(),
            right: true,
            selector: selector.clone(),
            passage: passage.into(),
            at: 0,
        };
        for (passage, expected) in [
            ("Né en 1901, the lamp was lit in 1901 by Ada.", 32),
            ("In 1901 something else.", 3),
            ("not in here", 7),
            ("", 7),
        ] {
            let (context, start) = context(&word(passage));
            assert_eq!(start, expected, "{passage}");
            assert!(context.chars().skip(start).collect::<String>().starts_with("1901"));
        }
    }
}
