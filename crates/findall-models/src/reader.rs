//! The reader: a question and passages in, answer spans and the probability of none out.
//!
//! The network reads `[CLS] question [SEP] window [SEP]` and scores every piece as start and as end of the answer (both
//! at `[CLS]`: no answer here), as outside, begin or inside of one of several answers, and the window as a whole as
//! answerable. `training/reader.py` does the same.

use std::ops::Range;
use std::sync::Arc;

use findall::Span;
use findall::ask::{Answer, Confidence, Reader, Reading};
use findall::encode::ModelError;
use serde::Deserialize;

use crate::error::LoadError;
use crate::folder::Folder;
use crate::network::{DeferredNetwork, Rows, Sequence};
use crate::tokenizer::{Piece, Tokenizer};
use crate::windows;

/// Longer questions are cut.
const MAX_QUESTION: usize = 64;

#[derive(Deserialize)]
struct ReaderSettings {
    stride: usize,
    max_answer_tokens: usize,
    max_answers: usize,
    no_answer: NoAnswer,
    answer_threshold: f32,
    document: Option<Document>,
}

/// How sure an answer is with a whole document to choose from; fitted by `training/fit_ask.py`.
#[derive(Deserialize)]
struct Document {
    reader: f32,
    words: f32,
    near_words: f32,
    /// What kind of words the question asks for puts nothing in order where the file says nothing.
    #[serde(default)]
    kind: f32,
    sure: f32,
    bias: f32,
    answered: f32,
    /// Half of `answered` where the file says nothing.
    guessed: Option<f32>,
    margin: f32,
    /// The likeliest answers are always looked at again where the file says nothing.
    sure_look: Option<f32>,
    /// Reading never stops early where the file says nothing.
    reach: Option<f32>,
    reach_words: Option<f32>,
}

/// Calibration of the probability that a passage does not answer.
#[derive(Deserialize)]
struct NoAnswer {
    /// Weight of how far "no answer" leads the best span.
    scale: f32,
    /// Weight of the score that the passage answers at all.
    answerable: f32,
    bias: f32,
}

impl NoAnswer {
    fn probability(&self, lead: f32, answerable: f32) -> f32 {
        1.0 / (1.0 + (self.scale * lead + self.answerable * answerable - self.bias).exp())
    }
}

/// The reader that findall ships.
pub struct SpanReader {
    id: String,
    network: DeferredNetwork,
    tokenizer: Arc<Tokenizer>,
    max_tokens: usize,
    own: ReaderSettings,
}

impl SpanReader {
    /// The model of a folder; its weights wait for [`load`](Self::load) or the first run.
    pub(crate) fn of_folder(folder: Folder, tokenizer: Arc<Tokenizer>) -> Result<Self, LoadError> {
        let own: ReaderSettings = folder.own_settings()?;
        if folder.manifest.max_tokens < MAX_QUESTION + own.stride + 4 {
            let reason = "max_tokens leaves no room for a passage beside the question".into();
            return Err(LoadError::Manifest { path: folder.path.join("model.json"), reason });
        }
        let (id, max_tokens) = (folder.id(), folder.manifest.max_tokens);
        let network = DeferredNetwork::new(folder, "reader", &["spans", "inside", "answerable"], &[]);
        Ok(Self { id, network, tokenizer, max_tokens, own })
    }

    /// Checks and loads the weights, unless that is done.
    pub fn load(&self) -> Result<(), LoadError> {
        self.network.load().map(drop)
    }

    /// As [`Reader::read`], but keeps answers down to `least` confidence; 0 gives every passage its best span.
    pub fn read_above(
        &self,
        question: &str,
        passages: &[&str],
        least: f32,
    ) -> Result<Vec<Reading>, ModelError> {
        let pairs: Vec<(&str, &str)> = passages.iter().map(|passage| (question, *passage)).collect();
        self.read_pairs(&pairs, least)
    }

