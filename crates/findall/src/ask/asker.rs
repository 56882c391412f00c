//! A question and documents in, answers out: spelling, passages, reading batch by batch, choosing.

use std::collections::HashSet;
use std::ops::ControlFlow;

use super::answers::{Answers, Evidence, FoundAnswer, Outcome, Place, Reach};
use super::confidence::{Confidence, Signals, log_odds};
use super::kind::{QuestionKind, states_number, things_to_count};
use super::passages::Passages;
use super::{AskError, AskOptions, AskProgress, Reader, choose, spelling};
use crate::cache::Shards;
use crate::document::Document;
use crate::encode::{Encoder, probability};
use crate::error::QueryError;
use crate::index::Embeddings;
use crate::knowledge::KnowledgeBase;
use crate::span::Span;

/// Longer questions are no questions but pasted text.
const LONGEST_QUESTION: usize = 1024;
/// Passages read before the encoder ranks the rest, so that the first answer comes soon.
const FIRST: usize = 4;
/// Passages read at a time.
const BATCH: usize = 8;
/// Answers of each batch that are looked at again.
const LOOKED_AT_AGAIN: usize = 3;

/// Told about each batch.
pub(crate) type Watch<'w> = &'w mut dyn FnMut(AskProgress<'_>) -> ControlFlow<()>;

/// What asking works with.
pub(crate) struct Asker<'e> {
    pub encoder: &'e dyn Encoder,
    pub reader: &'e dyn Reader,
    pub knowledge: &'e KnowledgeBase,
    pub embeddings: Option<&'e Shards>,
}

/// What has been read so far for one question.
struct Read<'p, 'd> {
    question: &'p str,
    documents: &'d [Document],
    done: Vec<usize>,
    found: Vec<FoundAnswer>,
    stopped: bool,
}

