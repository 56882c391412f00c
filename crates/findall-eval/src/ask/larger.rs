//! What a larger model adds to asking: the questions of a run enter; figures leave of the reader with the model's second
//! opinion where it is not sure, as `findall ask --llm` answers, and of the model alone on the passages that were read.

use std::time::Instant;

use findall::ask::{Answers, AskOptions, FoundAnswer, Outcome, ask_larger};
use findall::chat::{ChatModel, Usage};
use findall::{Document, Engine};

use super::{AskRun, AskedQuestion};
use crate::qa::squad::{self, Question};
use crate::{EvalError, inputs, larger};

/// Both ways of using the model, over all questions.
#[derive(Default)]
struct LargerRun {
    second_opinion: AskRun,
    alone: AskRun,
    /// Questions on which the reader is not sure.
    unsure: usize,
    usage: Usage,
    seconds: f64,
}

/// Asks the model about every question, and compares.
pub fn measure(
    engine: &Engine,
    model: &dyn ChatModel,
    documents: &[Document],
    asked: &[AskedQuestion<'_>],
    options: &AskOptions,
) -> Result<Vec<(&'static str, f64, &'static str)>, EvalError> {
    let mut run = LargerRun::default();
    for asked in asked {
        let document = &documents[asked.article];
        let answers = engine.ask(document, &asked.question.question, options).map_err(inputs::wrap_error)?;
        let started = Instant::now();
        let (found, usage) =
            ask_larger(model, std::slice::from_ref(document), &answers).map_err(larger::wrap_error)?;
        // A reply that an earlier run had kept took no time.
        run.seconds += if usage.calls > 0 { started.elapsed().as_secs_f64() } else { 0.0 };
        run.usage += usage;
        run.add(asked.question, document, answers, found);
    }
    Ok(run.figures())
}

impl LargerRun {
    fn add(
        &mut self,
        question: &Question,
        document: &Document,
        mut answers: Answers,
        found: Vec<FoundAnswer>,
    ) {
        let judge = |best: Option<&FoundAnswer>| match best {
            Some(best) => {
                let text = best.place.span.slice(document.text()).unwrap_or_default();
                squad::judge(question, text, 1.0 - best.confidence)
            }
            None => squad::judge(question, "", 1.0),
        };
        self.alone.judged.push(judge(found.first()));
        self.alone.answered.push(!found.is_empty());
        let unsure = answers.is_unsure();
        self.unsure += usize::from(unsure);
        let replaced = unsure && answers.replace_by_larger(found);
        let best = if replaced { answers.answers.first() } else { answers.ranking.first() };
        self.second_opinion.judged.push(judge(best));
        self.second_opinion.answered.push(answers.outcome == Outcome::Answered);
    }

    fn figures(&self) -> Vec<(&'static str, f64, &'static str)> {
        let calls = self.usage.calls.max(1) as f64;
        let mut figures = vec![("larger model where unsure: asked", self.unsure as f64, "count")];
        let names = [
            "larger model where unsure: F1, answerable",
            "larger model where unsure: answered",
            "larger model where unsure: right decision to answer or abstain",
            "larger model where unsure: F1, answerable, silence counting 0",
            "larger model where unsure: AUROC of no answer",
        ];
        figures.extend(name_figures(names, &self.second_opinion));
        let names = [
            "larger model alone: F1, answerable",
            "larger model alone: answered",
            "larger model alone: right decision to answer or abstain",
            "larger model alone: F1, answerable, silence counting 0",
            "larger model alone: AUROC of no answer",
        ];
        figures.extend(name_figures(names, &self.alone));
        figures.extend([
            ("larger model: calls", self.usage.calls as f64, "count"),
            ("larger model: tokens sent a call", self.usage.tokens_in as f64 / calls, "count"),
            ("larger model: tokens received a call", self.usage.tokens_out as f64 / calls, "count"),
            ("larger model: time a call", self.seconds / calls, "s"),
        ]);
        figures
    }
}

fn name_figures(names: [&'static str; 5], run: &AskRun) -> [(&'static str, f64, &'static str); 5] {
    let scores = squad::scores(&run.judged);
    let answered = run.answered.iter().filter(|answered| **answered).count();
    [
        (names[0], scores.has_answer_f1, "share"),
        (names[1], answered as f64, "count"),
        (names[2], run.right_decisions(), "share"),
        (names[3], run.f1_as_answered(true), "share"),
        (names[4], scores.auroc, "share"),
    ]
}

#[cfg(test)]
mod tests {
    use findall::Span;
    use findall::ask::{Place, QuestionKind, Reach, Signals};

    use super::*;

    const TEXT: &str = "Ida Brandt lit the lamp in 1904.";

    fn answer_with(words: &str, confidence: f32) -> FoundAnswer {
        let start = TEXT.find(words).unwrap();
        let span = Span::new(start, start + words.len());
        let place = Place { document: 0, span };
        let signals = Signals::default();
        FoundAnswer {
            place,
            sentence: span,
            passage: span,
            confidence,
            order: 0.0,
            signals,
            also: Vec::new(),
        }
    }

    fn read(best: FoundAnswer, outcome: Outcome) -> Answers {
        Answers {
            question: "Who lit the lamp?".into(),
            corrections: Vec::new(),
            kind: QuestionKind::Span,
            outcome,
            answers: vec![best.clone()],
            evidence: Vec::new(),
            ranking: vec![best],
            read: Vec::new(),
            coverage: Reach::default(),
        }
    }

    #[test]
    fn the_model_speaks_where_the_reader_is_not_sure() {
        let question: Question = serde_json::from_value(serde_json::json!({
            "id": "1", "question": "Who lit the lamp?", "answers": [{"text": "Ida Brandt"}],
        }))
        .unwrap();
        let document = Document::from_text(TEXT);
        let mut run = LargerRun::default();
        let mut add = |reader: Answers, larger: Vec<FoundAnswer>| {
            run.add(&question, &document, reader, larger);
            let last = |run: &AskRun| (run.judged.last().unwrap().f1, *run.answered.last().unwrap());
            (last(&run.second_opinion), last(&run.alone))
        };
        let unsure = || read(answer_with("1904", 0.2), Outcome::Guessed);
        let sure = || read(answer_with("Ida Brandt", 0.9), Outcome::Answered);
        assert_eq!(add(unsure(), vec![answer_with("Ida Brandt", 0.8)]), ((1.0, true), (1.0, true)));
        assert_eq!(add(unsure(), Vec::new()), ((0.0, false), (0.0, false)), "the model says nothing");
        assert_eq!(
            add(sure(), vec![answer_with("1904", 0.8)]),
            ((1.0, true), (0.0, true)),
            "nobody asked it"
        );
        assert_eq!(run.unsure, 2);
    }
}
