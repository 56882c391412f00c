//! How names of one person come together: an ordered table of named rules, the surest evidence first. Each takes the
//! people so far and joins what it is sure of; the tests have one case for and one against each.

use super::super::Gender;
use super::super::surfaces::Surface;
use super::super::tables::{Title, given_name, has_forms, is_pet_form, same_given_name};
use super::{NameParts, People, count_shared};

/// One way in which names come to be one person's: what it is called, and what joins.
pub(super) type JoiningRule = (&'static str, fn(&mut People<'_>));

/// In the order of use: a later rule sees what the earlier ones joined.
pub(super) const JOINING_RULES: [JoiningRule; 7] = [
    ("given name with full name", |people| people.join_given_names()),
    ("diminutive with its name", |people| people.join_diminutives()),
    ("pet form with its name", |people| people.join_pet_forms()),
    ("nickname with the surname it is made from", |people| people.join_nicknames_of_surnames()),
    ("titles of one bearer", |people| people.join_titles_of_one_bearer()),
    ("title with full name", |people| people.join_titles_with_full_names()),
    ("surname with its bearer", |people| people.join_surnames()),
];

/// Who is named so often, or so many times as often as another, is known by that name.
const MIN_KNOWN_MENTIONS: usize = 20;
/// The man who bears a surname alone is named so many times as often as any other.
const MIN_BEARER_RATIO: usize = 3;
/// Letters that are left of a name when its ending is taken off.
const MIN_DIMINUTIVE_STEM_LETTERS: usize = 3;
const MIN_NICKNAME_STEM_LETTERS: usize = 4;
/// A married woman named so often is more than a child in passing.
const MIN_WIFE_MENTIONS: usize = 5;
/// A man named in full so often was not named so by a slip of the pen.
const MIN_FULL_NAMES_OF_MISTER: usize = 2;
/// Or one whose bare name is hardly ever said.
const MAX_BARE_NAMES_OF_MISTER: usize = 3;

