//! Suggestions as a person types: what the page names, what stands above its sections, and the same words without the
//! typing error.

use findall::document::Document;
use findall::find::{FindOptions, KeepRule, Speed};
use findall::knowledge::fold;
use findall::{Engine, PreparedDocument, Span};

use findall_wire::{Suggestion, SuggestionKind};

/// A heading is a line of its own, short, and no sentence.
const MAX_HEADING_CHARS: usize = 80;
const MAX_HEADING_WORDS: usize = 10;

/// Headings looked at: a document of nothing but short lines has none worth reading.
const MAX_HEADINGS: usize = 2000;

/// Names and headings with a word that begins as typed; those that begin so themselves first, then the most named.
pub fn from_document(
    document: &Document,
    prepared: &PreparedDocument,
    typed: &str,
    limit: usize,
) -> Vec<Suggestion> {
    let typed = fold(typed);
    if typed.is_empty() {
        return Vec::new();
    }
    let mut ranked: Vec<(Rank, &str, SuggestionKind)> = Vec::new();
    for entity in &prepared.entities {
        if let Some(place) = place_of(&entity.name, &typed) {
            let weight = std::cmp::Reverse(entity.mentions.len());
            ranked.push(((place, weight), &entity.name, SuggestionKind::Entity));
        }
    }
    for heading in headings(document).take(MAX_HEADINGS) {
        if let Some(place) = place_of(heading, &typed) {
            ranked.push(((place, std::cmp::Reverse(1)), heading, SuggestionKind::Heading));
        }
    }
    ranked.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.len().cmp(&b.1.len())).then(a.1.cmp(b.1)));
    let mut seen = std::collections::HashSet::new();
    ranked
        .into_iter()
        .filter(|(_, text, _)| seen.insert(fold(text)))
        .take(limit)
        .map(|(_, text, kind)| Suggestion { text: text.to_owned(), kind })
        .collect()
}

/// Questions that were put to the page before, with a word that begins as typed; in the order given.
pub fn from_questions<'q>(
    questions: impl Iterator<Item = &'q str>,
    typed: &str,
    limit: usize,
) -> Vec<Suggestion> {
    let typed = fold(typed);
    let matching = questions.filter(|question| !typed.is_empty() && place_of(question, &typed).is_some());
    matching
        .take(limit)
        .map(|text| Suggestion { text: text.to_owned(), kind: SuggestionKind::Question })
        .collect()
}

type Rank = (Place, std::cmp::Reverse<usize>);

/// Where in a name the typed letters stand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Start,
    WordStart,
}

fn place_of(name: &str, typed: &str) -> Option<Place> {
    let name = fold(name);
    if name.starts_with(typed) {
        return Some(Place::Start);
    }
    name.match_indices(' ').any(|(at, _)| name[at + 1..].starts_with(typed)).then_some(Place::WordStart)
}

/// Lines that stand alone, are short, and do not end as a sentence does.
fn headings(document: &Document) -> impl Iterator<Item = &str> {
    let text = document.text();
    let stands_alone = move |span: &Span| {
        let before = text[..span.start].trim_end_matches([' ', '\t']);
        let after = text[span.end..].trim_start_matches([' ', '\t', '\r']);
        (before.is_empty() || before.ends_with('\n')) && after.starts_with('\n')
    };
    document.sentences().iter().filter(move |span| stands_alone(span)).filter_map(move |span| {
        let line = span.slice(text)?.trim();
        let is_short =
            line.chars().count() <= MAX_HEADING_CHARS && line.split_whitespace().count() <= MAX_HEADING_WORDS;
        let begins = line.chars().next().is_some_and(|first| first.is_uppercase() || first.is_numeric());
        let ends = line.ends_with(char::is_alphanumeric) || line.ends_with(['?', ')']);
        (is_short && begins && ends && !line.contains('\n')).then_some(line)
    })
}

/// What was typed with its typing errors mended, if there are any.
pub fn correct_typing(
    engine: &Engine,
    document: &Document,
    prepared: &PreparedDocument,
    typed: &str,
) -> Option<Suggestion> {
    let options = FindOptions { keep: KeepRule::Best(0), speed: Speed::Fast, ..FindOptions::default() };
    let found = engine.find(document, prepared, typed, &options).ok()?;
    (!found.corrections.is_empty())
        .then_some(Suggestion { text: found.query, kind: SuggestionKind::Correction })
}

#[cfg(test)]
mod tests {
    use super::*;
    use findall::testing::{small_encoder, small_knowledge, small_tagger};

    const PAGE: &str = "Messaging in China\n\nWeChat is old. WeChat is large. Lyon is a city. We like Sina Weibo.\n\nWhere to go?\nNot a heading, since it ends.\n";

    fn suggest_texts(typed: &str) -> Vec<(String, SuggestionKind)> {
        let engine = Engine::new(small_encoder(), small_tagger(), small_knowledge());
        let document = Document::from_text(PAGE);
        let prepared = engine.prepare(&document).unwrap();
        let found = from_document(&document, &prepared, typed, 3);
        found.into_iter().map(|one| (one.text, one.kind)).collect()
    }

    #[test]
    fn names_and_headings_by_any_of_their_words() {
        assert_eq!(suggest_texts("wec"), [("WeChat".to_owned(), SuggestionKind::Entity)]);
        assert_eq!(suggest_texts("WEI"), [("Sina Weibo".to_owned(), SuggestionKind::Entity)]);
        assert!(suggest_texts("mess").contains(&("Messaging in China".to_owned(), SuggestionKind::Heading)));
        assert_eq!(suggest_texts("where to"), [("Where to go?".to_owned(), SuggestionKind::Heading)]);
        assert_eq!(suggest_texts("not a"), []);
        assert_eq!(suggest_texts(" "), []);
        assert_eq!(suggest_texts("zzz"), []);
    }

    #[test]
    fn typing_errors_are_mended() {
        let engine = Engine::new(small_encoder(), small_tagger(), small_knowledge());
        let document = Document::from_text(PAGE);
        let prepared = engine.prepare(&document).unwrap();
        let mended = correct_typing(&engine, &document, &prepared, "compnaies in China").unwrap();
        assert_eq!(mended.text, "companies in China");
        assert_eq!(correct_typing(&engine, &document, &prepared, "cities"), None);
        assert_eq!(correct_typing(&engine, &document, &prepared, ""), None);
    }
}
