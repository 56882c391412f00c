//! What the engine asks of an encoder: texts in, embeddings out, and how likely a text satisfies a query.
//! Implemented in `findall-models`, faked in tests.

/// A text as the encoder sees it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Embedding {
    /// The whole text as one vector of length 1.
    pub pooled: Vec<f32>,
    /// One vector a token, one after another, each of length 1 in units of 1/127; empty where the encoder compares
    /// whole texts only.
    pub tokens: Vec<i8>,
}

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

/// How the likeness of two embeddings becomes the log-odds that a text satisfies a query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Calibration {
    /// Slope over the cosine of the whole texts.
    pub scale: f32,
    /// Log-odds at cosine 0.
    pub bias: f32,
    /// What the tokens add, where the encoder has them.
    pub late: Option<LateInteraction>,
}

/// Late interaction: every token of the query looks for its best match in the text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LateInteraction {
    /// Slope over the mean of the best matches.
    pub scale: f32,
    /// The mean at which tokens speak neither for nor against.
    pub middle: f32,
    /// Length of one token's vector.
    pub width: usize,
}

/// Below these log-odds of the whole text, tokens cannot lift it to a likely answer and are not compared.
const MIN_COMPARED_LOG_ODDS: f32 = -6.0;

impl Calibration {
    /// Log-odds that what `text` stands for satisfies `query`.
    pub fn log_odds(&self, query: &Embedding, text: &Embedding) -> f32 {
        let pooled = self.scale * cosine(&query.pooled, &text.pooled) + self.bias;
        match self.late {
            Some(late)
                if pooled > MIN_COMPARED_LOG_ODDS && !query.tokens.is_empty() && !text.tokens.is_empty() =>
            {
                pooled + late.scale * (late.best_matches(query, text) - late.middle)
            }
            _ => pooled,
        }
    }
}

impl LateInteraction {
    /// Mean over the query's tokens of the cosine with the nearest token of the text.
    fn best_matches(&self, query: &Embedding, text: &Embedding) -> f32 {
        let asked = query.tokens.chunks_exact(self.width);
        let count = asked.len().max(1);
        let total: i32 = asked
            .map(|token| {
                let matches = text.tokens.chunks_exact(self.width).map(|other| product(token, other));
                matches.max().unwrap_or(0)
            })
            .sum();
        total as f32 / (count as f32 * 127.0 * 127.0)
    }
}

fn product(a: &[i8], b: &[i8]) -> i32 {
    a.iter().zip(b).map(|(&a, &b)| i32::from(a) * i32::from(b)).sum()
}

/// When an entity satisfies a query, in log-odds; fixed once for all documents when the encoder was trained.
///
/// An entity is kept when it is sure in itself and not far below the best, or when it is close to the best and the
/// best is at least possible: queries differ in how high their answers score, so the best of a document says
/// something about the others. A long query asks for more than any text about an entity says, so its answers score
/// lower: each of its words lowers what the best must reach.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DecisionRule {
    /// Log-odds from which an entity is kept for itself.
    pub sure: f32,
    /// How far below the best a sure one may still lie.
    pub far: f32,
    /// How far below the best anything may lie.
    pub margin: f32,
    /// Log-odds that the best must reach for anything to be kept, for a query of no length.
    pub possible: f32,
    /// How much each word of the query, up to twelve, takes off that.
    pub per_word: f32,
}

/// Words beyond which a longer query asks for nothing more.
const MAX_COUNTED_QUERY_WORDS: usize = 12;

/// The words of a query that rules count.
pub(crate) fn counted_words(query: &str) -> f32 {
    query.split_whitespace().count().min(MAX_COUNTED_QUERY_WORDS) as f32
}

impl Default for DecisionRule {
    fn default() -> Self {
        Self { sure: 0.5, far: 4.0, margin: 0.7, possible: -1.0, per_word: 0.0 }
    }
}

