//! Features: what speaks for and against each sense of a chain, as numbers that the weights are learned on.

use std::collections::HashMap;

use super::candidates::{Profile, Sense, SenseRoute};
use super::names::Form;
use super::words::{HashedWord, Rarity};
use crate::knowledge::{EntityKind, NameKind};
use crate::mentions::MentionType;
use crate::tuning::named_features;

named_features! {
    /// The features of a sense.
    SenseFeatures,
    /// Names of the features of a sense, in order; the training program reads them too.
    SENSE_FEATURES,
    prior,
    best_prior,
    fame,
    via_title,
    via_base,
    via_alias,
    via_short,
    as_written,
    changed,
    kind_agrees,
    kind_conflicts,
    kind_unknown,
    sentence_words,
    sentence_share,
    document_words,
    document_share,
    disambiguator,
    full_title,
    coherence_share,
    coherence_names,
    antecedent,
    demonym,
    lower_concept,
    undescribed,
    region_follows,
    name_overlap,
    full_name,
    conflict_rivalled,
    demonym_plural,
    title_told,
    title_untold,
    sentence_rare,
    completed_unlike,
    pair_names,
}

named_features! {
    /// The features of "none of them".
    NoneFeatures,
    /// Names of the features of linking a chain to nothing, in order. The last is known once the senses are ranked.
    NONE_FEATURES,
    always,
    one_word,
    person,
    lower,
    unsure_names,
    document_size,
    other_senses,
}

/// What the document says around a chain.
pub(super) struct Surroundings {
    /// Words of the sentences of its first mentions, sorted.
    pub sentence: Vec<HashedWord>,
    /// Words of the names in the chain: they do not count as context.
    pub own: Vec<HashedWord>,
    /// Words of the titles that the names right behind its mentions lead to: "Erie, Pa.".
    pub regions: Vec<Vec<HashedWord>>,
}

/// Words of the whole document and how often each stands there.
pub(super) type DocumentWords = HashMap<HashedWord, u32>;

/// Everything about a chain that its features are computed from.
pub(super) struct ChainView<'v> {
    pub form: &'v Form,
    pub kind: MentionType,
    pub around: &'v Surroundings,
    pub document: &'v DocumentWords,
    pub rarity: &'v Rarity,
    /// Folded forms of all names in the document.
    pub keys: &'v HashMap<&'v str, usize>,
}

/// How well a tagged type and an entity's kind go together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// They say the same.
    Agrees,
    /// They may both be right.
    Possible,
    /// One of them is wrong.
    Conflicts,
    /// One of them says nothing.
    Unknown,
}

/// Compares a tagged type with an entity's kind.
pub(super) fn agreement(mention: MentionType, entity: EntityKind) -> Agreement {
    use Agreement::{Agrees, Conflicts, Possible, Unknown};
    use EntityKind as E;
    use MentionType as M;
    match (mention, entity) {
        (M::Other, _) | (_, E::Other) => Unknown,
        (M::Person, E::Person | E::Character)
        | (M::Organization, E::Organization | E::Team)
        | (M::Place, E::Place)
        | (M::Group, E::Group)
        | (M::Work, E::Work)
        | (M::Product, E::Product)
        | (M::Event, E::Event) => Agrees,
        (M::Organization, E::Work | E::Group | E::Product | E::Place | E::Event)
        | (M::Place, E::Organization)
        | (M::Group, E::Place | E::Organization | E::Concept | E::Team)
        | (M::Work, E::Product | E::Character | E::Event | E::Concept | E::Organization)
        | (M::Product, E::Work | E::Organization | E::Substance | E::Concept | E::Species)
        | (M::Event, E::Concept | E::Organization | E::Work) => Possible,
        _ => Conflicts,
    }
}

/// A word is rare from this weight on, that is in fewer than two descriptions of a hundred; more than a few add nothing.
const MIN_RARE_WEIGHT: f32 = 4.0;
const MAX_RARE_WEIGHT: f32 = 4.0;

