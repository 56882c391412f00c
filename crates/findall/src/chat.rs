//! What the engine asks of a larger language model: a conversation in, its next turn out, with what it cost. The engine
//! opens no socket: implemented in `findall-llm`, scripted in tests, and used only where a person named an endpoint.

use std::ops::AddAssign;

/// Who says something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// The task, told before anything else.
    System,
    /// What is asked.
    User,
    /// What the model said.
    Assistant,
}

/// One turn of a conversation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Turn {
    /// Who says it.
    pub role: Role,
    /// What is said.
    pub text: String,
}

impl Turn {
    /// What is asked.
    pub fn user(text: impl Into<String>) -> Self {
        Self { role: Role::User, text: text.into() }
    }

    /// The task.
    pub fn system(text: impl Into<String>) -> Self {
        Self { role: Role::System, text: text.into() }
    }

    /// What the model said.
    pub fn assistant(text: impl Into<String>) -> Self {
        Self { role: Role::Assistant, text: text.into() }
    }
}

/// A piece of what the model said, and how likely it found it.
#[derive(Clone, Debug, PartialEq)]
pub struct LikelyToken {
    /// The piece; all pieces joined are the text.
    pub text: String,
    /// Natural logarithm of its probability, at most 0.
    pub log_probability: f32,
}

/// What calls cost so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Answers that came over the network.
    pub calls: u64,
    /// Answers that an earlier run had kept.
    pub kept: u64,
    /// Tries that failed and were made again.
    pub retries: u64,
    /// Tokens sent.
    pub tokens_in: u64,
    /// Tokens received.
    pub tokens_out: u64,
    /// True when an endpoint did not count tokens, and they are guessed from letters.
    pub guessed: bool,
}

impl AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        self.calls += other.calls;
        self.kept += other.kept;
        self.retries += other.retries;
        self.tokens_in += other.tokens_in;
        self.tokens_out += other.tokens_out;
        self.guessed |= other.guessed;
    }
}

/// What the model said.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reply {
    /// The text.
    pub text: String,
    /// Its pieces with their likelihoods; empty where the endpoint does not offer them.
    pub tokens: Vec<LikelyToken>,
    /// True when the model stopped at the limit and not because it was done.
    pub cut: bool,
    /// What this reply cost.
    pub usage: Usage,
}

/// Why there is no reply. Every message is one line, names the endpoint and says what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{endpoint}: {message}")]
pub struct ChatError {
    /// Where the model was looked for.
    pub endpoint: String,
    /// What went wrong.
    pub message: String,
}

/// A language model that takes turns.
pub trait ChatModel: Send + Sync {
    /// Names endpoint and model; part of every cache key.
    fn id(&self) -> &str;

    /// The next turn, of about `most` tokens at most. The same conversation gives the same reply where the model can.
    fn chat(&self, turns: &[Turn], most: u32) -> Result<Reply, ChatError>;
}
