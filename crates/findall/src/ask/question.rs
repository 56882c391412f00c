//! Questions as things to be compared: a question in; the key under which its answers are kept, and whether another
//! question asks the same, out.

use std::collections::BTreeSet;

use crate::lexical::fold_str;

/// Cosine of two questions' embeddings from which they ask the same, where their names, numbers and question words
/// agree.
pub const SAME_QUESTION: f32 = 0.93;

/// Words before a question that ask for nothing.
const POLITE: &[&str] = &[
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
    while let Some(shorter) =
        POLITE.iter().find_map(|polite| rest.strip_prefix(polite)?.strip_prefix(' ').map(str::to_owned))
    {
        rest = shorter;
    }
    rest.strip_suffix(" please").map(str::to_owned).unwrap_or(rest)
}

const QUESTION_WORDS: &[&str] =
    &["what", "who", "whom", "whose", "when", "where", "which", "why", "how", "many", "much"];

/// True when two questions ask the same: `likeness` is the cosine of their embeddings (`TextKind::Query`).
pub fn asks_the_same(one: &str, other: &str, likeness: f32) -> bool {
    let (first, second) = (normalise(one), normalise(other));
    first == second || (likeness >= SAME_QUESTION && Marks::of(one, &first) == Marks::of(other, &second))
}

/// What two wordings of one question cannot differ in.
#[derive(Debug, PartialEq, Eq)]
struct Marks {
    question_words: BTreeSet<&'static str>,
    numbers: BTreeSet<String>,
    names: BTreeSet<String>,
    negated: bool,
}

impl Marks {
    fn of(question: &str, normalised: &str) -> Self {
        let words: Vec<&str> = normalised.split(' ').collect();
        let has = |word: &str| words.contains(&word);
        // The first word has a capital whatever it is.
        let first = question.split_whitespace().next().map_or(0, str::len) + question.len()
            - question.trim_start().len();
        let rest = &question[first.min(question.len())..];
        let names = rest.split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
        let names = names.filter(|word| word.starts_with(char::is_uppercase));
        Self {
            question_words: QUESTION_WORDS.iter().copied().filter(|word| has(word)).collect(),
            numbers: words
                .iter()
                .filter(|word| word.contains(|c: char| c.is_ascii_digit()))
                .map(|word| word.to_string())
                .collect(),
            names: names.map(normalise).filter(|name| !name.is_empty()).collect(),
            negated: ["not", "never", "no", "without", "except"].iter().any(|word| has(word))
                || words.iter().any(|word| word.ends_with("n't")),
        }
    }
}

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
    fn names_numbers_and_negations_tell_questions_apart() {
        let same = |one, other| asks_the_same(one, other, 0.99);
        assert!(same("When was BERT invented?", "When was BERT made?"));
        assert!(same("who lives here", "Who lives here?"));
        assert!(!same("When was BERT invented?", "When was GPT invented?"));
        assert!(!same("Who won in 1990?", "Who won in 1991?"));
        assert!(!same("When did he win?", "Where did he win?"));
        assert!(!same("Which ones are green?", "Which ones are not green?"));
        assert!(!asks_the_same("When was BERT invented?", "When was BERT sold?", 0.6));
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
