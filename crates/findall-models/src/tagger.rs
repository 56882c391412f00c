//! The mention tagger: texts in, named things with their types out.
//!
//! The network labels the first piece of every word with outside, or begin or inside of one of eight types. Its
//! vocabulary has no capitals; they come back through the token types (`shape`). `training/tagger.py` does the same.

use std::ops::Range;
use std::sync::Arc;

use findall::Span;
use findall::encode::ModelError;
use findall::mentions::{Mention, MentionTagger, MentionType};
use serde::Deserialize;

use crate::error::LoadError;
use crate::folder::Folder;
use crate::network::{DeferredNetwork, Sequence};
use crate::tokenizer::{Piece, Tokenizer};
use crate::windows;

/// Longer texts are tagged in parts, cut at white space, so that memory does not grow with the text.
const PART_BYTES: usize = 64 * 1024;
/// Parts that are tagged at a time.
const PARTS_AT_ONCE: usize = 16;

#[derive(Deserialize)]
struct TaggerSettings {
    labels: Vec<String>,
    stride: usize,
    /// Whether the token types tell capitals and line breaks.
    #[serde(default)]
    case_types: bool,
    /// How far the outside score is lowered: more mentions found, fewer of them right.
    #[serde(default)]
    outside_bias: f32,
}

/// The tagger that findall ships.
pub struct WordTagger {
    id: String,
    network: DeferredNetwork,
    tokenizer: Arc<Tokenizer>,
    max_tokens: usize,
    /// The types in the order of the scores: begin of the first, inside of the first, begin of the second, …
    kinds: Vec<MentionType>,
    own: TaggerSettings,
}

impl WordTagger {
    /// The model of a folder; its weights wait for [`load`](Self::load) or the first run.
    pub(crate) fn of_folder(folder: Folder, tokenizer: Arc<Tokenizer>) -> Result<Self, LoadError> {
        let own: TaggerSettings = folder.own_settings()?;
        let kinds = kinds_of(&own.labels)
            .map_err(|reason| LoadError::Manifest { path: folder.path.join("model.json"), reason })?;
        let (id, max_tokens) = (folder.id(), folder.manifest.max_tokens);
        let network = DeferredNetwork::new(folder, "tagger", &["tags"], &[]);
        Ok(Self { id, network, tokenizer, max_tokens, kinds, own })
    }

    /// Checks and loads the weights, unless that is done.
    pub fn load(&self) -> Result<(), LoadError> {
        self.network.load().map(drop)
    }

    /// Mentions of texts that are each short enough to be held as scores.
    fn tag_parts(&self, texts: &[&str]) -> Result<Vec<Vec<Mention>>, ModelError> {
        let pieces: Vec<Vec<Piece>> =
            texts.iter().map(|text| self.tokenizer.pieces(text, usize::MAX)).collect();
        let mut jobs: Vec<(usize, Range<usize>)> = Vec::new();
        for (index, pieces) in pieces.iter().enumerate() {
            let windows = windows::cut_full(pieces.len(), self.max_tokens - 2, self.own.stride);
            jobs.extend(windows.into_iter().map(|window| (index, window)));
        }
        let sequences: Vec<Sequence> =
            jobs.iter().map(|(i, window)| self.sequence(texts[*i], &pieces[*i], window)).collect();
        let results = self.network.run(&sequences)?;

        let width = self.own.labels.len();
        let mut scores: Vec<PieceLogits> = pieces.iter().map(|p| PieceLogits::new(p.len(), width)).collect();
        for ((index, window), mut outputs) in jobs.into_iter().zip(results) {
            let rows = outputs.swap_remove(0);
            if rows.len() != (window.len() + 2) * width {
                let message = format!("does not score {width} labels a token: rebuild it");
                return Err(ModelError { model: "tagger".into(), message });
            }
            // The first and the last row belong to the special tokens.
            scores[index].merge(window, &rows[width..]);
        }
        let texts = texts.iter().zip(&pieces).zip(&scores);
        Ok(texts.map(|((text, pieces), scores)| self.decode(text, pieces, scores)).collect())
    }

    fn sequence(&self, text: &str, pieces: &[Piece], window: &Range<usize>) -> Sequence {
        let mut ids = Vec::with_capacity(window.len() + 2);
        ids.push(self.tokenizer.first);
        ids.extend(pieces[window.clone()].iter().map(|p| p.id));
        ids.push(self.tokenizer.separator);
        let mut types = Vec::new();
        if self.own.case_types {
            types.push(0);
            types.extend(window.clone().map(|i| shape(text, i.checked_sub(1).map(|j| pieces[j]), pieces[i])));
            types.push(0);
        }
        Sequence { ids, types }
    }

