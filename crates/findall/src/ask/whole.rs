//! Whole answers: a span that a reader marked in, the phrase that a person would accept out. Small words at its ends go,
//! names and amounts that it cuts are taken in as a whole, and so is what qualifies an amount ("more than 500").

use super::ASK_WORD_LISTS;
use super::function_words::{is_function_word, leads_nowhere, may_lead_how, trails_nowhere};
use crate::index::{ValueKind, scan_values};
use crate::lexical::words::Words;
use crate::span::Span;
use crate::word_list::WordList;

/// Longer names that fill a line are no names but headlines that the tagger took for one.
const MAX_LINE_NAME_WORDS: usize = 9;
/// A longer run of words is no name, wherever it stands.
const MAX_ANSWER_NAME_WORDS: usize = 20;

/// The answer without small words, separators and lone brackets at its ends; nothing when nothing else is left.
/// `tells_how` says that the question wants a manner or a reason, which prepositions are part of.
pub(super) fn trim(text: &str, span: Span, tells_how: bool) -> Option<Span> {
    let mut span = span;
    loop {
        let trimmed = trim_marks(text, span)?;
        let words: Vec<Span> =
            Words::new(trimmed.slice(text)?).map(|word| word.shifted(trimmed.start)).collect();
        let (first, last) = (*words.first()?, *words.last()?);
        let word = |at: Span| at.slice(text).unwrap_or_default();
        let next = words.get(1).map(|&at| word(at)).unwrap_or_default();
        if words.len() == 1 {
            return (!is_function_word(word(first))).then_some(trimmed);
        }
        let opens_plainly = first.start == trimmed.start;
        span = if trails_nowhere(word(last)) && last.end == trimmed.end {
            Span::new(trimmed.start, last.start)
        } else if opens_plainly
            && leads_nowhere(word(first), next)
            && !(tells_how && may_lead_how(word(first)))
        {
            Span::new(words[1].start, trimmed.end)
        } else {
            return Some(balance(text, trimmed));
        };
    }
}

/// Shorter lines end where their author ended them; longer ones may go on in the next.
const MIN_WRAPPED_CHARS: usize = 60;

/// The part of an answer that stands in its first sentence, and in its first line where that is no line of a paragraph: a
/// person's answer does not go from a table's row or a heading into the next.
pub(super) fn end_in_sentence(text: &str, sentence: Span, span: Span) -> Span {
    let end = span.end.min(sentence.end).max(span.start);
    let words = text.get(span.start..end).unwrap_or_default();
    let ends_line = |&(at, _): &(usize, &str)| {
        let line = text[..span.start + at].rsplit('\n').next().unwrap_or_default();
        let next = text[span.start + at..].trim_start();
        line.chars().count() < MIN_WRAPPED_CHARS && !next.starts_with(char::is_lowercase)
    };
    let end = words.match_indices('\n').find(ends_line).map_or(end, |(at, _)| span.start + at);
    Span::new(span.start, end)
}

/// Without blanks and separators at both ends.
fn trim_marks(text: &str, span: Span) -> Option<Span> {
    let words = span.slice(text)?;
    let loose = |c: char| c.is_whitespace() || ",;:–—".contains(c);
    let kept = words.trim_start_matches(|c: char| loose(c) || ".!?)]}".contains(c));
    let start = span.start + (words.len() - kept.len());
    let kept = kept.trim_end_matches(|c: char| loose(c) || "([{".contains(c));
    let kept = trim_stop(kept);
    (!kept.is_empty()).then(|| Span::new(start, start + kept.len()))
}

/// Without the mark that ends its sentence. An abbreviation keeps its full stop: "3 a.m.", "Ceres Inc.".
fn trim_stop(words: &str) -> &str {
    let bare = words.trim_end_matches(['!', '?', '.']);
    let last = bare.rsplit(char::is_whitespace).next().unwrap_or_default();
    let abbreviates =
        last.contains('.') || (last.chars().count() <= 4 && last.starts_with(char::is_uppercase));
    match words.len() - bare.len() {
        1 if words.ends_with('.') && abbreviates => words,
        _ => bare,
    }
}

const BRACKETS: [(char, char); 4] = [('(', ')'), ('[', ']'), ('“', '”'), ('«', '»')];

