//! Surfaces: the distinct ways in which a text names things. Mentions enter; every occurrence of every name leaves,
//! titles included, whether or not the tagger marked it there.

use std::collections::{BTreeMap, HashMap};

use aho_corasick::{AhoCorasick, MatchKind};

use super::tables::{KIN_WORDS, PEOPLES, Title, title};
use crate::document::Document;
use crate::mentions::{Mention, MentionType};
use crate::span::Span;

/// What a name names, as coarsely as a cast needs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CastKind {
    /// A person, or an animal that is treated as one.
    Person,
    /// A place, from a house to a continent.
    Place,
    /// A family, a club, a company, a people.
    Group,
}

/// One way of naming something.
#[derive(Clone, Debug)]
pub(super) struct Surface {
    /// As written, spaces folded, titles included.
    pub text: String,
    pub titles: Vec<Title>,
    /// The words after the titles, in small letters.
    pub words: Vec<String>,
    pub kind: CastKind,
    /// True for the plural of a surname: "the Wares".
    pub family: bool,
    /// Where it stands, in order.
    pub spans: Vec<Span>,
    /// The sentences that it stands in, in order, each once.
    pub sentences: Vec<usize>,
}

/// How sure the tagger must be, at least once, for a name to be believed.
const MIN_TAGGER_CONFIDENCE: f32 = 0.5;

/// Of all the places where a name stands, the share that the tagger must have marked.
const MIN_MARKED_SHARE: f32 = 0.2;

/// Words before a name that are no part of it.
const ENDEARMENTS: &[&str] = &[
    "Poor", "Dear", "Dearest", "Old", "Little", "Young", "Sweet", "Good", "Darling", "Oh", "Ah", "The", "My",
];

/// What the tagger thinks of a name without its titles.
#[derive(Default)]
struct BareNameVotes {
    marked: usize,
    best: f32,
    votes: BTreeMap<CastKind, f32>,
}

/// All surfaces, in the order of first mention.
pub(super) fn collect(document: &Document, mentions: &[Mention]) -> Vec<Surface> {
    let text = document.text();
    let mut bases: HashMap<String, BareNameVotes> = HashMap::new();
    let mut marked: Vec<Span> = Vec::new();
    for mention in mentions {
        let Some(kind) = kind_of(mention.kind) else { continue };
        let Some(span) = bare_span(text, mention.span) else { continue };
        let base = bases.entry(fold_surface(&text[span.start..span.end])).or_default();
        base.marked += 1;
        base.best = base.best.max(mention.confidence);
        // A title before the name makes it a person's, whatever the tagger says.
        let titled = !titles_before(text, span.start).1.is_empty();
        let kind = if titled { CastKind::Person } else { kind };
        *base.votes.entry(kind).or_default() += mention.confidence;
        marked.push(span);
    }
    bases.retain(|name, base| base.best >= MIN_TAGGER_CONFIDENCE && is_name(name));
    marked.sort_unstable();
    let small = small_words(text, &bases);
    let found = occurrences(text, &bases);
    let mut seen: HashMap<&str, usize> = HashMap::new();
    for (name, _) in &found {
        *seen.entry(name.as_str()).or_default() += 1;
    }
    let mut surfaces: Vec<Surface> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for (name, span) in &found {
        let base = &bases[name];
        let (start, titles) = titles_before(text, span.start);
        let is_marked = marked.binary_search(span).is_ok();
        // "Will", "May", "Grace": a word of the language is a name only where it was read as one.
        let common =
            small.get(name.to_lowercase().as_str()).is_some_and(|&count| count > seen[name.as_str()] / 2);
        let rare = (base.marked as f32) < MIN_MARKED_SHARE * seen[name.as_str()] as f32;
        if (common || rare) && !is_marked && titles.is_empty() {
            continue;
        }
        let span = Span::new(start, span.end);
        let written = fold_surface(&text[span.start..span.end]);
        let place = *places.entry(written.clone()).or_insert_with(|| {
            let small = name.to_lowercase();
            let kind = match (titles.is_empty(), majority(&base.votes)) {
                (false, _) => CastKind::Person,
                (true, CastKind::Place) if PEOPLES.contains(&small) => CastKind::Group,
                (true, kind) => kind,
            };
            let words = small.split(' ').map(str::to_owned).collect();
            surfaces.push(Surface {
                text: written,
                titles,
                words,
                kind,
                family: false,
                spans: Vec::new(),
                sentences: Vec::new(),
            });
            surfaces.len() - 1
        });
        surfaces[place].spans.push(span);
        let sentence = document.sentences().partition_point(|sentence| sentence.end <= span.start);
        if surfaces[place].sentences.last() != Some(&sentence) {
            surfaces[place].sentences.push(sentence);
        }
    }
    surfaces
}