impl Asker<'_> {
    /// Everything that answers the question.
    pub fn ask(
        &self,
        documents: &[Document],
        question: &str,
        options: &AskOptions,
        watch: Option<Watch<'_>>,
    ) -> Result<Answers, AskError> {
        check_question(question)?;
        let (question, corrections) = match options.correct_typos {
            true => spelling::correct(question, documents, self.knowledge, self.encoder),
            false => (question.to_owned(), Vec::new()),
        };
        let kind = QuestionKind::of(&question);
        let mut passages = Passages::cut(documents, &question);
        let mut embeddings = Embeddings::new(self.encoder, self.embeddings);
        let mut read =
            Read { question: &question, documents, done: Vec::new(), found: Vec::new(), stopped: false };
        match kind {
            QuestionKind::YesNo => {
                passages.rank(&mut embeddings, self.encoder, options.passages)?;
            }
            _ => self.read(&mut passages, &mut embeddings, &mut read, options, watch)?,
        }
        let confidence = self.reader.confidence();
        let ranking = choose::merge(std::mem::take(&mut read.found), documents);
        let mut answers = choose::given(&ranking, &confidence, options);
        let mut outcome = match (kind, answers.is_empty()) {
            (QuestionKind::YesNo, _) => Outcome::YesOrNo,
            (_, true) => Outcome::NotAnsweredHere,
            (_, false) => Outcome::Answered,
        };
        if kind == QuestionKind::Count {
            answers.retain(|answer| states_number(text_of(documents, answer.place)));
            if answers.is_empty() && outcome == Outcome::Answered {
                outcome = Outcome::Counted;
                answers = self.things(&passages, &read, &confidence, options)?;
            }
        }
        if outcome == Outcome::NotAnsweredHere
            && let Some(guess) = choose::guess(&ranking, &confidence, options)
            && (kind != QuestionKind::Count || states_number(text_of(documents, guess.place)))
        {
            outcome = Outcome::Guessed;
            answers = vec![guess.clone()];
        }
        let evidence = passages.best_sentences(options.evidence).into_iter().map(|(place, score)| Evidence {
            place,
            passage: passages.passage_of(place).span,
            score: probability(score),
        });
        let evidence = evidence.collect();
        let coverage = reach(&passages, &read);
        let read = read.done.iter().map(|&number| passages.all[number]).collect();
        Ok(Answers { read, evidence, coverage, kind, outcome, answers, ranking, corrections, question })
    }

    /// Reads the likeliest passages: a few by their words at once, the rest once the encoder has looked.
    fn read(
        &self,
        passages: &mut Passages<'_>,
        embeddings: &mut Embeddings<'_>,
        read: &mut Read<'_, '_>,
        options: &AskOptions,
        mut watch: Option<Watch<'_>>,
    ) -> Result<(), AskError> {
        let mut order = passages.by_words();
        order.truncate(FIRST.min(options.passages));
        passages.look_at(&order, embeddings, self.encoder)?;
        self.read_batch(passages, &order, read)?;
        if self.told(passages, read, &mut watch).is_break() {
            return Ok(());
        }
        let ranked = passages.rank(embeddings, self.encoder, options.passages)?;
        let seen: HashSet<usize> = order.into_iter().collect();
        let rest: Vec<usize> = ranked.into_iter().filter(|passage| !seen.contains(passage)).collect();
        for batch in rest[..rest.len().min(options.passages.saturating_sub(seen.len()))].chunks(BATCH) {
            self.read_batch(passages, batch, read)?;
            if self.told(passages, read, &mut watch).is_break() {
                return Ok(());
            }
        }
        Ok(())
    }

    fn told(
        &self,
        passages: &Passages<'_>,
        read: &mut Read<'_, '_>,
        watch: &mut Option<Watch<'_>>,
    ) -> ControlFlow<()> {
        let Some(watch) = watch else { return ControlFlow::Continue(()) };
        let best = read.found.iter().max_by(|a, b| a.order.total_cmp(&b.order));
        let sure = best.filter(|best| best.confidence >= self.reader.confidence().answered);
        let progress = AskProgress { read: read.done.len(), passages: passages.all.len(), best: sure };
        let told = watch(progress);
        read.stopped |= told.is_break();
        told
    }

    fn read_batch(
        &self,
        passages: &Passages<'_>,
        batch: &[usize],
        read: &mut Read<'_, '_>,
    ) -> Result<(), AskError> {
        let texts: Vec<&str> = batch.iter().map(|&number| passages.text(passages.all[number])).collect();
        let readings = self.reader.read_all(read.question, &texts)?;
        let confidence = self.reader.confidence();
        let mut found: Vec<FoundAnswer> = Vec::new();
        for (&number, reading) in batch.iter().zip(readings) {
            found.extend(reading.answers.into_iter().filter_map(|answer| {
                locate(passages, read.documents, number, answer.span, answer.confidence, &confidence)
            }));
        }
        self.look_again(passages, read.question, &mut found, &confidence)?;
        read.found.append(&mut found);
        read.done.extend_from_slice(batch);
        Ok(())
    }

    /// Has the likeliest answers read once more with nothing but the sentences around them: what only looked sure among
    /// so many words often does not there.
    fn look_again(
        &self,
        passages: &Passages<'_>,
        question: &str,
        found: &mut [FoundAnswer],
        confidence: &Confidence,
    ) -> Result<(), AskError> {
        found.sort_by(|a, b| b.order.total_cmp(&a.order).then(a.place.cmp(&b.place)));
        let window = |answer: &FoundAnswer| {
            let around = passages.around(Place { span: answer.sentence, ..answer.place });
            let (start, end) =
                (around.span.start.max(answer.passage.start), around.span.end.min(answer.passage.end));
            Place {
                span: Span::new(start.min(answer.place.span.start), end.max(answer.place.span.end)),
                ..around
            }
        };
        // A window that is the whole passage has been read.
        let new = |answer: &&FoundAnswer| window(answer).span != answer.passage;
        let mut windows: Vec<Place> = found.iter().take(LOOKED_AT_AGAIN).filter(new).map(window).collect();
        windows.sort_unstable();
        windows.dedup();
        if windows.is_empty() {
            return Ok(());
        }
        let texts: Vec<&str> = windows.iter().map(|&place| passages.text(place)).collect();
        let readings = self.reader.read_all(question, &texts)?;
        for answer in found {
            let Ok(at) = windows.binary_search(&window(answer)) else { continue };
            let best = readings[at].answers.first().map_or(0.0, |best| best.confidence);
            answer.signals.again = log_odds(best);
            answer.confidence = confidence.of(&answer.signals);
            answer.order = confidence.order(&answer.signals);
        }
        Ok(())
    }

    /// The things that a question of number would count, from the passages nearest to it.
    fn things(
        &self,
        passages: &Passages<'_>,
        read: &Read<'_, '_>,
        confidence: &Confidence,
        options: &AskOptions,
    ) -> Result<Vec<FoundAnswer>, AskError> {
        let Some(question) = things_to_count(read.question) else { return Ok(Vec::new()) };
        let near: Vec<usize> = read.done.iter().copied().take(BATCH).collect();
        let texts: Vec<&str> = near.iter().map(|&number| passages.text(passages.all[number])).collect();
        let mut found = Vec::new();
        for (&number, reading) in near.iter().zip(self.reader.read(&question, &texts)?) {
            for answer in reading.answers {
                found.extend(locate(
                    passages,
                    read.documents,
                    number,
                    answer.span,
                    answer.confidence,
                    confidence,
                ));
            }
        }
        let mut things = choose::merge(found, read.documents);
        things.retain(|thing| thing.confidence >= confidence.answered);
        things.truncate(options.top);
        Ok(things)
    }
}