/// With both of a pair of brackets or neither.
fn balance(text: &str, span: Span) -> Span {
    let Some(words) = span.slice(text) else { return span };
    for (open, close) in BRACKETS {
        let opened = words.matches(open).count();
        let closed = words.matches(close).count();
        if opened == closed + 1 {
            return match (text[span.end..].starts_with(close), words.starts_with(open), words.rfind(open)) {
                (true, ..) => Span::new(span.start, span.end + close.len_utf8()),
                (_, true, _) => Span::new(span.start + open.len_utf8(), span.end),
                (_, _, Some(at)) => Span::new(span.start, span.start + words[..at].trim_end().len()),
                _ => span,
            };
        }
        if closed == opened + 1 && words.ends_with(close) {
            return match text[..span.start].ends_with(open) {
                true => Span::new(span.start - open.len_utf8(), span.end),
                false => Span::new(span.start, span.end - close.len_utf8()),
            };
        }
    }
    span
}

/// True when the answer could cut a name, so that a tagger is worth asking: a number answers for itself, and whether
/// words are a name only the tagger can say ("financial independence, retire early" is one).
pub(super) fn may_cut_a_name(text: &str, span: Span) -> bool {
    span.slice(text).is_some_and(|words| words.contains(char::is_alphabetic))
}

/// The answer with every name whole that it cuts.
pub(super) fn complete_names(text: &str, span: Span, names: impl IntoIterator<Item = Span>) -> Span {
    let mut whole = span;
    for name in names {
        if !name.overlaps(&span) {
            continue;
        }
        let inside = Span::new(name.start.max(span.start), name.end.min(span.end));
        if inside == name {
            continue;
        }
        let words = |span: Span| span.slice(text).unwrap_or_default();
        // "19.23" answers for itself within "Emacs 19.23".
        let number = !words(inside).contains(char::is_alphabetic);
        let most = if fills_line(text, name) { MAX_LINE_NAME_WORDS } else { MAX_ANSWER_NAME_WORDS };
        if number || words(name).split_whitespace().count() > most {
            continue;
        }
        whole = Span::new(whole.start.min(name.start), whole.end.max(name.end));
    }
    whole
}

/// True when nothing else stands in the lines of a span.
fn fills_line(text: &str, span: Span) -> bool {
    let blank = |rest: &str| rest.chars().all(|c| !c.is_alphanumeric());
    blank(text[..span.start].rsplit('\n').next().unwrap_or_default())
        && blank(text[span.end..].split('\n').next().unwrap_or_default())
}

/// Words before an amount that change what it says.
static QUALIFIERS: WordList = WordList::new(ASK_WORD_LISTS, "qualifier");