impl People<'_> {
    /// "Jo" joins "Jo March".
    fn join_given_names(&mut self) {
        for at in self.live_clusters().collect::<Vec<_>>() {
            let [NameParts::Given(given)] = self.clusters[at].forms.as_slice() else { continue };
            let noble = self.clusters[at].noble;
            let mut full: Vec<usize> = self
                .live_clusters()
                .filter(|&other| self.clusters[other].noble == noble)
                .filter(|&other| {
                    self.has(other, |form| matches!(form, NameParts::Full(first, _) if first == given))
                })
                .collect();
            // Several of that name: the one named most in full, then the one of the larger family, then the first.
            full.sort_by_key(|&other| {
                let surname = self.surname(other);
                let family =
                    self.live_clusters().filter(|&o| surname.is_some() && self.surname(o) == surname).count();
                std::cmp::Reverse(2 * self.clusters[other].count + family)
            });
            if let Some(&best) = full.first() {
                self.join(at, best);
            }
        }
    }

    /// "Annie", said now and then, is the Ann of whom all the book is about, even where both stand in one sentence:
    /// "'Come, Annie,' said he to Ann."
    fn join_diminutives(&mut self) {
        for at in self.live_clusters().collect::<Vec<_>>() {
            let [NameParts::Given(name)] = self.clusters[at].forms.as_slice() else { continue };
            let stem = ["ie", "y"].iter().find_map(|ending| name.strip_suffix(ending));
            let Some(stem) = stem.filter(|stem| stem.len() >= MIN_DIMINUTIVE_STEM_LETTERS).map(str::to_owned)
            else {
                continue;
            };
            let whole = |form: &NameParts| matches!(form, NameParts::Given(other) | NameParts::Full(other, _) if *other == stem);
            let base = self.live_clusters().filter(|&other| other != at && self.has(other, whole));
            let base = base.max_by_key(|&other| self.clusters[other].count);
            let Some(base) = base
                .filter(|&base| MIN_KNOWN_MENTIONS * self.clusters[at].count <= self.clusters[base].count)
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
        let mut order: Vec<usize> = self.live_clusters().collect();
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
            let candidates: Vec<usize> = self
                .live_clusters()
                .filter(|&other| fits(other) && !self.stand_together(at, other))
                .collect();
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
                NameParts::Full(_, last) if self.clusters[at].count < MIN_KNOWN_MENTIONS || borne(last) => {
                    Some(last)
                }
                _ => None,
            })
        };
        names(one).next().is_some()
            && names(other).next().is_some()
            && !names(one).any(|a| names(other).any(|b| a == b))
    }

    /// As [`are_different`](Self::are_different), for names that are known forms of one: then only standing together often tells.
    fn stand_together(&self, one: usize, other: usize) -> bool {
        let (a, b) = (&self.clusters[one], &self.clusters[other]);
        let told_apart = a.gender != b.gender && a.gender != Gender::Unknown && b.gender != Gender::Unknown;
        let together = count_shared(&a.sentences, &b.sentences);
        // "Elizabeth, or Beth, as everyone called her": who is hardly ever named otherwise may stand beside herself.
        let now_and_then = MIN_KNOWN_MENTIONS * a.count.min(b.count) <= a.count.max(b.count);
        told_apart
            || !now_and_then && together >= 2 && 3 * together >= a.sentences.len().min(b.sentences.len())
    }

    /// A nickname made from the surname ("Laurie" of the Laurences) joins the man of that surname who is not there
    /// when the nickname is.
    fn join_nicknames_of_surnames(&mut self) {
        for at in self.live_clusters().collect::<Vec<_>>() {
            let name = self.clusters[at].forms.iter().find_map(|form| match form {
                NameParts::Given(name) | NameParts::Full(name, _) => Some(name.clone()),
                _ => None,
            });
            let Some(name) = name.filter(|name| given_name(name).is_none()) else { continue };
            let stem = ["ie", "y", "ey"].iter().find_map(|ending| name.strip_suffix(ending));
            let Some(stem) = stem.filter(|stem| stem.len() >= MIN_NICKNAME_STEM_LETTERS) else { continue };
            let bears = |form: &NameParts| matches!(form, NameParts::Full(_, last) if last.starts_with(stem) && *last != name);
            let bearers: Vec<usize> = (self.live_clusters())
                .filter(|&other| other != at && self.has(other, bears) && !self.are_different(at, other))
                .collect();
            let best = bearers.into_iter().max_by_key(|&other| self.clusters[other].count);
            if let Some(best) = best.filter(|&best| self.clusters[best].gender != Gender::Female) {
                self.join(best, at);
            }
        }
    }

    /// "Professor Bhaer" and "Mr. Bhaer", "Aunt Carrol" and "Mrs. Carrol" join.
    fn join_titles_of_one_bearer(&mut self) {
        for (from, into) in [
            (Title::Office, Title::Mister),
            (Title::Kinswoman, Title::Missis),
            (Title::Kinsman, Title::Mister),
            (Title::Office, Title::Missis),
        ] {
            for at in self.live_clusters().collect::<Vec<_>>() {
                let [NameParts::Titled(title, surname)] = self.clusters[at].forms.as_slice() else {
                    continue;
                };
                if *title != from {
                    continue;
                }
                let wanted = NameParts::Titled(into, surname.clone());
                let other = self
                    .live_clusters()
                    .find(|&other| other != at && self.clusters[other].forms.contains(&wanted));
                // Where a surname has sons and daughters, their aunt is not their mother.
                let children = |form: &NameParts| matches!(form, NameParts::Full(_, last) if last == surname);
                let children = self.live_clusters().filter(|&other| self.has(other, children)).count();
                let kin = from != Title::Office;
                let their_own = !kin || children < 2;
                if let Some(other) = other.filter(|&o| their_own && !self.are_different(at, o)) {
                    self.join(at, other);
                }
            }
        }
    }

    /// A title with a surname joins the one full name that can be meant.
    fn join_titles_with_full_names(&mut self) {
        for at in self.live_clusters().collect::<Vec<_>>() {
            let titled = self.clusters[at].forms.iter().find_map(|form| match form {
                NameParts::Titled(title, surname) => Some((*title, surname.clone())),
                NameParts::Wife(surname) => Some((Title::Missis, surname.clone())),
                _ => None,
            });
            let Some((title, surname)) = titled else { continue };
            let candidates: Vec<usize> = self
                .live_clusters()
                .filter(|&other| other != at)
                .filter(|&other| {
                    self.has(other, |form| match form {
                        NameParts::Full(_, last) => *last == surname,
                        NameParts::Wife(last) => title == Title::Missis && *last == surname,
                        _ => false,
                    })
                })
                .filter(|&other| !self.are_different(at, other) && self.may_be_called(other, title, &surname))
                .collect();
            if let [only] = candidates.as_slice() {
                self.join(at, *only);
            }
        }
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
                fits && !self.has_title_with_given(at, Title::Mister)
                    && !self.has_title_with_given(at, Title::Master)
                    && (full >= MIN_FULL_NAMES_OF_MISTER
                        || bare.map(|&n| self.surfaces[n].spans.len()).sum::<usize>()
                            <= MAX_BARE_NAMES_OF_MISTER)
            }
            // The only bearer of the surname, and named more than a child in passing.
            Title::Missis => {
                let bears = |form: &NameParts| matches!(form, NameParts::Full(_, last) | NameParts::Titled(_, last) if last == surname);
                let bearers = self.live_clusters().filter(|&other| self.has(other, bears)).count();
                fits && bearers <= 2
                    && cluster.count >= MIN_WIFE_MENTIONS
                    && !self.has_title_with_given(at, Title::Miss)
            }
            _ => fits,
        }
    }

    fn has_title_with_given(&self, at: usize, title: Title) -> bool {
        self.clusters[at].surfaces.iter().any(|&n| {
            let surface = &self.surfaces[n];
            surface.titles.last() == Some(&title) && surface.words.len() == 1
        }) && self.has(at, |form| matches!(form, NameParts::Given(_)))
    }

    /// A surname alone joins its only bearer, or the man who bears it three times as often as any other.
    fn join_surnames(&mut self) {
        for at in self.live_clusters().collect::<Vec<_>>() {
            let [NameParts::Surname(surname)] = self.clusters[at].forms.as_slice() else { continue };
            let bears = |form: &NameParts| match form {
                NameParts::Full(_, last) | NameParts::Titled(_, last) => last == surname,
                _ => false,
            };
            let bearers: Vec<usize> =
                self.live_clusters().filter(|&other| other != at && self.has(other, bears)).collect();
            let mut men: Vec<usize> = bearers
                .iter()
                .copied()
                .filter(|&other| self.clusters[other].gender != Gender::Female)
                .collect();
            men.sort_by_key(|&other| std::cmp::Reverse(self.clusters[other].count));
            match (bearers.as_slice(), men.as_slice()) {
                ([only], _) | (_, [only]) => self.join(at, *only),
                (_, [first, second, ..])
                    if self.clusters[*first].count >= MIN_BEARER_RATIO * self.clusters[*second].count =>
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

#[cfg(test)]
mod tests {
    use super::super::super::tests::read;
    use super::super::super::{families, gender, surfaces};
    use super::super::cluster_by;
    use super::*;

    /// A rule, a text in which it joins two names, and one in which it must not.
    type Case = (&'static str, (&'static str, [&'static str; 2]), (&'static str, [&'static str; 2]));

    const CASES: [Case; 7] = [
        (
            "given name with full name",
            ("[Roderick Ware] ran. [Roderick] laughed.", ["Roderick", "Roderick Ware"]),
            // A lady's name goes with her rank.
            ("[Lady Roderick Ware] ran. [Roderick] laughed.", ["Roderick", "Lady Roderick Ware"]),
        ),
        (
            "diminutive with its name",
            ("[Brandy] sat. #20:[Brand] ran. ", ["Brandy", "Brand"]),
            // Both are named often, so they are two.
            ("[Brandy] sat. [Brandy] fell. #20:[Brand] ran. ", ["Brandy", "Brand"]),
        ),
        (
            "pet form with its name",
            ("[Elizabeth Ware] read. She sat. [Lizzy] slept, and she dreamt.", ["Lizzy", "Elizabeth Ware"]),
            // Nobody meets herself.
            ("[Meg] met [Margaret]. [Meg] saw [Margaret]. [Meg] and [Margaret] ran.", ["Meg", "Margaret"]),
        ),
        (
            "nickname with the surname it is made from",
            ("[Edmund Dornfeld] came. He sat. [Dornie] left.", ["Dornie", "Edmund Dornfeld"]),
            (
                "[Dornie] met [Edmund Dornfeld]. [Edmund Dornfeld] saw [Dornie].",
                ["Dornie", "Edmund Dornfeld"],
            ),
        ),
        (
            "titles of one bearer",
            ("[Professor Dorn] came. [Mr. Dorn] sang.", ["Professor Dorn", "Mr. Dorn"]),
            // Where a surname has daughters, their aunt is not their mother.
            (
                "[Aunt Ware] came. [Mrs. Ware] sang. [Jane Ware] sat. [Rose Ware] ran.",
                ["Aunt Ware", "Mrs. Ware"],
            ),
        ),
        (
            "title with full name",
            ("[Mr. Dorn] sang. [Edmund Dorn] came. [Edmund Dorn] left.", ["Mr. Dorn", "Edmund Dorn"]),
            // Who is called master by his given name is the son.
            (
                "[Mr. Ware] sang. [Tom Ware] came. [Tom Ware] left. [Master Tom] ran.",
                ["Mr. Ware", "Tom Ware"],
            ),
        ),
        (
            "surname with its bearer",
            ("[Edmund Dorn] came. [Dorn] left.", ["Dorn", "Edmund Dorn"]),
            ("[Edmund Dorn] came. [Otto Dorn] left. [Dorn] slept.", ["Dorn", "Edmund Dorn"]),
        ),
    ];

    /// Whether two names are one person's, by all rules but one; "#20:" repeats what follows.
    fn are_one(marked: &str, names: [&str; 2], left_out: &str) -> bool {
        let marked = match marked.split_once("#20:") {
            Some((before, repeated)) => before.to_owned() + &repeated.repeat(20),
            None => marked.to_owned(),
        };
        let (document, mentions) = read(&marked);
        let mut surfaces = surfaces::collect(&document, &mentions);
        families::mark(&mut surfaces);
        let pronouns = gender::pronouns(&document, &surfaces);
        let rules = JOINING_RULES.iter().filter(|(name, _)| *name != left_out);
        let place =
            |name: &str| surfaces.iter().position(|surface| surface.text == name).expect("it is named");
        let (one, other) = (place(names[0]), place(names[1]));
        let people = cluster_by(&surfaces, &pronouns, rules);
        people.iter().any(|person| person.surfaces.contains(&one) && person.surfaces.contains(&other))
    }

    #[test]
    fn each_rule_has_a_case_for_and_one_against() {
        assert_eq!(JOINING_RULES.map(|(name, _)| name), CASES.map(|(rule, _, _)| rule));
        for (rule, (text, names), (apart_text, apart)) in CASES {
            assert!(are_one(text, names, ""), "{rule}: {names:?} are one");
            assert!(!are_one(text, names, rule), "{rule}: without it {names:?} are two");
            assert!(!are_one(apart_text, apart, ""), "{rule}: {apart:?} are two");
        }
    }
}
