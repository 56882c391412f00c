//! The process that is killed: it writes questions whose every part follows from their number, and prints a number once
//! the store has acknowledged it.

use std::io::Write;

use findall_store::exchange::QuestionLine;
use findall_store::{
    Feedback, Page, Pattern, PatternUse, Question, QuestionRecord, Reading, Selector, Store, Vector, Verdict,
    WriteOutcome,
};

use super::{make_error, wrap_error};
use crate::EvalError;

/// Arguments of the writer.
#[derive(Debug, clap::Args)]
pub struct WriteArgs {
    /// The store
    place: String,

    /// First number
    from: u64,
}

/// Every so many questions are corrected in a second write.
const QUESTIONS_A_CORRECTION: u64 = 5;
const ANSWERS: u64 = 3;

/// Writes until killed, or until the store fails.
pub fn run(args: &WriteArgs) -> Result<(), EvalError> {
    let store = findall_store::open(&args.place).map_err(wrap_error)?;
    store.add_pattern(PatternUse::Share, &Pattern::new("*").map_err(wrap_error)?).map_err(wrap_error)?;
    for number in args.from.. {
        write(&*store, number)?;
        let mut out = std::io::stdout().lock();
        writeln!(out, "{number}")?;
        out.flush()?;
    }
    Ok(())
}

/// The page of a number.
pub fn key(number: u64) -> String {
    format!("https://kill.example/{}", number % 40)
}

/// The question of a number.
pub fn question(number: u64) -> String {
    format!("question {number}")
}

fn selector(number: u64, place: u64) -> Selector {
    let quote = format!("answer {place} to {number} {}", "and so on ".repeat((number % 7) as usize));
    Selector { quote, prefix: format!("before {number} "), suffix: format!(" after {number}"), start: number }
}

fn vector(number: u64) -> Vec<f32> {
    (0..384u64).map(|at| ((number * 31 + at * at) % 17) as f32 - 8.0).collect()
}

fn write(store: &dyn Store, number: u64) -> Result<(), EvalError> {
    let (key, text, values) = (key(number), question(number), vector(number));
    let page = Page { key: &key, title: Some("A page"), content: [1; 32] };
    let question = Question { text: &text, normalised: &text };
    let answers = (0..ANSWERS).map(|place| (selector(number, place), 0.5)).collect();
    let reading = Reading { answers, no_answer: 0.25, model: "reader".into(), ..Reading::default() };
    let vector = Some(Vector { encoder: "encoder", values: &values });
    let asked = QuestionRecord { page, question, vector, reading: Some(reading), at: 1 };
    let mut kept = store.record(&asked).map_err(wrap_error)?;
    if number.is_multiple_of(QUESTIONS_A_CORRECTION) && matches!(kept, WriteOutcome::Kept(_)) {
        let verdict = Verdict::Wrong(selector(number, 0));
        let feedback = Feedback { page, question, vector: None, verdict, passage: "", at: 2 };
        kept = store.record_feedback(&feedback).map_err(wrap_error)?;
    }
    match kept {
        WriteOutcome::Kept(_) => Ok(()),
        WriteOutcome::Refused(refusal) => Err(make_error(format!("refused: {refusal:?}"))),
    }
}

/// Whether a question is there as it was written. One that was acknowledged has its correction too; one that was not may
/// lack it.
pub fn is_whole(line: &QuestionLine, acknowledged: bool) -> bool {
    let Some(number) = line.text.strip_prefix("question ").and_then(|number| number.parse::<u64>().ok())
    else {
        return false;
    };
    let [reading] = line.readings.as_slice() else { return false };
    let [stored] = line.vectors.as_slice() else { return false };
    let expected = vector(number);
    let length = expected.iter().map(|value| value * value).sum::<f32>().sqrt();
    let same_vector = stored.values().is_some_and(|values| {
        values.len() == expected.len()
            && values.iter().zip(&expected).all(|(a, b)| (a - b / length).abs() < 1e-6)
    });
    let same_answers = reading.answers.len() == ANSWERS as usize
        && (0..)
            .zip(&reading.answers)
            .all(|(place, answer)| Selector::from(answer.selector.clone()) == selector(number, place));
    let corrections = usize::from(number.is_multiple_of(QUESTIONS_A_CORRECTION));
    let corrected = line.feedback.len() == corrections || (!acknowledged && line.feedback.is_empty());
    line.page == key(number) && line.asked.len() == 1 && same_vector && same_answers && corrected
}