fn kind_of(kind: MentionType) -> Option<CastKind> {
    match kind {
        MentionType::Person => Some(CastKind::Person),
        MentionType::Place => Some(CastKind::Place),
        MentionType::Organization | MentionType::Group => Some(CastKind::Group),
        MentionType::Other | MentionType::Work | MentionType::Product | MentionType::Event => None,
    }
}

fn majority(votes: &BTreeMap<CastKind, f32>) -> CastKind {
    votes.iter().max_by(|a, b| a.1.total_cmp(b.1)).map_or(CastKind::Person, |(kind, _)| *kind)
}

/// A name has a capital, is short, and is more than a word for a relation.
fn is_name(name: &str) -> bool {
    let small = name.to_lowercase();
    name.chars().next().is_some_and(char::is_uppercase)
        && name.chars().count() > 1
        && name.split(' ').count() <= 5
        && name.chars().filter(|c| c.is_alphabetic()).count() > 1
        && !KIN_WORDS.contains(&small)
        && title(name.trim_end_matches('.')).is_none()
        && !ends_inside(name)
        && !small.split(' ').any(|word| word == "and" || word == "or")
}

/// True when a sentence ends within: "Long. Kitty".
fn ends_inside(name: &str) -> bool {
    let mut words = name.split(' ').rev().skip(1);
    words.any(|word| word.ends_with(['.', '!', '?', ',', ';', ':']) && word.len() > 3)
}

/// The mention without titles, small words before it, a possessive and signs around it.
fn bare_span(text: &str, span: Span) -> Option<Span> {
    let mut span = span;
    loop {
        let slice = text.get(span.start..span.end)?;
        let first = slice.split_whitespace().next()?;
        let word = first.trim_matches(|c: char| !c.is_alphanumeric());
        let skip = slice.find(first)? + first.len();
        let more = slice[skip..].chars().any(char::is_alphanumeric);
        let leave = title(&usual_case(word)).is_some()
            || word.chars().next().is_none_or(char::is_lowercase)
            || ENDEARMENTS.contains(&word);
        if !(leave && more) {
            break;
        }
        span.start +=
            skip + slice[skip..].chars().take_while(|c| c.is_whitespace()).map(char::len_utf8).sum::<usize>();
    }
    // "Meg forlornly": what follows in small letters is no name.
    let slice = text[span.start..span.end].trim_end();
    let words: Vec<&str> = slice.split_whitespace().collect();
    let names = words.iter().rposition(|word| !word.starts_with(char::is_lowercase))?;
    let mut slice = slice;
    for word in words[names + 1..].iter().rev() {
        slice = slice.strip_suffix(word)?.trim_end();
    }
    let from = slice.find(char::is_alphanumeric)?;
    let mut kept = slice.trim_end_matches(|c: char| !c.is_alphanumeric() && c != '.');
    for ending in ["'s", "’s", "'", "’"] {
        kept = kept.strip_suffix(ending).unwrap_or(kept);
    }
    if !kept.split(' ').next_back().is_some_and(|last| last.len() <= 2 || last.matches('.').count() > 1) {
        kept = kept.trim_end_matches('.');
    }
    (from < kept.len()).then(|| Span::new(span.start + from, span.start + kept.len()))
}

