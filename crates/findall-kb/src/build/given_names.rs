//! Names that a source gives: which of them are believed, and how much each counts.

use super::draft::{Name, NameOrigin};
use super::names::{
    ANCHOR_WEIGHT, CLUB_WORDS, GENERIC_WORDS, GIVEN_WEIGHT, LEGAL_FORMS, REDIRECT_WEIGHT, SUFFIXES,
    UNRELATED_NAME_WEIGHT,
};
use findall::knowledge::EntityKind;
use findall::knowledge::NameKind;
use findall::knowledge::fold;

/// Whether a given name is one, and how much it counts.
pub(super) fn weigh_given_name(name: &Name, base_key: &str, kind: EntityKind) -> Option<(f32, NameKind)> {
    let text = name.text.trim();
    let key = fold(text);
    let words = key.split(' ').count();
    if key.is_empty() || text.len() > 80 || words > 9 || key.chars().filter(|c| c.is_alphabetic()).count() < 2
    {
        return None;
    }
    if text.contains(['|', '[', ']', '{', '}', '<', '>', '=', '\n']) || text.starts_with("iso ") {
        return None;
    }
    if GENERIC_WORDS.contains(&key) && key != base_key {
        return None;
    }
    let related = is_related(&key, base_key);
    match name.origin {
        NameOrigin::Given => Some((GIVEN_WEIGHT, NameKind::Alias)),
        // "Ada Lovelace biography": more than the name is a topic.
        NameOrigin::Redirect if extends_title(&key, base_key) => None,
        NameOrigin::Redirect if related => Some((REDIRECT_WEIGHT, NameKind::Alias)),
        // A redirect that shares nothing with the title is as often a topic as a name.
        NameOrigin::Redirect => match kind {
            EntityKind::Person
            | EntityKind::Character
            | EntityKind::Place
            | EntityKind::Team
            | EntityKind::Event => None,
            _ if words <= 3 => Some((UNRELATED_NAME_WEIGHT, NameKind::Alias)),
            _ => None,
        },
        NameOrigin::Anchor => {
            let cell = text.contains(" ( ")
                || text.contains(" , ")
                || text.contains(" / ")
                || text.starts_with(|c: char| c.is_ascii_digit())
                    && !base_key.starts_with(|c: char| c.is_ascii_digit());
            let inside =
                key.split(' ').all(|word| base_key.split(' ').any(|own| own == word)) && key.len() > 2;
            let acronym = is_acronym_of(&key, base_key);
            let longer = words <= base_key.split(' ').count() + 2
                && base_key.split(' ').all(|own| key.split(' ').any(|word| word == own));
            (!cell && (inside || acronym || longer)).then_some((
                ANCHOR_WEIGHT,
                if inside && words == 1 { NameKind::Short } else { NameKind::Alias },
            ))
        }
    }
}

/// The whole title and then something that is no part of a name.
fn extends_title(key: &str, base_key: &str) -> bool {
    let Some(more) = key.strip_prefix(base_key).and_then(|rest| rest.strip_prefix(' ')) else {
        return false;
    };
    base_key.contains(' ')
        && !more
            .split(' ')
            .all(|word| SUFFIXES.contains(word) || LEGAL_FORMS.contains(word) || CLUB_WORDS.contains(word))
}

/// Shares a word stem with the title, abbreviates it, or is a spelling of it.
fn is_related(key: &str, base_key: &str) -> bool {
    let stem = |word: &str| word.chars().take(5).collect::<String>();
    let small =
        |word: &&str| word.chars().count() > 2 && !matches!(*word, "the" | "and" | "for" | "von" | "van");
    let shares = key
        .split(' ')
        .filter(small)
        .any(|word| base_key.split(' ').filter(small).any(|own| stem(own) == stem(word)));
    shares
        || is_acronym_of(key, base_key)
        || key.replace(' ', "") == base_key.replace(' ', "")
        || is_spelling_of(key, base_key)
}

fn is_acronym_of(key: &str, base_key: &str) -> bool {
    if key.len() < 2 || key.len() > 8 || key.contains(' ') {
        return false;
    }
    let all: String = base_key.split(' ').filter_map(|w| w.chars().next()).collect();
    let main: String = base_key
        .split(' ')
        .filter(|w| !matches!(*w, "of" | "the" | "and" | "for" | "in"))
        .filter_map(|w| w.chars().next())
        .collect();
    all == key || main == key
}

/// Few letters differ: a transliteration or another spelling.
fn is_spelling_of(key: &str, base_key: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (key.chars().collect(), base_key.chars().collect());
    if a.len() > 40 || b.len() > 40 || a.len().abs_diff(b.len()) > 3 || a.len() < 4 {
        return false;
    }
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let cost = (diagonal + usize::from(x != y)).min(row[j] + 1).min(row[j + 1] + 1);
            diagonal = row[j + 1];
            row[j + 1] = cost;
        }
    }
    row[b.len()] * 4 <= b.len()
}
