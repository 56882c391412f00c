//! People: surfaces enter, clusters of surfaces leave, one a person.
//!
//! A name is read as title, given name and surname by how the book uses its words. Then names join from the surest
//! evidence to the weakest, and never against what tells two people apart: gender, "Mr." against "Mrs.", a title with
//! the given name (which a younger bearer has), and above all standing together in one sentence.

use std::collections::HashMap;

use super::Gender;
use super::gender::{self, Pronouns};
use super::surfaces::{CastKind, Surface};
use super::tables::{Title, given_name, has_forms, is_pet_form, same_given_name};

/// What a name consists of.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum NameParts {
    /// Given name and surname.
    Full(String, String),
    /// A given name, or the only name.
    Given(String),
    /// A title and a surname.
    Titled(Title, String),
    /// "Mrs. John Brooke".
    Wife(String),
    /// A surname alone.
    Surname(String),
}

/// A growing person.
struct Cluster {
    surfaces: Vec<usize>,
    forms: Vec<NameParts>,
    gender: Gender,
    /// How often it is named.
    count: usize,
    sentences: Vec<usize>,
    noble: bool,
}

/// How the book uses a word in names of people.
#[derive(Default)]
struct Use {
    first: usize,
    last: usize,
    bare: usize,
    mister: usize,
}

/// Who is named so often, or so many times as often as another, is known by that name.
const OFTEN: usize = 20;

/// A person, or a name that several may mean.
pub(super) struct Person {
    pub surfaces: Vec<usize>,
    /// True for a surname alone, or after "Miss", that several bear.
    pub ambiguous: bool,
}

/// One a person, in the order of first mention.
pub(super) fn cluster(surfaces: &[Surface], pronouns: &[Pronouns]) -> Vec<Person> {
    let uses = uses(surfaces);
    let mut people = People { surfaces, pronouns, clusters: Vec::new() };
    let mut places: HashMap<(NameParts, bool), usize> = HashMap::new();
    for (number, surface) in surfaces.iter().enumerate().filter(|(_, s)| s.kind == CastKind::Person) {
        let form = form(surface, &uses);
        let noble = surface.titles.iter().any(|title| matches!(title, Title::Lady | Title::Lord));
        let place = *places.entry((form.clone(), noble)).or_insert_with(|| {
            people.clusters.push(Cluster {
                surfaces: Vec::new(),
                forms: vec![form],
                gender: Gender::Unknown,
                count: 0,
                sentences: Vec::new(),
                noble,
            });
            people.clusters.len() - 1
        });
        people.clusters[place].surfaces.push(number);
    }
    for at in 0..people.clusters.len() {
        people.refresh(at);
    }
    people.join_given_names();
    people.join_diminutives();
    people.join_pet_forms();
    people.join_nicknames_of_surnames();
    people.join_titles();
    people.join_surnames();
    people.clusters.retain(|cluster| !cluster.surfaces.is_empty());
    people.clusters.sort_by_key(|cluster| cluster.surfaces.iter().map(|&n| surfaces[n].spans[0]).min());
    let ambiguous: Vec<bool> = (0..people.clusters.len()).map(|at| people.is_ambiguous(at)).collect();
    let clusters = people.clusters.into_iter().zip(ambiguous);
    clusters.map(|(cluster, ambiguous)| Person { surfaces: cluster.surfaces, ambiguous }).collect()
}

fn uses(surfaces: &[Surface]) -> HashMap<&str, Use> {
    let mut uses: HashMap<&str, Use> = HashMap::new();
    for surface in surfaces.iter().filter(|s| s.kind == CastKind::Person) {
        let count = surface.spans.len();
        match surface.words.as_slice() {
            [word] => {
                let known = uses.entry(word).or_default();
                match surface.titles.last() {
                    None => known.bare += count,
                    Some(Title::Mister | Title::Missis | Title::Office) => known.mister += count,
                    Some(_) => {}
                }
            }
            [first, .., last] => {
                uses.entry(first).or_default().first += count;
                uses.entry(last).or_default().last += count;
            }
            [] => {}
        }
    }
    uses
}

