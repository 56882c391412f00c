//! Long lists and tables: a document's passages in, those that are read by meaning out. A book of prose is read whole,
//! however long; of a word list or a table only so much, because every line of it may be a name and costs as much as a
//! sentence. What is most likely to name something is read, the rest goes by words, and the coverage says so.

use crate::document::Document;
use crate::span::Span;

use super::prepare::TAGGED_PASSAGE;

/// Bytes of lists that are read by meaning in one document: six seconds on two cores where every line is a name, three
/// where none is (measured in `docs/documents.md`).
pub(crate) const MAX_LIST_BYTES: usize = 40_000;

/// Characters of short lines that are read together in a long list.
const MAX_LIST_WINDOW_CHARS: usize = 600;

/// A passage with fewer entries, longer ones, or sentences among them is no list.
const MIN_ENTRIES: usize = 5;
const MAX_ENTRY_CHARS: usize = 40;

/// What is read of a document.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ReadingPlan {
    /// In document order.
    pub passages: Vec<Span>,
    /// Bytes of lists beyond what is read.
    pub left_out: usize,
}

/// Chooses what to read.
pub(crate) fn choose(document: &Document) -> ReadingPlan {
    let text = document.text();
    let passages = document.passages(&TAGGED_PASSAGE);
    let lists: Vec<bool> =
        passages.iter().map(|span| is_list(span.slice(text).unwrap_or_default())).collect();
    let bytes = |span: &Span| span.end - span.start;
    let listed: usize =
        passages.iter().zip(&lists).filter(|(_, list)| **list).map(|(span, _)| bytes(span)).sum();
    if listed <= MAX_LIST_BYTES {
        return ReadingPlan { passages, left_out: 0 };
    }
    let windows = merge(&passages, &lists);
    let mut ranked: Vec<usize> = (0..windows.len()).filter(|&at| windows[at].1).collect();
    ranked.sort_by_key(|&at| {
        std::cmp::Reverse(names_per_kilobyte(windows[at].0.slice(text).unwrap_or_default()))
    });
    let mut left_out = vec![false; windows.len()];
    let mut room = MAX_LIST_BYTES;
    for at in ranked {
        match room.checked_sub(bytes(&windows[at].0)) {
            Some(less) => room = less,
            None => left_out[at] = true,
        }
    }
    let (read, unread): (Vec<_>, Vec<_>) =
        windows.into_iter().zip(left_out).partition(|(_, left_out)| !left_out);
    ReadingPlan {
        passages: read.into_iter().map(|((span, _), _)| span).collect(),
        left_out: unread.iter().map(|((span, _), _)| bytes(span)).sum(),
    }
}

/// Neighbouring passages of lists, joined while they are short.
fn merge(passages: &[Span], lists: &[bool]) -> Vec<(Span, bool)> {
    let mut windows: Vec<(Span, bool)> = Vec::with_capacity(passages.len());
    for (span, list) in passages.iter().zip(lists) {
        match windows.last_mut() {
            Some((last, true)) if *list && span.end - last.start <= MAX_LIST_WINDOW_CHARS => {
                last.end = span.end
            }
            _ => windows.push((*span, *list)),
        }
    }
    windows
}

/// Entries are lines, or cells of a line.
fn entries(text: &str) -> impl Iterator<Item = &str> {
    text.split(['\n', '\t']).map(str::trim).filter(|entry| !entry.is_empty())
}

fn is_list(text: &str) -> bool {
    let (mut count, mut chars, mut sentences) = (0, 0, 0);
    for entry in entries(text) {
        count += 1;
        chars += entry.chars().count();
        sentences += usize::from(entry.ends_with(['.', '!', '?', ';', ',']));
    }
    count >= MIN_ENTRIES && chars <= MAX_ENTRY_CHARS * count && sentences * 5 < count
}

/// Words with a capital or a digit, for their share of the text.
fn names_per_kilobyte(text: &str) -> usize {
    let words = text.split(|c: char| !c.is_alphanumeric());
    let names = words.filter(|word| word.starts_with(|c: char| c.is_uppercase() || c.is_numeric())).count();
    names * 1000 / text.len().max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_is_read_whole_and_of_long_lists_what_names_most() {
        let prose = Document::from_text("Ada met Bob in the old harbour of Rome.\n".repeat(3000));
        assert_eq!(choose(&prose).left_out, 0);
        let short: String = (0..500).map(|n| format!("word{n}\n")).collect();
        assert_eq!(choose(&Document::from_text(short)).left_out, 0);

        let words: String = (0..15_000).map(|n| format!("word{n}\n")).collect();
        let names: String = (0..1000).map(|n| format!("Name{n}\n")).collect();
        let text = format!("{words}{names}And then there was a sentence, which is no list at all.\n");
        let document = Document::from_text(text.clone());
        let reading = choose(&document);
        let read: usize = reading.passages.iter().map(|span| span.end - span.start).sum();
        assert!(read <= MAX_LIST_BYTES + 1000 && read > MAX_LIST_BYTES - 1000, "{read}");
        assert!(reading.left_out > 100_000, "{}", reading.left_out);
        let is_read = |what: &str| {
            let at = text.find(what).expect("there");
            reading.passages.iter().any(|span| (span.start..span.end).contains(&at))
        };
        assert!(is_read("Name0\n") && is_read("Name999\n") && is_read("no list at all"));
        assert!(reading.passages.windows(2).all(|pair| pair[0].end <= pair[1].start));
    }
}
