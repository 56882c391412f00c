//! Coreference of names within a document: mentions enter in text order, chains of mentions that name the same thing
//! leave. "Saban" follows "Nick Saban", "ESA" its expansion, "Mayor" the name it stands before.
//!
//! Only names are read here, never what they mean. Where a short form may as well be a name of its own ("Goldman" beside
//! "Goldman Sachs", "Washington" beside "George Washington") the chain stays apart and only leans on the longer one;
//! the linker weighs that as evidence. One pass over the mentions with a few maps: linear in their number.

use std::collections::HashMap;

use super::names::{Form, is_role};
use crate::mentions::MentionType;
use crate::span::Span;

/// What coreference knows about a mention.
#[derive(Clone, Copy)]
pub(super) struct MentionName<'f> {
    pub span: Span,
    pub form: &'f Form,
    pub kind: MentionType,
    /// The form names a person, as far as tagger and knowledge base say.
    pub person: bool,
    /// A place or other thing commonly goes by this very name.
    pub stands_alone: bool,
}

/// Mentions that name the same thing.
#[derive(Debug, Default)]
pub(super) struct Chain {
    /// In text order.
    pub mentions: Vec<usize>,
    /// The mention with the fullest name.
    pub head: usize,
    /// A chain that this one may be short for.
    pub leans_on: Option<usize>,
}

/// All chains of a document.
#[derive(Debug, Default)]
pub(super) struct Chains {
    pub chains: Vec<Chain>,
    /// The chain of each mention.
    pub of: Vec<usize>,
    /// The earlier or fuller mention that each one follows, if it is not a plain repetition.
    pub antecedents: Vec<Option<usize>>,
}

/// The widest gap in bytes between a role and its name: "president, Nick Saban".
const MAX_ROLE_GAP_BYTES: usize = 6;

/// Builds the chains.
pub(super) fn chains(text: &str, names: &[MentionName<'_>]) -> Chains {
    let ahead = FullNameIndex::new(names);
    let mut build = ChainBuilder {
        names,
        out: Chains { of: vec![usize::MAX; names.len()], ..Chains::default() },
        by_key: HashMap::new(),
        surnames: HashMap::new(),
        first_names: HashMap::new(),
        full_names: HashMap::new(),
        initials: HashMap::new(),
        parts: HashMap::new(),
    };
    let roles: Vec<bool> = names.iter().map(|name| name.form.lower || is_role(&name.form.written)).collect();
    for (at, role) in roles.iter().enumerate() {
        if !role {
            build.place(at, &ahead);
        }
    }
    for at in (0..names.len()).filter(|at| roles[*at]) {
        build.place_role(text, at, &ahead);
    }
    build.link_short_chains();
    build.out.antecedents = vec![None; names.len()];
    for chain in &build.out.chains {
        let head_key = &names[chain.head].form.key;
        for mention in &chain.mentions {
            if *mention != chain.head && names[*mention].form.key != *head_key {
                build.out.antecedents[*mention] = Some(chain.head);
            }
        }
    }
    build.out
}

/// Full names anywhere in the document, for headlines that use the short form first.
struct FullNameIndex<'f> {
    /// Surname or initials → the one mention that first has it in full; `None` when several names do.
    full: HashMap<&'f str, Option<usize>>,
    initials: HashMap<String, Option<usize>>,
}

impl<'f> FullNameIndex<'f> {
    fn new(names: &[MentionName<'f>]) -> Self {
        let mut ahead = FullNameIndex { full: HashMap::new(), initials: HashMap::new() };
        let differs = |known: usize, at: usize| names[known].form.key != names[at].form.key;
        // What starts with a small letter is no full name: "anti-tax crusader", "van driver".
        let full = |name: &MentionName<'_>| name.form.words.len() > 1 && !name.form.lower;
        for (at, name) in names.iter().enumerate().filter(|(_, name)| full(name)) {
            let note = |slot: &mut Option<usize>| {
                if slot.is_some_and(|known| differs(known, at)) {
                    *slot = None;
                }
            };
            if name.person
                && let Some(surname) = name.form.last()
            {
                note(ahead.full.entry(surname).or_insert(Some(at)));
            }
            for letters in name.form.initials() {
                note(ahead.initials.entry(letters).or_insert(Some(at)));
            }
        }
        ahead
    }
}

struct ChainBuilder<'f, 'n> {
    names: &'n [MentionName<'f>],
    out: Chains,
    by_key: HashMap<&'f str, usize>,
    /// The chain of the full name seen last, by surname and by first name.
    surnames: HashMap<&'f str, usize>,
    first_names: HashMap<&'f str, usize>,
    /// First and last word of a person's name.
    full_names: HashMap<(&'f str, &'f str), usize>,
    initials: HashMap<String, usize>,
    /// First words of longer names, and their last ones.
    parts: HashMap<String, usize>,
}

