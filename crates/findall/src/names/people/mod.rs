//! People: surfaces enter, clusters of surfaces leave, one a person.
//!
//! A name is read as title, given name and surname by how the book uses its words. Then names join, rule by rule (`rules`),
//! from the surest evidence to the weakest, and never against what tells two people apart: gender, "Mr." against "Mrs.", a title with
//! the given name (which a younger bearer has), and above all standing together in one sentence.

mod rules;

use std::collections::HashMap;

use super::Gender;
use super::gender::{self, Pronouns};
use super::surfaces::{CastKind, Surface};
use super::tables::{Title, given_name};
use rules::{JOINING_RULES, JoiningRule};

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
struct NameWordCounts {
    first: usize,
    last: usize,
    bare: usize,
    mister: usize,
}

/// A person, or a name that several may mean.
pub(super) struct Person {
    pub surfaces: Vec<usize>,
    /// True for a surname alone, or after "Miss", that several bear.
    pub ambiguous: bool,
}

/// One a person, in the order of first mention.
pub(super) fn cluster(surfaces: &[Surface], pronouns: &[Pronouns]) -> Vec<Person> {
    cluster_by(surfaces, pronouns, JOINING_RULES.iter())
}

fn cluster_by<'r>(
    surfaces: &[Surface],
    pronouns: &[Pronouns],
    rules: impl Iterator<Item = &'r JoiningRule>,
) -> Vec<Person> {
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
    for (_, join) in rules {
        join(&mut people);
    }
    people.clusters.retain(|cluster| !cluster.surfaces.is_empty());
    people.clusters.sort_by_key(|cluster| cluster.surfaces.iter().map(|&n| surfaces[n].spans[0]).min());
    let ambiguous: Vec<bool> = (0..people.clusters.len()).map(|at| people.is_ambiguous(at)).collect();
    let clusters = people.clusters.into_iter().zip(ambiguous);
    clusters.map(|(cluster, ambiguous)| Person { surfaces: cluster.surfaces, ambiguous }).collect()
}

fn uses(surfaces: &[Surface]) -> HashMap<&str, NameWordCounts> {
    let mut uses: HashMap<&str, NameWordCounts> = HashMap::new();
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

fn form(surface: &Surface, uses: &HashMap<&str, NameWordCounts>) -> NameParts {
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
fn is_surname(word: &str, uses: &HashMap<&str, NameWordCounts>) -> bool {
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

    fn live_clusters(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.clusters.len()).filter(|&at| !self.clusters[at].surfaces.is_empty())
    }

    /// True when the two cannot be one person.
    fn are_different(&self, one: usize, other: usize) -> bool {
        let (a, b) = (&self.clusters[one], &self.clusters[other]);
        if a.gender != b.gender && a.gender != Gender::Unknown && b.gender != Gender::Unknown {
            return true;
        }
        let together = count_shared(&a.sentences, &b.sentences);
        let fewer = a.sentences.len().min(b.sentences.len());
        together >= 2 && 8 * together >= fewer || together >= 1 && fewer <= 2
    }

    fn has(&self, at: usize, test: impl Fn(&NameParts) -> bool) -> bool {
        self.clusters[at].forms.iter().any(test)
    }

    fn surname(&self, at: usize) -> Option<&str> {
        self.clusters[at].forms.iter().find_map(|form| match form {
            NameParts::Full(_, last) | NameParts::Titled(_, last) => Some(last.as_str()),
            _ => None,
        })
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
        let others = self.live_clusters().filter(|&other| other != at && self.has(other, bears));
        let others = others.filter(|&other| !women || self.clusters[other].gender == Gender::Female);
        others.count() >= 2
    }
}

/// How many numbers two sorted lists share.
fn count_shared(a: &[usize], b: &[usize]) -> usize {
    let (few, many) = if a.len() < b.len() { (a, b) } else { (b, a) };
    few.iter().filter(|number| many.binary_search(number).is_ok()).count()
}