    /// Boundaries first, by the likeliest of outside, begin, inside; then one type for the whole mention, by its mean
    /// score over the words. An inside without a begin opens a mention.
    fn decode(&self, text: &str, pieces: &[Piece], scores: &PieceLogits) -> Vec<Mention> {
        let words: Vec<usize> = (0..pieces.len()).filter(|&i| pieces[i].begins_word).collect();
        let mut mentions = Vec::new();
        let mut open: Option<OpenMention> = None;
        for (n, &word) in words.iter().enumerate() {
            let last_piece = words.get(n + 1).map_or(pieces.len(), |&next| next) - 1;
            let label = Label::of(scores.row(word), self.own.outside_bias);
            match label.boundary {
                Boundary::Outside => mentions.extend(open.take().and_then(|o| o.close(text, &self.kinds))),
                Boundary::Begin => {
                    mentions.extend(open.take().and_then(|o| o.close(text, &self.kinds)));
                    open = Some(OpenMention::new(pieces[word].start, pieces[last_piece].end, label));
                }
                Boundary::Inside => match &mut open {
                    Some(o) => o.add(pieces[last_piece].end, label),
                    None => open = Some(OpenMention::new(pieces[word].start, pieces[last_piece].end, label)),
                },
            }
        }
        mentions.extend(open.and_then(|o| o.close(text, &self.kinds)));
        mentions
    }
}

impl MentionTagger for WordTagger {
    fn id(&self) -> &str {
        &self.id
    }

    fn tag(&self, texts: &[&str]) -> Result<Vec<Vec<Mention>>, ModelError> {
        let parts: Vec<(usize, usize, &str)> = texts
            .iter()
            .enumerate()
            .flat_map(|(index, text)| parts_of(text).into_iter().map(move |(at, part)| (index, at, part)))
            .collect();
        let mut tagged = vec![Vec::new(); texts.len()];
        let mut rest = parts.as_slice();
        while !rest.is_empty() {
            // As many parts as fit: short texts in one go, long ones a few at a time.
            let mut bytes = 0;
            let count = rest.iter().take_while(|(_, _, part)| {
                bytes += part.len();
                bytes <= PARTS_AT_ONCE * PART_BYTES
            });
            let (now, later) = rest.split_at(count.count().max(1));
            let found = self.tag_parts(&now.iter().map(|(_, _, part)| *part).collect::<Vec<_>>())?;
            for ((index, at, _), mentions) in now.iter().zip(found) {
                tagged[*index]
                    .extend(mentions.into_iter().map(|m| Mention { span: m.span.shifted(*at), ..m }));
            }
            rest = later;
        }
        Ok(tagged)
    }
}

/// Scores of every piece of one text, gathered from overlapping windows.
struct PieceLogits {
    values: Vec<f32>,
    width: usize,
    /// How far the window that gave a piece's scores reaches around it; -1 when none has.
    depth: Vec<i32>,
}

impl PieceLogits {
    fn new(pieces: usize, width: usize) -> Self {
        Self { values: vec![0.0; pieces * width], width, depth: vec![-1; pieces] }
    }

    fn row(&self, piece: usize) -> &[f32] {
        &self.values[piece * self.width..][..self.width]
    }