    /// One reading a pair of question and passage: many questions at once, for evaluation.
    pub fn read_pairs(&self, pairs: &[(&str, &str)], least: f32) -> Result<Vec<Reading>, ModelError> {
        let mut jobs: Vec<(usize, Range<usize>)> = Vec::new();
        let mut sequences = Vec::new();
        let mut offsets = Vec::with_capacity(pairs.len());
        let mut pieces = Vec::with_capacity(pairs.len());
        for (index, (question, passage)) in pairs.iter().enumerate() {
            let asked = self.tokenizer.pieces(question, MAX_QUESTION);
            let read = self.tokenizer.pieces(passage, usize::MAX);
            let room = self.max_tokens - asked.len() - 3;
            for window in windows::cut_ragged(read.len(), room, self.own.stride) {
                sequences.push(self.sequence(&asked, &read[window.clone()]));
                jobs.push((index, window));
            }
            offsets.push(asked.len() + 2);
            pieces.push(read);
        }
        let results = self.network.run(&sequences)?;
        let mut views: Vec<Vec<WindowView>> = pairs.iter().map(|_| Vec::new()).collect();
        for ((index, window), outputs) in jobs.into_iter().zip(results) {
            views[index].push(WindowView::new(window, offsets[index], &outputs)?);
        }
        Ok(views.iter().zip(&pieces).map(|(views, pieces)| self.reading(views, pieces, least)).collect())
    }

    fn sequence(&self, question: &[Piece], window: &[Piece]) -> Sequence {
        let mut ids = Vec::with_capacity(question.len() + window.len() + 3);
        ids.push(self.tokenizer.first);
        ids.extend(question.iter().map(|p| p.id));
        ids.push(self.tokenizer.separator);
        let mut types = vec![0; ids.len()];
        ids.extend(window.iter().map(|p| p.id));
        ids.push(self.tokenizer.separator);
        types.resize(ids.len(), 1);
        Sequence { ids, types }
    }

    /// The best span over all windows, each measured against its own "no answer"; then what the inside scores add.
    fn reading(&self, views: &[WindowView], pieces: &[Piece], least: f32) -> Reading {
        let Some(best) = views
            .iter()
            .filter_map(|view| view.best_span(self.own.max_answer_tokens))
            .reduce(|a, b| if b.lead > a.lead { b } else { a })
        else {
            return Reading { answers: Vec::new(), no_answer: 1.0 };
        };
        let answerable = views.iter().map(|v| v.answerable).fold(f32::NEG_INFINITY, f32::max);
        let no_answer = self.own.no_answer.probability(best.lead, answerable);
        let answered = 1.0 - no_answer;
        let mut found = vec![FoundPieces { pieces: best.pieces, confidence: answered }];
        let mut others: Vec<FoundPieces> = views.iter().flat_map(|view| view.inside_spans()).collect();
        others.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
        for other in others {
            let apart = found
                .iter()
                .all(|f| other.pieces.start >= f.pieces.end || f.pieces.start >= other.pieces.end);
            if apart {
                found.push(FoundPieces { confidence: other.confidence * answered, ..other });
            }
        }
        let answers = found
            .into_iter()
            .filter(|f| f.confidence >= least)
            .take(self.own.max_answers.max(1))
            .map(|f| Answer {
                span: Span::new(pieces[f.pieces.start].start, pieces[f.pieces.end - 1].end),
                confidence: f.confidence,
            })
            .collect();
        Reading { answers, no_answer }
    }
}

impl Reader for SpanReader {
    fn id(&self) -> &str {
        &self.id
    }

    fn read(&self, question: &str, passages: &[&str]) -> Result<Vec<Reading>, ModelError> {
        self.read_above(question, passages, self.own.answer_threshold)
    }

    fn read_all(&self, question: &str, passages: &[&str]) -> Result<Vec<Reading>, ModelError> {
        self.read_above(question, passages, 0.0)
    }

    fn confidence(&self) -> Confidence {
        let Some(document) = &self.own.document else { return Confidence::default() };
        let Document { reader, words, near_words, kind, sure, bias, answered, margin, reach_words, .. } =
            *document;
        let guessed = document.guessed.unwrap_or(0.5 * answered);
        let usual = Confidence::default();
        let reach = document.reach.unwrap_or(usual.reach);
        let sure_look = document.sure_look.unwrap_or(usual.sure_look);
        Confidence {
            reader,
            words,
            near_words,
            kind,
            sure,
            bias,
            answered,
            guessed,
            margin,
            sure_look,
            reach,
            reach_words,
        }
    }
}

/// Pieces of the passage that may answer.
struct FoundPieces {
    pieces: Range<usize>,
    confidence: f32,
}

/// The best span of a window and how far it beats the window's "no answer".
struct BestSpan {
    pieces: Range<usize>,
    lead: f32,
}