/// Where the run of titles before `at` starts, and the titles. "the old Mr. " gives where "Mr." starts.
fn titles_before(text: &str, at: usize) -> (usize, Vec<Title>) {
    let mut start = at;
    let mut titles = Vec::new();
    loop {
        let before = text[..start].trim_end_matches([' ', '\n', '\r']);
        if before.len() == start || start - before.len() > 2 {
            break;
        }
        let word_start = before
            .rfind(|c: char| !(c.is_alphanumeric() || c == '.'))
            .map_or(0, |place| place + before[place..].chars().next().map_or(1, char::len_utf8));
        let word = before[word_start..].trim_end_matches('.');
        match title(&usual_case(word)) {
            // "M." and "Don" are titles with a dot only, or too rare to guess.
            Some(_) if (word == "M" && !before.ends_with('.')) || word == "Don" => break,
            Some(found) => {
                titles.insert(0, found);
                start = word_start;
            }
            None => break,
        }
    }
    (start, titles)
}

/// "AUNT" as "Aunt"; other words as they are.
pub(super) fn usual_case(word: &str) -> String {
    let shouted = word.chars().count() > 1 && word.chars().all(|c| c.is_uppercase());
    let mut chars = word.chars();
    match chars.next().filter(|_| shouted) {
        Some(first) => first.to_string() + &chars.as_str().to_lowercase(),
        None => word.to_owned(),
    }
}

fn fold_surface(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace('’', "'")
}

/// How often each one-word name stands in small letters, by those letters.
fn small_words(text: &str, bases: &HashMap<String, BareNameVotes>) -> HashMap<String, usize> {
    let names = bases.keys().filter(|name| !name.contains(' '));
    let mut counts: HashMap<String, usize> = names.map(|name| (name.to_lowercase(), 0)).collect();
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        if let Some(count) = counts.get_mut(word) {
            *count += 1;
        }
    }
    counts
}

/// Every whole-word occurrence of every base with the same capitals, the longest where they overlap.
fn occurrences(text: &str, bases: &HashMap<String, BareNameVotes>) -> Vec<(String, Span)> {
    let names: Vec<&String> = bases.keys().collect();
    // Names may be broken over lines; the text is searched with every break as a space, at the same offsets.
    let flat: String = text.chars().map(|c| if c == '\n' || c == '\r' { ' ' } else { c }).collect();
    let Ok(automaton) = AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(&names) else {
        return Vec::new();
    };
    let joins = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '-');
    automaton
        .find_iter(&flat)
        .filter(|hit| {
            !joins(flat[..hit.start()].chars().next_back()) && !joins(flat[hit.end()..].chars().next())
        })
        .map(|hit| (names[hit.pattern().as_usize()].clone(), Span::new(hit.start(), hit.end())))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mention(text: &str, name: &str, kind: MentionType) -> Mention {
        let start = text.find(name).unwrap();
        Mention { span: Span::new(start, start + name.len()), kind, confidence: 0.9 }
    }

    #[test]
    fn titles_join_names_and_unmarked_places_are_found() {
        let text = "Old Mrs. Ames saw May. May I come, said Mr.\nAmes? May came; Ames's dog ran.";
        let document = Document::from_text(text);
        let mentions =
            [mention(text, "Ames", MentionType::Person), mention(text, "May", MentionType::Person)];
        let surfaces = collect(&document, &mentions);
        let found: Vec<(&str, usize)> = surfaces.iter().map(|s| (s.text.as_str(), s.spans.len())).collect();
        assert_eq!(found, [("Mrs. Ames", 1), ("May", 3), ("Mr. Ames", 1), ("Ames", 1)]);
        assert_eq!(surfaces[0].words, ["ames"]);
    }

    #[test]
    fn a_word_of_the_language_is_a_name_only_where_it_was_marked() {
        let text = "May came. May it be? It may, it may, it may be.";
        let document = Document::from_text(text);
        let surfaces = collect(&document, &[mention(text, "May", MentionType::Person)]);
        assert_eq!(surfaces[0].spans, [Span::new(0, 3)]);
        let text = "MAY sang. May came. MAY it be? May it? It may, it may, it may be.";
        let marks = ["MAY", "May"].map(|name| mention(text, name, MentionType::Person));
        let surfaces = collect(&Document::from_text(text), &marks);
        let found: Vec<(&str, usize)> = surfaces.iter().map(|s| (s.text.as_str(), s.spans.len())).collect();
        assert_eq!(found, [("MAY", 1), ("May", 1)], "in capitals, too");
    }
}
