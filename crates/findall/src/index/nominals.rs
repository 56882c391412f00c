//! Descriptions that stand for an entity: in "Weibo is an open network site", the words "network site" are Weibo.
//!
//! Found by rule, and only right after a mention, where the rule is reliable: a form of "to be" or a comma, an
//! article, a few words, and then the end of the noun phrase.

use super::entities::EntityDraft;
use super::{Occurrence, OccurrenceOrigin};
use crate::span::Span;

/// Words that may stand between a mention and its description.
const LINKS: &[&str] = &["is", "was", "are", "were", "remains", "became", "becomes"];
const ARTICLES: &[&str] = &["a", "an", "another", "the", "one", "our", "its", "their", "his", "her"];

/// Words that end a noun phrase.
const ENDS: &[&str] = &[
    "about", "across", "after", "against", "among", "and", "are", "around", "as", "at", "because", "before",
    "but", "by", "can", "during", "for", "from", "had", "has", "have", "he", "if", "in", "into", "is", "it",
    "known", "like", "of", "on", "or", "she", "so", "than", "that", "they", "through", "to", "under",
    "until", "used", "was", "we", "were", "when", "where", "which", "while", "who", "whose", "will", "with",
    "within", "without", "would", "you",
];

/// Words that end a phrase with an article without naming a kind: "the largest", "the same".
const NO_KINDS: &[&str] = &[
    "best", "first", "former", "fourth", "last", "latter", "least", "most", "next", "one", "only", "other",
    "others", "same", "second", "third", "worst",
];

/// Nouns that look like superlatives.
const NOUNS_IN_EST: &[&str] = &[
    "arrest", "chest", "conquest", "contest", "crest", "digest", "forest", "guest", "harvest", "inquest",
    "interest", "manifest", "nest", "pest", "priest", "protest", "quest", "request", "rest", "tempest",
    "test", "vest", "zest",
];

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
        " " if LINKS.contains(&first.slice(text)?) => words.next()?,
        ", " => first,
        _ => return None,
    };
    if !ARTICLES.contains(&article.slice(text)?) {
        return None;
    }
    let mut last: Option<Span> = None;
    let mut before = article;
    for word in words.take(MAX_DESCRIPTION_WORDS) {
        let gap = &text[before.end..word.start];
        let slice = word.slice(text)?;
        if gap != " " && gap != "-" || ENDS.binary_search(&slice).is_ok() {
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
    let superlative = word.ends_with("est") && NOUNS_IN_EST.binary_search(&word).is_err();
    word.len() >= 3
        && word.chars().all(char::is_alphabetic)
        && !superlative
        && NO_KINDS.binary_search(&word).is_err()
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
        assert!(ENDS.is_sorted() && NO_KINDS.is_sorted() && NOUNS_IN_EST.is_sorted());
    }
}
