//! The names that lead to an entity: which given ones are believed, which further ones follow by rule, and how much
//! each counts.

use std::collections::HashMap;

use super::BUILD_WORD_LISTS;
use super::draft::{Draft, NameOrigin};
use super::given_names::weigh_given_name;
use super::short_forms::{ShortForm, short_forms};
use super::writer::WeighedName;
use findall::knowledge::EntityKind;
use findall::knowledge::NameKind;
use findall::knowledge::fold;
use findall::word_list::WordList;

/// How much each way of naming counts, times the entity's popularity.
const TITLE_WEIGHT: f32 = 1.0;
const BASE_WEIGHT: f32 = 0.7;
const PLACE_BASE_WEIGHT: f32 = 0.5;
pub(super) const GIVEN_WEIGHT: f32 = 0.5;
pub(super) const REDIRECT_WEIGHT: f32 = 0.35;
pub(super) const UNRELATED_NAME_WEIGHT: f32 = 0.1;
pub(super) const ANCHOR_WEIGHT: f32 = 0.2;
const SHORT_NAME_WEIGHT: f32 = 0.3;
const NICKNAME_WEIGHT: f32 = 0.3;
const OTHER_FORM_WEIGHT: f32 = 0.15;
const ACRONYM_WEIGHT: f32 = 0.08;
const SURNAME_WEIGHT: f32 = 0.05;
const CITY_OF_TEAM_WEIGHT: f32 = 0.02;
const WITHOUT_RANK_WEIGHT: f32 = 0.06;

/// Words that end a company's name and that people leave out.
pub(super) static LEGAL_FORMS: WordList = WordList::new(BUILD_WORD_LISTS, "legal-form");

/// Words that begin or end a football club's name.
pub(super) static CLUB_WORDS: WordList = WordList::new(BUILD_WORD_LISTS, "club");

/// Words that say what rank a place has.
static ADMINISTRATIVE_WORDS: WordList = WordList::new(BUILD_WORD_LISTS, "administrative");

/// Sports that end the title of a college team.
static SPORTS: WordList = WordList::new(BUILD_WORD_LISTS, "sport");

pub(super) static SUFFIXES: WordList = WordList::new(BUILD_WORD_LISTS, "suffix");
static PARTICLES: WordList = WordList::new(BUILD_WORD_LISTS, "particle");

/// Common words that are some thing's title but nobody's short form.
pub(super) static GENERIC_WORDS: WordList = WordList::new(BUILD_WORD_LISTS, "generic");

/// All names of a merged draft, folded and weighed; and the given ones worth showing.
pub(super) fn names_of(draft: &Draft, kind: EntityKind) -> (Vec<WeighedName>, Vec<String>) {
    // Popularity is spread over many orders of magnitude; its root keeps a rare sense findable.
    let strength = (draft.popularity.max(0.0) + 1.0).powf(0.75);
    let mut names = NameTable { found: HashMap::new(), strength };
    let title = fold(&draft.title);
    names.add(&title, TITLE_WEIGHT, NameKind::Title);
    let base = base_of(&draft.title);
    let base_key = fold(base);
    names.add(&base_key, BASE_WEIGHT, NameKind::Base);
    let mut short_of = vec![base.to_owned()];
    if let Some((place, region)) = base.split_once(", ")
        && matches!(kind, EntityKind::Place | EntityKind::Organization | EntityKind::Other)
        && region.chars().next().is_some_and(char::is_uppercase)
        && !place.is_empty()
    {
        names.add(&fold(place), PLACE_BASE_WEIGHT, NameKind::Base);
        add_forms_by_rule(&mut names, place, kind);
    }
    add_forms_by_rule(&mut names, base, kind);
    for form in short_forms(base, kind) {
        match form {
            ShortForm::Name(name) => {
                names.add(&fold(&name), PLACE_BASE_WEIGHT, NameKind::Base);
                add_forms_by_rule(&mut names, &name, kind);
            }
            ShortForm::Other(name) => names.add_short(&fold(&name), OTHER_FORM_WEIGHT, NameKind::Alias),
            ShortForm::Rare(name) => names.add_short(&fold(&name), SURNAME_WEIGHT, NameKind::Short),
        }
    }

    let mut shown = Vec::new();
    for name in &draft.names {
        let Some((amount, via)) = weigh_given_name(name, &base_key, kind) else {
            continue;
        };
        let key = fold(&name.text);
        let fresh = key != title && key != base_key;
        names.add(&key, amount, via);
        if fresh && name.origin == NameOrigin::Given && !shown.iter().any(|known: &String| fold(known) == key)
        {
            shown.push(name.text.clone());
        }
        if name.origin == NameOrigin::Given && matches!(kind, EntityKind::Organization | EntityKind::Team) {
            short_of.push(name.text.clone());
        }
    }
    for name in &short_of[1..] {
        names.add(&fold(&without_legal_form(name)), SHORT_NAME_WEIGHT, NameKind::Alias);
    }
    let mut found: Vec<WeighedName> =
        names.found.into_iter().map(|(key, (weight, via))| WeighedName { key, weight, via }).collect();
    found.sort_by(|a, b| a.key.cmp(&b.key));
    (found, shown)
}

