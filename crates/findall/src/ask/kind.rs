//! What kind of answer a question wants: words that stand in the text, yes or no, or a number that may have to be
//! counted. A reader that marks spans can only do the first, and the last where the text states the number.

use super::ASK_WORD_LISTS;
use super::listing;
use super::question::normalise;
use crate::word_list::WordList;

/// What would answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum QuestionKind {
    /// Words of the text.
    Span,
    /// Yes or no.
    YesNo,
    /// A number of things.
    Count,
    /// Everything of a kind that the text names: find's matches.
    List,
}

impl QuestionKind {
    /// The kind of a question.
    pub fn of(question: &str) -> Self {
        let key = normalise(question);
        let words: Vec<&str> = key.split(' ').collect();
        if listing::query_of(question).is_some() {
            return Self::List;
        }
        if matches!(words[..], ["how", "many", _, ..] | ["what", "number", "of", _, ..])
            || key.starts_with("what is number of ")
            || key.starts_with("count ")
        {
            return Self::Count;
        }
        // "Was it the first or the second?" has its answer in the text.
        if words.len() > 2 && YES_NO_OPENERS.contains(words[0]) && !words.contains(&"or") {
            return Self::YesNo;
        }
        Self::Span
    }

    /// The word that people and programs see.
    pub fn name(self) -> &'static str {
        match self {
            Self::Span => "span",
            Self::YesNo => "yes-no",
            Self::Count => "count",
            Self::List => "list",
        }
    }
}

/// True when a question wants a manner or a reason.
pub(super) fn asks_how(question: &str) -> bool {
    let key = normalise(question);
    let mut words = key.split(' ');
    match (words.next(), words.next()) {
        (Some("why"), _) => true,
        (Some("how"), next) => !matches!(
            next,
            Some("many" | "much" | "old" | "long" | "far" | "big" | "tall" | "often" | "fast")
        ),
        _ => false,
    }
}

static YES_NO_OPENERS: WordList = WordList::new(ASK_WORD_LISTS, "opens-yes-no");

/// The question that asks for the things to be counted: "How many bridges cross it?" becomes "Which bridges cross it?".
pub(super) fn things_to_count(question: &str) -> Option<String> {
    let key = normalise(question);
    let openings = ["how many ", "what number of ", "what is number of ", "count "];
    let rest = openings.iter().find_map(|opening| key.strip_prefix(opening))?;
    let trimmed = question.trim_end().trim_end_matches('?');
    // The key lost its capitals; names read better with them.
    let from = trimmed.char_indices().map(|(at, _)| &trimmed[at..]).find(|tail| normalise(tail) == rest);
    Some(format!("Which {}?", from.unwrap_or(rest).trim_start()))
}

/// True when a span states a number, in digits or in words.
pub(super) fn states_number(span: &str) -> bool {
    let number = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_digit()) || NUMBERS.contains(&word.to_ascii_lowercase())
    };
    span.split(|c: char| !c.is_alphanumeric()).any(number)
}

static NUMBERS: WordList = WordList::new(ASK_WORD_LISTS, "number");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_told_by_how_a_question_opens() {
        let cases = [
            ("Who built the mill?", QuestionKind::Span),
            ("Did the mill burn down?", QuestionKind::YesNo),
            ("Please tell me, was it sold?", QuestionKind::YesNo),
            ("Was it sold in 1890 or in 1902?", QuestionKind::Span),
            ("Will", QuestionKind::Span),
            ("How many mills burned down?", QuestionKind::Count),
            ("What's the number of mills?", QuestionKind::Count),
            ("How much did it cost?", QuestionKind::Span),
            ("In which year was it sold?", QuestionKind::Span),
            ("Which mills are mentioned here?", QuestionKind::List),
        ];
        for (question, kind) in cases {
            assert_eq!(QuestionKind::of(question), kind, "{question}");
        }
    }

    #[test]
    fn manners_and_reasons_are_told_from_amounts() {
        assert!(asks_how("Why did it burn?") && asks_how("how do I mill flour"));
        assert!(!asks_how("How much flour?") && !asks_how("Who?"));
    }

    #[test]
    fn counting_asks_for_the_things() {
        assert_eq!(
            things_to_count("How many bridges cross the Orwell?").unwrap(),
            "Which bridges cross the Orwell?"
        );
        assert_eq!(things_to_count("Who?"), None);
        assert!(states_number("25 million people") && states_number("Twelve") && states_number("only two"));
        assert!(!states_number("the bridges of Ipswich"));
    }
}
