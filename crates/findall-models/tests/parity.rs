//! The Rust path gives what Python gives on the same int8 graphs. `training/fixtures.py` writes the fixtures.

use findall::Span;
use findall::encode::{Encoder, TextKind, cosine};
use findall::judge::Judge;
use findall::mentions::MentionTagger;
use findall_models::Models;
use findall_models::tokenizer::Tokenizer;
use serde::Deserialize;

/// Shorter texts give nearly the same numbers. In longer ones the sums of another order more often fall on the
/// other side of a rounding to int8, which layer after layer grows to what int8 itself costs.
const MAX_EXACT_CHARACTERS: usize = 200;

#[derive(Deserialize)]
struct Parity {
    tokens: Vec<Tokens>,
    vectors: Vec<Encoded>,
    mentions: Vec<Tagged>,
    answers: Vec<Answered>,
    verdicts: Vec<Verdict>,
}

#[derive(Deserialize)]
struct Tokens {
    text: String,
    ids: Vec<i32>,
    starts: Vec<usize>,
}

#[derive(Deserialize)]
struct Encoded {
    text: String,
    vector: Vec<f32>,
}

#[derive(Deserialize)]
struct Tagged {
    text: String,
    mentions: Vec<Named>,
}

#[derive(Deserialize)]
struct Named {
    span: [usize; 2],
    r#type: String,
    confidence: f32,
}

#[derive(Deserialize)]
struct Answered {
    question: String,
    passage: String,
    best: [usize; 2],
    no_answer: f32,
}

#[derive(Deserialize)]
struct Verdict {
    query: String,
    text: String,
    log_odds: f32,
}

fn parity() -> Parity {
    serde_json::from_str(include_str!("fixtures/parity.json")).unwrap()
}

fn models() -> Models {
    Models::find().unwrap()
}

#[test]
fn the_encoder_brings_a_rule_for_each_kind_of_score() {
    let encoder = models().encoder().unwrap();
    let (own, mixed) = (encoder.decision(), encoder.mixed_decision());
    assert!(own.possible > mixed.possible, "means of two scores spread less: {own:?} {mixed:?}");
}

#[test]
fn tokens_are_the_same() {
    let path = models().dir().join("tokenizer.json");
    let tokenizer = Tokenizer::from_json(&std::fs::read(&path).unwrap(), &path).unwrap();
    for expected in parity().tokens {
        let pieces = tokenizer.pieces(&expected.text, usize::MAX);
        let ids: Vec<i32> = pieces.iter().map(|p| p.id).collect();
        let starts: Vec<usize> = pieces.iter().map(|p| p.start).collect();
        assert_eq!(ids, expected.ids, "{}", expected.text);
        assert_eq!(starts, expected.starts, "{}", expected.text);
    }
}

#[test]
fn vectors_are_the_same() {
    let encoder = models().encoder().unwrap();
    let expected = parity().vectors;
    for Encoded { text, vector } in &expected {
        let ours = encoder.encode(&[text], TextKind::Passage).unwrap().remove(0);
        let likeness = cosine(&ours.pooled, vector);
        assert!(likeness > 0.999, "{likeness} for {text}");
    }
    // Company and padding change nothing.
    let texts: Vec<&str> = expected.iter().map(|e| e.text.as_str()).collect();
    let together = encoder.encode(&texts, TextKind::Passage).unwrap();
    for (ours, Encoded { text, vector }) in together.iter().zip(&expected) {
        let likeness = cosine(&ours.pooled, vector);
        assert!(likeness > 0.999, "{likeness} for {text} among others");
    }
}

#[test]
fn mentions_are_the_same() {
    let tagger = models().tagger().unwrap();
    for Tagged { text, mentions } in parity().mentions {
        let ours = tagger.tag(&[&text]).unwrap().remove(0);
        let shown: Vec<_> = ours.iter().map(|m| (m.span, format!("{:?}", m.kind).to_lowercase())).collect();
        let expected: Vec<_> =
            mentions.iter().map(|m| (Span::new(m.span[0], m.span[1]), m.r#type.clone())).collect();
        assert_eq!(shown, expected, "{text}");
        for (ours, theirs) in ours.iter().zip(&mentions) {
            let apart = (ours.confidence - theirs.confidence).abs();
            assert!(apart < if text.len() < MAX_EXACT_CHARACTERS { 0.01 } else { 0.08 }, "{ours:?}");
        }
    }
}

#[test]
fn answers_are_the_same() {
    let reader = models().reader().unwrap();
    for Answered { question, passage, best, no_answer } in parity().answers {
        let reading = reader.read_above(&question, &[&passage], 0.0).unwrap().remove(0);
        assert_eq!(reading.answers[0].span, Span::new(best[0], best[1]), "{question}");
        assert!(
            (reading.no_answer - no_answer).abs() < 0.05,
            "{question}: {} {no_answer}",
            reading.no_answer
        );
    }
}

#[test]
fn verdicts_are_the_same() {
    let judge = models().judge().unwrap().expect("the judge ships");
    let rule = judge.verdict();
    assert!(rule.judge > rule.encoder && rule.keep.is_finite(), "the rule was fitted: {rule:?}");
    for expected in parity().verdicts {
        let log_odds = judge.judge(&expected.query, &[&expected.text, "Lyon. city"]).unwrap();
        let apart = (log_odds[0] - expected.log_odds).abs();
        let characters = expected.query.len() + expected.text.len();
        assert!(
            apart < if characters < MAX_EXACT_CHARACTERS { 0.03 } else { 0.2 },
            "{} {}: {} {}",
            expected.query,
            expected.text,
            log_odds[0],
            expected.log_odds
        );
    }
    assert!(judge.judge("people", &[]).unwrap().is_empty());
}