struct NameTable {
    found: HashMap<String, (f32, NameKind)>,
    strength: f32,
}

impl NameTable {
    fn add(&mut self, key: &str, amount: f32, via: NameKind) {
        if key.is_empty() || key.len() > 120 {
            return;
        }
        let amount = amount * self.strength;
        let entry = self.found.entry(key.to_owned()).or_insert((amount, via));
        if amount > entry.0 {
            *entry = (amount, via);
        }
    }

    fn add_short(&mut self, key: &str, amount: f32, via: NameKind) {
        if key.len() > 2
            && !GENERIC_WORDS.contains(key)
            && !key.bytes().all(|b| b.is_ascii_digit() || b == b' ')
        {
            self.add(key, amount, via);
        }
    }
}

/// "Mercury (planet)" without its disambiguator.
pub(super) fn base_of(title: &str) -> &str {
    match title.rfind(" (") {
        Some(at) if at > 0 && title.ends_with(')') => &title[..at],
        _ => title,
    }
}

/// The short forms that a kind's naming habits give.
fn add_forms_by_rule(names: &mut NameTable, base: &str, kind: EntityKind) {
    let words: Vec<&str> = base.split_whitespace().collect();
    // "United States Senate" is written "U.S. Senate", and "Rutgers University–Camden" often without its campus.
    if let ["United", "States", rest @ ..] = words.as_slice()
        && !rest.is_empty()
    {
        names.add(&fold(&format!("US {}", rest.join(" "))), SHORT_NAME_WEIGHT, NameKind::Alias);
    }
    if let Some((main, _)) = base.split_once('–')
        && main.contains(' ')
        && matches!(kind, EntityKind::Organization | EntityKind::Place)
    {
        names.add_short(&fold(main), CITY_OF_TEAM_WEIGHT, NameKind::Short);
    }
    match kind {
        EntityKind::Person | EntityKind::Character => person_forms(names, &words),
        EntityKind::Organization => {
            names.add_short(&fold(&without_legal_form(base)), SHORT_NAME_WEIGHT, NameKind::Alias);
            if let Some(letters) = acronym(&words) {
                names.add(&letters, ACRONYM_WEIGHT, NameKind::Short);
            }
        }
        EntityKind::Team => team_forms(names, &words),
        EntityKind::Place => {
            if let Some((last, rest)) = words.split_last()
                && !rest.is_empty()
                && ADMINISTRATIVE_WORDS.contains(&last.to_lowercase())
            {
                names.add_short(&fold(&rest.join(" ")), WITHOUT_RANK_WEIGHT, NameKind::Short);
            }
        }
        EntityKind::Work | EntityKind::Event | EntityKind::Product | EntityKind::Group => {
            if let Some(letters) = acronym(&words) {
                names.add(&letters, ACRONYM_WEIGHT * 0.5, NameKind::Short);
            }
            if kind == EntityKind::Work
                && let Some((main, _)) = base.split_once(": ")
            {
                names.add_short(&fold(main), SHORT_NAME_WEIGHT, NameKind::Short);
            }
        }
        _ => {}
    }
}

