//! SQuAD 2.0: its file format, and its metric as the official script computes it.

use std::collections::HashMap;
use std::path::Path;

use serde::Deserialize;

use crate::EvalError;
use crate::inputs;

#[derive(Deserialize)]
struct SquadFile {
    data: Vec<Article>,
}

/// An article.
#[derive(Deserialize)]
pub struct Article {
    /// Its title.
    #[serde(default)]
    pub title: String,
    /// Its paragraphs.
    pub paragraphs: Vec<Paragraph>,
}

/// A paragraph with the questions about it.
#[derive(Deserialize)]
pub struct Paragraph {
    /// Its text.
    pub context: String,
    /// The questions.
    pub qas: Vec<Question>,
}

/// A question with what people answered; nothing when the paragraph does not answer.
#[derive(Deserialize)]
pub struct Question {
    /// Its name.
    pub id: serde_json::Value,
    /// What is asked.
    pub question: String,
    #[serde(default)]
    answers: Vec<Answer>,
    #[serde(default)]
    is_impossible: bool,
}

#[derive(Deserialize)]
struct Answer {
    text: String,
}

impl Question {
    /// What people answered.
    pub fn gold(&self) -> impl Iterator<Item = &str> {
        self.answers.iter().map(|answer| answer.text.as_str())
    }
}

/// One question, answered and compared.
pub struct JudgedAnswer {
    /// Its name.
    pub id: String,
    /// The best span, whether or not it would be returned.
    pub answer: String,
    /// Probability that there is none.
    pub no_answer: f32,
    /// Whether there is one.
    pub answerable: bool,
    exact: f64,
    /// Words shared with the nearest answer that people gave.
    pub f1: f64,
}

/// The official figures, as shares of one.
#[derive(Debug, PartialEq)]
pub struct Scores {
    /// How many questions have an answer.
    pub answerable: usize,
    /// Same string as an answer, over those.
    pub has_answer_exact: f64,
    /// Shared words with an answer, over those.
    pub has_answer_f1: f64,
    /// Chance that a question without an answer gets a higher probability of none than one with.
    pub auroc: f64,
    /// Over all questions, saying nothing above the best threshold.
    pub best_exact: f64,
    /// The same for shared words.
    pub best_f1: f64,
    /// The same when the threshold is probability one half.
    pub f1_at_half: f64,
}

/// Reads a dataset.
pub fn read(path: &Path) -> Result<Vec<Article>, EvalError> {
    inputs::json::<SquadFile>(path).map(|file| file.data)
}

/// Compares an answer with what people said.
pub fn judge(question: &Question, answer: &str, no_answer: f32) -> JudgedAnswer {
    let id = question.id.as_str().map_or_else(|| question.id.to_string(), str::to_owned);
    let ours = normalise(answer);
    let gold: Vec<String> =
        question.answers.iter().map(|a| normalise(&a.text)).filter(|a| !a.is_empty()).collect();
    let answerable = !gold.is_empty() && !question.is_impossible;
    let best = |score: fn(&str, &str) -> f64| gold.iter().map(|g| score(&ours, g)).fold(0.0, f64::max);
    let exact = best(|a, b| f64::from(u8::from(a == b)));
    JudgedAnswer { id, answer: answer.to_owned(), no_answer, answerable, exact, f1: best(shared_words) }
}

/// All figures of a set.
pub fn scores(judged: &[JudgedAnswer]) -> Scores {
    let answerable: Vec<&JudgedAnswer> = judged.iter().filter(|j| j.answerable).collect();
    let mean =
        |values: &mut dyn Iterator<Item = f64>, count: usize| values.sum::<f64>() / count.max(1) as f64;
    let at_half = |j: &JudgedAnswer| match (j.no_answer > 0.5, j.answerable) {
        (true, answerable) => f64::from(u8::from(!answerable)),
        (false, true) => j.f1,
        (false, false) => 0.0,
    };
    Scores {
        answerable: answerable.len(),
        has_answer_exact: mean(&mut answerable.iter().map(|j| j.exact), answerable.len()),
        has_answer_f1: mean(&mut answerable.iter().map(|j| j.f1), answerable.len()),
        auroc: auroc(judged),
        best_exact: best_threshold(judged, |j| j.exact),
        best_f1: best_threshold(judged, |j| j.f1),
        f1_at_half: mean(&mut judged.iter().map(at_half), judged.len()),
    }
}

