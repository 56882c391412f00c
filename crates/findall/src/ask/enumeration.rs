//! Enumerations: where a sentence lists several things, an answer is all of it, and its items are several spans.

use crate::span::Span;

/// Longer items are clauses.
const MAX_ITEM_WORDS: usize = 8;
/// Items of an enumeration, at most.
const MAX_ITEMS: usize = 24;

/// Names that hold an "and", as many as are common.
const INSEPARABLE_NAMES: &[&str] = &[
    "antigua and barbuda",
    "bosnia and herzegovina",
    "johnson and johnson",
    "saint kitts and nevis",
    "saint vincent and the grenadines",
    "são tomé and príncipe",
    "sao tome and principe",
    "trinidad and tobago",
    "turks and caicos",
    "tyne and wear",
];

/// What stands between two items.
#[derive(Clone, Copy, PartialEq)]
enum Separator {
    Comma,
    /// "and", "or", with or without a comma before.
    Conjunction,
}

/// The items of an answer that enumerates, in order; empty when it is one thing.
pub fn items(text: &str, span: Span) -> Vec<Span> {
    let Some(words) = span.slice(text) else { return Vec::new() };
    let folded = words.to_lowercase();
    if folded.starts_with("between ") || INSEPARABLE_NAMES.iter().any(|name| folded.contains(name)) {
        return Vec::new();
    }
    let (mut found, mut separators) = (Vec::new(), Vec::new());
    let (mut start, mut at, mut depth) = (0, 0, 0usize);
    while at < words.len() {
        let rest = &words[at..];
        let c = rest.chars().next().unwrap_or(' ');
        match c {
            '(' | '[' | '“' => depth += 1,
            ')' | ']' | '”' => depth = depth.saturating_sub(1),
            _ => {}
        }
        match separator(rest).filter(|_| depth == 0 && at > start) {
            Some((length, kind)) => {
                found.push(Span::new(span.start + start, span.start + at));
                separators.push(kind);
                (at, start) = (at + length, at + length);
            }
            None => at += c.len_utf8(),
        }
    }
    found.push(Span::new(span.start + start, span.end));
    let found = join_suffixes(text, found, &mut separators);
    if are_items(text, &found, &separators) { found } else { Vec::new() }
}

/// What separates two items at the beginning of a text, and its length.
fn separator(rest: &str) -> Option<(usize, Separator)> {
    let comma = rest.starts_with([',', ';']);
    let after = rest.trim_start_matches([',', ';']);
    let blank = after.len() - after.trim_start().len();
    let next = after.trim_start();
    let length = rest.len() - next.len();
    let conjunction = ["and ", "or ", "as well as "].iter().find(|word| next.starts_with(**word));
    match conjunction {
        Some(word) if blank > 0 => Some((length + word.len(), Separator::Conjunction)),
        // "40,000" has no blank, "Colorado,Washington" neither.
        _ if comma && (blank > 0 || next.starts_with(char::is_uppercase)) => Some((length, Separator::Comma)),
        _ => None,
    }
}

/// "Tyvak Systems, Inc." and "Fort Worth, Texas, and Rome" are fewer items than they have commas.
fn join_suffixes(text: &str, found: Vec<Span>, separators: &mut Vec<Separator>) -> Vec<Span> {
    const COMMA_SUFFIXES: &[&str] =
        &["Inc.", "Inc", "Ltd", "Ltd.", "LLC", "Jr.", "Sr.", "Jr", "Corp.", "PLC", "plc"];
    let mut joined: Vec<Span> = Vec::new();
    let mut kept = Vec::new();
    for (number, item) in found.into_iter().enumerate() {
        let suffix = item.slice(text).is_some_and(|words| COMMA_SUFFIXES.contains(&words.trim()));
        match joined.last_mut().filter(|_| suffix) {
            Some(last) => last.end = item.end,
            None => {
                kept.extend(number.checked_sub(1).and_then(|before| separators.get(before).copied()));
                joined.push(item);
            }
        }
    }
    *separators = kept;
    joined
}

fn are_items(text: &str, items: &[Span], separators: &[Separator]) -> bool {
    let words: Vec<&str> = items.iter().filter_map(|item| item.slice(text)).collect();
    let counts: Vec<usize> = words.iter().map(|item| item.split_whitespace().count()).collect();
    let year = |item: &&str| item.len() == 4 && item.chars().all(|c| c.is_ascii_digit());
    let concluded = separators.last() == Some(&Separator::Conjunction);
    if !(2..=MAX_ITEMS).contains(&items.len())
        || counts.iter().any(|&count| count == 0 || count > MAX_ITEM_WORDS)
        || (!concluded && (items.len() < 3 || words.iter().any(year)))
        // A conjunction before the end joins clauses, or things inside an item.
        || separators.iter().filter(|kind| **kind == Separator::Conjunction).count() > 1
    {
        return false;
    }
    if items.len() > 2 {
        return true;
    }
    let capital = |item: &str| item.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit());
    let bare = |item: &str| item.trim_start_matches(['"', '“', '‘', '\'']).to_owned();
    let (one, other) = (bare(strip_article(words[0])), bare(strip_article(words[1])));
    match (capital(&one), capital(&other)) {
        (true, true) => true,
        (false, false) => counts[0].abs_diff(counts[1]) <= 1 && counts[0].max(counts[1]) <= 3,
        _ => false,
    }
}