/// The answer with its amounts whole, unit and scale included, and with what qualifies the first.
pub(super) fn complete_amounts(text: &str, sentence: Span, span: Span) -> Span {
    let Some(words) = sentence.slice(text).filter(|_| sentence.start <= span.start) else { return span };
    let mut whole = span;
    let mut leads = false;
    for value in scan_values(words) {
        let amount = value.span.shifted(sentence.start);
        if !amount.overlaps(&span) {
            continue;
        }
        whole = Span::new(whole.start.min(amount.start), whole.end.max(amount.end));
        let counts = matches!(
            value.kind,
            ValueKind::Money | ValueKind::Percent | ValueKind::Number | ValueKind::Quantity
        );
        leads |= counts && amount.start == whole.start;
    }
    if !leads {
        return whole;
    }
    let before = &text[sentence.start..whole.start];
    let stem = before.trim_end();
    if stem.len() == before.len() {
        return whole;
    }
    let qualifies = |qualifier: &&str| {
        let from = stem.len().checked_sub(qualifier.len());
        from.and_then(|from| Some((stem.get(..from)?, stem.get(from..)?))).is_some_and(|(rest, tail)| {
            tail.eq_ignore_ascii_case(qualifier) && !rest.ends_with(char::is_alphanumeric)
        })
    };
    // "no more than" says more than the "more than" in it.
    match QUALIFIERS.entries().iter().copied().filter(qualifies).max_by_key(|qualifier| qualifier.len()) {
        Some(qualifier) => Span::new(sentence.start + stem.len() - qualifier.len(), whole.end),
        None => whole,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str, words: &str) -> Span {
        let start = text.find(words).unwrap();
        Span::new(start, start + words.len())
    }

    #[test]
    fn small_words_at_the_ends_go() {
        let cases = [
            ("Sudan will", "Sudan", false),
            ("and", "", false),
            ("it", "", false),
            ("and the Mozilla Foundation of", "the Mozilla Foundation", false),
            ("in 1893,", "1893", false),
            ("by adding salt", "by adding salt", true),
            ("by Margit Sorensen.", "Margit Sorensen", false),
            ("is not allowed", "is not allowed", false),
            ("was arrested", "arrested", false),
            ("No", "No", false),
            ("around 3 a.m.", "around 3 a.m.", false),
            ("(Ceres Robotics", "Ceres Robotics", false),
            ("Ceres Robotics (a", "Ceres Robotics", false),
            (" , ", "", false),
        ];
        for (words, wanted, tells_how) in cases {
            let trimmed = trim(words, Span::new(0, words.len()), tells_how);
            assert_eq!(trimmed.and_then(|span| span.slice(words)).unwrap_or_default(), wanted, "{words}");
        }
    }

    #[test]
    fn an_answer_ends_with_its_sentence_or_line() {
        let wrapped = "The ferry that crosses the fjord every hour is owned by the Brandt\nFamily since.";
        let cases = [
            ("It lay at the Old Pier. We ate there.", "Old Pier. We ate", "Old Pier."),
            ("Captain: Ida Brandt\nPilot: Ole Dahl", "Ida Brandt\nPilot", "Ida Brandt"),
            ("from the old\nharbour came", "old\nharbour", "old\nharbour"),
            (wrapped, "Brandt\nFamily", "Brandt\nFamily"),
            ("It lay at the Old Pier.", "Old Pier", "Old Pier"),
        ];
        for (text, marked, wanted) in cases {
            let sentence = Span::new(0, text.find(". ").map_or(text.len(), |at| at + 1));
            assert_eq!(end_in_sentence(text, sentence, at(text, marked)).slice(text), Some(wanted), "{text}");
        }
    }

    #[test]
    fn a_long_name_is_whole_and_a_headline_is_none() {
        let title = "A Survey of the Tides and Currents Around the Outer Piers of Northern Harbours";
        let whole = |text: &str| {
            let widened = complete_names(text, at(text, "Outer Piers"), [at(text, title)]);
            widened.slice(text).unwrap().to_owned()
        };
        assert_eq!(whole(&format!("She wrote {title} in 1893.")), title);
        assert_eq!(whole(&format!("News\n{title}\nBy Ida Brandt")), "Outer Piers");
    }

    #[test]
    fn brackets_come_in_pairs() {
        let text = "Over half (55%) agree.";
        let balanced = trim(text, at(text, "Over half (55%"), false).unwrap();
        assert_eq!(balanced.slice(text), Some("Over half (55%)"));
    }

    #[test]
    fn cut_names_are_made_whole() {
        let text = "It is under the Mozilla Public License since Emacs 19.23 came.";
        let names = [at(text, "Mozilla Public License"), at(text, "Emacs 19.23")];
        for (marked, wanted) in [
            ("Public License", "Mozilla Public License"),
            ("the Mozilla Public", "the Mozilla Public License"),
            ("19.23", "19.23"),
            ("came", "came"),
        ] {
            assert_eq!(complete_names(text, at(text, marked), names).slice(text), Some(wanted), "{marked}");
        }
        assert!(may_cut_a_name(text, at(text, "Public License")));
        assert!(may_cut_a_name(text, at(text, "came")), "names need no capitals");
        assert!(!may_cut_a_name(text, at(text, "19.23")));
    }

    #[test]
    fn amounts_have_their_unit_and_what_qualifies_them() {
        let cases = [
            ("He sold more than 500 last year.", "500", "more than 500"),
            ("They paid about 20 million euros for it.", "20", "about 20 million euros"),
            ("It weighs Nearly 12 kg.", "12 kg", "Nearly 12 kg"),
            ("It began in 1893.", "1893", "1893"),
            ("Room 12 is over there.", "12", "12"),
            ("The handsome 12 left.", "12", "12"),
        ];
        for (text, marked, wanted) in cases {
            let sentence = Span::new(0, text.len());
            let whole = complete_amounts(text, sentence, at(text, marked));
            assert_eq!(whole.slice(text), Some(wanted), "{text}");
        }
    }
}
