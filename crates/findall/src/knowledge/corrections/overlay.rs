//! What corrections change in a base: which links are no longer made, which texts no longer used, what is new.

use std::collections::{HashMap, HashSet};

use xxhash_rust::xxh3::xxh3_64;

use super::super::fold::lookup_keys;
use super::super::{Candidate, EntityId, EntityKind, KnowledgeBase, NameKind, Record, fold, title_key};
use super::line::write_line;
use super::{Addition, Correction};

/// What the names of an addition leave to other entities of the same name.
const ADDED_NAME_PRIOR: f32 = 0.95;
/// The same for a title without its parenthesis, which a person did not say by itself.
const ADDED_BASE_NAME_PRIOR: f32 = 0.5;
/// How often the world refers to what only one person knows.
const ADDED_POPULARITY: f32 = 1.0;

/// The changes, ready to be looked up.
#[derive(Default)]
pub(in super::super) struct Overlay {
    /// Entities that the base does not have, numbered from its end.
    added: Vec<Record>,
    titles: HashMap<String, EntityId>,
    changed: HashMap<EntityId, Change>,
    names: HashMap<String, Vec<Candidate>>,
    fingerprint: u64,
}

/// What changes about an entity that the base has.
#[derive(Default)]
struct Change {
    text_is_wrong: bool,
    never_linked: bool,
    /// Folded names that do not mean it.
    not_named: HashSet<String>,
    addition: Option<Addition>,
}

impl Overlay {
    /// Works out what corrections mean for a base that has none yet; nothing when they change nothing.
    pub fn resolve(base: &KnowledgeBase, corrections: &[Correction]) -> Option<Self> {
        let standing = standing_corrections(corrections);
        if standing.is_empty() {
            return None;
        }
        let mut overlay = Self::default();
        let mut lines = String::new();
        for correction in standing {
            lines.push_str(&write_line(correction));
            lines.push('\n');
            overlay.apply(base, correction);
        }
        overlay.fingerprint = xxh3_64(lines.as_bytes());
        Some(overlay)
    }

    fn apply(&mut self, base: &KnowledgeBase, correction: &Correction) {
        let known = base.layered_title(correction.title());
        match (correction, known) {
            (Correction::Add(addition), Some(id)) => {
                self.name(id, addition);
                self.changed.entry(id).or_default().addition = Some(addition.clone());
            }
            (Correction::Add(addition), None) => self.add(base, addition),
            (Correction::WrongText { .. }, Some(id)) => {
                let change = self.changed.entry(id).or_default();
                change.text_is_wrong = true;
                change.addition = None;
            }
            (Correction::WrongLink { name: Some(name), .. }, Some(id)) => {
                self.changed.entry(id).or_default().not_named.extend(lookup_keys(name));
            }
            (Correction::WrongLink { name: None, .. }, Some(id)) => {
                self.changed.entry(id).or_default().never_linked = true;
            }
            // Reports about what the base no longer has, or about an addition of one's own.
            (Correction::WrongText { title, .. }, None) => self.drop_added_text(title),
            (Correction::WrongLink { title, name, .. }, None) => {
                self.drop_added_names(title, name.as_deref())
            }
            (Correction::Withdraw { .. }, _) => {}
        }
    }

    fn add(&mut self, base: &KnowledgeBase, addition: &Addition) {
        let key = title_key(&addition.title);
        let id = match self.titles.get(&key) {
            Some(&id) => id,
            None => EntityId((base.len() + self.added.len()) as u32),
        };
        let record = Record {
            id,
            key: String::new(),
            title: addition.title.clone(),
            kind: addition.kind.unwrap_or(EntityKind::Other),
            description: addition.text.clone(),
            phrases: Vec::new(),
            aliases: addition.aliases.clone(),
            popularity: ADDED_POPULARITY,
        };
        match self.added.iter_mut().find(|known| known.id == id) {
            Some(known) => *known = record,
            None => self.added.push(record),
        }
        self.titles.insert(key, id);
        self.name(id, addition);
        self.put_name(&addition.title, id, NameKind::Title, ADDED_NAME_PRIOR);
        if let Some((bare, _)) = addition.title.split_once(" (") {
            self.put_name(bare, id, NameKind::Base, ADDED_BASE_NAME_PRIOR);
        }
    }

    fn name(&mut self, id: EntityId, addition: &Addition) {
        for alias in &addition.aliases {
            self.put_name(alias, id, NameKind::Alias, ADDED_NAME_PRIOR);
        }
    }

