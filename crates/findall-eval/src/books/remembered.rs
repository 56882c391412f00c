//! Models that answer the same question once: the rows of an ablation encode the same queries and passages and ask the
//! reader the same, so what one row worked out the next ones look up.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

use findall::ask::{Confidence, Reader, Reading};
use findall::encode::{Calibration, DecisionRule, Embedding, Encoder, ModelError, TextKind};

/// An encoder that keeps the vectors of whole texts, which are all that lists compare.
pub(super) struct RememberedEncoder {
    inner: Arc<dyn Encoder>,
    known: Mutex<HashMap<(TextKind, String), Vec<f32>>>,
}

/// A reader that keeps its readings.
pub(super) struct RememberedReader {
    inner: Arc<dyn Reader>,
    known: Mutex<HashMap<(String, String), Reading>>,
}

impl RememberedEncoder {
    pub fn new(inner: Arc<dyn Encoder>) -> Self {
        Self { inner, known: Mutex::default() }
    }
}

impl RememberedReader {
    pub fn new(inner: Arc<dyn Reader>) -> Self {
        Self { inner, known: Mutex::default() }
    }
}

/// The values of `keys`, those unknown worked out in one go.
fn look_up<K: Clone + Eq + Hash, V: Clone>(
    known: &Mutex<HashMap<K, V>>,
    keys: &[K],
    work_out: impl FnOnce(&[K]) -> Result<Vec<V>, ModelError>,
) -> Result<Vec<V>, ModelError> {
    let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
    let mut missing: Vec<K> = Vec::new();
    for key in keys {
        if !known.contains_key(key) && !missing.contains(key) {
            missing.push(key.clone());
        }
    }
    if !missing.is_empty() {
        let values = work_out(&missing)?;
        known.extend(missing.into_iter().zip(values));
    }
    Ok(keys.iter().filter_map(|key| known.get(key).cloned()).collect())
}

impl Encoder for RememberedEncoder {
    fn id(&self) -> &str {
        self.inner.id()
    }

    fn dims(&self) -> usize {
        self.inner.dims()
    }

    fn encode(&self, texts: &[&str], kind: TextKind) -> Result<Vec<Embedding>, ModelError> {
        let keys: Vec<(TextKind, String)> = texts.iter().map(|text| (kind, (*text).to_owned())).collect();
        let pooled = look_up(&self.known, &keys, |missing| {
            let texts: Vec<&str> = missing.iter().map(|(_, text)| text.as_str()).collect();
            Ok(self.inner.encode(&texts, kind)?.into_iter().map(|embedding| embedding.pooled).collect())
        })?;
        Ok(pooled.into_iter().map(|pooled| Embedding { pooled, tokens: Vec::new() }).collect())
    }

    fn calibration(&self) -> Calibration {
        self.inner.calibration()
    }

    fn count_tokens(&self, text: &str) -> usize {
        self.inner.count_tokens(text)
    }

    fn words(&self) -> Vec<&str> {
        self.inner.words()
    }

    fn knows_word(&self, word: &str) -> bool {
        self.inner.knows_word(word)
    }

    fn decision(&self) -> DecisionRule {
        self.inner.decision()
    }

    fn mixed_decision(&self) -> DecisionRule {
        self.inner.mixed_decision()
    }
}

impl Reader for RememberedReader {
    fn id(&self) -> &str {
        self.inner.id()
    }

    fn read(&self, question: &str, passages: &[&str]) -> Result<Vec<Reading>, ModelError> {
        let keys: Vec<(String, String)> =
            passages.iter().map(|passage| (question.to_owned(), (*passage).to_owned())).collect();
        look_up(&self.known, &keys, |missing| {
            let passages: Vec<&str> = missing.iter().map(|(_, passage)| passage.as_str()).collect();
            self.inner.read(question, &passages)
        })
    }

    fn read_all(&self, question: &str, passages: &[&str]) -> Result<Vec<Reading>, ModelError> {
        self.inner.read_all(question, passages)
    }

    fn confidence(&self) -> Confidence {
        self.inner.confidence()
    }
}