/// What a sense has to stand up against: the other senses of its chain.
#[derive(Clone, Copy)]
pub(super) struct Rivals {
    best_prior: f32,
    /// One of them is of the tagged type.
    agreeing: bool,
}

impl Rivals {
    pub fn of(kind: MentionType, senses: &[Sense]) -> Self {
        Self {
            best_prior: senses.iter().map(|sense| sense.prior).fold(0.0, f32::max),
            agreeing: senses.iter().any(|sense| agreement(kind, sense.profile.kind) == Agreement::Agrees),
        }
    }
}

/// Everything but coherence, pairs and the antecedent, which depend on the other chains and stay 0.
pub(super) fn of_sense(view: &ChainView<'_>, sense: &Sense, rivals: Rivals) -> SenseFeatures {
    let profile = &*sense.profile;
    let agreement = agreement(view.kind, profile.kind);
    let via = |kind: NameKind| f32::from(u8::from(sense.via == kind));
    let yes = |fact: bool| f32::from(u8::from(fact));
    let (mut in_sentence, mut in_document, mut rare) = (0.0, 0.0, 0.0f32);
    for word in &profile.words {
        if view.around.own.binary_search(word).is_ok() {
            continue;
        }
        let rarity = view.rarity.of(*word);
        if let Some(count) = view.document.get(word) {
            in_document += rarity * (1.0 + (*count as f32).ln()).min(2.5);
            if view.around.sentence.binary_search(word).is_ok() {
                in_sentence += rarity;
                rare += yes(rarity > MIN_RARE_WEIGHT);
            }
        }
    }
    let disambiguated = !profile.disambiguator.is_empty();
    let told = disambiguated && profile.disambiguator.iter().all(|word| view.document.contains_key(word));
    // What the title says beyond the name: "States" of "United States Congress", "Walt" of "The Walt Disney Company".
    let beyond = profile
        .title_words
        .iter()
        .filter(|word| view.around.own.binary_search(word).is_err() && view.rarity.of(**word) > 0.0);
    let (mut more, mut met) = (0usize, 0usize);
    for word in beyond {
        more += 1;
        met += usize::from(view.document.contains_key(word));
    }
    let told_share = met as f32 / more.max(1) as f32;
    // Of "Erie, Pa." the town is meant, not the county that is called by it.
    let in_region = disambiguated
        && profile.base_key == view.form.key
        && view.around.regions.contains(&profile.disambiguator);
    let full_title = profile.base_key != view.form.key && view.keys.contains_key(profile.base_key.as_str());
    let demonym = profile.kind == EntityKind::Place && is_demonym(view.form, &profile.base_key);
    // "Kenyan" is said of the country, "Kenyans" are its people.
    let plural = view.form.key.ends_with('s') && !view.form.key.ends_with("ss");
    SenseFeatures {
        prior: sense.prior.max(1e-4).ln(),
        best_prior: yes(sense.prior >= rivals.best_prior),
        fame: profile.fame / 5.0,
        via_title: via(NameKind::Title),
        via_base: via(NameKind::Base),
        via_alias: via(NameKind::Alias),
        via_short: via(NameKind::Short),
        as_written: yes(profile.base == view.form.written),
        changed: yes(sense.found == SenseRoute::OtherSpelling),
        kind_agrees: yes(agreement == Agreement::Agrees),
        kind_conflicts: yes(agreement == Agreement::Conflicts),
        kind_unknown: yes(agreement == Agreement::Unknown),
        sentence_words: in_sentence.ln_1p(),
        sentence_share: in_sentence / (profile.mass + 10.0),
        document_words: in_document.ln_1p(),
        document_share: in_document / (profile.mass + 10.0),
        disambiguator: yes(told),
        full_title: yes(full_title),
        demonym: yes(demonym && !plural),
        lower_concept: yes(view.form.lower && matches!(profile.kind, EntityKind::Concept | EntityKind::Other)),
        undescribed: yes(profile.words.is_empty()),
        region_follows: yes(in_region),
        name_overlap: name_overlap(view.form, profile),
        full_name: yes(view.form.words.len() > 1 && profile.base_key == view.form.key),
        conflict_rivalled: yes(agreement == Agreement::Conflicts && rivals.agreeing),
        demonym_plural: yes(demonym && plural),
        title_told: told_share,
        title_untold: yes(more > 0 && told_share == 0.0),
        sentence_rare: rare.min(MAX_RARE_WEIGHT),
        // "Boundary Bay" is not its airport, "Winnipeg police" is the police service.
        completed_unlike: yes(sense.found == SenseRoute::LongerName && agreement != Agreement::Agrees),
        ..SenseFeatures::default()
    }
}

