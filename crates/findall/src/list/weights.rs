//! The weights of long lists (`models/tuning.json`). The judge's, one set a relation, were fitted on one novel with signs held
//! to sense; large ones are cut, so that a rare sign cannot decide alone in another book (`training/fit_list.py`). A batch's
//! were set by hand: they order its names, the calibrated judgement is stage 2's. So were those of the family graph and of statements.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::Relation;
use crate::tuning::{NamedWeights, named_features};

named_features! {
    /// The features of a subject and a candidate.
    ObjectFeatures,
    /// Names of the features of a subject and a candidate, in order; the training program reads them too.
    OBJECT_FEATURES,
    bias,
    stated,
    table,
    family,
    namesake,
    paragraphs,
    closeness,
    talks,
    lift,
    listed,
    hostile,
    friendly,
    mentions,
    read,
    generated,
    presence,
    share,
    going,
}

/// What long lists learned.
#[derive(Debug, Deserialize)]
#[serde(try_from = "ListFile")]
pub(crate) struct ListTuning {
    relations: BTreeMap<String, ObjectFeatures>,
    free: ObjectFeatures,
    /// How a batch's names are put in order.
    pub batch: BatchWeights,
    /// How ties of a family become likelihoods.
    pub graph: GraphWeights,
    /// What a statement of a tie counts for.
    pub statements: StatementStrengths,
}

/// How strongly a sentence that states a tie speaks for it, by its form; set by hand on one novel.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StatementStrengths {
    /// "her sister Beth".
    pub beside: f32,
    /// "her sister, Beth", "her sister was Beth", "Beth, her sister".
    pub apart: f32,
    /// "Aunt March" said by somebody.
    pub kin_title: f32,
    /// "Mr. Ware" and "Mrs. Ware".
    pub couple: f32,
    /// "married".
    pub marriage: f32,
    /// "engaged".
    pub engagement: f32,
    /// "hated", "despised".
    pub hatred: f32,
    /// "fought", "insulted".
    pub quarrel: f32,
}

/// How the family graph weighs ties; set by hand on one novel.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GraphWeights {
    /// How fast repeated statements become certain.
    pub certainty_rate: f32,
    /// Statements that are expected by mistake, for each sentence that two people share.
    pub mistakes_a_sentence: f32,
    /// What hints alone can make of a tie.
    pub hint_trust: f32,
    /// How much each sentence that two people share takes from a hint.
    pub hint_dilution: f32,
    /// What one step of inference is trusted.
    pub step_trust: f32,
    /// Likelihoods below this are not followed.
    pub min_followed: f32,
    /// How likely an elder of the same surname is a parent.
    pub namesake_elder: f32,
    /// How likely two younger people of one surname are siblings.
    pub namesake_sibling: f32,
    /// How likely two people of one surname are of one family.
    pub namesake_family: f32,
    /// How likely a man and a woman are a couple who are parents of one child.
    pub parents_of_one_child: f32,
    /// What is left of a tie where another tie of the same two is likelier.
    pub rival_share: f32,
    /// What is left after one more step from relation to relation.
    pub family_step: f32,
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
    graph: GraphWeights,
    statements: StatementStrengths,
}

impl TryFrom<ListFile> for ListTuning {
    type Error = String;

    fn try_from(file: ListFile) -> Result<Self, String> {
        let ListFile { relations, batch, graph, statements } = file;
        let by_name =
            |(name, weights): (String, NamedWeights)| Ok((name, ObjectFeatures::from_named(&weights)?));
        let mut relations: BTreeMap<_, _> =
            relations.into_iter().map(by_name).collect::<Result<_, String>>()?;
        let free = relations.remove("free").ok_or("no weights of relations in free words")?;
        match Relation::KNOWN.iter().find(|known| !relations.contains_key(known.name())) {
            Some(missing) => Err(format!("no weights of {}", missing.name())),
            None => Ok(Self { relations, free, batch, graph, statements }),
        }
    }
}