fn person_forms(names: &mut NameTable, words: &[&str]) {
    let plain: Vec<&str> = words.iter().copied().filter(|w| !SUFFIXES.contains(&fold(w))).collect();
    let name_like = plain.len() >= 2
        && plain.len() <= 5
        && plain.iter().all(|w| {
            starts_upper(w) || PARTICLES.contains(&w.to_lowercase()) || behind_particle(w).is_some()
        });
    if !name_like || plain.iter().any(|w| matches!(*w, "of" | "the" | "and")) {
        return;
    }
    let mut surname = plain.len() - 1;
    names.add_short(&fold(plain[surname]), SURNAME_WEIGHT, NameKind::Short);
    if let Some(name) = behind_particle(plain[surname]) {
        names.add_short(&fold(name), SURNAME_WEIGHT, NameKind::Short);
    }
    while surname > 1 && PARTICLES.contains(&plain[surname - 1].to_lowercase()) {
        surname -= 1;
        names.add_short(&fold(&plain[surname..].join(" ")), SURNAME_WEIGHT * 1.5, NameKind::Short);
    }
    if surname >= 2 {
        let short = format!("{} {}", plain[0], plain[surname..].join(" "));
        names.add_short(&fold(&short), SHORT_NAME_WEIGHT * 0.5, NameKind::Alias);
    }
    if plain.len() < words.len() {
        names.add_short(&fold(&plain.join(" ")), SHORT_NAME_WEIGHT, NameKind::Alias);
    }
}

fn team_forms(names: &mut NameTable, words: &[&str]) {
    let mut words = words.to_vec();
    let is_club_word = |word: &str| CLUB_WORDS.contains(&fold(word));
    if words.len() >= 2 && words.last().is_some_and(|w| is_club_word(w))
        || words.len() >= 2 && is_club_word(words[0])
    {
        let sport = words.last().is_some_and(|w| SPORTS.contains(&w.to_lowercase()));
        words.retain(|w| !is_club_word(w));
        names.add_short(&fold(&words.join(" ")), SHORT_NAME_WEIGHT, NameKind::Alias);
        if !sport {
            return;
        }
    }
    // "Los Angeles Lakers", "Boston Red Sox": a place, then a nickname of one or two words.
    if words.len() >= 2 && words.iter().all(|w| starts_upper(w)) {
        let last = fold(words[words.len() - 1]);
        if matches!(
            last.as_str(),
            "united" | "city" | "town" | "rovers" | "wanderers" | "athletic" | "county" | "rangers"
        ) {
            names.add_short(
                &fold(&words[..words.len() - 1].join(" ")),
                CITY_OF_TEAM_WEIGHT * 2.0,
                NameKind::Short,
            );
            return;
        }
        names.add_short(
            &last,
            NICKNAME_WEIGHT * if last.ends_with('s') { 1.0 } else { 0.3 },
            NameKind::Alias,
        );
        if words.len() >= 3 {
            names.add_short(
                &fold(&words[words.len() - 2..].join(" ")),
                NICKNAME_WEIGHT * 0.7,
                NameKind::Alias,
            );
            names.add_short(
                &fold(&words[..words.len() - 2].join(" ")),
                CITY_OF_TEAM_WEIGHT * 0.5,
                NameKind::Short,
            );
        }
        names.add_short(&fold(&words[..words.len() - 1].join(" ")), CITY_OF_TEAM_WEIGHT, NameKind::Short);
    }
}

/// "Sadr" of "al-Sadr".
fn behind_particle(word: &str) -> Option<&str> {
    let (particle, name) = word.split_once('-')?;
    (PARTICLES.contains(&particle.to_lowercase()) && starts_upper(name)).then_some(name)
}

fn starts_upper(word: &str) -> bool {
    word.chars().next().is_some_and(|c| c.is_uppercase() || c.is_ascii_digit())
}

/// "Heico Corporation" without its legal form.
pub(super) fn without_legal_form(name: &str) -> String {
    let mut words: Vec<&str> = name.split([' ', ',']).filter(|w| !w.is_empty()).collect();
    while words.len() > 1 && words.last().is_some_and(|w| LEGAL_FORMS.contains(&fold(w))) {
        words.pop();
    }
    words.join(" ")
}

/// The initials of three or more capitalised words, small words left out.
fn acronym(words: &[&str]) -> Option<String> {
    let main: Vec<&str> = words
        .iter()
        .copied()
        .filter(|w| {
            !matches!(
                w.to_lowercase().as_str(),
                "of" | "the" | "and" | "for" | "in" | "on" | "&" | "de" | "to" | "at"
            )
        })
        .collect();
    if !(3..=7).contains(&main.len())
        || !main.iter().all(|w| w.chars().next().is_some_and(char::is_uppercase))
    {
        return None;
    }
    Some(main.iter().filter_map(|w| w.chars().next()).flat_map(char::to_lowercase).collect())
}

