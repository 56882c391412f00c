//! Questions as things to be compared: a question in; the key under which its answers are kept, and whether another
//! question asks the same, out.

use rust_stemmers::{Algorithm, Stemmer};

use super::ASK_WORD_LISTS;
use crate::lexical::fold_str;
use crate::tuning::tuning;
use crate::word_list::WordList;

/// Cosine of two questions' embeddings from which they may ask the same; [`asks_the_same`] decides. Alone it never
/// does: of SQuAD 2.0's questions about one article that lie nearer than 0.95, one in eighteen has the same answer (six
/// in ten where both have one), because people swap "old" for "new" and keep the rest.
pub fn min_same_question_cosine() -> f32 {
    tuning().ask.min_same_question_cosine
}

/// Words before a question that ask for nothing.
const POLITE_PHRASES: &[&str] = &[
    "can you please tell me",
    "could you please tell me",
    "can you tell me",
    "could you tell me",
    "do you know",
    "i want to know",
    "i would like to know",
    "please tell me",
    "tell me",
    "please",
    "and",
    "so",
    "well",
    "hey",
    "hi",
    "hello",
    "ok",
];

/// The question's key: the same however it is cased, spaced, accented, punctuated or politely introduced. Empty when
/// nothing is asked.
pub fn normalise(question: &str) -> String {
    let folded: String = fold_str(question).into_iter().collect();
    let mut words: Vec<&str> = Vec::new();
    for word in folded.split(' ') {
        let word = word.trim_matches(['?', '!', '.', ',', ';', ':', '"', '\'', '(', ')', '[', ']', '¿', '¡']);
        match word.strip_suffix("'s").filter(|word| QUESTION_WORDS.contains(word)) {
            Some(asked) => words.extend([asked, "is"]),
            None if word == "the" || word.is_empty() => {}
            None => words.push(word),
        }
    }
    let mut rest = words.join(" ");
    while let Some(shorter) = POLITE_PHRASES
        .iter()
        .find_map(|polite| rest.strip_prefix(polite)?.strip_prefix(' ').map(str::to_owned))
    {
        rest = shorter;
    }
    rest.strip_suffix(" please").map(str::to_owned).unwrap_or(rest)
}

const QUESTION_WORDS: &[&str] =
    &["what", "who", "whom", "whose", "when", "where", "which", "why", "how", "many", "much"];

/// True when two questions ask the same: they have the same telling words, in whatever form, in the same order. Of 34
/// such pairs about one article in SQuAD's sets, 26 share an answer letter by letter and three more in substance.
/// `likeness` is the cosine of their embeddings (`TextKind::Query`).
pub fn asks_the_same(one: &str, other: &str, likeness: f32) -> bool {
    let (one, other) = (normalise(one), normalise(other));
    one == other
        || (likeness >= min_same_question_cosine()
            && !one.is_empty()
            && telling_words(&one) == telling_words(&other))
}

fn telling_words(normalised: &str) -> Vec<String> {
    let stemmer = Stemmer::create(Algorithm::English);
    let telling = normalised.split(' ').filter(|word| !OPTIONAL_QUESTION_WORDS.contains(word));
    telling.map(|word| stemmer.stem(word.strip_suffix("'s").unwrap_or(word)).into_owned()).collect()
}

/// Words that come and go between two wordings of one question.
static OPTIONAL_QUESTION_WORDS: WordList = WordList::new(ASK_WORD_LISTS, "harmless");

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_question_has_one_key() {
        let cases = [
            ("When was BERT invented?", "when was bert invented"),
            ("  when  was   BERT invented ", "when was bert invented"),
            ("Please tell me: when was \u{201c}BERT\u{201d} invented?!", "when was bert invented"),
            ("What's the Café's name?", "what is cafe's name"),
            ("Could you tell me who won, please?", "who won"),
            ("What is C++?", "what is c++"),
            ("What is C?", "what is c"),
            ("???", ""),
        ];
        for (question, key) in cases {
            assert_eq!(normalise(question), key, "{question}");
        }
    }

    #[test]
    fn wordings_are_the_same_and_swapped_words_are_not() {
        for (one, other) in [
            ("When was BERT invented?", "when  bert was invented"),
            ("Which teachings were criticised by Nagarjuna?", "Which teaching was criticised by Nagarjuna?"),
        ] {
            assert!(asks_the_same(one, other, 0.99), "{one} {other}");
        }
        for (one, other) in [
            ("When was BERT invented?", "When was GPT invented?"),
            ("Who won in 1990?", "Who won in 1991?"),
            ("When did he win?", "Where did he win?"),
            ("Which ones are green?", "Which ones are not green?"),
            ("Who defeated Montcalm?", "Who was defeated by Montcalm?"),
            ("What were requests made to them?", "What were requests made from them?"),
            ("?", "Who?"),
        ] {
            assert!(!asks_the_same(one, other, 0.99), "{one} {other}");
        }
    }

    proptest! {
        #[test]
        fn keys_are_keys_of_themselves(question in ".{0,60}") {
            let key = normalise(&question);
            prop_assert_eq!(normalise(&key), key.clone());
        }

        #[test]
        fn case_and_spacing_do_not_matter(words in prop::collection::vec("[a-z]{1,8}", 1..8)) {
            let (one, other) = (words.join(" "), words.join("  ").to_uppercase());
            prop_assert_eq!(normalise(&one), normalise(&other));
        }
    }
}
