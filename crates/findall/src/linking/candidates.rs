//! Candidates: a name form enters, the entities it may mean leave, each with what the features need to know about it.
//!
//! Records are read once a document and kept as [`Profile`]s, so that a book pays for its distinct names only.

use std::collections::HashMap;
use std::rc::Rc;

use super::names::{Form, ends_in_possessive};
use super::words::{HashedWord, Rarity, Stems};
use crate::knowledge::{Candidate, EntityId, EntityKind, KnowledgeBase, NameKind, fold};

/// Candidates of one name that are looked at.
const MAX_CANDIDATES: usize = 20;

/// A name that is completed has at least this many bytes, and at most so many completions are looked at.
const MIN_BEGINNING_BYTES: usize = 10;
const MAX_COMPLETIONS: usize = 6;

/// What is known of an entity, cut for comparing.
pub(super) struct Profile {
    pub id: EntityId,
    pub kind: EntityKind,
    /// Logarithm of the popularity.
    pub fame: f32,
    /// The title without its disambiguator, as written and folded.
    pub base: String,
    pub base_key: String,
    /// Telling words of the disambiguator, sorted.
    pub disambiguator: Vec<HashedWord>,
    /// Words of title, description and phrases, sorted.
    pub words: Vec<HashedWord>,
    /// Telling words of the base title, sorted.
    pub title_words: Vec<HashedWord>,
    /// Sum of the rarity of `words`.
    pub mass: f32,
}

impl Profile {
    pub fn has(&self, word: HashedWord) -> bool {
        self.words.binary_search(&word).is_ok()
    }
}

/// One entity that a name may mean.
#[derive(Clone)]
pub(super) struct Sense {
    pub profile: Rc<Profile>,
    pub prior: f32,
    pub via: NameKind,
    pub found: SenseRoute,
}

/// How a name led to a sense.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SenseRoute {
    /// The base knows the name as it is written.
    OwnSpelling,
    /// It is the beginning of the only names that begin so.
    LongerName,
    /// It had to be changed to be known.
    OtherSpelling,
}

/// Looks up names and keeps the profiles of what it found.
pub(super) struct SenseCatalog<'k> {
    knowledge: &'k KnowledgeBase,
    stems: &'k Stems,
    rarity: &'k Rarity,
    profiles: HashMap<EntityId, Option<Rc<Profile>>>,
}

impl<'k> SenseCatalog<'k> {
    pub fn new(knowledge: &'k KnowledgeBase, stems: &'k Stems, rarity: &'k Rarity) -> Self {
        Self { knowledge, stems, rarity, profiles: HashMap::new() }
    }

    /// The form of a mention's text: title words and possessives are stripped unless the base knows the name with them.
    pub fn form(&mut self, text: &str) -> Form {
        let form = Form::of(text);
        if let Some(owned) = Form::with_possessive(text)
            && self.is_titled_so(&owned, &form)
        {
            return owned;
        }
        if form.titled {
            let whole = Form::with_titles(text);
            if self.knowledge.candidates(&whole.written).iter().any(|c| c.via != NameKind::Short) {
                return whole;
            }
        }
        form
    }

    /// True when something better known than what the bare name means has a title that ends so: "Macy's", but not "Apple's".
    fn is_titled_so(&mut self, owned: &Form, bare: &Form) -> bool {
        let fame = |catalog: &mut Self, form: &Form, titled: bool| {
            let known = catalog.knowledge.candidates(&form.written).into_iter().take(MAX_CANDIDATES);
            let profiles: Vec<_> = known.filter_map(|it| catalog.profile(it.id)).collect();
            let fits = profiles.iter().filter(|it| !titled || ends_in_possessive(&it.base));
            fits.map(|it| it.fame).max_by(f32::total_cmp)
        };
        let Some(owner) = fame(self, owned, true) else { return false };
        fame(self, bare, false).is_none_or(|rival| owner >= rival)
    }

    /// What a form may mean, best prior first.
    pub fn senses(&mut self, form: &Form) -> Vec<Sense> {
        let mut candidates = self.knowledge.candidates(&form.written);
        let mut found = SenseRoute::OwnSpelling;
        if candidates.is_empty() {
            found = SenseRoute::OtherSpelling;
            candidates = self.candidates_of_first_known(&form.variants());
        }
        if candidates.is_empty() {
            found = SenseRoute::LongerName;
            candidates = self.complete_name(form);
        }
        if candidates.is_empty() {
            found = SenseRoute::OtherSpelling;
            candidates = self.candidates_of_first_known(&form.parts());
        }
        candidates.truncate(MAX_CANDIDATES);
        candidates
            .into_iter()
            .filter_map(|Candidate { id, prior, via }| {
                Some(Sense { profile: self.profile(id)?, prior, via, found })
            })
            .collect()
    }

