//! Small casts: which names are one person, which stay apart, and what is suggested for a name that nobody bears.

use super::*;
use crate::mentions::MentionType;

/// A document and its mentions: names in brackets are people's, in braces places'.
pub(super) fn read(marked: &str) -> (Document, Vec<Mention>) {
    let (mut text, mut mentions, mut open) = (String::new(), Vec::new(), 0);
    for c in marked.chars() {
        match c {
            '[' | '{' => open = text.len(),
            ']' | '}' => {
                let kind = if c == ']' { MentionType::Person } else { MentionType::Place };
                mentions.push(Mention { span: Span::new(open, text.len()), kind, confidence: 0.9 });
            }
            c => text.push(c),
        }
    }
    (Document::from_text(text), mentions)
}

fn names(marked: &str) -> Vec<Vec<String>> {
    let (document, mentions) = read(marked);
    let cast = Cast::of(&document, &mentions);
    let sorted = |member: &CastMember| {
        let mut names: Vec<String> = member.aliases.iter().map(|alias| alias.text.clone()).collect();
        names.sort();
        names
    };
    cast.members.iter().map(sorted).collect()
}

#[test]
fn one_person_under_many_names() {
    let found = names(
        "[Elizabeth Ware] read. She sat. Then [Lizzy] slept, and she dreamt. [Miss Elizabeth] rose. [Elizabeth] left. \
         [Professor Dorn] came. [Mr. Dorn] sang.",
    );
    assert_eq!(
        found,
        [vec!["Elizabeth", "Elizabeth Ware", "Lizzy", "Miss Elizabeth"], vec!["Mr. Dorn", "Professor Dorn"]]
    );
}

#[test]
fn a_surname_in_play_parts_nobody() {
    let often = "[Beth] sat down. ".repeat(20);
    let found = names(&format!(
        "[Elizabeth Ware] woke. {often} They played, and [Mrs. Beth Bouncer] sold hats. [Jane Ware] laughed."
    ));
    let beth = found.iter().find(|names| names.contains(&"Beth".to_owned())).unwrap();
    assert!(beth.contains(&"Elizabeth Ware".to_owned()), "{found:?}");
    let apart = names("[Elizabeth Ware] came. [Beth Bouncer] left. [Jane Ware] slept.");
    assert!(apart.iter().all(|names| names.len() < 2), "named once, they are two: {apart:?}");
}

#[test]
fn who_is_hardly_ever_named_otherwise_may_stand_beside_herself() {
    let beside = "[Elizabeth], or [Beth], woke. They called [Elizabeth] [Beth].";
    let often = "[Beth] sat down. ".repeat(40);
    assert_eq!(names(&format!("{beside} {often}")), [["Beth", "Elizabeth"]]);
    assert_eq!(names(beside).len(), 2, "both as often, they are two");
}

#[test]
fn husband_wife_and_daughters_stay_apart() {
    let found = names(
        "[Mr. Ware] spoke to [Mrs. Ware]. [Jane Ware] and [Elizabeth Ware] heard [Mr. Ware]. [Miss Ware] was silent. \
         The [Ware] house stood.",
    );
    for name in ["Mr. Ware", "Mrs. Ware", "Miss Ware", "Jane Ware", "Elizabeth Ware"] {
        let with = found.iter().find(|names| names.iter().any(|n| n == name)).unwrap();
        assert!(with.iter().filter(|n| *n != "Ware").count() == 1, "{name}: {found:?}");
    }
}

#[test]
fn people_who_stand_together_are_two() {
    let found = names("[Meg] met [Margaret]. [Meg] saw [Margaret]. [Meg] and [Margaret] ran.");
    assert_eq!(found.len(), 2, "{found:?}");
}

#[test]
fn a_member_is_found_by_any_name_and_near_names_are_suggested() {
    let (document, mentions) = read("[Jo Ware] ran. [Jo] laughed. She hid. [Beth] saw {Rome}.");
    let cast = Cast::of(&document, &mentions);
    assert_eq!(cast.members[cast.find("jo").unwrap()].name, "Jo Ware");
    assert_eq!(cast.members[cast.find("Beth Ware").unwrap()].name, "Beth");
    assert_eq!(cast.find("Anna"), None);
    assert_eq!(cast.find_near("Beht"), ["Beth"]);
    assert_eq!(cast.members[cast.find("the Rome").unwrap()].kind, CastKind::Place);
    assert_eq!(cast.members[0].gender, Gender::Female);
}
