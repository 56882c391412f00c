//! The lines of an export.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

use crate::model::{Reading, Selector, Verdict};

/// Version of the format.
pub const FORMAT: u32 = 1;

/// One line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Line {
    /// The first: what this is, and the random name of the store it came from.
    Store {
        /// [`FORMAT`] when it was written.
        format: u32,
        /// Whose counts these are.
        store: String,
    },
    /// Privacy settings.
    Settings {
        /// Whether anything new is remembered.
        remember: bool,
        /// Patterns never remembered.
        deny: Vec<String>,
        /// Patterns that may be shared.
        share: Vec<String>,
    },
    /// A page, before its questions.
    Page(PageLine),
    /// A question with all that hangs on it.
    Question(Box<QuestionLine>),
    /// The last: without it the file was cut off.
    End {
        /// Pages written.
        pages: u64,
        /// Questions written.
        questions: u64,
    },
}

/// A page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "named as in the model")]
pub struct PageLine {
    pub key: String,
    pub title: Option<String>,
    pub first_seen: i64,
    pub last_seen: i64,
    pub versions: Vec<VersionLine>,
}

/// One content of a page, as the hash of its text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "named as in the model")]
pub struct VersionLine {
    pub content: String,
    pub first_seen: i64,
    pub last_seen: i64,
}

/// A question.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "named as in the model")]
pub struct QuestionLine {
    pub page: String,
    pub text: String,
    pub normalised: String,
    #[serde(default)]
    pub asked: Vec<AskedLine>,
    #[serde(default)]
    pub vectors: Vec<VectorLine>,
    #[serde(default)]
    pub readings: Vec<ReadingLine>,
    #[serde(default)]
    pub feedback: Vec<FeedbackLine>,
}

/// How often a store was asked. Of two figures for one store the higher is the later, so merging is safe to repeat.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "named as in the model")]
pub struct AskedLine {
    pub store: String,
    pub count: u64,
    pub last_asked: i64,
}

/// A vector: little-endian 32-bit floats in base 64.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "named as in the model")]
pub struct VectorLine {
    pub encoder: String,
    pub vector: String,
}

/// What a model read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "named as in the model")]
pub struct ReadingLine {
    pub content: String,
    pub model: String,
    pub larger: bool,
    pub no_answer: f32,
    pub at: i64,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub guessed: bool,
    pub answers: Vec<AnswerLine>,
}

/// One answer of a reading.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "named as in the model")]
pub struct AnswerLine {
    #[serde(flatten)]
    pub selector: SelectorLine,
    pub confidence: f32,
}

/// Where a piece of text stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "named as in the model")]
pub struct SelectorLine {
    pub quote: String,
    pub prefix: String,
    pub suffix: String,
    pub start: u64,
}

/// A person's word; `mark` tells it from all others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "named as in the model")]
pub struct FeedbackLine {
    pub mark: String,
    pub content: String,
    pub right: bool,
    #[serde(flatten)]
    pub selector: SelectorLine,
    pub passage: String,
    pub at: i64,
}

impl VectorLine {
    /// Packs.
    pub fn new(encoder: String, values: &[f32]) -> Self {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        Self { encoder, vector: STANDARD.encode(bytes) }
    }

    /// Unpacks; `None` when it is no base 64 or no floats.
    pub fn values(&self) -> Option<Vec<f32>> {
        let bytes = STANDARD.decode(&self.vector).ok()?;
        let (chunks, rest) = bytes.as_chunks::<4>();
        rest.is_empty().then(|| chunks.iter().map(|chunk| f32::from_le_bytes(*chunk)).collect())
    }
}

impl From<Selector> for SelectorLine {
    fn from(Selector { quote, prefix, suffix, start }: Selector) -> Self {
        Self { quote, prefix, suffix, start }
    }
}

impl From<SelectorLine> for Selector {
    fn from(SelectorLine { quote, prefix, suffix, start }: SelectorLine) -> Self {
        Self { quote, prefix, suffix, start }
    }
}

impl ReadingLine {
    /// As the store takes it.
    pub fn reading(&self) -> Reading {
        let answers = self.answers.iter().map(|answer| (answer.selector.clone().into(), answer.confidence));
        Reading {
            answers: answers.collect(),
            no_answer: self.no_answer,
            model: self.model.clone(),
            larger: self.larger,
            guessed: self.guessed,
        }
    }
}

impl FeedbackLine {
    /// As the store takes it.
    pub fn verdict(&self) -> Verdict {
        let selector = self.selector.clone().into();
        if self.right { Verdict::Right(selector) } else { Verdict::Wrong(selector) }
    }
}
