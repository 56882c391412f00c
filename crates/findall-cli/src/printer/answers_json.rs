//! Answers as JSON Lines: `begin`, `reading` after each batch with the surest answer so far, then `answer` and
//! `evidence`, best first, and `end` with the outcome.

use std::borrow::Cow;

use findall::ask::{AskProgress, Evidence, FoundAnswer, Outcome, Place, enumeration};
use findall::document::Document;
use serde::Serialize;

use findall_service::ask::AnswerOrigin;

use super::answers::AskReport;
use super::json::{PlaceEvent, push};

#[derive(Serialize)]
#[serde(tag = "type", content = "data", rename_all = "lowercase")]
enum AskEvent<'e> {
    Begin { question: &'e str, documents: usize },
    Reading { read: usize, passages: usize, best: Option<SoFar<'e>> },
    Answer(Box<AnswerEvent<'e>>),
    Evidence(Box<EvidenceEvent<'e>>),
    End(EndEvent<'e>),
}

#[derive(Serialize)]
struct SoFar<'e> {
    text: &'e str,
    confidence: f32,
}

#[derive(Serialize)]
struct AnswerEvent<'e> {
    path: Cow<'e, str>,
    text: &'e str,
    confidence: f32,
    /// `reader`, `remembered`, `similar`, `person` or `llm`.
    origin: &'static str,
    #[serde(flatten)]
    place: PlaceEvent<'e>,
    sentence: TextEvent<'e>,
    passage: TextEvent<'e>,
    /// What the confidence was made from; where it was read now.
    #[serde(skip_serializing_if = "Option::is_none")]
    signals: Option<SignalsEvent>,
    /// The items, where the answer enumerates several things.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    items: Vec<TextEvent<'e>>,
    /// Other places with the same words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    also: Vec<AlsoEvent<'e>>,
}

#[derive(Serialize)]
struct EvidenceEvent<'e> {
    path: Cow<'e, str>,
    text: &'e str,
    score: f32,
    #[serde(flatten)]
    place: PlaceEvent<'e>,
}

#[derive(Serialize)]
struct AlsoEvent<'e> {
    path: Cow<'e, str>,
    #[serde(flatten)]
    place: PlaceEvent<'e>,
}

#[derive(Serialize)]
struct TextEvent<'e> {
    text: &'e str,
    start: usize,
    end: usize,
}

#[derive(Serialize)]
struct SignalsEvent {
    reader: f32,
    again: f32,
    words: f32,
    near_words: f32,
}

#[derive(Serialize)]
struct EndEvent<'e> {
    /// `answered`, `guessed`, `not-answered-here`, `yes-or-no` or `counted`.
    outcome: &'static str,
    /// The question that was read for, after corrections.
    question: &'e str,
    kind: &'static str,
    corrections: Vec<CorrectionEvent<'e>>,
    answers: usize,
    /// Where all of it came from, as with answers.
    origin: &'static str,
    /// The other wording under which it was remembered.
    #[serde(skip_serializing_if = "Option::is_none")]
    similar_question: Option<&'e str>,
    coverage: ReachEvent,
    failed: u64,
    left_out: u64,
    first_answer_ms: Option<u64>,
    elapsed_ms: u64,
}

#[derive(Serialize)]
struct CorrectionEvent<'e> {
    from: &'e str,
    to: &'e str,
}

#[derive(Serialize)]
struct ReachEvent {
    passages: usize,
    read: usize,
    bytes: usize,
    bytes_read: usize,
    stopped: bool,
}

/// The first event.
pub fn begin(question: &str, documents: usize) -> Vec<u8> {
    line(&AskEvent::Begin { question, documents })
}

/// How far it has come.
pub fn reading(now: &AskProgress<'_>, documents: &[Document]) -> Vec<u8> {
    let best = now.best.map(|best| SoFar {
        text: best.place.span.slice(documents[best.place.document].text()).unwrap_or_default(),
        confidence: best.confidence,
    });
    line(&AskEvent::Reading { read: now.read, passages: now.passages, best })
}

/// Answers, evidence where it is asked for or all there is, and the end.
pub fn end(report: &AskReport<'_>, with_evidence: bool) -> Vec<u8> {
    let mut out = Vec::new();
    let answers = &report.answered.answers;
    for (answer, origin) in report.answered.given() {
        push(&mut out, &AskEvent::Answer(Box::new(answer_event(report, answer, origin))));
    }
    if with_evidence || answers.outcome != Outcome::Answered {
        for evidence in &answers.evidence {
            push(&mut out, &AskEvent::Evidence(Box::new(evidence_event(report, evidence))));
        }
    }
    let reach = &answers.coverage;
    push(
        &mut out,
        &AskEvent::End(EndEvent {
            outcome: answers.outcome.name(),
            question: &answers.question,
            kind: answers.kind.name(),
            corrections: (answers.corrections.iter())
                .map(|correction| CorrectionEvent { from: &correction.from, to: &correction.to })
                .collect(),
            answers: answers.answers.len(),
            origin: report.answered.source.name(),
            similar_question: report.answered.asked_as.as_deref(),
            coverage: ReachEvent {
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

fn answer_event<'e>(
    report: &'e AskReport<'_>,
    answer: &'e FoundAnswer,
    origin: AnswerOrigin,
) -> AnswerEvent<'e> {
    let text = report.documents[answer.place.document].text();
    let text_event = |span: findall::Span| TextEvent {
        text: span.slice(text).unwrap_or_default(),
        start: span.start,
        end: span.end,
    };
    let signals = &answer.signals;
    AnswerEvent {
        path: path_of(report, answer.place),
        text: answer.place.span.slice(text).unwrap_or_default(),
        confidence: answer.confidence,
        origin: origin.name(),
        place: place_of(report, answer.place),
        sentence: text_event(answer.sentence),
        passage: text_event(answer.passage),
        signals: (origin == AnswerOrigin::Reader).then_some(SignalsEvent {
            reader: signals.reader,
            again: signals.again,
            words: signals.words,
            near_words: signals.near_words,
        }),
        items: enumeration::items(text, answer.place.span).into_iter().map(text_event).collect(),
        also: (answer.also.iter())
            .map(|&place| AlsoEvent { path: path_of(report, place), place: place_of(report, place) })
            .collect(),
    }
}

fn evidence_event<'e>(report: &'e AskReport<'_>, evidence: &Evidence) -> EvidenceEvent<'e> {
    let text = report.documents[evidence.place.document].text();
    EvidenceEvent {
        path: path_of(report, evidence.place),
        text: evidence.place.span.slice(text).unwrap_or_default(),
        score: evidence.score,
        place: place_of(report, evidence.place),
    }
}

fn path_of<'e>(report: &'e AskReport<'_>, place: Place) -> Cow<'e, str> {
    report.paths.get(place.document).map_or("".into(), |path| path.to_string_lossy())
}

fn place_of<'e>(report: &'e AskReport<'_>, place: Place) -> PlaceEvent<'e> {
    let document = &report.documents[place.document];
    PlaceEvent::of(document, &document.positions(), place.span)
}

fn line(event: &AskEvent<'_>) -> Vec<u8> {
    let mut out = Vec::new();
    push(&mut out, event);
    out
}
