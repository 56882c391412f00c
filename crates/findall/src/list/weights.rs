//! The weights of long lists (`models/tuning.json`). The judge's, one set a relation, were fitted on one novel with signs held
//! to sense; large ones are cut, so that a rare sign cannot decide alone in another book (`training/fit_list.py`). A batch's
//! were set by hand: they order its names, the calibrated judgement is stage 2's.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::Relation;
use crate::tuning::NamedWeights;

/// Names of the features of a subject and a candidate, in the order of `judge::features`.
const FEATURE_NAMES: [&str; 18] = [
    "bias",
    "stated",
    "table",
    "family",
    "namesake",
    "paragraphs",
    "closeness",
    "talks",
    "lift",
    "listed",
    "hostile",
    "friendly",
    "mentions",
    "read",
    "generated",
    "presence",
    "share",
    "going",
];

/// The features of a subject and a candidate.
pub(super) type ObjectFeatures = [f32; FEATURE_NAMES.len()];

/// What long lists learned.
#[derive(Debug, Deserialize)]
#[serde(try_from = "ListFile")]
pub(crate) struct ListTuning {
    relations: BTreeMap<String, ObjectFeatures>,
    free: ObjectFeatures,
    /// How a batch's names are put in order.
    pub batch: BatchWeights,
}

impl ListTuning {
    /// The weights of a relation; one in free words goes by what passages and the reader say.
    pub(super) fn of(&self, relation: &Relation) -> &ObjectFeatures {
        match relation {
            Relation::Free(_) => &self.free,
            known => self.relations.get(known.name()).unwrap_or(&self.free),
        }
    }
}

/// Log-odds that a batch gives an object, and what each sign adds.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BatchWeights {
    pub bias: f32,
    pub with_subject: f32,
    pub same_sentence: f32,
    pub cue: f32,
    pub reader: f32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ListFile {
    relations: BTreeMap<String, NamedWeights>,
    batch: BatchWeights,
}

impl TryFrom<ListFile> for ListTuning {
    type Error = String;

    fn try_from(file: ListFile) -> Result<Self, String> {
        let in_order =
            |(name, weights): (String, NamedWeights)| Ok((name, weights.in_order(&FEATURE_NAMES)?));
        let mut relations: BTreeMap<_, _> =
            file.relations.into_iter().map(in_order).collect::<Result<_, String>>()?;
        let free = relations.remove("free").ok_or("no weights of relations in free words")?;
        match Relation::KNOWN.iter().find(|known| !relations.contains_key(known.name())) {
            Some(missing) => Err(format!("no weights of {}", missing.name())),
            None => Ok(Self { relations, free, batch: file.batch }),
        }
    }
}