    fn candidates_of_first_known(&self, names: &[String]) -> Vec<Candidate> {
        let mut looked_up = names.iter().map(|name| self.knowledge.candidates(name));
        looked_up.find(|found| !found.is_empty()).unwrap_or_default()
    }

    /// Entities whose title begins with all of this name: "Austin Community College" and its District.
    fn complete_name(&mut self, form: &Form) -> Vec<Candidate> {
        if form.key.len() < MIN_BEGINNING_BYTES || form.words.len() < 2 {
            return Vec::new();
        }
        let beginning = format!("{} ", form.key);
        let mut found: Vec<Candidate> = Vec::new();
        for (name, candidates) in self.knowledge.names_from(&form.key, MAX_COMPLETIONS) {
            for candidate in candidates.into_iter().filter(|_| name.starts_with(&beginning)) {
                if candidate.via != NameKind::Short && !found.iter().any(|known| known.id == candidate.id) {
                    found.push(candidate);
                }
            }
        }
        // An alias that goes on differently is another thing's: "ExxonMobil Chemical Company" of ExxonMobil.
        found.retain(|known| self.profile(known.id).is_some_and(|p| p.base_key.starts_with(&beginning)));
        // One of them, or something that the base does not have.
        let prior = 1.0 / (found.len() + 1) as f32;
        for candidate in &mut found {
            candidate.prior = prior;
        }
        found
    }

    /// The profile of an entity; `None` when its record cannot be read, which a damaged file may bring about.
    pub fn profile(&mut self, id: EntityId) -> Option<Rc<Profile>> {
        if let Some(known) = self.profiles.get(&id) {
            return known.clone();
        }
        let profile = self.knowledge.record(id).ok().map(|record| {
            let (base, disambiguator) = split_title(&record.title);
            // Function words are in no profile; a title that has one would never be found in another's description.
            let telling = |text: &str| -> Vec<HashedWord> {
                self.stems.set(text).into_iter().filter(|word| self.rarity.of(*word) > 0.0).collect()
            };
            let (disambiguator, title_words) = (telling(disambiguator), telling(base));
            let mut words: Vec<HashedWord> = self.stems.of(&record.description).collect();
            for phrase in &record.phrases {
                words.extend(self.stems.of(&phrase.text));
            }
            words.extend(&disambiguator);
            words.extend(&title_words);
            words.sort_unstable();
            words.dedup();
            words.retain(|word| self.rarity.of(*word) > 0.0);
            let mass = words.iter().map(|word| self.rarity.of(*word)).sum();
            Rc::new(Profile {
                id,
                kind: record.kind,
                fame: record.popularity.max(0.0).ln_1p(),
                base: base.to_owned(),
                base_key: fold(base),
                disambiguator,
                words,
                title_words,
                mass,
            })
        });
        self.profiles.insert(id, profile.clone());
        profile
    }
}

/// A title and what stands in parentheses, or after the comma of a place, to tell it apart.
fn split_title(title: &str) -> (&str, &str) {
    if let Some(at) = title.rfind(" (")
        && title.ends_with(')')
        && at > 0
    {
        return (&title[..at], &title[at + 2..title.len() - 1]);
    }
    match title.split_once(", ") {
        Some((base, region)) if region.starts_with(char::is_uppercase) && !base.is_empty() => (base, region),
        _ => (title, ""),
    }
}

#[cfg(test)]
mod tests {
    use super::split_title;

    #[test]
    fn titles_split_into_name_and_disambiguator() {
        for (title, base, rest) in [
            ("Mercury (planet)", "Mercury", "planet"),
            ("Paris, Texas", "Paris", "Texas"),
            ("Crosby, Stills & Nash", "Crosby", "Stills & Nash"),
            ("(What's the Story) Morning Glory?", "(What's the Story) Morning Glory?", ""),
            ("Paris", "Paris", ""),
        ] {
            assert_eq!(split_title(title), (base, rest));
        }
    }
}