/// Share of the words that name and title have in common; an initial that the name leaves out is no difference.
fn name_overlap(form: &Form, profile: &Profile) -> f32 {
    let mut title: Vec<&str> = profile.base_key.split(' ').collect();
    title.sort_unstable();
    title.dedup();
    title.retain(|word| word.len() > 1 || form.words.iter().any(|own| own == word));
    let shared = title.iter().filter(|word| form.words.iter().any(|own| own == *word)).count();
    let all = title.len() + form.words.len() - shared.min(form.words.len());
    shared as f32 / all.max(1) as f32
}

/// What speaks for linking to nothing.
pub(super) fn of_none(view: &ChainView<'_>, senses: &[Sense]) -> NoneFeatures {
    let yes = |fact: bool| f32::from(u8::from(fact));
    let unsure =
        senses.iter().all(|sense| sense.via == NameKind::Short || sense.found != SenseRoute::OwnSpelling);
    NoneFeatures {
        always: 1.0,
        one_word: yes(view.form.words.len() == 1),
        person: yes(view.kind == MentionType::Person),
        lower: yes(view.form.lower),
        unsure_names: yes(unsure),
        // Context adds up over a document: in a long one a sense needs more of it.
        document_size: (view.document.len() as f32).ln_1p(),
        other_senses: 0.0,
    }
}

/// What a place's people and things are called: "Spanish" for Spain, "Kenyans" for Kenya, "Iraqi" for Iraq.
fn is_demonym(form: &Form, place: &str) -> bool {
    const DEMONYM_ENDINGS: &[&str] =
        &["an", "ans", "ese", "ish", "i", "is", "ch", "ic", "ek", "eks", "ss", "ard"];
    const IRREGULAR_DEMONYMS: &[(&str, &str)] = &[
        ("united states", "americ"),
        ("united kingdom", "brit"),
        ("netherlands", "dutch"),
        ("philippines", "filipin"),
    ];
    let [word] = form.words.as_slice() else { return false };
    if IRREGULAR_DEMONYMS.iter().any(|(country, stem)| *country == place && word.starts_with(stem)) {
        return true;
    }
    let shared = word.chars().zip(place.chars()).take_while(|(a, b)| a == b).count();
    shared >= 2 && word != place && DEMONYM_ENDINGS.iter().any(|ending| word.ends_with(ending))
}

/// Words that the other names of the document bring along, weighed by how likely each sense is.
#[derive(Default)]
pub(super) struct CoherenceWords {
    weights: HashMap<HashedWord, f32>,
    /// Titles of likely senses: chain, title words, probability, profile words.
    likely: Vec<LikelySense>,
}

struct LikelySense {
    chain: usize,
    probability: f32,
    profile: std::rc::Rc<Profile>,
}

/// Senses whose titles are looked for in other senses' words. A page has fewer; a book is bounded by it.
const MAX_LIKELY_SENSES: usize = 64;
/// Senses of one chain that bring words along.
const MAX_SENSES_A_CHAIN: usize = 4;

impl CoherenceWords {
    /// Adds a chain's senses with their probabilities.
    pub fn add(&mut self, chain: usize, senses: &[Sense], probabilities: &[f32]) {
        for (word, weight) in contribution(senses, probabilities) {
            *self.weights.entry(word).or_default() += weight;
        }
        for (sense, probability) in take_likeliest(senses, probabilities) {
            if probability > 0.2 && self.likely.len() < MAX_LIKELY_SENSES {
                self.likely.push(LikelySense { chain, probability, profile: sense.profile.clone() });
            }
        }
    }

