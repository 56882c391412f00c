//! The encoder: texts in, embeddings out, with the calibration and the decision rule that it was trained with.

use std::sync::Arc;

use findall::encode::{Calibration, DecisionRule, Embedding, Encoder, LateInteraction, ModelError, TextKind};
use serde::Deserialize;

use crate::error::LoadError;
use crate::folder::Folder;
use crate::network::{DeferredNetwork, Sequence};
use crate::tokenizer::Tokenizer;

#[derive(Deserialize)]
struct EncoderSettings {
    dims: usize,
    #[serde(default)]
    prefixes: Prefixes,
    calibration: Line,
    decision: Rule,
    mixed_decision: Option<Rule>,
}

#[derive(Deserialize)]
struct Line {
    scale: f32,
    bias: f32,
    late: Option<LateLine>,
}

#[derive(Deserialize)]
struct LateLine {
    scale: f32,
    middle: f32,
    width: usize,
}

#[derive(Deserialize)]
struct Rule {
    sure: f32,
    far: f32,
    margin: f32,
    possible: f32,
    #[serde(default)]
    per_word: f32,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Prefixes {
    query: String,
    knowledge: String,
    passage: String,
}

/// The encoder that findall ships.
pub struct TextEncoder {
    id: String,
    network: DeferredNetwork,
    tokenizer: Arc<Tokenizer>,
    max_tokens: usize,
    own: EncoderSettings,
}

impl TextEncoder {
    /// The model of a folder; its weights wait for [`load`](Self::load) or the first run.
    pub(crate) fn of_folder(folder: Folder, tokenizer: Arc<Tokenizer>) -> Result<Self, LoadError> {
        let own: EncoderSettings = folder.own_settings()?;
        let (id, max_tokens) = (folder.id(), folder.manifest.max_tokens);
        let network = DeferredNetwork::new(folder, "encoder", &["vectors"], &["late"]);
        Ok(Self { id, network, tokenizer, max_tokens, own })
    }

    /// Checks and loads the weights, unless that is done.
    pub fn load(&self) -> Result<(), LoadError> {
        self.network.load().map(drop)
    }

    fn sequence(&self, text: &str, kind: TextKind) -> Sequence {
        let prefix = match kind {
            TextKind::Query => &self.own.prefixes.query,
            TextKind::Knowledge => &self.own.prefixes.knowledge,
            TextKind::Passage => &self.own.prefixes.passage,
        };
        let limit = self.max_tokens - 2;
        let mut ids = vec![self.tokenizer.first];
        if !prefix.is_empty() {
            ids.extend(self.tokenizer.pieces(prefix, limit).iter().map(|p| p.id));
        }
        let left = (limit + 1).saturating_sub(ids.len());
        ids.extend(self.tokenizer.pieces(text, left).iter().map(|p| p.id));
        ids.push(self.tokenizer.separator);
        Sequence { ids, types: Vec::new() }
    }
}

impl Encoder for TextEncoder {
    fn id(&self) -> &str {
        &self.id
    }

    fn dims(&self) -> usize {
        self.own.dims
    }

    fn encode(&self, texts: &[&str], kind: TextKind) -> Result<Vec<Embedding>, ModelError> {
        let sequences: Vec<Sequence> = texts.iter().map(|text| self.sequence(text, kind)).collect();
        let rows = self.network.run(&sequences)?;
        rows.into_iter()
            .map(|outputs| {
                let mut outputs = outputs.into_iter();
                let mut pooled = outputs.next().unwrap_or_default();
                if pooled.len() != self.own.dims {
                    let message = format!("gave {} numbers, not {}: rebuild it", pooled.len(), self.own.dims);
                    return Err(ModelError { model: "encoder".into(), message });
                }
                to_length_one(&mut pooled);
                let tokens = match (&self.own.calibration.late, outputs.next()) {
                    (Some(late), Some(rows)) => token_vectors(rows, late.width),
                    _ => Vec::new(),
                };
                Ok(Embedding { pooled, tokens })
            })
            .collect()
    }

    fn calibration(&self) -> Calibration {
        let Line { scale, bias, late } = &self.own.calibration;
        let late = late.as_ref().map(|late| LateInteraction {
            scale: late.scale,
            middle: late.middle,
            width: late.width,
        });
        Calibration { scale: *scale, bias: *bias, late }
    }

    fn count_tokens(&self, text: &str) -> usize {
        self.sequence(text, TextKind::Passage).ids.len()
    }

    fn words(&self) -> Vec<&str> {
        self.tokenizer.words()
    }

    fn knows_word(&self, word: &str) -> bool {
        self.tokenizer.knows(word)
    }

    fn decision(&self) -> DecisionRule {
        self.own.decision.rule()
    }

    fn mixed_decision(&self) -> DecisionRule {
        self.own.mixed_decision.as_ref().unwrap_or(&self.own.decision).rule()
    }
}

impl Rule {
    fn rule(&self) -> DecisionRule {
        let &Self { sure, far, margin, possible, per_word } = self;
        DecisionRule { sure, far, margin, possible, per_word }
    }
}

fn to_length_one(vector: &mut [f32]) {
    let length = vector.iter().map(|v| v * v).sum::<f32>().sqrt().max(f32::MIN_POSITIVE);
    vector.iter_mut().for_each(|v| *v /= length);
}

/// The rows, each of length 1, in units of 1/127: a quarter of the room, and the cosine stays within a hundredth.
fn token_vectors(mut rows: Vec<f32>, width: usize) -> Vec<i8> {
    rows.chunks_exact_mut(width.max(1)).for_each(to_length_one);
    rows.iter().map(|v| (v * 127.0).round() as i8).collect()
}
