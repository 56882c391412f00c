//! What kind of words a question wants: a number, a time or a name. The question's own words say so, the words of an answer
//! whether it is one; where the question does not say, nothing is wanted.

use super::ASK_WORD_LISTS;
use super::kind::states_number;
use super::question::normalise;
use crate::word_list::WordList;

/// A kind of answer that a question's words ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WantedWords {
    /// "How many?", "how far?"
    Number,
    /// "When?", "in which year?", "how long?"
    Time,
    /// "Who?", "whose?"
    Name,
}

const AMOUNT_ADJECTIVES: &str = "many much old tall big fast far large high heavy deep wide";
const NUMBER_NOUNS: &str = "percent percentage number amount price age";
const DURATION_WORDS: &str = "long often";
const TIME_NOUNS: &str = "year date day month time century decade";
/// Words that tell a time without a digit.
static TIME_WORDS: WordList = WordList::new(ASK_WORD_LISTS, "time");

impl WantedWords {
    /// What the first question word of a question asks for.
    pub fn of(question: &str) -> Option<Self> {
        let key = normalise(question);
        let words: Vec<&str> = key.split(' ').collect();
        let (at, opens) = words.iter().enumerate().find(|(_, word)| stands_in(INTERROGATIVES, word))?;
        let next = words.get(at + 1).copied().unwrap_or_default();
        match *opens {
            "how" if stands_in(AMOUNT_ADJECTIVES, next) => Some(Self::Number),
            "how" if stands_in(DURATION_WORDS, next) => Some(Self::Time),
            "who" | "whom" | "whose" => Some(Self::Name),
            "when" => Some(Self::Time),
            "what" | "which" if stands_in(TIME_NOUNS, next) => Some(Self::Time),
            "what" | "which" if stands_in(NUMBER_NOUNS, next) => Some(Self::Number),
            _ => None,
        }
    }

    /// 1 where an answer is of that kind, -1 where it is not.
    pub fn agreement(self, answer: &str) -> f32 {
        let mut words = answer.split(|c: char| !c.is_alphanumeric());
        let agrees = match self {
            Self::Number => states_number(answer),
            Self::Time => {
                states_number(answer) || words.any(|word| TIME_WORDS.contains(&word.to_lowercase()))
            }
            Self::Name => words.any(|word| word.starts_with(char::is_uppercase)),
        };
        if agrees { 1.0 } else { -1.0 }
    }
}

const INTERROGATIVES: &str = "how who whom whose when where why what which";

fn stands_in(list: &str, word: &str) -> bool {
    !word.is_empty() && list.split_whitespace().any(|other| other == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_questions_words_say_what_is_wanted() {
        let cases = [
            ("How many ferries cross the fjord?", Some(WantedWords::Number)),
            ("and how far is the pier", Some(WantedWords::Number)),
            ("How long did the crossing take?", Some(WantedWords::Time)),
            ("In which year was the pier rebuilt?", Some(WantedWords::Time)),
            ("Who's the harbour master?", Some(WantedWords::Name)),
            ("For whom was it named?", Some(WantedWords::Name)),
            ("How do I moor a boat?", None),
            ("Where is the pier?", None),
            ("What floats?", None),
            ("boats", None),
        ];
        for (question, wanted) in cases {
            assert_eq!(WantedWords::of(question), wanted, "{question}");
        }
    }

    #[test]
    fn an_answer_is_of_the_kind_or_not() {
        let cases = [
            (WantedWords::Number, "twelve ferries", "a handful of ferries"),
            (WantedWords::Time, "last Monday", "the old pier"),
            (WantedWords::Time, "1893", "a storm"),
            (WantedWords::Name, "the widow Ida Brandt", "the keeper"),
        ];
        for (wanted, right, wrong) in cases {
            assert_eq!((wanted.agreement(right), wanted.agreement(wrong)), (1.0, -1.0), "{right}, {wrong}");
        }
    }
}
