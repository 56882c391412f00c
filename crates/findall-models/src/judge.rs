//! The judge: a query and candidates' texts in, the log-odds that each candidate satisfies the query out.
//!
//! The network reads `[CLS] query [SEP] text [SEP]`, token types 0 and 1, and gives one number. `training/judge.py` does
//! the same.

use std::sync::Arc;

use findall::encode::ModelError;
use findall::judge::{Judge, VerdictRule};
use serde::Deserialize;

use crate::error::LoadError;
use crate::folder::Folder;
use crate::network::{DeferredNetwork, Sequence};
use crate::tokenizer::{Piece, Tokenizer};

#[derive(Deserialize)]
struct JudgeManifest {
    max_query_tokens: usize,
    #[serde(default, with = "VerdictManifest")]
    verdict: VerdictRule,
}

/// The rule as `model.json` writes it; what it does not name is as in [`VerdictRule::default`].
#[derive(Deserialize)]
#[serde(remote = "VerdictRule", default = "VerdictRule::default")]
struct VerdictManifest {
    judge: f32,
    encoder: f32,
    bias: f32,
    keep: f32,
    hopeless: f32,
    possible: f32,
    per_word: f32,
    margin: f32,
    expected_keep: f32,
    expected_margin: f32,
}

/// The judge that findall ships.
pub struct PairJudge {
    id: String,
    network: DeferredNetwork,
    tokenizer: Arc<Tokenizer>,
    max_tokens: usize,
    manifest: JudgeManifest,
}

impl PairJudge {
    /// The model of a folder; its weights wait for [`load`](Self::load) or the first run.
    pub(crate) fn of_folder(folder: Folder, tokenizer: Arc<Tokenizer>) -> Result<Self, LoadError> {
        let manifest: JudgeManifest = folder.own_settings()?;
        let max_tokens = folder.manifest.max_tokens;
        if max_tokens < manifest.max_query_tokens + 8 {
            let reason = "max_tokens leaves no room for a text beside the query".into();
            return Err(LoadError::Manifest { path: folder.path.join("model.json"), reason });
        }
        let id = folder.id();
        let network = DeferredNetwork::new(folder, "judge", &["verdict"], &[]);
        Ok(Self { id, network, tokenizer, max_tokens, manifest })
    }

    /// Checks and loads the weights, unless that is done.
    pub fn load(&self) -> Result<(), LoadError> {
        self.network.load().map(drop)
    }

    fn sequence(&self, query: &[Piece], text: &str) -> Sequence {
        let mut ids = Vec::with_capacity(self.max_tokens);
        ids.push(self.tokenizer.first);
        ids.extend(query.iter().map(|piece| piece.id));
        ids.push(self.tokenizer.separator);
        let mut types = vec![0; ids.len()];
        let room = self.max_tokens - ids.len() - 1;
        ids.extend(self.tokenizer.pieces(text, room).iter().map(|piece| piece.id));
        ids.push(self.tokenizer.separator);
        types.resize(ids.len(), 1);
        Sequence { ids, types }
    }
}

impl Judge for PairJudge {
    fn id(&self) -> &str {
        &self.id
    }

    fn judge(&self, query: &str, texts: &[&str]) -> Result<Vec<f32>, ModelError> {
        let query = self.tokenizer.pieces(query, self.manifest.max_query_tokens);
        let sequences: Vec<Sequence> = texts.iter().map(|text| self.sequence(&query, text)).collect();
        let verdict = |outputs: Vec<Vec<f32>>| match outputs.first().map(Vec::as_slice) {
            Some([log_odds]) if log_odds.is_finite() => Ok(*log_odds),
            _ => Err(ModelError {
                model: "judge".into(),
                message: "gave no number for a candidate; check the model folder with `findall doctor`"
                    .into(),
            }),
        };
        self.network.run(&sequences)?.into_iter().map(verdict).collect()
    }

    fn verdict(&self) -> VerdictRule {
        self.manifest.verdict
    }
}

/// The rule in a judge's `model.json`, for who has its verdicts from elsewhere.
pub fn verdict_rule(model_json: &[u8]) -> Result<VerdictRule, serde_json::Error> {
    Ok(serde_json::from_slice::<JudgeManifest>(model_json)?.verdict)
}