fn strip_article(item: &str) -> &str {
    ["the ", "a ", "an ", "The "].iter().find_map(|article| item.strip_prefix(article)).unwrap_or(item)
}

/// The enumeration that an answer is an item of, as far as it stands in the sentence. Items beside it are `proposed` by
/// the reader; where the question wants several, names beside a name are items, too.
pub(super) fn widen_to_enumeration(
    text: &str,
    sentence: Span,
    span: Span,
    proposed: &[Span],
    wants_several: bool,
) -> Span {
    let mut whole = span;
    let named = |span: Span| {
        span.slice(text).is_some_and(|words| strip_article(words).starts_with(char::is_uppercase))
    };
    let by_name = wants_several && named(span);
    for _ in 0..MAX_ITEMS {
        let Some(rest) = text.get(whole.end..sentence.end) else { break };
        let Some((length, _)) = separator(rest) else { break };
        let from = whole.end + length;
        let proposal = proposed.iter().find(|other| begins_at(text, **other, from)).map(|other| other.end);
        let name = || text.get(from..sentence.end).and_then(|rest| Some(from + name_length(rest)?));
        let Some(end) = proposal.or_else(|| by_name.then(name).flatten()) else { break };
        whole.end = end.max(whole.end);
    }
    for _ in 0..MAX_ITEMS {
        let before = proposed.iter().find(|other| {
            other.start >= sentence.start
                && other.end < whole.start
                && text.get(other.end..whole.start).is_some_and(|gap| {
                    separator(gap).is_some_and(|(length, _)| length_without_article(&gap[length..]) == 0)
                })
        });
        let Some(before) = before else { break };
        whole.start = before.start;
    }
    whole
}

/// What is left of a gap besides an article.
fn length_without_article(rest: &str) -> usize {
    if matches!(rest, "the " | "a " | "an ") { 0 } else { rest.len() }
}

fn begins_at(text: &str, span: Span, from: usize) -> bool {
    let gap = text.get(from..span.start.max(from)).unwrap_or("?");
    span.start >= from && length_without_article(gap) == 0 && span.end > from
}

/// Length of the name that a text begins with, an article before it included.
fn name_length(rest: &str) -> Option<usize> {
    let bare = strip_article(rest);
    let from = rest.len() - bare.len();
    let mut end = None;
    let mut at = 0;
    for word in bare.split_inclusive(' ') {
        let core = word.trim_end_matches(|c: char| c.is_whitespace() || ",;.)".contains(c));
        let capital = core.starts_with(|c: char| c.is_uppercase() || (end.is_some() && c.is_ascii_digit()));
        let inner = end.is_some() && matches!(core, "of" | "the" | "de" | "la" | "van" | "von" | "&");
        if capital {
            end = Some(at + core.len());
        }
        if !(capital || inner)
            || core.len() + 1 < word.len()
            || (core.len() < word.len() && !word.ends_with(' '))
        {
            break;
        }
        at += word.len();
    }
    end.map(|end| from + end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(answer: &str) -> Vec<&str> {
        items(answer, Span::new(0, answer.len())).into_iter().filter_map(|item| item.slice(answer)).collect()
    }

    #[test]
    fn enumerations_have_items() {
        let cases: &[(&str, &[&str])] = &[
            ("Facebook, Instagram, and Messenger", &["Facebook", "Instagram", "Messenger"]),
            ("SBI and ICICI Bank", &["SBI", "ICICI Bank"]),
            ("Colorado,Washington, Alaska, and Oregon", &["Colorado", "Washington", "Alaska", "Oregon"]),
            (
                "Blue Origin, Ceres Robotics and Tyvak Systems, Inc.",
                &["Blue Origin", "Ceres Robotics", "Tyvak Systems, Inc."],
            ),
            ("a rash, fever and eosinophilia", &["a rash", "fever", "eosinophilia"]),
            ("python3 and python3-devel", &["python3", "python3-devel"]),
            ("the Congo (DRC), Madagascar, and Peru", &["the Congo (DRC)", "Madagascar", "Peru"]),
            ("Trinidad and Tobago", &[]),
            ("Fort Worth, Texas", &[]),
            ("May 2, 2019", &[]),
            ("about 40,000", &[]),
            ("between 2 and 3", &[]),
            ("drug and money laundering charges", &[]),
            ("Ada Byron", &[]),
            ("", &[]),
        ];
        for (answer, wanted) in cases {
            assert_eq!(split(answer), *wanted, "{answer}");
        }
    }

    #[test]
    fn an_item_brings_the_others() {
        let text = "It was sung by Dave Stewart, Ann Lee and the Barbara Gaskin Band in 1981, they said.";
        let sentence = Span::new(0, text.len());
        let at = |words: &str| {
            let start = text.find(words).unwrap();
            Span::new(start, start + words.len())
        };
        let all = "Dave Stewart, Ann Lee and the Barbara Gaskin Band";
        let extended = |from: &str, proposed: &[Span], several| {
            widen_to_enumeration(text, sentence, at(from), proposed, several).slice(text).unwrap()
        };
        assert_eq!(extended("Dave Stewart", &[], true), all);
        assert_eq!(extended("Dave Stewart", &[], false), "Dave Stewart");
        assert_eq!(extended("Dave Stewart", &[at("Ann Lee")], false), "Dave Stewart, Ann Lee");
        assert_eq!(extended("Ann Lee", &[at("Dave Stewart")], true), all);
        assert_eq!(extended("1981", &[], true), "1981");
    }
}
