//! What the engine asks of an encoder: texts in, unit vectors out, and how likely a text satisfies a query.
//! Implemented in `findall-models`, faked in tests.

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

/// A line through log-odds: how a cosine becomes the log-odds that a text satisfies a query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Calibration {
    /// Slope over the cosine.
    pub scale: f32,
    /// Log-odds at cosine 0.
    pub bias: f32,
}

/// When an entity satisfies a query, in log-odds; fixed once for all documents when the encoder was trained.
///
/// An entity is kept when it is sure in itself and not far below the best, or when it is close to the best and the
/// best is at least possible: queries differ in how high their answers score, so the best of a document says
/// something about the others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DecisionRule {
    /// Log-odds from which an entity is kept for itself.
    pub sure: f32,
    /// How far below the best a sure one may still lie.
    pub far: f32,
    /// How far below the best anything may lie.
    pub margin: f32,
    /// Log-odds that the best must reach for others to be kept beside it.
    pub possible: f32,
}

impl Default for DecisionRule {
    fn default() -> Self {
        Self { sure: 0.5, far: 4.0, margin: 0.7, possible: -1.0 }
    }
}

impl DecisionRule {
    /// Which of one document's entities are kept.
    pub fn keep(&self, log_odds: &[f32]) -> Vec<bool> {
        let best = log_odds.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        log_odds
            .iter()
            .map(|&value| {
                let sure = value >= self.sure && value >= best - self.far;
                let near = value >= best - self.margin && best >= self.possible;
                sure || near
            })
            .collect()
    }
}

/// Probability of log-odds.
pub fn probability(log_odds: f32) -> f32 {
    1.0 / (1.0 + (-log_odds).exp())
}

/// Cosine of two unit vectors.
pub fn cosine(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Turns texts into unit vectors whose dot product is their relatedness.
pub trait Encoder: Send + Sync {
    /// Names the exact weights; part of every cache key.
    fn id(&self) -> &str;

    /// Length of every vector.
    fn dims(&self) -> usize;

    /// One vector a text, in the order given. Texts longer than the model reads are cut.
    fn encode(&self, texts: &[&str], kind: TextKind) -> Result<Vec<Vector>, ModelError>;

    /// How a cosine becomes log-odds.
    fn calibration(&self) -> Calibration {
        Calibration { scale: 16.0, bias: -6.0 }
    }

    /// Log-odds that what `text` stands for satisfies `query`.
    fn log_odds(&self, query: &[f32], text: &[f32]) -> f32 {
        let Calibration { scale, bias } = self.calibration();
        scale * cosine(query, text) + bias
    }

    /// Words that the model knows whole, the most common first; what misspelt queries are corrected with.
    fn words(&self) -> Vec<&str> {
        Vec::new()
    }

    /// True when the model knows this lower-case word whole.
    fn knows_word(&self, _word: &str) -> bool {
        false
    }

    /// When an entity counts as an answer.
    fn decision(&self) -> DecisionRule {
        DecisionRule::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rule_keeps_the_sure_and_the_near() {
        let rule = DecisionRule { sure: 1.0, far: 4.0, margin: 0.5, possible: -1.0 };
        assert_eq!(rule.keep(&[]), Vec::<bool>::new());
        assert_eq!(rule.keep(&[2.0, 1.2, 0.9, -3.0]), [true, true, false, false]);
        assert_eq!(rule.keep(&[-0.8, -1.2, -1.4]), [true, true, false], "near the best, which is possible");
        assert_eq!(rule.keep(&[-1.1, -1.2]), [false, false], "nothing here");
        assert_eq!(rule.keep(&[6.0, 1.5]), [true, false], "sure, but far below the best");
    }
}