#[cfg(test)]
mod tests {
    use super::super::draft::Name;
    use super::*;

    fn names(title: &str, kind: EntityKind, given: &[(&str, NameOrigin)]) -> Vec<(String, NameKind)> {
        let draft = Draft {
            names: given
                .iter()
                .map(|(text, origin)| Name { text: (*text).into(), origin: *origin })
                .collect(),
            ..Draft::new(title)
        };
        names_of(&draft, kind).0.into_iter().map(|name| (name.key, name.via)).collect()
    }

    fn check(title: &str, kind: EntityKind, given: &[(&str, NameOrigin)], has: &[&str], lacks: &[&str]) {
        let found = names(title, kind, given);
        for wanted in has {
            assert!(found.iter().any(|(key, _)| key == wanted), "{title}: {wanted} is not in {found:?}");
        }
        for unwanted in lacks {
            assert!(!found.iter().any(|(key, _)| key == unwanted), "{title}: {unwanted} is in {found:?}");
        }
    }

    #[test]
    fn short_forms_follow_the_kind() {
        use EntityKind::{Organization, Person, Place, Team, Work};
        check("Mercury (planet)", Place, &[], &["mercury planet", "mercury"], &["planet"]);
        check("Springfield, Illinois", Place, &[], &["springfield illinois", "springfield"], &["illinois"]);
        check("Crosby, Stills & Nash", Work, &[], &["crosby stills and nash"], &["crosby"]);
        check("Voorhees Township, New Jersey", Place, &[], &["voorhees township", "voorhees"], &["township"]);
        check("United States Senate", Organization, &[], &["us senate"], &["senate"]);
        check("Nick Saban", Person, &[], &["nick saban", "saban"], &["nick"]);
        check("Ludwig van Beethoven", Person, &[], &["beethoven", "van beethoven"], &[]);
        check("Martin Luther King Jr.", Person, &[], &["martin luther king", "martin king"], &["jr"]);
        check("Heico Corporation", Organization, &[], &["heico"], &["corporation"]);
        check("National Football League", Organization, &[], &["nfl"], &["football"]);
        check("Los Angeles Lakers", Team, &[], &["lakers", "los angeles"], &[]);
        check("Boston Red Sox", Team, &[], &["red sox", "boston"], &[]);
        check("Ohio State Buckeyes football", Team, &[], &["ohio state buckeyes", "buckeyes"], &["football"]);
        check("Lyme State Lobos men's basketball", Team, &[], &["lyme state lobos", "lobos"], &["mens"]);
        check("Arsenal F.C.", Team, &[], &["arsenal"], &["fc"]);
        check("Nuri al-Lind", Person, &[], &["al lind", "lind"], &["nuri"]);
        check("Jean Paul-Lind", Person, &[], &["paul lind"], &["lind"]);
        check("Ada Lind, 1st Earl of Lyme", Person, &[], &["ada lind", "lind", "earl of lyme"], &["lyme"]);
    }

    #[test]
    fn table_cells_and_topics_are_not_names() {
        use NameOrigin::{Anchor, Given, Redirect};
        check(
            "Boston Braves",
            EntityKind::Team,
            &[
                ("1889-98 New York ( NL )", Anchor),
                ("12", Anchor),
                ("X", Anchor),
                ("W", Given),
                ("Won", Anchor),
                ("Boston", Anchor),
            ],
            &["boston", "braves"],
            &["1889 98 new york nl", "12", "x", "w", "won"],
        );
        check(
            "Italy",
            EntityKind::Place,
            &[("near Carano , Italy", Anchor), ("Italia", Given)],
            &["italia"],
            &["near carano italy"],
        );
        check(
            "Robert Sheckley",
            EntityKind::Person,
            &[("panzaism", Redirect), ("sheckley", Redirect), ("robert sheckley bibliography", Redirect)],
            &["sheckley"],
            &["panzaism", "robert sheckley bibliography"],
        );
        check(
            "Charge-coupled device",
            EntityKind::Product,
            &[("ccd", Redirect), ("ccd sensor", Redirect)],
            &["ccd", "ccd sensor"],
            &[],
        );
    }

    #[test]
    fn short_forms_need_context() {
        let found = names("Nick Saban", EntityKind::Person, &[]);
        assert!(found.contains(&("saban".into(), NameKind::Short)));
        assert!(found.contains(&("nick saban".into(), NameKind::Title)));
    }
}