impl<'f> ChainBuilder<'f, '_> {
    fn place(&mut self, at: usize, ahead: &FullNameIndex<'f>) {
        let name = self.names[at];
        let form = name.form;
        let chain = self
            .find_person_chain(at, ahead)
            .or_else(|| self.by_key.get(form.key.as_str()).copied())
            .or_else(|| self.same_person(&name))
            .or_else(|| self.find_initials_chain(at, ahead));
        let chain = match chain {
            Some(chain) => {
                self.join(chain, at);
                chain
            }
            None => self.open(at),
        };
        self.register(at, chain);
    }

    fn open(&mut self, at: usize) -> usize {
        self.out.chains.push(Chain { mentions: vec![at], head: at, leans_on: None });
        let chain = self.out.chains.len() - 1;
        self.out.of[at] = chain;
        chain
    }

    fn join(&mut self, chain: usize, at: usize) {
        self.out.of[at] = chain;
        let known = &mut self.out.chains[chain];
        known.mentions.push(at);
        let (old, new) = (self.names[known.head].form, self.names[at].form);
        let fuller = (new.words.len(), !new.acronym) > (old.words.len(), !old.acronym);
        if fuller && !new.lower && !is_role(&new.written) {
            known.head = at;
        }
    }

    fn register(&mut self, at: usize, chain: usize) {
        let name = self.names[at];
        let form = name.form;
        self.by_key.entry(form.key.as_str()).or_insert(chain);
        if form.words.len() < 2 || form.lower {
            return;
        }
        if name.person
            && let (Some(first), Some(last)) = (form.words.first(), form.last())
        {
            self.surnames.insert(last, chain);
            self.first_names.insert(first, chain);
            self.full_names.entry((first, last)).or_insert(chain);
        }
        for letters in form.initials() {
            self.initials.insert(letters, chain);
        }
        if !name.person {
            for length in 1..form.words.len() {
                self.parts.entry(form.words[..length].join(" ")).or_insert(chain);
            }
            for start in 1..form.words.len() {
                self.parts.entry(form.words[start..].join(" ")).or_insert(chain);
            }
        }
    }

    /// The chain of the person whose surname or first name this is: the nearest before, else the only one after.
    fn find_person_chain(&mut self, at: usize, ahead: &FullNameIndex<'f>) -> Option<usize> {
        let name = self.names[at];
        let [word] = name.form.words.as_slice() else { return None };
        let possible = match name.kind {
            MentionType::Person => true,
            _ if name.form.titled => true,
            MentionType::Other | MentionType::Organization | MentionType::Product => !name.stands_alone,
            _ => false,
        };
        if !possible || name.form.lower {
            return None;
        }
        let first = |build: &Self| build.first_names.get(word.as_str()).copied();
        if let Some(chain) = self.surnames.get(word.as_str()).copied().or_else(|| first(self)) {
            return Some(chain);
        }
        let later = ahead.full.get(word.as_str()).copied().flatten().filter(|later| *later > at)?;
        Some(self.open_later_chain(later))
    }

    /// Another spelling of a full name: "Donald J. Trump".
    fn same_person(&self, name: &MentionName<'f>) -> Option<usize> {
        let form = name.form;
        if !name.person || form.words.len() < 2 {
            return None;
        }
        self.full_names.get(&(form.words.first()?.as_str(), form.last()?)).copied()
    }

    fn find_initials_chain(&mut self, at: usize, ahead: &FullNameIndex<'f>) -> Option<usize> {
        let name = self.names[at];
        if !name.form.acronym {
            return None;
        }
        let letters: String = name.form.key.chars().filter(|c| !c.is_whitespace()).collect();
        let chain = match self.initials.get(&letters) {
            Some(chain) => *chain,
            None => {
                let later = ahead.initials.get(&letters).copied().flatten().filter(|later| *later > at)?;
                self.open_later_chain(later)
            }
        };
        // Two letters fit too many names to join without being introduced: "European Union (EU)".
        let head = self.names[self.out.chains[chain].head].span;
        let introduced = name.span.start.abs_diff(head.end) <= 2 || head.start.abs_diff(name.span.end) <= 2;
        (letters.len() > 2 || introduced).then_some(chain)
    }

    /// The chain of a full name that comes later, opened under its key before its time.
    fn open_later_chain(&mut self, later: usize) -> usize {
        let key = self.names[later].form.key.as_str();
        if let Some(chain) = self.by_key.get(key) {
            return *chain;
        }
        self.out.chains.push(Chain { mentions: Vec::new(), head: later, leans_on: None });
        let chain = self.out.chains.len() - 1;
        self.by_key.insert(key, chain);
        chain
    }

    /// A role goes with the name right after it, or before it behind a comma; else it is a chain of its own.
    fn place_role(&mut self, text: &str, at: usize, ahead: &FullNameIndex<'f>) {
        let span = self.names[at].span;
        let between =
            |from: usize, to: usize| text.get(from..to).filter(|gap| gap.len() <= MAX_ROLE_GAP_BYTES);
        let next = (at + 1 < self.names.len()).then(|| at + 1).filter(|next| {
            let gap = between(span.end, self.names[*next].span.start);
            self.names[*next].person && gap.is_some_and(|gap| gap.chars().all(|c| " .,".contains(c)))
        });
        let previous = at.checked_sub(1).filter(|previous| {
            let gap = between(self.names[*previous].span.end, span.start);
            self.names[*previous].person && gap.is_some_and(|gap| gap.starts_with(','))
        });
        match next.or(previous).map(|other| self.out.of[other]).filter(|chain| *chain != usize::MAX) {
            Some(chain) => self.join(chain, at),
            None => self.place(at, ahead),
        }
        // Roles come after all names: put them where they stand.
        let chain = self.out.of[at];
        self.out.chains[chain].mentions.sort_unstable();
    }

    /// Chains under a short name lean on the longer one that begins or ends so.
    fn link_short_chains(&mut self) {
        for chain in 0..self.out.chains.len() {
            let name = self.names[self.out.chains[chain].head];
            let key = name.form.key.as_str();
            let person = (name.form.words.len() == 1).then(|| self.surnames.get(key)).flatten();
            let other = self.parts.get(key).or(person).copied();
            self.out.chains[chain].leans_on = other.filter(|other| *other != chain);
        }
    }
}
