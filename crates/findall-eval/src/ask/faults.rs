//! Answers that no person would give: small words alone or at an end, and names that are cut. A document and the first
//! answers to a question in, how many are at fault out. The words are listed here anew, not taken from the engine.

use findall::Span;
use findall::ask::FoundAnswer;
use findall::document::Document;
use findall::mentions::Mention;

/// Answers of each question that are looked at.
const MAX_ANSWERS: usize = 3;

/// No answer is one of these.
const LONE_FAULT_WORDS: &str = "a an the and or but nor of by at in on from for with into to is are was were be been has have had do \
    does did will would can could may might must he she it they this that these those which who whom whose there here";
/// No answer ends in one of these.
const LAST_FAULT_WORDS: &str = "a an the and or but nor of by at from for with into to is are was were be been has have had will \
    would could might which whose";
/// No answer begins with one of these.
const FIRST_FAULT_WORDS: &str = "and or but nor of which whose that";

/// Faults among the answers of one or more questions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// Answers looked at.
    pub answers: usize,
    /// Those that are a function word, begin or end in one.
    pub function_words: usize,
    /// Those that begin or end inside a name.
    pub cut_names: usize,
    /// Those that overlap or repeat one before.
    pub repeated: usize,
}

impl Faults {
    /// Adds those of one question. `mentions` are the names of the whole document.
    pub fn add(&mut self, document: &Document, mentions: &[Mention], answers: &[FoundAnswer]) {
        let mut before: Vec<(Span, String)> = Vec::new();
        for answer in answers.iter().take(MAX_ANSWERS) {
            let span = answer.place.span;
            let words = span.slice(document.text()).unwrap_or_default().to_lowercase();
            self.answers += 1;
            self.function_words += usize::from(has_function_word(&words));
            self.cut_names +=
                usize::from(mentions.iter().any(|mention| cuts_name(document.text(), span, mention.span)));
            let repeats = |(other, same): &(Span, String)| other.overlaps(&span) || *same == words;
            self.repeated += usize::from(before.iter().any(repeats));
            before.push((span, words));
        }
    }
}

fn has_function_word(words: &str) -> bool {
    let is = |list: &str, word: &str| list.split_whitespace().any(|other| other == word);
    let bare: Vec<&str> =
        words.split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric())).collect();
    match bare.as_slice() {
        [] => true,
        [one] => is(LONE_FAULT_WORDS, one),
        [first, .., last] => is(FIRST_FAULT_WORDS, first) || is(LAST_FAULT_WORDS, last),
    }
}

/// True when an answer begins or ends inside a name. A number in a name is whole by itself ("19.23" of "Emacs 19.23").
fn cuts_name(text: &str, answer: Span, name: Span) -> bool {
    if !answer.overlaps(&name) {
        return false;
    }
    let inside = Span::new(name.start.max(answer.start), name.end.min(answer.end));
    inside != name && inside.slice(text).is_some_and(|words| words.contains(char::is_alphabetic))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fragments_are_at_fault() {
        for fragment in ["and", "sudan will", "of the", "which he", ""] {
            assert!(has_function_word(fragment), "{fragment}");
        }
        for answer in ["the mozilla foundation", "no", "by adding salt", "log in"] {
            assert!(!has_function_word(answer), "{answer}");
        }
    }

    #[test]
    fn a_part_of_a_name_is_a_cut_one() {
        let text = "Mozilla Public License 2.0";
        let name = Span::new(0, text.len());
        assert!(cuts_name(text, Span::new(8, 22), name));
        assert!(!cuts_name(text, Span::new(0, text.len()), name));
        assert!(!cuts_name(text, Span::new(23, 26), name), "a number answers for itself");
    }
}
