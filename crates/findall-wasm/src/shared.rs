//! Models whose work is done elsewhere: a browser gives each core a thread with models of its own, and none can be shared.
//!
//! The thread that holds the pages says what it wants as [`ModelTask`]s. Other threads do them, and [`Ledger::learn`] takes in
//! what came out: pages that have much in common need it once.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard};

use findall::encode::{Embedding, Encoder, ModelError, TextKind};
use findall::index::Preparation;
use findall::judge::{Judge, VerdictRule};
use findall::mentions::{Mention, MentionTagger};
use findall_wire::browser::engine::{ModelTask, TaggedMention, TaskOutcome};

/// Outcomes held; beyond that, what no page needs any more is let go with the rest.
const MAX_OUTCOMES: usize = 50_000;

/// Gives a preparation what came out of a task; what it does not need it passes over.
pub fn give_outcome(preparation: &mut Preparation, task: &ModelTask, outcome: &TaskOutcome) {
    match (task, outcome) {
        (ModelTask::Tag { text }, TaskOutcome::Mentions { mentions }) => {
            preparation.take_mentions(text, mentions.iter().map(Mention::from).collect());
        }
        (ModelTask::Knowledge { text }, outcome) => {
            give_vector(preparation, TextKind::Knowledge, text, outcome)
        }
        (ModelTask::Passage { text }, outcome) => give_vector(preparation, TextKind::Passage, text, outcome),
        _ => {}
    }
}

fn give_vector(preparation: &mut Preparation, kind: TextKind, text: &str, outcome: &TaskOutcome) {
    if let TaskOutcome::Embedding { pooled, tokens } = outcome {
        let embedding = Embedding { pooled: pooled.clone(), tokens: tokens.clone() };
        preparation.take_embedding(kind, text, embedding);
    }
}

/// What is known, and what is wanted.
#[derive(Default)]
pub struct Ledger {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    known: HashMap<ModelTask, TaskOutcome>,
    wanted: Vec<ModelTask>,
    noted: HashSet<ModelTask>,
}

impl Ledger {
    /// Takes in what came out of tasks, in the order of the tasks.
    pub fn learn(&self, done: Vec<(ModelTask, TaskOutcome)>) {
        let mut state = self.lock();
        if state.known.len() + done.len() > MAX_OUTCOMES {
            state.known.clear();
        }
        state.known.extend(done);
    }

    /// What was asked for and is not known, in the order asked; the list begins anew.
    pub fn take_wanted(&self) -> Vec<ModelTask> {
        let mut state = self.lock();
        state.noted.clear();
        std::mem::take(&mut state.wanted)
    }

    /// What came out of a task, if it was done.
    pub fn outcome_of(&self, task: &ModelTask) -> Option<TaskOutcome> {
        self.lock().known.get(task).cloned()
    }

    /// The same; what is not known becomes wanted.
    fn look_up(&self, task: ModelTask) -> Option<TaskOutcome> {
        let mut state = self.lock();
        if let Some(known) = state.known.get(&task) {
            return Some(known.clone());
        }
        if state.noted.insert(task.clone()) {
            state.wanted.push(task);
        }
        None
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

/// The tagger of the thread that holds the pages: it has none, passages are tagged elsewhere.
pub struct AbsentTagger;

impl MentionTagger for AbsentTagger {
    fn id(&self) -> &str {
        "shared"
    }

    fn tag(&self, _: &[&str]) -> Result<Vec<Vec<Mention>>, ModelError> {
        Err(absent_model_error("tagger"))
    }
}

/// The judge of the thread that holds the pages: it fails until all that it is asked is known.
pub struct SharedJudge {
    pub rule: VerdictRule,
    pub ledger: Arc<Ledger>,
}

impl Judge for SharedJudge {
    fn id(&self) -> &str {
        "shared"
    }

    fn judge(&self, query: &str, texts: &[&str]) -> Result<Vec<f32>, ModelError> {
        let judge = |text: &&str| {
            let task = ModelTask::Judge { query: query.to_owned(), text: (*text).to_owned() };
            match self.ledger.look_up(task) {
                Some(TaskOutcome::Verdict { log_odds }) => Some(log_odds),
                _ => None,
            }
        };
        let verdicts: Vec<Option<f32>> = texts.iter().map(judge).collect();
        let awaited = || ModelError { model: "judge".into(), message: "its verdict is awaited".into() };
        verdicts.into_iter().collect::<Option<Vec<f32>>>().ok_or_else(awaited)
    }

    fn verdict(&self) -> VerdictRule {
        self.rule
    }
}

/// The models that do tasks; a thread may have some of them.
#[derive(Default)]
pub struct Workforce {
    pub encoder: Option<Arc<dyn Encoder>>,
    pub tagger: Option<Arc<dyn MentionTagger>>,
    pub judge: Option<Arc<dyn Judge>>,
}

impl Workforce {
    /// What comes out of each task. Tasks of one sort in a row are done together, which costs less.
    pub fn perform(&self, tasks: &[ModelTask]) -> Result<Vec<TaskOutcome>, ModelError> {
        let alike = |one: &ModelTask, other: &ModelTask| match (one, other) {
            (ModelTask::Judge { query, .. }, ModelTask::Judge { query: same, .. }) => query == same,
            _ => std::mem::discriminant(one) == std::mem::discriminant(other),
        };
        let mut outcomes = Vec::with_capacity(tasks.len());
        for group in tasks.chunk_by(alike) {
            let texts: Vec<&str> = group.iter().map(ModelTask::text).collect();
            match &group[0] {
                ModelTask::Tag { .. } => outcomes.extend(self.tag(&texts)?),
                ModelTask::Knowledge { .. } => outcomes.extend(self.encode(&texts, TextKind::Knowledge)?),
                ModelTask::Passage { .. } => outcomes.extend(self.encode(&texts, TextKind::Passage)?),
                ModelTask::Judge { query, .. } => {
                    let judge = self.judge.as_ref().ok_or_else(|| absent_model_error("judge"))?;
                    let verdicts = judge.judge(query, &texts)?.into_iter();
                    outcomes.extend(verdicts.map(|log_odds| TaskOutcome::Verdict { log_odds }));
                }
            }
        }
        Ok(outcomes)
    }

    fn tag(&self, texts: &[&str]) -> Result<impl Iterator<Item = TaskOutcome>, ModelError> {
        let tagged = self.tagger.as_ref().ok_or_else(|| absent_model_error("tagger"))?.tag(texts)?;
        let outcome = |mentions: Vec<Mention>| TaskOutcome::Mentions {
            mentions: mentions.iter().map(TaggedMention::from).collect(),
        };
        Ok(tagged.into_iter().map(outcome))
    }

    fn encode(
        &self,
        texts: &[&str],
        kind: TextKind,
    ) -> Result<impl Iterator<Item = TaskOutcome>, ModelError> {
        let encoded =
            self.encoder.as_ref().ok_or_else(|| absent_model_error("encoder"))?.encode(texts, kind)?;
        let outcome = |Embedding { pooled, tokens }| TaskOutcome::Embedding { pooled, tokens };
        Ok(encoded.into_iter().map(outcome))
    }
}

fn absent_model_error(model: &str) -> ModelError {
    ModelError { model: model.to_owned(), message: "is not loaded in this thread".into() }
}
