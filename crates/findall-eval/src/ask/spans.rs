//! Questions with several answers in MultiSpanQA's format: each passage is asked as a document, and every span that is
//! shown is compared, word for word, with those that people marked.

use std::collections::HashSet;
use std::path::Path;

use findall::ask::{AskOptions, enumeration};
use findall::{Document, Engine};
use serde::Deserialize;

use crate::EvalError;
use crate::inputs;
use crate::qa::squad::normalise;

#[derive(Deserialize)]
struct SpanFile {
    data: Vec<SpanRow>,
}

/// A question, its passage and which of the passage's tokens answer.
#[derive(Deserialize)]
struct SpanRow {
    question: Vec<String>,
    context: Vec<String>,
    /// `B` where an answer begins, `I` inside one, `O` elsewhere.
    label: Vec<String>,
}

impl SpanRow {
    /// The passage as people write it, and the answers in it.
    fn read(&self) -> (String, Vec<String>) {
        let (mut text, mut answers) = (String::new(), Vec::<String>::new());
        let mut open = None;
        for (token, label) in self.context.iter().zip(&self.label) {
            if label != "I"
                && let Some(start) = open.take()
            {
                answers.push(text[start..].to_owned());
            }
            if stands_apart(&text, token) {
                text.push(' ');
            }
            if label == "B" {
                open = Some(text.len());
            }
            text.push_str(token);
        }
        answers.extend(open.map(|start| text[start..].to_owned()));
        (text, answers)
    }
}

/// Whether a blank stands before a token: not before punctuation, nor after an opening bracket.
fn stands_apart(text: &str, token: &str) -> bool {
    let closes = matches!(token, "," | "." | ";" | ":" | "?" | "!" | ")" | "]" | "%" | "'s" | "n't");
    let opened = text.is_empty() || text.ends_with(['(', '[', '$', '#']);
    !closes && !opened
}

/// Share of shown spans that are right, of right spans that are shown, and their harmonic mean, over all questions.
pub fn measure(
    engine: &Engine,
    path: &Path,
    sample: Option<usize>,
    options: &AskOptions,
) -> Result<Vec<(&'static str, f64, &'static str)>, EvalError> {
    let rows = inputs::json::<SpanFile>(path)?.data;
    let every = rows.len().div_ceil(sample.unwrap_or(rows.len()).max(1)).max(1);
    let (mut asked, mut silent, mut shown, mut wanted, mut right) = (0, 0, 0, 0, 0);
    for row in rows.iter().step_by(every) {
        let (text, answers) = row.read();
        let document = Document::from_text(text);
        let given = engine.ask(&document, &row.question.join(" "), options).map_err(inputs::wrap_error)?;
        let ours: HashSet<String> = (given.answers.iter())
            .flat_map(|answer| match enumeration::items(document.text(), answer.place.span) {
                items if items.is_empty() => vec![answer.place.span],
                items => items,
            })
            .filter_map(|span| span.slice(document.text()))
            .map(normalise)
            .collect();
        let gold: HashSet<String> = answers.iter().map(|answer| normalise(answer)).collect();
        asked += 1;
        silent += usize::from(ours.is_empty());
        shown += ours.len();
        wanted += gold.len();
        right += ours.intersection(&gold).count();
    }
    let share = |of: usize| right as f64 / of.max(1) as f64;
    let (precision, recall) = (share(shown), share(wanted));
    let f1 = if right == 0 { 0.0 } else { 2.0 * precision * recall / (precision + recall) };
    Ok(vec![
        ("questions", f64::from(asked), "count"),
        ("questions without an answer shown", silent as f64, "count"),
        ("spans: precision", precision, "share"),
        ("spans: recall", recall, "share"),
        ("spans: F1, exact", f1, "share"),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passages_are_written_as_people_do_and_answers_stand_in_them() {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect();
        let row = SpanRow {
            question: words("who sang it"),
            context: words("A remake by Dave Stewart and Barbara Gaskin ( # 3 ) , sold ."),
            label: words("O O O B I O B I O O O O O O O"),
        };
        let (text, answers) = row.read();
        assert_eq!(text, "A remake by Dave Stewart and Barbara Gaskin (#3), sold.");
        assert_eq!(answers, ["Dave Stewart", "Barbara Gaskin"]);
    }
}
