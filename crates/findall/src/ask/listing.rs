//! Questions that want a list: "Who are the senators here?", "Which companies are mentioned?". A question in, the query
//! that find answers out. Precision first: a question that a sentence answers is no list.

use super::ASK_WORD_LISTS;
use super::question::normalise;
use crate::word_list::WordList;

/// Longer descriptions are clauses, which a sentence answers.
const MAX_KIND_WORDS: usize = 5;

/// What says that the page itself is meant.
const PAGE_PHRASES: &[&str] = &[
    "here",
    "on this page",
    "on page",
    "on this site",
    "in this article",
    "in article",
    "in this text",
    "in text",
    "in this document",
    "in document",
    "in this page",
    "in this story",
    "in this list",
    "in this book",
    "in this chapter",
    "in this paper",
];

/// What is done to things that a page names.
const MENTION_VERBS: &[&str] =
    &["mentioned", "named", "listed", "talked about", "discussed", "referred to", "mentioned by name"];

/// The query that a list question asks find; nothing for any other question.
pub(crate) fn query_of(question: &str) -> Option<String> {
    let key = normalise(question);
    let (rest, here) = strip_here(&key);
    let (rest, mentioned) = strip_mentioned(rest);
    let points = here || mentioned;
    if points && matches!(rest, "who" | "who is" | "who are" | "who all is" | "who all are") {
        return Some("people".into());
    }
    let kind = match rest.split_once(' ')? {
        ("who" | "what" | "which", rest)
            if rest.starts_with("are ") && (points || key.starts_with("who")) =>
        {
            let rest = &rest["are ".len()..];
            let rest = rest.strip_prefix("all ").unwrap_or(rest);
            match points {
                true => rest.strip_prefix("names of ").unwrap_or(rest),
                // "Who are the hosts of the podcast?" has its answer in one sentence.
                false if rest.contains(" of ") => return None,
                false => rest,
            }
        }
        ("what" | "which", rest) if points => {
            let rest = rest.strip_suffix(" are").or_else(|| rest.strip_suffix(" were")).unwrap_or(rest);
            rest.strip_suffix(" appear").or_else(|| rest.strip_suffix(" occur")).unwrap_or(rest)
        }
        ("list" | "show" | "find" | "name", rest) => {
            let rest = rest.strip_prefix("me ").unwrap_or(rest);
            let all = rest.strip_prefix("all ").or_else(|| rest.strip_prefix("every "));
            if points { all.unwrap_or(rest) } else { all? }
        }
        _ => return None,
    };
    is_kind(kind).then(|| kind.to_owned())
}

fn strip_here(key: &str) -> (&str, bool) {
    let stripped = PAGE_PHRASES.iter().find_map(|here| key.strip_suffix(here)?.strip_suffix(' '));
    (stripped.unwrap_or(key), stripped.is_some())
}

fn strip_mentioned(key: &str) -> (&str, bool) {
    let stripped = MENTION_VERBS.iter().find_map(|done| key.strip_suffix(done)?.strip_suffix(' '));
    let Some(rest) = stripped else { return (key, false) };
    let helped = ["is being", "are being", "are", "were", "is", "get"];
    let bare = helped.iter().find_map(|verb| rest.strip_suffix(verb)?.strip_suffix(' '));
    // "who are mentioned" is "who", "which companies are mentioned" is "which companies".
    (bare.unwrap_or(rest), true)
}

/// True for words that name a kind of things, more than one: "senators", "German car makers".
fn is_kind(words: &str) -> bool {
    // A clause, or what was talked about before: a sentence answers that.
    static CLAUSE_WORDS: WordList = WordList::new(ASK_WORD_LISTS, "clause");
    let all: Vec<&str> = words.split(' ').collect();
    let clause = all.iter().any(|word| CLAUSE_WORDS.contains(word));
    let head = all.iter().position(|word| matches!(*word, "from" | "in" | "of" | "by" | "with" | "at"));
    let head = head.unwrap_or(all.len()).checked_sub(1).and_then(|at| all.get(at));
    (1..=MAX_KIND_WORDS).contains(&all.len()) && !clause && head.is_some_and(|head| is_plural(head))
}

/// True for a plural noun.
fn is_plural(word: &str) -> bool {
    const IRREGULAR_PLURALS: &str =
        "people men women children feet teeth mice geese criteria alumni media series species data";
    let singular = ["ss", "us", "is"].iter().any(|end| word.ends_with(end));
    (word.len() > 3 && word.ends_with('s') && !singular && !word.ends_with("'s"))
        || IRREGULAR_PLURALS.split_whitespace().any(|other| other == word)
}

/// True when a question wants more than one thing, by its words: "which apps were down", "who were the other editors".
pub(super) fn wants_several(question: &str) -> bool {
    let key = normalise(question);
    let words: Vec<&str> = key.split(' ').collect();
    const SMALL_NUMBER_WORDS: &str = "two three four five six seven eight nine ten several";
    let numbered =
        words.iter().take(4).any(|word| SMALL_NUMBER_WORDS.split(' ').any(|number| number == *word));
    let opens = match words.as_slice() {
        ["who" | "what" | "which", "are" | "were", ..] | ["list" | "name", ..] => true,
        ["which" | "what", rest @ ..] => {
            let until = rest.iter().position(|word| NOUN_ENDING_VERBS.contains(word)).unwrap_or(1).min(3);
            // "which mills closed in spring": the verb after the noun may be one that is not in the list.
            let noun = rest[..until].iter().rev().find(|word| !word.ends_with("ed"));
            noun.is_some_and(|noun| is_plural(noun))
        }
        _ => false,
    };
    opens || numbered
}

static NOUN_ENDING_VERBS: WordList = WordList::new(ASK_WORD_LISTS, "ends-noun");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_noticed_by_their_form() {
        for (question, query) in [
            ("who are the senators here?", "senators"),
            ("Who are the senators?", "senators"),
            ("Which companies are mentioned?", "companies"),
            ("Which companies are mentioned on this page?", "companies"),
            ("What German car makers are named in this article?", "german car makers"),
            ("what cities are here", "cities"),
            ("which rivers in Europe are listed", "rivers in europe"),
            ("list all phone numbers", "phone numbers"),
            ("Please list the people mentioned here", "people"),
            ("Who is mentioned here?", "people"),
            ("what are the names of the banks mentioned here?", "banks"),
        ] {
            assert_eq!(query_of(question).as_deref(), Some(query), "{question}");
        }
    }

    #[test]
    fn what_a_sentence_answers_is_no_list() {
        for question in [
            "Which companies did NASA pick?",
            "who are the women who accused him",
            "who are the hosts of the podcast?",
            "What are humectants?",
            "what are the symptoms",
            "name of the new slim-armed skin",
            "Which company is mentioned?",
            "Who is here?x",
            "who are they",
            "What does push mean here?",
            "what is a lambda here",
            "who are the three kings",
            "How many companies are mentioned?",
            "find the exit",
        ] {
            assert_eq!(query_of(question), None, "{question}");
        }
    }

    #[test]
    fn several_are_wanted_by_plural_nouns() {
        for question in [
            "which apps were down",
            "what packages do i need on fedora?",
            "who were the other editors?",
            "What two cities hosted it?",
        ] {
            assert!(wants_several(question), "{question}");
        }
        for question in ["who sang it", "which bus goes there", "what is the address", "Which app was down?"]
        {
            assert!(!wants_several(question), "{question}");
        }
    }
}