/// What the network said of one window, without question and special tokens.
struct WindowView {
    window: Range<usize>,
    /// Start and end score of each piece.
    spans: Vec<[f32; 2]>,
    /// Outside, begin, inside scores of each piece.
    inside: Vec<[f32; 3]>,
    null: f32,
    answerable: f32,
}

impl WindowView {
    /// `first` is where the window's pieces begin in the network's rows.
    fn new(window: Range<usize>, first: usize, outputs: &[Rows]) -> Result<Self, ModelError> {
        let tokens = first + window.len() + 1;
        let [spans, inside, answerable] = outputs else { return Err(shape_error()) };
        if spans.len() != tokens * 2 || inside.len() != tokens * 3 || answerable.is_empty() {
            return Err(shape_error());
        }
        let rows = first..first + window.len();
        Ok(Self {
            spans: rows.clone().map(|i| [spans[2 * i], spans[2 * i + 1]]).collect(),
            inside: rows.map(|i| [inside[3 * i], inside[3 * i + 1], inside[3 * i + 2]]).collect(),
            null: spans[0] + spans[1],
            answerable: answerable[0],
            window,
        })
    }

    fn best_span(&self, longest: usize) -> Option<BestSpan> {
        let mut best: Option<(usize, usize, f32)> = None;
        for start in 0..self.spans.len() {
            for end in start..(start + longest).min(self.spans.len()) {
                let score = self.spans[start][0] + self.spans[end][1];
                if best.is_none_or(|(_, _, top)| score > top) {
                    best = Some((start, end, score));
                }
            }
        }
        let (start, end, score) = best?;
        let at = self.window.start;
        Some(BestSpan { pieces: at + start..at + end + 1, lead: score - self.null })
    }

    /// Runs of begin and inside, each as sure as the geometric mean of its pieces.
    fn inside_spans(&self) -> Vec<FoundPieces> {
        let mut found = Vec::new();
        let mut open: Option<(usize, f32)> = None;
        let mut close = |open: &mut Option<(usize, f32)>, end: usize| {
            if let Some((start, log)) = open.take() {
                let at = self.window.start;
                let confidence = (log / (end - start) as f32).exp();
                found.push(FoundPieces { pieces: at + start..at + end, confidence });
            }
        };
        for (i, scores) in self.inside.iter().enumerate() {
            let peak = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let total = peak + scores.iter().map(|s| (s - peak).exp()).sum::<f32>().ln();
            let [outside, begin, inside] = scores.map(|s| s - total);
            if outside >= begin && outside >= inside {
                close(&mut open, i);
            } else if inside > begin && open.is_some() {
                open = open.map(|(start, log)| (start, log + inside));
            } else {
                close(&mut open, i);
                open = Some((i, begin.max(inside)));
            }
        }
        close(&mut open, self.inside.len());
        found
    }
}

fn shape_error() -> ModelError {
    let message = "its outputs do not fit its inputs: rebuild it with training/export.py".into();
    ModelError { model: "reader".into(), message }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(spans: &[[f32; 2]], inside: &[[f32; 3]]) -> WindowView {
        WindowView {
            window: 10..10 + spans.len(),
            spans: spans.to_vec(),
            inside: inside.to_vec(),
            null: 1.0,
            answerable: 0.0,
        }
    }

    #[test]
    fn the_best_span_never_ends_before_it_starts_nor_runs_too_long() {
        let spans = [[0.0, 9.0], [5.0, 0.0], [0.0, 0.0], [0.0, 4.0]];
        let best = view(&spans, &[]).best_span(30).unwrap();
        assert_eq!((best.pieces, best.lead), (10..11, 8.0));
        let late = [[0.0, -9.0], [5.0, 0.0], [0.0, 0.0], [0.0, 4.0]];
        assert_eq!(view(&late, &[]).best_span(30).unwrap().pieces, 11..14);
        assert_eq!(view(&late, &[]).best_span(2).unwrap().pieces, 11..12);
        assert!(view(&[], &[]).best_span(30).is_none());
    }

    #[test]
    fn runs_of_begin_and_inside_are_answers() {
        let (o, b, i) = ([9.0, 0.0, 0.0], [0.0, 9.0, 0.0], [0.0, 0.0, 9.0]);
        let spans = view(&[[0.0; 2]; 7], &[b, i, o, i, i, b, o]).inside_spans();
        let found: Vec<_> = spans.into_iter().map(|f| f.pieces).collect();
        assert_eq!(found, [10..12, 13..15, 15..16]);
    }
}
