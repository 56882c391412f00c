//! What the engine asks of an encoder: texts in, unit vectors out. Implemented in `findall-models`, faked in tests.

/// A unit-length embedding.
pub type Vector = Vec<f32>;

/// A model that could not do its work; the text says which model and what to do.
#[derive(Debug, thiserror::Error)]
#[error("{model}: {message}")]
pub struct ModelError {
    /// Which model: `encoder`, `tagger`, `reader`.
    pub model: String,
    /// What went wrong and how to fix it.
    pub message: String,
}

/// What a text is to the encoder; the model may treat the sides of a pair differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TextKind {
    /// What a person typed: a list query or a question.
    Query,
    /// What the knowledge base says of an entity (`Record::knowledge_text`).
    Knowledge,
    /// A piece of the document: a sentence, a passage, a mention in its context.
    Passage,
}

/// Turns texts into unit vectors whose dot product is their relatedness.
pub trait Encoder: Send + Sync {
    /// Names the exact weights; part of every cache key.
    fn id(&self) -> &str;

    /// Length of every vector.
    fn dims(&self) -> usize;

    /// One vector a text, in the order given. Texts longer than the model reads are cut.
    fn encode(&self, texts: &[&str], kind: TextKind) -> Result<Vec<Vector>, ModelError>;
}