fn form(surface: &Surface, uses: &HashMap<&str, Use>) -> NameParts {
    let title = surface.titles.last().copied();
    let (first, last) = match surface.words.as_slice() {
        [first, .., last] => (first, last),
        [word] => {
            let surname = is_surname(word, uses);
            return match title {
                None if surname => NameParts::Surname(word.clone()),
                Some(title) if surname => NameParts::Titled(title, word.clone()),
                _ => NameParts::Given(word.clone()),
            };
        }
        [] => return NameParts::Given(String::new()),
    };
    // "Heaven Beth", "Sister Jo": a name that stands alone throughout the book is no surname here.
    if let Some(known) = uses.get(last.as_str())
        && known.mister == 0
        && known.bare >= 10 * known.last
    {
        return NameParts::Given(last.clone());
    }
    if title == Some(Title::Missis) && given_name(first) == Some(Gender::Male) {
        return NameParts::Wife(last.clone());
    }
    NameParts::Full(first.clone(), last.clone())
}

/// A word that stands last in full names, or after "Mr." and hardly ever alone.
fn is_surname(word: &str, uses: &HashMap<&str, Use>) -> bool {
    let Some(known) = uses.get(word) else { return true };
    if known.last > 0 || known.mister > 0 {
        let given = given_name(word).is_some() || known.first > 0;
        let family = known.last + known.mister;
        return if given {
            family > known.first && 4 * family > known.bare
        } else {
            20 * family > known.bare
        };
    }
    // Never last and never with a title: a given name, or a title such as "Aunt" with a name met nowhere else.
    given_name(word).is_none() && known.first == 0 && known.bare == 0
}

struct People<'s> {
    surfaces: &'s [Surface],
    pronouns: &'s [Pronouns],
    clusters: Vec<Cluster>,
}

