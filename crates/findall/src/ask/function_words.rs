//! Small words that hold sentences together and answer nothing: which of them may not stand alone, open or end an
//! answer.

/// Pronouns and pointers: no answer on their own.
const PRONOUNS: &str = "he she it they them him her his hers its their theirs we us our you your i me my this that these \
    those there here who whom whose which what when where why how";
const ARTICLES: &str = "a an the";
const CONJUNCTIONS: &str = "and or but nor so yet than if as because while although though whereas";
const PREPOSITIONS: &str = "of by at in on from for with into to onto upon via per";
const AUXILIARIES: &str = "is are was were be been being am has have had do does did";
const MODALS: &str = "will would shall should can could may might must";
const RELATIVES: &str = "that which who whom whose";
const POSSESSIVES: &str = "his her its their my your our";

fn stands_in(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|other| other.eq_ignore_ascii_case(word))
}

/// True for a word that answers nothing on its own.
pub(super) fn is_function_word(word: &str) -> bool {
    // Letters in capitals abbreviate: "IT", "US", "WHO".
    let abbreviates = word.len() > 1 && word.chars().all(char::is_uppercase);
    let lists = [PRONOUNS, ARTICLES, CONJUNCTIONS, PREPOSITIONS, AUXILIARIES, MODALS, RELATIVES];
    !abbreviates && lists.iter().any(|list| stands_in(list, word))
}

/// True for a word that opens no answer; `next` follows it. "is not allowed" says something that "not allowed" does not.
pub(super) fn leads_nowhere(word: &str, next: &str) -> bool {
    let denies = matches!(next, "not" | "never" | "no");
    let plain = word.chars().all(char::is_lowercase);
    plain
        && ([CONJUNCTIONS, PREPOSITIONS, RELATIVES].iter().any(|list| stands_in(list, word))
            || (!denies && stands_in(AUXILIARIES, word)))
}

/// True for a word that may open a manner or a reason: "by adding salt", "to help".
pub(super) fn may_lead_how(word: &str) -> bool {
    stands_in(PREPOSITIONS, word) || matches!(word, "because" | "if" | "while" | "as")
}

/// True for a word that ends no answer.
pub(super) fn trails_nowhere(word: &str) -> bool {
    let plain = word.chars().all(char::is_lowercase);
    let lists = [ARTICLES, CONJUNCTIONS, PREPOSITIONS, AUXILIARIES, MODALS, RELATIVES, POSSESSIVES];
    plain && lists.iter().any(|list| stands_in(list, word))
}
