//! Answers as JSON Lines.

use std::borrow::Cow;

use findall::ask::{AskProgress, Evidence, FoundAnswer, Outcome, Place, enumeration};
use findall::document::Document;
use findall_service::ask::AnswerOrigin;
use findall_wire::WireCorrection;
use findall_wire::lines::{
    AlsoLine, AnswerLine, AskEndLine, AskLine, EvidenceLine, PlaceLine, ReachLine, SignalsLine, SurestLine,
    TextLine,
};

use super::answers::AskReport;
use super::json::push;

/// The first event.
pub fn begin(question: &str, documents: usize) -> Vec<u8> {
    line(&AskLine::Begin { question, documents })
}

/// How far it has come.
pub fn reading(now: &AskProgress<'_>, documents: &[Document]) -> Vec<u8> {
    let best = now.best.map(|best| SurestLine {
        text: best.place.span.slice(documents[best.place.document].text()).unwrap_or_default(),
        confidence: best.confidence,
    });
    line(&AskLine::Reading { read: now.read, passages: now.passages, best })
}

/// Answers, evidence where it is asked for or all there is, and the end.
pub fn end(report: &AskReport<'_>, with_evidence: bool) -> Vec<u8> {
    let mut out = Vec::new();
    let answers = &report.answered.answers;
    for (answer, origin) in report.answered.answers_with_origins() {
        push(&mut out, &AskLine::Answer(Box::new(answer_line(report, answer, origin))));
    }
    if with_evidence || answers.outcome != Outcome::Answered {
        for evidence in &answers.evidence {
            push(&mut out, &AskLine::Evidence(Box::new(evidence_line(report, evidence))));
        }
    }
    let reach = &answers.coverage;
    push(
        &mut out,
        &AskLine::End(AskEndLine {
            outcome: answers.outcome.name(),
            question: &answers.question,
            kind: answers.kind.name(),
            corrections: (answers.corrections.iter())
                .map(|correction| WireCorrection { from: correction.from.clone(), to: correction.to.clone() })
                .collect(),
            answers: answers.answers.len(),
            origin: report.answered.source.name(),
            similar_question: report.answered.asked_as.as_deref(),
            coverage: ReachLine {
                passages: reach.passages,
                read: reach.read,
                bytes: reach.bytes,
                bytes_read: reach.bytes_read,
                stopped: reach.stopped,
            },
            failed: report.failed,
            left_out: report.left_out,
            first_answer_ms: report.first_answer.map(|first| first.as_millis() as u64),
            elapsed_ms: report.elapsed.as_millis() as u64,
        }),
    );
    out
}

fn answer_line<'e>(
    report: &'e AskReport<'_>,
    answer: &'e FoundAnswer,
    origin: AnswerOrigin,
) -> AnswerLine<'e> {
    let text = report.documents[answer.place.document].text();
    let quote = |span: findall::Span| TextLine::of(text, span);
    let signals = &answer.signals;
    AnswerLine {
        path: path_of(report, answer.place),
        text: answer.place.span.slice(text).unwrap_or_default(),
        confidence: answer.confidence,
        origin: origin.name(),
        place: place_of(report, answer.place),
        sentence: quote(answer.sentence),
        passage: quote(answer.passage),
        signals: (origin == AnswerOrigin::Reader).then_some(SignalsLine {
            reader: signals.reader,
            again: signals.again,
            words: signals.words,
            near_words: signals.near_words,
        }),
        items: enumeration::items(text, answer.place.span).into_iter().map(quote).collect(),
        also: (answer.also.iter())
            .map(|&place| AlsoLine { path: path_of(report, place), place: place_of(report, place) })
            .collect(),
    }
}

fn evidence_line<'e>(report: &'e AskReport<'_>, evidence: &Evidence) -> EvidenceLine<'e> {
    let text = report.documents[evidence.place.document].text();
    EvidenceLine {
        path: path_of(report, evidence.place),
        text: evidence.place.span.slice(text).unwrap_or_default(),
        score: evidence.score,
        place: place_of(report, evidence.place),
    }
}

fn path_of<'e>(report: &'e AskReport<'_>, place: Place) -> Cow<'e, str> {
    report.paths.get(place.document).map_or("".into(), |path| path.to_string_lossy())
}

fn place_of<'e>(report: &'e AskReport<'_>, place: Place) -> PlaceLine<'e> {
    let document = &report.documents[place.document];
    PlaceLine::of(document, &document.positions(), place.span)
}

fn line(event: &AskLine<'_>) -> Vec<u8> {
    let mut out = Vec::new();
    push(&mut out, event);
    out
}