    fn put_name(&mut self, name: &str, id: EntityId, via: NameKind, prior: f32) {
        let named = self.names.entry(fold(name)).or_default();
        if named.iter().all(|known| known.id != id) {
            named.push(Candidate { id, prior, via });
        }
    }

    fn drop_added_text(&mut self, title: &str) {
        if let Some(record) = self.added_record_mut(title) {
            record.description.clear();
        }
    }

    fn drop_added_names(&mut self, title: &str, name: Option<&str>) {
        let Some(id) = self.added_record_mut(title).map(|record| record.id) else { return };
        let keys = name.map(lookup_keys);
        for (key, named) in &mut self.names {
            if keys.as_ref().is_none_or(|keys| keys.contains(key)) {
                named.retain(|candidate| candidate.id != id);
            }
        }
    }

    fn added_record_mut(&mut self, title: &str) -> Option<&mut Record> {
        let id = *self.titles.get(&title_key(title))?;
        self.added.iter_mut().find(|record| record.id == id)
    }

    /// Tells these corrections from others.
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// An entity that only the corrections know.
    pub fn added_record(&self, id: EntityId) -> Option<&Record> {
        self.added.iter().find(|record| record.id == id)
    }

    /// The same by its title.
    pub fn find_titled(&self, title: &str) -> Option<EntityId> {
        self.titles.get(&title_key(title)).copied()
    }

    /// Every entity that is new or says something else than its base.
    pub fn entities(&self) -> Vec<EntityId> {
        let texts = self.changed.iter().filter(|(_, it)| it.text_is_wrong || it.addition.is_some());
        let mut ids: Vec<EntityId> = texts.map(|(&id, _)| id).collect();
        ids.extend(self.added.iter().map(|record| record.id));
        ids.sort_unstable();
        ids
    }

    /// Names of the corrections that begin with a folded prefix.
    pub fn names_from(&self, prefix: &str) -> Vec<(String, Vec<Candidate>)> {
        let own = self.names.iter().filter(|(name, named)| name.starts_with(prefix) && !named.is_empty());
        own.map(|(name, named)| (name.clone(), named.clone())).collect()
    }

    /// What a folded name may mean, given what the base says.
    pub fn correct_candidates(&self, key: &str, mut found: Vec<Candidate>) -> Vec<Candidate> {
        found.retain(|candidate| match self.changed.get(&candidate.id) {
            Some(change) => !change.never_linked && !change.not_named.contains(key),
            None => true,
        });
        let own = self.names.get(key).map(Vec::as_slice).unwrap_or_default();
        let own: Vec<Candidate> = own
            .iter()
            .filter(|it| self.changed.get(&it.id).is_none_or(|change| !change.not_named.contains(key)))
            .map(|it| Candidate { prior: it.prior / own.len() as f32, ..*it })
            .collect();
        if own.is_empty() {
            return found;
        }
        let left = 1.0 - own.iter().map(|it| it.prior).sum::<f32>();
        found.retain(|candidate| own.iter().all(|it| it.id != candidate.id));
        found.iter_mut().for_each(|candidate| candidate.prior *= left);
        found.splice(0..0, own);
        found
    }

    /// What is known about an entity of the base, given what the base says.
    pub fn correct_record(&self, record: &mut Record) {
        let Some(change) = self.changed.get(&record.id) else { return };
        let replaced = change.addition.as_ref().is_some_and(|addition| !addition.text.is_empty());
        if change.text_is_wrong || replaced {
            record.description.clear();
            record.phrases.clear();
        }
        if let Some(addition) = &change.addition {
            if replaced {
                record.description.clone_from(&addition.text);
            }
            record.kind = addition.kind.unwrap_or(record.kind);
            for alias in addition.aliases.iter().rev() {
                record.aliases.retain(|known| known != alias);
                record.aliases.insert(0, alias.clone());
            }
        }
    }
}

/// The corrections that were not taken back, in order.
fn standing_corrections(corrections: &[Correction]) -> Vec<&Correction> {
    let mut standing: Vec<&Correction> = Vec::new();
    for correction in corrections {
        match correction {
            Correction::Withdraw { title } => {
                let key = title_key(title);
                standing.retain(|known| title_key(known.title()) != key);
            }
            other => standing.push(other),
        }
    }
    standing
}