impl People<'_> {
    fn refresh(&mut self, at: usize) {
        let numbers = &self.clusters[at].surfaces;
        let gender = gender::decide(numbers.iter().map(|&n| (&self.surfaces[n], self.pronouns[n])));
        let count = numbers.iter().map(|&n| self.surfaces[n].spans.len()).sum();
        let mut sentences: Vec<usize> =
            numbers.iter().flat_map(|&n| self.surfaces[n].sentences.iter().copied()).collect();
        sentences.sort_unstable();
        sentences.dedup();
        let cluster = &mut self.clusters[at];
        (cluster.gender, cluster.count, cluster.sentences) = (gender, count, sentences);
    }

    /// Moves `from` into `into`.
    fn join(&mut self, from: usize, into: usize) {
        let taken = std::mem::take(&mut self.clusters[from].surfaces);
        let forms = std::mem::take(&mut self.clusters[from].forms);
        self.clusters[into].surfaces.extend(taken);
        self.clusters[into].forms.extend(forms);
        self.refresh(into);
        self.refresh(from);
    }

    fn live(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.clusters.len()).filter(|&at| !self.clusters[at].surfaces.is_empty())
    }

    /// True when the two cannot be one person.
    fn differ(&self, one: usize, other: usize) -> bool {
        let (a, b) = (&self.clusters[one], &self.clusters[other]);
        if a.gender != b.gender && a.gender != Gender::Unknown && b.gender != Gender::Unknown {
            return true;
        }
        let together = shared(&a.sentences, &b.sentences);
        let fewer = a.sentences.len().min(b.sentences.len());
        together >= 2 && 8 * together >= fewer || together >= 1 && fewer <= 2
    }

    /// As [`differ`](Self::differ), for names that are known forms of one: then only standing together often tells.
    fn stand_together(&self, one: usize, other: usize) -> bool {
        let (a, b) = (&self.clusters[one], &self.clusters[other]);
        let told_apart = a.gender != b.gender && a.gender != Gender::Unknown && b.gender != Gender::Unknown;
        let together = shared(&a.sentences, &b.sentences);
        // "Elizabeth, or Beth, as everyone called her": who is hardly ever named otherwise may stand beside herself.
        let now_and_then = OFTEN * a.count.min(b.count) <= a.count.max(b.count);
        told_apart
            || !now_and_then && together >= 2 && 3 * together >= a.sentences.len().min(b.sentences.len())
    }

    fn has(&self, at: usize, test: impl Fn(&NameParts) -> bool) -> bool {
        self.clusters[at].forms.iter().any(test)
    }

    fn titled_with_given(&self, at: usize, title: Title) -> bool {
        self.clusters[at].surfaces.iter().any(|&n| {
            let surface = &self.surfaces[n];
            surface.titles.last() == Some(&title) && surface.words.len() == 1
        }) && self.has(at, |form| matches!(form, NameParts::Given(_)))
    }

    /// "Jo" joins "Jo March".
    fn join_given_names(&mut self) {
        for at in self.live().collect::<Vec<_>>() {
            let [NameParts::Given(given)] = self.clusters[at].forms.as_slice() else { continue };
            let noble = self.clusters[at].noble;
            let mut full: Vec<usize> = self
                .live()
                .filter(|&other| self.clusters[other].noble == noble)
                .filter(|&other| {
                    self.has(other, |form| matches!(form, NameParts::Full(first, _) if first == given))
                })
                .collect();
            // Several of that name: the one named most in full, then the one of the larger family, then the first.
            full.sort_by_key(|&other| {
                let surname = self.surname(other);
                let family = self.live().filter(|&o| surname.is_some() && self.surname(o) == surname).count();
                std::cmp::Reverse(2 * self.clusters[other].count + family)
            });
            if let Some(&best) = full.first() {
                self.join(at, best);
            }
        }
    }

    fn surname(&self, at: usize) -> Option<&str> {
        self.clusters[at].forms.iter().find_map(|form| match form {
            NameParts::Full(_, last) | NameParts::Titled(_, last) => Some(last.as_str()),
            _ => None,
        })
    }

    /// "Annie", said now and then, is the Ann of whom all the book is about, even where both stand in one sentence:
    /// "'Come, Annie,' said he to Ann."
    fn join_diminutives(&mut self) {
        for at in self.live().collect::<Vec<_>>() {
            let [NameParts::Given(name)] = self.clusters[at].forms.as_slice() else { continue };
            let stem = ["ie", "y"].iter().find_map(|ending| name.strip_suffix(ending));
            let Some(stem) = stem.filter(|stem| stem.len() >= 3).map(str::to_owned) else { continue };
            let whole = |form: &NameParts| matches!(form, NameParts::Given(other) | NameParts::Full(other, _) if *other == stem);
            let base = self.live().filter(|&other| other != at && self.has(other, whole));
            let base = base.max_by_key(|&other| self.clusters[other].count);
            let Some(base) = base.filter(|&base| 20 * self.clusters[at].count <= self.clusters[base].count)
            else {
                continue;
            };
            let (one, other) = (self.clusters[at].gender, self.clusters[base].gender);
            if one == other || one == Gender::Unknown {
                self.join(at, base);
            }
        }
    }

    /// "Lizzy" joins "Elizabeth Bennet", when nobody else fits.
    fn join_pet_forms(&mut self) {
        let mut order: Vec<usize> = self.live().collect();
        order.sort_by_key(|&at| self.clusters[at].count);
        for at in order {
            let cluster = &self.clusters[at];
            let given = |form: &NameParts| matches!(form, NameParts::Given(name) | NameParts::Full(name, _) if has_forms(name));
            if cluster.surfaces.is_empty() || cluster.noble || !self.has(at, given) {
                continue;
            }
            let fits = |other: usize| {
                other != at && !self.clusters[other].noble && self.has(other, given) && {
                    let pairs = cluster
                        .forms
                        .iter()
                        .flat_map(|a| self.clusters[other].forms.iter().map(move |b| (a, b)));
                    pairs.into_iter().any(|(a, b)| are_pet_forms(a, b)) && !self.surnames_differ(at, other)
                }
            };
            let candidates: Vec<usize> =
                self.live().filter(|&other| fits(other) && !self.stand_together(at, other)).collect();
            if let [only] = candidates.as_slice() {
                let only = *only;
                self.join(at, only);
            }
        }
    }

    /// A surname that stands once in the whole book ("Mrs. Beth Bouncer", in play) does not tell apart who is named often
    /// without it.
    fn surnames_differ(&self, one: usize, other: usize) -> bool {
        let borne = |last: &str| {
            let bears = |surface: &&Surface| surface.words.last().is_some_and(|word| word == last);
            self.surfaces.iter().filter(bears).map(|surface| surface.spans.len()).sum::<usize>() > 1
        };
        let names = |at: usize| {
            self.clusters[at].forms.iter().filter_map(move |form| match form {
                NameParts::Full(_, last) if self.clusters[at].count < OFTEN || borne(last) => Some(last),
                _ => None,
            })
        };
        names(one).next().is_some()
            && names(other).next().is_some()
            && !names(one).any(|a| names(other).any(|b| a == b))
    }

    /// A nickname made from the surname ("Laurie" of the Laurences) joins the man of that surname who is not there
    /// when the nickname is.
    fn join_nicknames_of_surnames(&mut self) {
        for at in self.live().collect::<Vec<_>>() {
            let name = self.clusters[at].forms.iter().find_map(|form| match form {
                NameParts::Given(name) | NameParts::Full(name, _) => Some(name.clone()),
                _ => None,
            });
            let Some(name) = name.filter(|name| given_name(name).is_none()) else { continue };
            let stem = ["ie", "y", "ey"].iter().find_map(|ending| name.strip_suffix(ending));
            let Some(stem) = stem.filter(|stem| stem.len() >= 4) else { continue };
            let bears = |form: &NameParts| matches!(form, NameParts::Full(_, last) if last.starts_with(stem) && *last != name);
            let bearers: Vec<usize> = (self.live())
                .filter(|&other| other != at && self.has(other, bears) && !self.differ(at, other))
                .collect();
            let best = bearers.into_iter().max_by_key(|&other| self.clusters[other].count);
            if let Some(best) = best.filter(|&best| self.clusters[best].gender != Gender::Female) {
                self.join(best, at);
            }
        }
    }

    /// "Professor Bhaer" and "Mr. Bhaer", "Aunt Carrol" and "Mrs. Carrol" join; then each joins the one full name that
    /// can be meant.
    fn join_titles(&mut self) {
        for (from, into) in [
            (Title::Office, Title::Mister),
            (Title::Kinswoman, Title::Missis),
            (Title::Kinsman, Title::Mister),
            (Title::Office, Title::Missis),
        ] {
            for at in self.live().collect::<Vec<_>>() {
                let [NameParts::Titled(title, surname)] = self.clusters[at].forms.as_slice() else {
                    continue;
                };
                if *title != from {
                    continue;
                }
                let wanted = NameParts::Titled(into, surname.clone());
                let other =
                    self.live().find(|&other| other != at && self.clusters[other].forms.contains(&wanted));
                // Where a surname has sons and daughters, their aunt is not their mother.
                let children = |form: &NameParts| matches!(form, NameParts::Full(_, last) if last == surname);
                let children = self.live().filter(|&other| self.has(other, children)).count();
                let kin = from != Title::Office;
                let their_own = !kin || children < 2;
                if let Some(other) = other.filter(|&o| their_own && !self.differ(at, o)) {
                    self.join(at, other);
                }
            }
        }
        for at in self.live().collect::<Vec<_>>() {
            let titled = self.clusters[at].forms.iter().find_map(|form| match form {
                NameParts::Titled(title, surname) => Some((*title, surname.clone())),
                NameParts::Wife(surname) => Some((Title::Missis, surname.clone())),
                _ => None,
            });
            let Some((title, surname)) = titled else { continue };
            let candidates: Vec<usize> = self
                .live()
                .filter(|&other| other != at)
                .filter(|&other| {
                    self.has(other, |form| match form {
                        NameParts::Full(_, last) => *last == surname,
                        NameParts::Wife(last) => title == Title::Missis && *last == surname,
                        _ => false,
                    })
                })
                .filter(|&other| !self.differ(at, other) && self.may_be_called(other, title, &surname))
                .collect();
            if let [only] = candidates.as_slice() {
                self.join(at, *only);
            }
        }
    }

    /// What is left of a surname that others bear with more of a name.
    fn is_ambiguous(&self, at: usize) -> bool {
        let [form] = self.clusters[at].forms.as_slice() else { return false };
        let (surname, women) = match form {
            NameParts::Surname(surname) => (surname, false),
            NameParts::Titled(Title::Miss, surname) => (surname, true),
            _ => return false,
        };
        let bears = |form: &NameParts| matches!(form, NameParts::Full(_, last) if last == surname);
        let others = self.live().filter(|&other| other != at && self.has(other, bears));
        let others = others.filter(|&other| !women || self.clusters[other].gender == Gender::Female);
        others.count() >= 2
    }

    /// Whether a full name may go with the title and the bare surname.
    fn may_be_called(&self, at: usize, title: Title, surname: &str) -> bool {
        let cluster = &self.clusters[at];
        let fits = cluster.gender == Gender::Unknown
            || title.gender() == Gender::Unknown
            || cluster.gender == title.gender();
        match title {
            // Who has the title with the given name is a younger bearer; and one slip of the pen names nobody.
            Title::Mister => {
                let bare = cluster
                    .surfaces
                    .iter()
                    .filter(|&&n| self.surfaces[n].titles.is_empty() && self.surfaces[n].words.len() == 1);
                let full = cluster.surfaces.iter().filter(|&&n| self.surfaces[n].words.len() > 1);
                let full: usize = full.map(|&n| self.surfaces[n].spans.len()).sum();
                fits && !self.titled_with_given(at, Title::Mister)
                    && !self.titled_with_given(at, Title::Master)
                    && (full >= 2 || bare.map(|&n| self.surfaces[n].spans.len()).sum::<usize>() <= 3)
            }
            // The only bearer of the surname, and named more than a child in passing.
            Title::Missis => {
                let bears = |form: &NameParts| matches!(form, NameParts::Full(_, last) | NameParts::Titled(_, last) if last == surname);
                let bearers = self.live().filter(|&other| self.has(other, bears)).count();
                fits && bearers <= 2 && cluster.count >= 5 && !self.titled_with_given(at, Title::Miss)
            }
            _ => fits,
        }
    }

    /// A surname alone joins its only bearer, or the man who bears it three times as often as any other.
    fn join_surnames(&mut self) {
        for at in self.live().collect::<Vec<_>>() {
            let [NameParts::Surname(surname)] = self.clusters[at].forms.as_slice() else { continue };
            let bears = |form: &NameParts| match form {
                NameParts::Full(_, last) | NameParts::Titled(_, last) => last == surname,
                _ => false,
            };
            let bearers: Vec<usize> =
                self.live().filter(|&other| other != at && self.has(other, bears)).collect();
            let mut men: Vec<usize> = bearers
                .iter()
                .copied()
                .filter(|&other| self.clusters[other].gender != Gender::Female)
                .collect();
            men.sort_by_key(|&other| std::cmp::Reverse(self.clusters[other].count));
            match (bearers.as_slice(), men.as_slice()) {
                ([only], _) | (_, [only]) => self.join(at, *only),
                (_, [first, second, ..])
                    if self.clusters[*first].count >= 3 * self.clusters[*second].count =>
                {
                    self.join(at, *first);
                }
                _ => {}
            }
        }
    }
}

fn are_pet_forms(a: &NameParts, b: &NameParts) -> bool {
    match (a, b) {
        (NameParts::Full(a, last), NameParts::Full(b, other)) => {
            last == other && a != b && same_given_name(a, b)
        }
        (NameParts::Given(a) | NameParts::Full(a, _), NameParts::Given(b) | NameParts::Full(b, _)) => {
            is_pet_form(a, b)
        }
        _ => false,
    }
}

/// How many numbers two sorted lists share.
fn shared(a: &[usize], b: &[usize]) -> usize {
    let (few, many) = if a.len() < b.len() { (a, b) } else { (b, a) };
    few.iter().filter(|number| many.binary_search(number).is_ok()).count()
}
