//! Sentences to passages: runs of whole sentences, short enough for a model to read, overlapping a little. The sizes
//! are those of the L3X paper: 15 sentences, 1000 characters, 200 of them overlapping. What is read for answers ends
//! where paragraphs do: readers learned from paragraphs, and know best there whether they answer.

use super::sentences;
use crate::span::Span;

/// How passages are cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassageOptions {
    /// Most sentences in a passage.
    pub sentences: usize,
    /// Most characters in a passage; a longer sentence is cut.
    pub chars: usize,
    /// Most characters that a passage repeats from the one before, in whole sentences.
    pub overlap: usize,
    /// A passage of so many characters ends where a paragraph does, and repeats nothing there.
    pub paragraph: usize,
}

impl Default for PassageOptions {
    fn default() -> Self {
        PassageOptions { sentences: 15, chars: 1000, overlap: 200, paragraph: usize::MAX }
    }
}

/// A sentence, or a piece of one that was too long, and how many characters stand before its ends.
#[derive(Clone, Copy, Debug)]
struct Unit {
    span: Span,
    start_char: usize,
    end_char: usize,
    /// Whether an empty line, or the end of the text, follows.
    ends_paragraph: bool,
}

/// Every passage that starts at a sentence and takes in as many as fit: all sentence-overlapping windows. A window
/// that ends where the one before it ended says nothing new and is left out.
#[derive(Debug)]
pub struct Windows {
    units: Vec<Unit>,
    options: PassageOptions,
    first: usize,
    /// One past the last unit of the window given before.
    end: usize,
}

impl Windows {
    pub(crate) fn new(text: &str, sentences: &[Span], options: PassageOptions) -> Self {
        let options =
            PassageOptions { sentences: options.sentences.max(1), chars: options.chars.max(1), ..options };
        Windows { units: measure(text, sentences, options.chars), options, first: 0, end: 0 }
    }

    /// One past the last unit that fits in a window from `first`; always takes at least one.
    fn reach(&self, first: usize) -> usize {
        let from = self.units[first].start_char;
        let mut end = self.end.max(first + 1);
        while end < self.units.len()
            && end - first < self.options.sentences
            && self.units[end].end_char - from <= self.options.chars
        {
            end += 1;
        }
        end
    }

    fn window(&self, first: usize, end: usize) -> Span {
        Span::new(self.units[first].span.start, self.units[end - 1].span.end)
    }
}

impl Iterator for Windows {
    type Item = Span;

    fn next(&mut self) -> Option<Span> {
        while self.first < self.units.len() {
            let first = self.first;
            self.first += 1;
            let end = self.reach(first);
            if end > self.end {
                self.end = end;
                return Some(self.window(first, end));
            }
        }
        None
    }
}

/// Passages that cover the whole text, each repeating at most `overlap` characters of the one before.
pub(crate) fn cover(text: &str, sentences: &[Span], options: &PassageOptions) -> Vec<Span> {
    let mut windows = Windows::new(text, sentences, *options);
    let mut passages = Vec::new();
    let mut first = 0;
    while first < windows.units.len() {
        let mut end = windows.reach(first);
        let from = windows.units[first].start_char;
        let whole = |unit: &Unit| unit.ends_paragraph && unit.end_char - from >= options.paragraph;
        let paragraph = windows.units[first..end].iter().position(whole);
        end = paragraph.map_or(end, |last| first + last + 1);
        passages.push(windows.window(first, end));
        windows.end = end;
        if end == windows.units.len() {
            break;
        }
        if paragraph.is_some() {
            first = end;
            continue;
        }
        let until = windows.units[end - 1].end_char;
        first = (first + 1..end)
            .find(|&next| {
                until - windows.units[next].start_char <= options.overlap && windows.reach(next) > end
            })
            .unwrap_or(end);
    }
    passages
}

fn measure(text: &str, spans: &[Span], longest: usize) -> Vec<Unit> {
    let mut units: Vec<Unit> = Vec::with_capacity(spans.len());
    let (mut byte, mut chars) = (0, 0);
    for &sentence in spans {
        for span in sentences::pieces(text, sentence, longest) {
            let start_char = chars + text[byte..span.start].chars().count();
            chars = start_char + text[span.start..span.end].chars().count();
            if let Some(before) = units.last_mut() {
                before.ends_paragraph = text[byte..span.start].matches('\n').count() > 1;
            }
            byte = span.end;
            units.push(Unit { span, start_char, end_char: chars, ends_paragraph: true });
        }
    }
    units
}
