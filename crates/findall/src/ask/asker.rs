//! A question and documents in, answers out: spelling, passages, reading batch by batch, choosing.

use std::collections::HashMap;
use std::ops::ControlFlow;

use super::answers::{Answers, Evidence, FoundAnswer, Outcome, Place, Reach};
use super::confidence::{Confidence, Signals, log_odds};
use super::kind::{QuestionKind, asks_how, states_number, things_to_count};
use super::listing::wants_several;
use super::name_bounds::NameBounds;
use super::passages::Passages;
use super::wanted::WantedWords;
use super::{AskError, AskOptions, AskProgress, Reader, choose, enumeration, whole};
use crate::cache::Shards;
use crate::document::Document;
use crate::encode::Encoder;
use crate::error::QueryError;
use crate::index::{CachedTagger, Embeddings};
use crate::knowledge::KnowledgeBase;
use crate::span::Span;
use crate::spelling::Speller;
use crate::tuning::tuning;

/// Longer questions are no questions but pasted text.
const MAX_QUESTION_BYTES: usize = 1024;
/// Passages read first, so that the first answer comes soon, and often the last: as many as keep two cores busy.
const FIRST_BATCH_PASSAGES: usize = 4;
/// Passages read at a time after that.
const BATCH_PASSAGES: usize = 8;
/// Likeliest answers that are looked at again.
const MAX_SECOND_LOOKS: usize = 2;
/// Likeliest answers that are made whole: more than are shown.
const MAX_WHOLE_ANSWERS: usize = 8;
/// The first of them have whole names even where they are too unlikely to be given.
const MIN_WHOLE_NAMES: usize = 3;
/// Fewer words than these state nothing that yes or no could be told from.
const MIN_STATEMENT_WORDS: usize = 3;

/// Told about each batch.
pub(crate) type AskWatcher<'w> = &'w mut dyn FnMut(AskProgress<'_>) -> ControlFlow<()>;

/// What asking works with.
pub(crate) struct Asker<'e> {
    pub encoder: &'e dyn Encoder,
    pub reader: &'e dyn Reader,
    pub knowledge: &'e KnowledgeBase,
    pub tagging: CachedTagger<'e>,
    pub embeddings: Option<&'e Shards>,
}

/// What has been read so far for one question.
struct QuestionReading<'p, 'd> {
    question: &'p str,
    documents: &'d [Document],
    /// Whether it asks how or why.
    tells_how: bool,
    /// Whether it asks for a number, a time or a name.
    wanted: Option<WantedWords>,
    done: Vec<usize>,
    found: Vec<FoundAnswer>,
    /// What the reader said of sentences that it looked at again: log-odds of the best answer there.
    looks: HashMap<Place, f32>,
    stopped: bool,
}

