//! Small words that hold sentences together and answer nothing: which of them may not stand alone, open or end an
//! answer.

use crate::word_list::WordList;

const FUNCTION_WORD_LISTS: &str = include_str!("function_words.txt");

/// Pronouns and pointers: no answer on their own.
static PRONOUNS: WordList = WordList::new(FUNCTION_WORD_LISTS, "pronoun");
static ARTICLES: WordList = WordList::new(FUNCTION_WORD_LISTS, "article");
static CONJUNCTIONS: WordList = WordList::new(FUNCTION_WORD_LISTS, "conjunction");
static PREPOSITIONS: WordList = WordList::new(FUNCTION_WORD_LISTS, "preposition");
static AUXILIARIES: WordList = WordList::new(FUNCTION_WORD_LISTS, "auxiliary");
static MODALS: WordList = WordList::new(FUNCTION_WORD_LISTS, "modal");
static RELATIVES: WordList = WordList::new(FUNCTION_WORD_LISTS, "relative");
static POSSESSIVES: WordList = WordList::new(FUNCTION_WORD_LISTS, "possessive");

fn stands_in(list: &WordList, word: &str) -> bool {
    list.contains(&word.to_ascii_lowercase())
}

/// True for a word that answers nothing on its own.
pub(super) fn is_function_word(word: &str) -> bool {
    // Letters in capitals abbreviate: "IT", "US", "WHO".
    let abbreviates = word.len() > 1 && word.chars().all(char::is_uppercase);
    let lists = [&PRONOUNS, &ARTICLES, &CONJUNCTIONS, &PREPOSITIONS, &AUXILIARIES, &MODALS, &RELATIVES];
    !abbreviates && lists.iter().any(|list| stands_in(list, word))
}

/// True for a word that opens no answer; `next` follows it. "is not allowed" says something that "not allowed" does not.
pub(super) fn leads_nowhere(word: &str, next: &str) -> bool {
    let denies = matches!(next, "not" | "never" | "no");
    let plain = word.chars().all(char::is_lowercase);
    plain
        && ([&CONJUNCTIONS, &PREPOSITIONS, &RELATIVES].iter().any(|list| stands_in(list, word))
            || (!denies && stands_in(&AUXILIARIES, word)))
}

/// True for a word that may open a manner or a reason: "by adding salt", "to help".
pub(super) fn may_lead_how(word: &str) -> bool {
    stands_in(&PREPOSITIONS, word) || matches!(word, "because" | "if" | "while" | "as")
}

/// True for a word that ends no answer.
pub(super) fn trails_nowhere(word: &str) -> bool {
    let plain = word.chars().all(char::is_lowercase);
    let lists = [&ARTICLES, &CONJUNCTIONS, &PREPOSITIONS, &AUXILIARIES, &MODALS, &RELATIVES, &POSSESSIVES];
    plain && lists.iter().any(|list| stands_in(list, word))
}