/// An answer in its document, if the span that the reader gave is one.
fn locate(
    passages: &Passages<'_>,
    documents: &[Document],
    number: usize,
    span: Span,
    reader: f32,
    confidence: &Confidence,
) -> Option<FoundAnswer> {
    let passage = passages.all[number];
    let place = Place { document: passage.document, span: span.shifted(passage.span.start) };
    let document = &documents[place.document];
    let words = place.span.slice(document.text())?;
    let place = Place { span: Span::new(place.span.start + last_paragraph(words), place.span.end), ..place };
    if place.span.end > passage.span.end || words.trim().is_empty() {
        return None;
    }
    let first = document.sentence_at(place.span.start)?;
    let last = document.sentence_at(place.span.end - 1).unwrap_or(first);
    let sentence = Place { span: first, ..place };
    let signals = Signals {
        reader: log_odds(reader),
        again: log_odds(reader),
        sentence: passages.sentence_score(sentence).unwrap_or_default(),
        words: passages.word_share(number),
        near_words: passages.word_share_of(passages.around(sentence)),
    };
    Some(FoundAnswer {
        place,
        sentence: Span::new(first.start, last.end.max(place.span.end)),
        passage: passage.span,
        confidence: confidence.of(&signals),
        order: confidence.order(&signals),
        signals,
        also: Vec::new(),
    })
}

/// Where the last paragraph of some words begins: no answer goes from a heading into the text below it.
fn last_paragraph(words: &str) -> usize {
    let (mut begins, mut breaks) = (0, 0);
    for (at, c) in words.char_indices() {
        match c {
            '\n' => breaks += 1,
            c if c.is_whitespace() => {}
            _ if breaks > 1 => (begins, breaks) = (at, 0),
            _ => breaks = 0,
        }
    }
    begins
}

/// Whether a question can be read for: it has a letter, and an end.
pub fn check_question(question: &str) -> Result<(), QueryError> {
    let chars = question.chars().count();
    if !question.contains(char::is_alphanumeric) {
        return Err(QueryError::Empty);
    }
    match chars > LONGEST_QUESTION {
        true => Err(QueryError::TooLong { chars, limit: LONGEST_QUESTION }),
        false => Ok(()),
    }
}

fn text_of(documents: &[Document], place: Place) -> &str {
    place.span.slice(documents[place.document].text()).unwrap_or_default()
}

fn reach(passages: &Passages<'_>, read: &Read<'_, '_>) -> Reach {
    let mut spans: Vec<Place> = read.done.iter().map(|&number| passages.all[number]).collect();
    spans.sort_unstable();
    let (mut bytes_read, mut document, mut end) = (0, usize::MAX, 0);
    for place in spans {
        if place.document != document {
            (document, end) = (place.document, 0);
        }
        bytes_read += place.span.end.saturating_sub(place.span.start.max(end));
        end = end.max(place.span.end);
    }
    let bytes = read.documents.iter().map(|document| document.text().len()).sum();
    Reach { passages: passages.all.len(), read: read.done.len(), bytes, bytes_read, stopped: read.stopped }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_stays_in_its_paragraph() {
        let rest = |words: &'static str| &words[last_paragraph(words)..];
        assert_eq!(rest("THE LAMP\n\nOld Margit"), "Old Margit");
        assert_eq!(rest("One\n \nTwo\n\n\u{2003}Three"), "Three");
        assert_eq!(rest("a line\nand the next"), "a line\nand the next");
        assert_eq!((rest(""), rest("Old\n\n")), ("", "Old\n\n"));
    }
}