impl Asker<'_> {
    /// Everything that answers the question.
    pub fn ask(
        &self,
        documents: &[Document],
        question: &str,
        options: &AskOptions,
        watch: Option<AskWatcher<'_>>,
    ) -> Result<Answers, AskError> {
        check_question(question)?;
        let (question, corrections) = match options.correct_typos {
            true => {
                let (knowledge, encoder) = (self.knowledge, self.encoder);
                Speller { documents, entities: &[], knowledge, encoder }.correct(question)
            }
            false => (question.to_owned(), Vec::new()),
        };
        let kind = match QuestionKind::of(&question) {
            // Find found nothing: a sentence may still answer.
            QuestionKind::List => QuestionKind::Span,
            kind => kind,
        };
        let mut passages = Passages::cut(documents, &question);
        let mut embeddings = Embeddings::new(self.encoder, self.embeddings);
        let mut read = QuestionReading {
            question: &question,
            documents,
            tells_how: asks_how(&question),
            wanted: WantedWords::of(&question),
            done: Vec::new(),
            found: Vec::new(),
            looks: HashMap::new(),
            stopped: false,
        };
        self.read(&mut passages, &mut embeddings, &mut read, options, watch)?;
        if kind == QuestionKind::YesNo {
            passages.rank(&mut embeddings, self.encoder, options.passages)?;
        }
        let confidence = self.reader.confidence();
        let ranking = choose::merge(std::mem::take(&mut read.found), documents);
        let ranking = self.complete_answers(ranking, &read, options)?;
        let mut answers = choose::select_answers(&ranking, documents, &confidence, options);
        if kind == QuestionKind::YesNo {
            // A name says neither yes nor no; a statement may.
            let states = |words: &str| words.split_whitespace().count() >= MIN_STATEMENT_WORDS;
            answers.retain(|answer| states(text_of(documents, answer.place)));
        }
        let mut outcome = match (kind, answers.is_empty()) {
            (QuestionKind::YesNo, true) => Outcome::YesOrNo,
            (_, true) => Outcome::NotAnsweredHere,
            (_, false) => Outcome::Answered,
        };
        if kind == QuestionKind::Count {
            answers.retain(|answer| states_number(text_of(documents, answer.place)));
            if answers.is_empty() && outcome == Outcome::Answered {
                outcome = Outcome::Counted;
                answers = self.find_counted_things(&passages, &read, &confidence, options)?;
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
            score,
        });
        let evidence = evidence.collect();
        let coverage = reach(&passages, &read);
        let read = read.done.iter().map(|&number| passages.all[number]).collect();
        Ok(Answers { read, evidence, coverage, kind, outcome, answers, ranking, corrections, question })
    }

    /// Reads the likeliest passages, a few by their words at once, until no other can hold a likelier answer. Where there
    /// are more than are read, the encoder ranks the rest.
    fn read(
        &self,
        passages: &mut Passages<'_>,
        embeddings: &mut Embeddings<'_>,
        read: &mut QuestionReading<'_, '_>,
        options: &AskOptions,
        mut watch: Option<AskWatcher<'_>>,
    ) -> Result<(), AskError> {
        let mut waiting = passages.order_by_words();
        let mut to_rank = waiting.len() > options.passages;
        let mut size = FIRST_BATCH_PASSAGES;
        loop {
            let room = options.passages.saturating_sub(read.done.len());
            let batch: Vec<usize> = waiting.drain(..size.min(room).min(waiting.len())).collect();
            if batch.is_empty() {
                return Ok(());
            }
            self.read_batch(passages, &batch, read)?;
            if !self.is_sure_at_once(passages, &waiting, read) {
                self.look_again(passages, read)?;
            }
            if self.report_progress(passages, read, &mut watch).is_break()
                || self.is_settled(passages, &waiting, read)
            {
                return Ok(());
            }
            if to_rank {
                waiting = passages.rank(embeddings, self.encoder, options.passages)?;
                waiting.retain(|passage| !read.done.contains(passage));
                to_rank = false;
            }
            size = BATCH_PASSAGES;
        }
    }

    /// True when the best answer is sure enough, and no passage that waits can hold one that comes before it.
    fn is_settled(&self, passages: &Passages<'_>, waiting: &[usize], read: &QuestionReading<'_, '_>) -> bool {
        let confidence = self.reader.confidence();
        let best = read.found.iter().max_by(|a, b| a.order.total_cmp(&b.order));
        let largest = passages.largest_word_share();
        let highest = |&passage: &usize| {
            confidence.highest_order(passages.word_share(passage), largest, read.wanted.is_some())
        };
        best.is_some_and(|best| {
            best.confidence >= confidence.answered
                && waiting.iter().all(|passage| best.order >= highest(passage))
        })
    }

    /// True when an answer is so sure that a second look would say nothing new, and nothing else needs to be read. Where
    /// more waits, a second look often ends the reading.
    fn is_sure_at_once(
        &self,
        passages: &Passages<'_>,
        waiting: &[usize],
        read: &QuestionReading<'_, '_>,
    ) -> bool {
        let sure_look = self.reader.confidence().sure_look;
        read.found.iter().any(|answer| answer.signals.reader >= sure_look)
            && (waiting.is_empty() || self.is_settled(passages, waiting, read))
    }

    fn report_progress(
        &self,
        passages: &Passages<'_>,
        read: &mut QuestionReading<'_, '_>,
        watch: &mut Option<AskWatcher<'_>>,
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
        read: &mut QuestionReading<'_, '_>,
    ) -> Result<(), AskError> {
        let texts: Vec<&str> = batch.iter().map(|&number| passages.text(passages.all[number])).collect();
        let readings = self.reader.read_all(read.question, &texts)?;
        let confidence = self.reader.confidence();
        for (&number, reading) in batch.iter().zip(readings) {
            let located = reading.answers.into_iter().filter_map(|answer| {
                locate(passages, read, number, answer.span, answer.confidence, &confidence)
            });
            let located: Vec<FoundAnswer> = located.collect();
            read.found.extend(located);
        }
        read.done.extend_from_slice(batch);
        Ok(())
    }

    /// Has the likeliest answers read once more with nothing but the sentences around them: what only looked sure among
    /// so many words often does not there.
    fn look_again(
        &self,
        passages: &Passages<'_>,
        read: &mut QuestionReading<'_, '_>,
    ) -> Result<(), AskError> {
        let confidence = self.reader.confidence();
        read.found.sort_by(|a, b| b.order.total_cmp(&a.order).then(a.place.cmp(&b.place)));
        let window = |answer: &FoundAnswer| {
            let around = passages.widen_to_neighbours(Place { span: answer.sentence, ..answer.place });
            let (start, end) =
                (around.span.start.max(answer.passage.start), around.span.end.min(answer.passage.end));
            Place {
                span: Span::new(start.min(answer.place.span.start), end.max(answer.place.span.end)),
                ..around
            }
        };
        // A window that is the whole passage has been read.
        let least = confidence.least_doubted_order(read.found.first().map_or(0.0, |best| best.order));
        let likeliest = read.found.iter().take(MAX_SECOND_LOOKS).filter(|answer| answer.order >= least);
        let new = likeliest.filter(|answer| window(answer).span != answer.passage).map(window);
        let mut windows: Vec<Place> = new.filter(|place| !read.looks.contains_key(place)).collect();
        windows.sort_unstable();
        windows.dedup();
        if !windows.is_empty() {
            let texts: Vec<&str> = windows.iter().map(|&place| passages.text(place)).collect();
            let readings = self.reader.read_all(read.question, &texts)?;
            for (place, reading) in windows.into_iter().zip(readings) {
                let best = reading.answers.first().map_or(0.0, |best| best.confidence);
                read.looks.insert(place, log_odds(best));
            }
        }
        for answer in &mut read.found {
            let Some(&again) = read.looks.get(&window(answer)) else { continue };
            answer.signals.again = again;
            answer.confidence = confidence.of(&answer.signals);
            answer.order = confidence.order(&answer.signals);
        }
        Ok(())
    }

    /// The likeliest answers as phrases that a person would accept: names and amounts whole, and where a sentence
    /// enumerates, all of it.
    fn complete_answers(
        &self,
        mut ranking: Vec<FoundAnswer>,
        read: &QuestionReading<'_, '_>,
        options: &AskOptions,
    ) -> Result<Vec<FoundAnswer>, AskError> {
        let likeliest = ranking.len().min(MAX_WHOLE_ANSWERS);
        let text = |answer: &FoundAnswer| read.documents[answer.place.document].text();
        let amounts = ranking[..likeliest].iter().map(|it| {
            let span = whole::complete_amounts(text(it), it.sentence, it.place.span);
            Place { span, ..it.place }
        });
        let mut made: Vec<Place> = amounts.collect();
        let mut names = NameBounds::new(self.tagging, read.documents);
        names.complete(&mut made[..self.count_shown(&ranking, options)])?;
        let several = wants_several(read.question);
        for (at, place) in made.iter_mut().enumerate() {
            let answer = &ranking[at];
            let beside = |other: &&FoundAnswer| {
                other.place.document == answer.place.document
                    && other.sentence == answer.sentence
                    && other.signals.reader >= answer.signals.reader - tuning().ask.sibling_margin
            };
            let proposed: Vec<Span> = ranking.iter().filter(beside).map(|other| other.place.span).collect();
            place.span = enumeration::widen_to_enumeration(
                text(answer),
                answer.sentence,
                place.span,
                &proposed,
                several,
            );
        }
        loop {
            ranking.iter_mut().zip(&made).for_each(|(answer, place)| answer.widen(place.span));
            ranking = choose::merge(ranking, read.documents);
            // Where two answers became one, the next moves up: its names have not been looked at.
            made =
                ranking.iter().take(self.count_shown(&ranking, options)).map(|answer| answer.place).collect();
            names.complete(&mut made)?;
            if made.iter().zip(&ranking).all(|(place, answer)| *place == answer.place) {
                return Ok(ranking);
            }
        }
    }

    /// How many of the likeliest answers anybody will see: whose names nobody sees is not worth the tagger's time.
    fn count_shown(&self, ranking: &[FoundAnswer], options: &AskOptions) -> usize {
        let last = choose::sure_answers(ranking, &self.reader.confidence(), options).next_back();
        last.map_or(0, |(at, _)| at + 1).clamp(MIN_WHOLE_NAMES, MAX_WHOLE_ANSWERS).min(ranking.len())
    }

    /// The things that a question of number would count, from the passages nearest to it.
    fn find_counted_things(
        &self,
        passages: &Passages<'_>,
        read: &QuestionReading<'_, '_>,
        confidence: &Confidence,
        options: &AskOptions,
    ) -> Result<Vec<FoundAnswer>, AskError> {
        let Some(question) = things_to_count(read.question) else { return Ok(Vec::new()) };
        let near: Vec<usize> = read.done.iter().copied().take(BATCH_PASSAGES).collect();
        let texts: Vec<&str> = near.iter().map(|&number| passages.text(passages.all[number])).collect();
        let mut found = Vec::new();
        for (&number, reading) in near.iter().zip(self.reader.read(&question, &texts)?) {
            for answer in reading.answers {
                found.extend(locate(passages, read, number, answer.span, answer.confidence, confidence));
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
    read: &QuestionReading<'_, '_>,
    number: usize,
    span: Span,
    reader: f32,
    confidence: &Confidence,
) -> Option<FoundAnswer> {
    let passage = passages.all[number];
    let place = Place { document: passage.document, span: span.shifted(passage.span.start) };
    let document = &read.documents[place.document];
    let words = place.span.slice(document.text())?;
    let place = Place { span: Span::new(place.span.start + last_paragraph(words), place.span.end), ..place };
    if place.span.end > passage.span.end || words.trim().is_empty() {
        return None;
    }
    let trimmed = |span| whole::trim(document.text(), span, read.tells_how);
    let place = Place { span: trimmed(place.span)?, ..place };
    let first = document.sentence_at(place.span.start)?;
    // What runs over the end of its sentence ends there, if that leaves anything.
    let ended = trimmed(whole::end_in_sentence(document.text(), first, place.span));
    let place = Place { span: ended.unwrap_or(place.span), ..place };
    let last = document.sentence_at(place.span.end - 1).unwrap_or(first);
    let sentence = Place { span: first, ..place };
    let signals = Signals {
        reader: log_odds(reader),
        again: log_odds(reader),
        words: passages.word_share(number),
        near_words: passages.word_share_of(passages.widen_to_neighbours(sentence)),
        kind: read.wanted.map_or(0.0, |wanted| wanted.agreement(text_of(read.documents, place))),
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
    match chars > MAX_QUESTION_BYTES {
        true => Err(QueryError::TooLong { chars, limit: MAX_QUESTION_BYTES }),
        false => Ok(()),
    }
}

fn text_of(documents: &[Document], place: Place) -> &str {
    place.span.slice(documents[place.document].text()).unwrap_or_default()
}

fn reach(passages: &Passages<'_>, read: &QuestionReading<'_, '_>) -> Reach {
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
