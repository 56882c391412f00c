//! A list question answered by find: what it found in each document in, answers with all their occurrences out.

use std::collections::HashMap;

use super::answers::{Answers, FoundAnswer, Outcome, Place, Reach};
use super::confidence::{Signals, log_odds};
use super::kind::QuestionKind;
use crate::document::Document;
use crate::find::{Findings, MatchKind, QueryCorrection};
use crate::index::PreparedDocument;
use crate::knowledge::fold;

/// Gathers what find found, document by document.
pub(crate) struct ListAnswers<'d> {
    documents: &'d [Document],
    answers: Vec<FoundAnswer>,
    /// Answers by what they are: the entity's name, or the words of a value.
    known: HashMap<String, usize>,
    corrections: Vec<QueryCorrection>,
}

impl<'d> ListAnswers<'d> {
    pub fn new(documents: &'d [Document]) -> Self {
        Self { documents, answers: Vec::new(), known: HashMap::new(), corrections: Vec::new() }
    }

    /// Adds what was found in one document. The query's own words are no answers to it.
    pub fn add(&mut self, number: usize, prepared: &PreparedDocument, findings: Findings) {
        let document = &self.documents[number];
        for found in &findings.matches {
            if !matches!(found.kind, MatchKind::Meaning | MatchKind::Value) {
                continue;
            }
            let Some(words) = found.span.slice(document.text()) else { continue };
            let name =
                found.entity.and_then(|at| prepared.entities.get(at)).map(|entity| entity.name.as_str());
            let place = Place { document: number, span: found.span };
            let at = *self.known.entry(fold(name.unwrap_or(words))).or_insert(self.answers.len());
            match self.answers.get_mut(at) {
                Some(answer) => answer.also.push(place),
                None => {
                    let sentence = document.sentence_at(found.span.start).unwrap_or(found.span);
                    self.answers.push(FoundAnswer {
                        place,
                        sentence,
                        passage: sentence,
                        confidence: found.score,
                        order: log_odds(found.score),
                        signals: Signals::default(),
                        also: Vec::new(),
                    });
                }
            }
        }
        self.corrections.extend(findings.corrections);
    }

    /// The answers, likeliest first; nothing when find found nothing, so that the question can still be read for.
    pub fn finish(mut self, question: &str) -> Option<Answers> {
        if self.answers.is_empty() {
            return None;
        }
        self.answers.sort_by(|a, b| b.confidence.total_cmp(&a.confidence).then(a.place.cmp(&b.place)));
        let question = (self.corrections.iter())
            .fold(question.to_owned(), |asked, made| asked.replacen(&made.from, &made.to, 1));
        let bytes = self.documents.iter().map(|document| document.text().len()).sum();
        Some(Answers {
            question,
            corrections: self.corrections,
            kind: QuestionKind::List,
            outcome: Outcome::Answered,
            ranking: self.answers.clone(),
            answers: self.answers,
            evidence: Vec::new(),
            read: Vec::new(),
            coverage: Reach { passages: 1, read: 1, bytes, bytes_read: bytes, stopped: false },
        })
    }
}