    /// Takes a window's scores where it sees more around the piece than the windows before.
    fn merge(&mut self, window: Range<usize>, rows: &[f32]) {
        let length = window.len();
        for (i, piece) in window.enumerate() {
            let depth = i.min(length - 1 - i) as i32;
            if depth > self.depth[piece] {
                self.depth[piece] = depth;
                self.values[piece * self.width..][..self.width]
                    .copy_from_slice(&rows[i * self.width..][..self.width]);
            }
        }
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Boundary {
    Outside,
    Begin,
    Inside,
}

/// What one word's scores say.
struct Label {
    boundary: Boundary,
    /// Log-probability of that boundary.
    log_probability: f32,
    /// Log-probability of each type, apart from the boundary.
    kinds: Vec<f32>,
}

impl Label {
    fn of(scores: &[f32], outside_bias: f32) -> Self {
        let mut scores = scores.to_vec();
        scores[0] -= outside_bias;
        let total = log_sum_exp(scores.iter().copied());
        let begin = log_sum_exp(scores[1..].iter().step_by(2).copied()) - total;
        let inside = log_sum_exp(scores[2..].iter().step_by(2).copied()) - total;
        let outside = scores[0] - total;
        let (boundary, log_probability) = if outside >= begin && outside >= inside {
            (Boundary::Outside, outside)
        } else if begin >= inside {
            (Boundary::Begin, begin)
        } else {
            (Boundary::Inside, inside)
        };
        let pairs: Vec<f32> =
            scores[1..].chunks_exact(2).map(|pair| log_sum_exp(pair.iter().copied())).collect();
        let all = log_sum_exp(pairs.iter().copied());
        Self { boundary, log_probability, kinds: pairs.iter().map(|p| p - all).collect() }
    }
}

/// A mention that is being read.
struct OpenMention {
    start: usize,
    end: usize,
    words: f32,
    log_probability: f32,
    kinds: Vec<f32>,
}

impl OpenMention {
    fn new(start: usize, end: usize, label: Label) -> Self {
        Self { start, end, words: 1.0, log_probability: label.log_probability, kinds: label.kinds }
    }

    fn add(&mut self, end: usize, label: Label) {
        self.end = end;
        self.words += 1.0;
        self.log_probability += label.log_probability;
        self.kinds.iter_mut().zip(&label.kinds).for_each(|(sum, one)| *sum += one);
    }

    fn close(self, text: &str, kinds: &[MentionType]) -> Option<Mention> {
        let best = (0..kinds.len()).reduce(|a, b| if self.kinds[b] > self.kinds[a] { b } else { a })?;
        let span = trim_span(text, Span::new(self.start, self.end), kinds[best])?;
        Some(Mention { span, kind: kinds[best], confidence: (self.log_probability / self.words).exp() })
    }
}

/// The span by the engine's conventions: no quotes or commas around it, no trailing possessive, no leading article
/// unless it may open a work's title.
fn trim_span(text: &str, span: Span, kind: MentionType) -> Option<Span> {
    let inner = span.slice(text)?;
    let ended = inner.trim_end_matches([' ', ',', ';', ':', '\'', '"', '’', '“', '”']);
    let begun = ended.trim_start_matches([' ', ',', ';', ':', '\'', '"', '‘', '“', '”', '@', '#']);
    let mut start = span.start + (ended.len() - begun.len());
    let mut kept = begun;
    for tail in [" 's", " ’s", "'s", "’s"] {
        let cut = kept.len().wrapping_sub(tail.len());
        if kept.get(cut..).is_some_and(|end| end.eq_ignore_ascii_case(tail)) {
            kept = &kept[..cut];
            break;
        }
    }
    if kind != MentionType::Work {
        for article in ["the ", "a ", "an "] {
            if kept.get(..article.len()).is_some_and(|open| open.eq_ignore_ascii_case(article)) {
                kept = &kept[article.len()..];
                start += article.len();
                break;
            }
        }
    }
    (!kept.is_empty()).then(|| Span::new(start, start + kept.len()))
}

/// 0 no capital, 1 only the first character is one, 2 all letters are (two or more), 3 other mixtures; plus 4 when a
/// line break stands before the piece.
fn shape(text: &str, previous: Option<Piece>, piece: Piece) -> i32 {
    let shown = &text[piece.start..piece.end];
    let letters = shown.chars().filter(|c| c.is_alphabetic()).count();
    let capitals = shown.chars().filter(|c| c.is_alphabetic() && c.is_uppercase()).count();
    let case = match capitals {
        0 => 0,
        1 if shown.chars().next().is_some_and(char::is_uppercase) => 1,
        n if n == letters => 2,
        _ => 3,
    };
    let broken = previous.is_some_and(|p| text.get(p.end..piece.start).is_some_and(|gap| gap.contains('\n')));
    case + if broken { 4 } else { 0 }
}

fn log_sum_exp(values: impl Iterator<Item = f32> + Clone) -> f32 {
    let peak = values.clone().fold(f32::NEG_INFINITY, f32::max);
    peak + values.map(|v| (v - peak).exp()).sum::<f32>().ln()
}

/// Pieces of a long text with their places, cut after white space (after a line break where one is near).
fn parts_of(text: &str) -> Vec<(usize, &str)> {
    let mut parts = Vec::new();
    let mut start = 0;
    while text.len() - start > PART_BYTES {
        let mut limit = start + PART_BYTES;
        while !text.is_char_boundary(limit) {
            limit -= 1;
        }
        let part = &text[start..limit];
        let cut = part[..]
            .rfind('\n')
            .filter(|&at| at > PART_BYTES / 2)
            .or_else(|| part.rfind(' '))
            .map_or(limit, |at| start + at + 1);
        parts.push((start, &text[start..cut]));
        start = cut;
    }
    parts.push((start, &text[start..]));
    parts
}

/// The types in the order of their scores; labels must be `O`, then `B-x`, `I-x` for each type.
fn kinds_of(labels: &[String]) -> Result<Vec<MentionType>, String> {
    let bad = || format!("labels must be O, then B-… and I-… of each type, not {labels:?}");
    let Some((outside, rest)) = labels.split_first() else { return Err(bad()) };
    if outside != "O" || rest.is_empty() || rest.len() % 2 != 0 {
        return Err(bad());
    }
    rest.chunks_exact(2)
        .map(|pair| match (pair[0].strip_prefix("B-"), pair[1].strip_prefix("I-")) {
            (Some(b), Some(i)) if b == i => match b {
                "person" => Ok(MentionType::Person),
                "organization" => Ok(MentionType::Organization),
                "place" => Ok(MentionType::Place),
                "group" => Ok(MentionType::Group),
                "work" => Ok(MentionType::Work),
                "product" => Ok(MentionType::Product),
                "event" => Ok(MentionType::Event),
                "other" => Ok(MentionType::Other),
                _ => Err(format!("unknown mention type {b}")),
            },
            _ => Err(bad()),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mentions_lose_articles_quotes_and_possessives() {
        let cases = [
            ("the Bank of Anvers", MentionType::Organization, "Bank of Anvers"),
            ("Mira’s", MentionType::Person, "Mira"),
            ("“Mira's", MentionType::Person, "Mira"),
            ("The Quiet Harbour", MentionType::Work, "The Quiet Harbour"),
            ("An Act", MentionType::Other, "Act"),
            ("é's", MentionType::Person, "é"),
        ];
        for (text, kind, expected) in cases {
            let span = trim_span(text, Span::new(0, text.len()), kind).unwrap();
            assert_eq!(span.slice(text), Some(expected));
        }
        assert_eq!(trim_span("'s", Span::new(0, 2), MentionType::Person).map(|s| s.len()), Some(1));
        assert_eq!(trim_span("”", Span::new(0, 3), MentionType::Person), None);
    }

    #[test]
    fn shapes_tell_capitals_and_line_breaks() {
        let text = "Old NATO\niPod x";
        let piece = |start, end| Piece { id: 0, start, end, begins_word: true };
        let pieces = [piece(0, 3), piece(4, 8), piece(9, 13), piece(14, 15)];
        let shapes: Vec<i32> =
            (0..4).map(|i| shape(text, (i > 0).then(|| pieces[i - 1]), pieces[i])).collect();
        assert_eq!(shapes, [1, 2, 7, 0]);
    }

    #[test]
    fn long_texts_are_cut_at_white_space_and_nothing_is_lost() {
        for unit in ["word ", "line of text\n", "unbroken", "é"] {
            let text = unit.repeat(3 * PART_BYTES / unit.len());
            let parts = parts_of(&text);
            assert!(parts.len() > 2 && parts.iter().all(|(_, part)| part.len() <= PART_BYTES));
            assert_eq!(parts.iter().map(|(_, part)| *part).collect::<String>(), text);
            assert!(parts.iter().all(|(at, part)| text[*at..].starts_with(part)));
        }
    }

    #[test]
    fn the_window_that_sees_more_speaks() {
        let mut scores = PieceLogits::new(6, 1);
        scores.merge(0..4, &[1.0; 4]);
        scores.merge(2..6, &[2.0; 4]);
        assert_eq!(scores.values, [1.0, 1.0, 1.0, 2.0, 2.0, 2.0]);
    }

    #[test]
    fn labels_must_come_in_pairs() {
        let labels = |names: &[&str]| kinds_of(&names.iter().map(|n| n.to_string()).collect::<Vec<_>>());
        assert_eq!(labels(&["O", "B-place", "I-place"]), Ok(vec![MentionType::Place]));
        for bad in
            [&["O"][..], &["B-place", "I-place", "O"], &["O", "B-place", "I-work"], &["O", "B-x", "I-x"]]
        {
            assert!(labels(bad).is_err());
        }
    }
}
