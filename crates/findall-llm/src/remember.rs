//! Replies kept in a folder, one file each, under a hash of the model and the whole conversation: what was answered
//! once is not paid for twice, and a run whose endpoint died goes on where it was. What it all costs is added up.

use std::path::PathBuf;
use std::sync::Mutex;

use findall::cache::{MAX_CACHED_FILE_BYTES, read_private, write_whole};
use findall::chat::{ChatError, ChatModel, LikelyToken, Reply, Role, Turn, Usage};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::Xxh3;

/// A model whose replies are kept.
pub struct CachedModel<M> {
    model: M,
    folder: Option<PathBuf>,
    used: Mutex<Usage>,
}

#[derive(Serialize, Deserialize)]
struct CachedReply {
    text: String,
    cut: bool,
    tokens: Vec<(String, f32)>,
}

impl<M: ChatModel> CachedModel<M> {
    /// Keeps replies in this folder; `None` keeps nothing.
    pub fn new(model: M, folder: Option<PathBuf>) -> Self {
        Self { model, folder, used: Mutex::default() }
    }

    /// What all replies so far cost.
    pub fn usage(&self) -> Usage {
        *self.used.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn count(&self, usage: Usage) {
        *self.used.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) += usage;
    }

    fn path(&self, turns: &[Turn], most: u32) -> Option<PathBuf> {
        let mut hash = Xxh3::new();
        let mut add = |part: &str| {
            hash.update(&(part.len() as u64).to_le_bytes());
            hash.update(part.as_bytes());
        };
        add(self.model.id());
        for turn in turns {
            add(match turn.role {
                Role::System => "system",
                Role::User => "user",
                Role::Assistant => "assistant",
            });
            add(&turn.text);
        }
        hash.update(&most.to_le_bytes());
        Some(self.folder.as_ref()?.join(format!("{:032x}.json", hash.digest128())))
    }
}

impl<M: ChatModel> ChatModel for CachedModel<M> {
    fn id(&self) -> &str {
        self.model.id()
    }

    fn chat(&self, turns: &[Turn], most: u32) -> Result<Reply, ChatError> {
        let path = self.path(turns, most);
        let kept = path.as_ref().and_then(|path| read_private(path, MAX_CACHED_FILE_BYTES).ok());
        if let Some(kept) = kept.and_then(|bytes| serde_json::from_slice::<CachedReply>(&bytes).ok()) {
            let tokens = kept.tokens.into_iter();
            let usage = Usage { kept: 1, ..Usage::default() };
            self.count(usage);
            return Ok(Reply {
                text: kept.text,
                tokens: tokens.map(|(text, log_probability)| LikelyToken { text, log_probability }).collect(),
                cut: kept.cut,
                usage,
            });
        }
        let reply = self.model.chat(turns, most)?;
        self.count(reply.usage);
        if let Some(path) = path {
            let kept = CachedReply {
                text: reply.text.clone(),
                cut: reply.cut,
                tokens: reply
                    .tokens
                    .iter()
                    .map(|token| (token.text.clone(), token.log_probability))
                    .collect(),
            };
            // A folder that cannot be written costs a call later, not the answer now.
            let _ = write_whole(&path, &serde_json::to_vec(&kept).unwrap_or_default());
        }
        Ok(reply)
    }
}
