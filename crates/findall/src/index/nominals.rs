//! Descriptions that stand for an entity: in "Weibo is an open network site", the words "network site" are Weibo.
//!
//! Found by rule, and only right after a mention, where the rule is reliable: a form of "to be" or a comma, an
//! article, a few words, and then the end of the noun phrase.

use super::INDEX_WORD_LISTS;
use super::entities::EntityDraft;
use super::{Occurrence, OccurrenceOrigin};
use crate::span::Span;
use crate::word_list::WordList;

/// Words that may stand between a mention and its description.
const LINKING_VERBS: &[&str] = &["is", "was", "are", "were", "remains", "became", "becomes"];
const DETERMINERS: &[&str] = &["a", "an", "another", "the", "one", "our", "its", "their", "his", "her"];

/// Words that end a noun phrase.
static PHRASE_END_WORDS: WordList = WordList::new(INDEX_WORD_LISTS, "ends-phrase");

/// Words that end a phrase with an article without naming a kind: "the largest", "the same".
static NO_KINDS: WordList = WordList::new(INDEX_WORD_LISTS, "no-kind");

/// Nouns that look like superlatives.
static NOUNS_IN_EST: WordList = WordList::new(INDEX_WORD_LISTS, "noun-in-est");

/// Longest description looked at, in words.
const MAX_DESCRIPTION_WORDS: usize = 8;

/// Adds the descriptions that follow mentions directly.
pub(super) fn describe(text: &str, entities: &mut [EntityDraft]) {
    let mut taken: Vec<Span> = entities.iter().flat_map(|e| e.mentions.iter().map(|m| m.span)).collect();
    taken.sort_unstable();
    for entity in entities {
        let found: Vec<Span> = entity
            .mentions
            .iter()
            .filter_map(|mention| head_after(text, mention.span.end))
            .filter(|span| {
                let at = taken.partition_point(|other| other.end <= span.start);
                taken.get(at).is_none_or(|other| !other.overlaps(span))
            })
            .collect();
        entity
            .mentions
            .extend(found.into_iter().map(|span| Occurrence { span, found: OccurrenceOrigin::Described }));
        entity.mentions.sort_unstable();
        entity.mentions.dedup_by_key(|mention| mention.span);
    }
}

/// The head of the noun phrase that describes what ended at `end`.
fn head_after(text: &str, end: usize) -> Option<Span> {
    let rest = text.get(end..)?;
    let mut words = words(rest, end);
    let first = words.next()?;
    let between = &text[end..first.start];
    let article = match between {
        " " if LINKING_VERBS.contains(&first.slice(text)?) => words.next()?,
        ", " => first,
        _ => return None,
    };
    if !DETERMINERS.contains(&article.slice(text)?) {
        return None;
    }
    let mut last: Option<Span> = None;
    let mut before = article;
    for word in words.take(MAX_DESCRIPTION_WORDS) {
        let gap = &text[before.end..word.start];
        let slice = word.slice(text)?;
        if gap != " " && gap != "-" || PHRASE_END_WORDS.contains(slice) {
            break;
        }
        // A capital begins a name, which is found for itself.
        if slice.starts_with(char::is_uppercase) {
            return None;
        }
        last = Some(word);
        before = word;
    }
    last.filter(|word| word.slice(text).is_some_and(names_a_kind))
}

fn names_a_kind(word: &str) -> bool {
    let superlative = word.ends_with("est") && !NOUNS_IN_EST.contains(word);
    word.len() >= 3 && word.chars().all(char::is_alphabetic) && !superlative && !NO_KINDS.contains(word)
}

fn words(text: &str, offset: usize) -> impl Iterator<Item = Span> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + text[at..].find(|c: char| c.is_alphanumeric())?;
        let length = text[start..]
            .find(|c: char| !(c.is_alphanumeric() || c == '\'' || c == '’'))
            .unwrap_or(text.len() - start);
        at = start + length;
        Some(Span::new(offset + start, offset + at))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_of_descriptions() {
        let cases = [
            ("Weibo| is another popular social media app used in China", Some("app")),
            ("Weibo| is an open network site so users see it", Some("site")),
            ("Ada|, a mathematician, wrote", Some("mathematician")),
            ("Ada|, who wrote", None),
            ("Ada| is the Queen of it", None),
            ("Ada| is tired", None),
            ("Ada| was the youngest; Ben", None),
            ("Ada| is the same.", None),
            ("Ada|, the village priest, came", Some("priest")),
            ("Ada|", None),
        ];
        for (marked, expected) in cases {
            let end = marked.find('|').unwrap();
            let text = marked.replace('|', "");
            assert_eq!(head_after(&text, end).and_then(|span| span.slice(&text)), expected, "{marked}");
        }
    }
}
