//! The engine by meaning: one thread holds pages and says which tasks it wants done, others have the models and do them.

use findall::Span;
use findall::encode::TextKind;
use findall::index::TextTask;
use findall::mentions::{Mention, MentionType};
use serde::{Deserialize, Serialize};

use crate::{ErrorDetail, FindResponse};

/// A request to the engine inside a browser.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "call", rename_all = "lowercase")]
pub enum EngineRequest {
    /// Opens what the files that were given are enough for.
    Open,
    /// Takes a page, and says what is wanted to read it.
    Document {
        /// What it says.
        text: String,
        /// What is seen of it, in UTF-16 units: that is read first.
        #[serde(default)]
        seen: Option<(usize, usize)>,
    },
    /// Says how far a page has been read, and what is wanted next.
    Read {
        /// The page's id.
        document: String,
    },
    /// Does tasks.
    Work {
        /// What is to be done.
        tasks: Vec<ModelTask>,
    },
    /// Takes in what came out of tasks.
    Learn {
        /// Each task with its outcome.
        done: Vec<(ModelTask, TaskOutcome)>,
    },
    /// Looks for a query in what has been read of a page.
    Find {
        /// The page's id.
        document: String,
        /// What is looked for.
        query: String,
        /// Whether the encoder's first answer will do.
        #[serde(default)]
        fast: bool,
    },
}

/// An answer of the engine inside a browser. Offsets count UTF-16 units.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum EngineAnswer {
    /// To `open`.
    Opened {
        /// True.
        ready: bool,
    },
    /// To `document` and `read`.
    Read {
        /// The page's id.
        document: String,
        /// How far it has been read.
        read: usize,
        /// How long it is.
        total: usize,
        /// Whether nothing is left to be read.
        whole: bool,
        /// Tasks that are next, the most urgent first.
        wanted: Vec<ModelTask>,
    },
    /// To a `find` that is to be asked again when these tasks have been learned.
    Wanted {
        /// What the judge is to read.
        wanted: Vec<ModelTask>,
    },
    /// To `work`.
    Done {
        /// Each task with its outcome.
        done: Vec<(ModelTask, TaskOutcome)>,
    },
    /// To `learn`.
    Learned {
        /// True.
        learned: bool,
    },
    /// To `find`.
    Found(FindResponse),
    /// To what cannot be answered.
    Failed {
        /// What happened and what to do.
        error: ErrorDetail,
    },
}

/// One piece of work for a model.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "task", rename_all = "lowercase")]
pub enum ModelTask {
    /// The mentions of a passage.
    Tag {
        /// The passage.
        text: String,
    },
    /// The embedding of what is known about an entity.
    Knowledge {
        /// What is known.
        text: String,
    },
    /// The embedding of a name in its context.
    Passage {
        /// The context.
        text: String,
    },
    /// Whether a candidate satisfies a query.
    Judge {
        /// What is looked for.
        query: String,
        /// What is said of the candidate.
        text: String,
    },
}

impl ModelTask {
    /// The text to be read.
    pub fn text(&self) -> &str {
        match self {
            ModelTask::Tag { text }
            | ModelTask::Knowledge { text }
            | ModelTask::Passage { text }
            | ModelTask::Judge { text, .. } => text,
        }
    }
}

impl From<TextTask> for ModelTask {
    fn from(task: TextTask) -> Self {
        match task {
            TextTask::Tag(text) => ModelTask::Tag { text },
            TextTask::Embed(TextKind::Knowledge, text) => ModelTask::Knowledge { text },
            TextTask::Embed(TextKind::Passage | TextKind::Query, text) => ModelTask::Passage { text },
        }
    }
}

/// What came out of a task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum TaskOutcome {
    /// Of `tag`.
    Mentions {
        /// In text order.
        mentions: Vec<TaggedMention>,
    },
    /// Of `knowledge` and `passage`.
    Embedding {
        /// The text's vector.
        pooled: Vec<f32>,
        /// Those of its tokens.
        tokens: Vec<i8>,
    },
    /// Of `judge`.
    Verdict {
        /// How likely the candidate satisfies the query.
        log_odds: f32,
    },
}

/// A mention on its way between threads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TaggedMention {
    /// Where it begins in the passage, in bytes.
    pub start: usize,
    /// Where it has ended.
    pub end: usize,
    /// Its type, as its place among [`MentionType::ALL`].
    pub kind: usize,
    /// The tagger's confidence.
    pub confidence: f32,
}

impl From<&Mention> for TaggedMention {
    fn from(mention: &Mention) -> Self {
        let kind = mention.kind.number();
        Self { start: mention.span.start, end: mention.span.end, kind, confidence: mention.confidence }
    }
}

impl From<&TaggedMention> for Mention {
    fn from(tagged: &TaggedMention) -> Self {
        let kind = MentionType::ALL.get(tagged.kind).copied().unwrap_or(MentionType::Other);
        Mention { span: Span::new(tagged.start, tagged.end), kind, confidence: tagged.confidence }
    }
}