impl DecisionRule {
    /// Which of one document's entities are kept for this query.
    pub fn keep(&self, query: &str, log_odds: &[f32]) -> Vec<bool> {
        let best = log_odds.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        if best < self.possible - self.per_word * counted_words(query) {
            return vec![false; log_odds.len()];
        }
        self.keep_expected(log_odds)
    }

    /// The same where it is known that something in the document answers: at least the best is kept.
    pub fn keep_expected(&self, log_odds: &[f32]) -> Vec<bool> {
        let best = log_odds.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let near = |value| value >= best - self.margin;
        let sure = |value| value >= self.sure && value >= best - self.far;
        log_odds.iter().map(|&value| near(value) || sure(value)).collect()
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

/// Turns texts into embeddings that can be compared.
pub trait Encoder: Send + Sync {
    /// Names the exact weights; part of every cache key.
    fn id(&self) -> &str;

    /// Length of every pooled vector.
    fn dims(&self) -> usize;

    /// One embedding a text, in the order given. Texts longer than the model reads are cut.
    fn encode(&self, texts: &[&str], kind: TextKind) -> Result<Vec<Embedding>, ModelError>;

    /// How likeness becomes log-odds.
    fn calibration(&self) -> Calibration;

    /// How many tokens a text is to the model.
    fn count_tokens(&self, text: &str) -> usize {
        text.split_whitespace().count()
    }

    /// Words that the model knows whole, the most common first; what misspelt queries are corrected with.
    fn words(&self) -> Vec<&str> {
        Vec::new()
    }

    /// True when the model knows this lower-case word whole.
    fn knows_word(&self, _word: &str) -> bool {
        false
    }

    /// When an entity counts as an answer by what is known of it.
    fn decision(&self) -> DecisionRule {
        DecisionRule::default()
    }

    /// The same where what the document says is weighed in: such scores are a mean, which spreads less.
    fn mixed_decision(&self) -> DecisionRule {
        self.decision()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rule_keeps_the_sure_and_the_near() {
        let rule = DecisionRule { sure: 1.0, far: 4.0, margin: 0.5, possible: -0.8, per_word: 0.1 };
        let keep = |log_odds: &[f32]| rule.keep("two words", log_odds);
        assert_eq!(keep(&[]), Vec::<bool>::new());
        assert_eq!(keep(&[2.0, 1.2, 0.9, -3.0]), [true, true, false, false]);
        assert_eq!(keep(&[-0.8, -1.2, -1.4]), [true, true, false], "near the best, which is possible");
        assert_eq!(keep(&[-1.1, -1.2]), [false, false], "nothing here");
        assert_eq!(
            rule.keep_expected(&[-1.1, -1.2, -1.7]),
            [true, true, false],
            "but something is known to be"
        );
        assert_eq!(
            rule.keep("a query of more words", &[-1.1, -1.2]),
            [true, true],
            "a longer query scores lower"
        );
        assert_eq!(keep(&[6.0, 1.5]), [true, false], "sure, but far below the best");
    }

    #[test]
    fn tokens_add_their_best_matches() {
        let calibration = Calibration {
            scale: 1.0,
            bias: 0.0,
            late: Some(LateInteraction { scale: 2.0, middle: 0.5, width: 2 }),
        };
        let of = |tokens: &[i8]| Embedding { pooled: vec![1.0], tokens: tokens.to_vec() };
        let query = of(&[127, 0, 0, 127]);
        assert_eq!(
            calibration.log_odds(&query, &of(&[127, 0, 0, 127])),
            1.0 + 2.0 * 0.5,
            "both tokens found"
        );
        assert_eq!(calibration.log_odds(&query, &of(&[127, 0, 127, 0])), 1.0, "one of two found");
        assert_eq!(calibration.log_odds(&query, &of(&[])), 1.0, "nothing to compare with");
        let far = Calibration { bias: -9.0, ..calibration };
        assert_eq!(far.log_odds(&query, &of(&[127, 0, 0, 127])), -8.0, "hopeless: not compared");
    }
}