    /// How far a sense's words are those that the other names bring along, and how many of them name each other.
    pub fn coherence(
        &self,
        chain: usize,
        own: &HashMap<HashedWord, f32>,
        around: &Surroundings,
        profile: &Profile,
        rarity: &Rarity,
    ) -> (f32, f32) {
        let shared: f32 = profile
            .words
            .iter()
            .filter(|word| around.own.binary_search(word).is_err())
            .map(|word| {
                let others =
                    self.weights.get(word).copied().unwrap_or(0.0) - own.get(word).copied().unwrap_or(0.0);
                rarity.of(*word) * others.clamp(0.0, 1.5)
            })
            .sum();
        let named: f32 = self
            .likely
            .iter()
            .filter(|other| other.chain != chain && other.profile.id != profile.id)
            .filter(|other| names(profile, &other.profile) || names(&other.profile, profile))
            .map(|other| other.probability)
            .sum();
        (shared / (profile.mass + 10.0), named.min(3.0) / 3.0)
    }

    /// The likeliest other sense that names, or is named by, this one: what coherence is explained with.
    pub fn find_companion(&self, chain: usize, profile: &Profile) -> Option<crate::knowledge::EntityId> {
        self.likely
            .iter()
            .filter(|other| other.chain != chain && other.profile.id != profile.id)
            .filter(|other| names(profile, &other.profile) || names(&other.profile, profile))
            .max_by(|a, b| a.probability.total_cmp(&b.probability))
            .map(|other| other.profile.id)
    }
}

/// What one chain adds to the company: a word counts as much as the likeliest of its senses that have it.
pub(super) fn contribution(senses: &[Sense], probabilities: &[f32]) -> HashMap<HashedWord, f32> {
    let mut out: HashMap<HashedWord, f32> = HashMap::new();
    for (sense, probability) in take_likeliest(senses, probabilities) {
        for word in &sense.profile.words {
            let weight = out.entry(*word).or_default();
            *weight = weight.max(probability);
        }
    }
    out
}

/// The senses of a chain that bring words along.
fn take_likeliest<'s>(senses: &'s [Sense], probabilities: &[f32]) -> impl Iterator<Item = (&'s Sense, f32)> {
    let mut all: Vec<(&Sense, f32)> = senses.iter().zip(probabilities.iter().copied()).collect();
    all.sort_by(|a, b| b.1.total_cmp(&a.1));
    all.into_iter().take(MAX_SENSES_A_CHAIN)
}

/// True when a profile's words contain the other's whole title.
fn names(profile: &Profile, other: &Profile) -> bool {
    !other.title_words.is_empty() && other.title_words.iter().all(|word| profile.has(*word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_agree_conflict_or_stay_open() {
        assert_eq!(agreement(MentionType::Person, EntityKind::Character), Agreement::Agrees);
        assert_eq!(agreement(MentionType::Person, EntityKind::Place), Agreement::Conflicts);
        assert_eq!(agreement(MentionType::Group, EntityKind::Place), Agreement::Possible);
        assert_eq!(agreement(MentionType::Other, EntityKind::Place), Agreement::Unknown);
    }

    #[test]
    fn demonyms_belong_to_their_place() {
        for (word, place, is) in [
            ("Spanish", "spain", true),
            ("American", "united states", true),
            ("Bahraini", "bahrain", true),
            ("French", "france", true),
            ("Milan", "milan", false),
            ("Turkish", "spain", false),
        ] {
            assert_eq!(is_demonym(&Form::of(word), place), is, "{word}");
        }
    }

    #[test]
    fn features_are_weighed_by_name() {
        let features = NoneFeatures { lower: 2.0, other_senses: 3.0, ..NoneFeatures::default() };
        assert_eq!(features.values(), [0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 3.0]);
        assert_eq!(NoneFeatures::from_values(features.values()), features);
        assert_eq!((NONE_FEATURES[3], NONE_FEATURES[6]), ("lower", "other_senses"));
        assert_eq!(features.weigh(&NoneFeatures { lower: 0.5, ..NoneFeatures::default() }), 1.0);
    }
}