/// Lower case, without punctuation and articles, single spaces.
pub fn normalise(text: &str) -> String {
    let plain: String = text.to_lowercase().chars().filter(|c| !c.is_ascii_punctuation()).collect();
    let words = plain.split_whitespace().filter(|word| !matches!(*word, "a" | "an" | "the"));
    words.collect::<Vec<_>>().join(" ")
}

fn shared_words(ours: &str, gold: &str) -> f64 {
    let mut open: HashMap<&str, usize> = HashMap::new();
    for word in gold.split(' ') {
        *open.entry(word).or_default() += 1;
    }
    let ours: Vec<&str> = ours.split(' ').filter(|word| !word.is_empty()).collect();
    let mut shared = 0;
    for word in &ours {
        if let Some(left) = open.get_mut(word).filter(|left| **left > 0) {
            *left -= 1;
            shared += 1;
        }
    }
    2.0 * f64::from(shared) / (ours.len() + gold.split(' ').count()) as f64
}

/// Area under the curve by ranks; ties count half.
fn auroc(judged: &[JudgedAnswer]) -> f64 {
    let mut order: Vec<&JudgedAnswer> = judged.iter().collect();
    order.sort_by(|a, b| a.no_answer.total_cmp(&b.no_answer));
    let empty = judged.iter().filter(|j| !j.answerable).count() as f64;
    let others = judged.len() as f64 - empty;
    if empty == 0.0 || others == 0.0 {
        return f64::NAN;
    }
    let (mut below, mut wins) = (0.0, 0.0);
    for tied in order.chunk_by(|a, b| a.no_answer == b.no_answer) {
        let here = tied.iter().filter(|j| !j.answerable).count() as f64;
        let answerable = tied.len() as f64 - here;
        wins += here * (below + answerable / 2.0);
        below += answerable;
    }
    wins / (empty * others)
}

/// The largest mean when questions above some probability of no answer get none.
fn best_threshold(judged: &[JudgedAnswer], score: fn(&JudgedAnswer) -> f64) -> f64 {
    let mut order: Vec<&JudgedAnswer> = judged.iter().collect();
    order.sort_by(|a, b| a.no_answer.total_cmp(&b.no_answer));
    let mut now = judged.iter().filter(|j| !j.answerable).count() as f64;
    let mut best = now;
    for question in order {
        now += if question.answerable { score(question) } else { -1.0 };
        best = best.max(now);
    }
    best / judged.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(id: &str, answers: &[&str]) -> Question {
        let answers = answers.iter().map(|text| Answer { text: text.to_string() }).collect();
        Question { id: id.into(), question: String::new(), answers, is_impossible: false }
    }

    #[test]
    fn answers_are_compared_by_words() {
        let question = asked("1", &["the Kestrel", "MV Kestrel and MV Plover"]);
        let judged = judge(&question, "The MV Kestrel!", 0.1);
        assert_eq!((judged.exact, judged.answerable), (0.0, true));
        assert!((judged.f1 - 2.0 / 3.0).abs() < 1e-9, "{}", judged.f1);
        assert_eq!(judge(&question, "kestrel", 0.1).exact, 1.0);
        assert_eq!(judge(&question, "", 0.1).f1, 0.0);
    }

    #[test]
    fn the_threshold_and_the_curve_look_at_all_questions() {
        let gold = asked("1", &["x"]);
        let none = asked("2", &[]);
        let judged =
            [judge(&gold, "x", 0.2), judge(&gold, "y", 0.6), judge(&none, "z", 0.6), judge(&none, "z", 0.9)];
        let scores = scores(&judged);
        assert_eq!(scores.has_answer_exact, 0.5);
        // Of four pairs three are in order and one is tied.
        assert_eq!(scores.auroc, 0.875);
        // Best: answer the first only.
        assert_eq!((scores.best_exact, scores.f1_at_half), (0.75, 0.75));
    }
}
