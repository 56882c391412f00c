//! Short forms that a title gives away by how it is built: a title and its kind enter, what else the thing is called leaves.
//!
//! Each rule is one function, found by reading labelled names of training pages that led to nothing.

use super::RANKS;
use findall::knowledge::EntityKind;

/// What people call a thing, and how closely that is tied to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ShortForm {
    /// The name itself without what was put behind it: "Henry St John" of "Henry St John, 1st Viscount Bolingbroke".
    Name(String),
    /// Another way to say it: "Viscount Bolingbroke", "2018 World Cup".
    Other(String),
    /// What only the company it is in makes clear: "Haakon".
    Rare(String),
}

/// The short forms of a title without its parenthesis.
pub(super) fn short_forms(title: &str, kind: EntityKind) -> Vec<ShortForm> {
    match kind {
        EntityKind::Person => noble_forms(title).into_iter().chain(regnal_forms(title)).collect(),
        EntityKind::Event => event_forms(title),
        _ => Vec::new(),
    }
}

/// "Spencer Compton, 1st Earl of Wilmington": the person, and the rank.
fn noble_forms(title: &str) -> Vec<ShortForm> {
    let Some((name, rank)) = title.split_once(", ") else { return Vec::new() };
    let rank = match rank.split_once(' ') {
        Some((ordinal, rest)) if ordinal.starts_with(|c: char| c.is_ascii_digit()) => rest,
        _ => rank,
    };
    let first = rank.split(' ').next().unwrap_or_default();
    let is_rank = RANKS.contains(first) || matches!(first, "Grand" | "Marquis" | "Queen" | "Viscountess");
    if name.is_empty() || !is_rank {
        return Vec::new();
    }
    let named = if name.contains(' ') { ShortForm::Name } else { ShortForm::Rare };
    vec![named(name.to_owned()), ShortForm::Other(rank.to_owned())]
}

/// "Haakon VII", "Haakon VII of Norway": the name with its number, and without.
fn regnal_forms(title: &str) -> Vec<ShortForm> {
    let words: Vec<&str> = title.split(' ').collect();
    match words.as_slice() {
        [name, number] if is_roman(number) => vec![ShortForm::Rare((*name).to_owned())],
        [name, number, "of", ..] if is_roman(number) => {
            vec![ShortForm::Other(format!("{name} {number}")), ShortForm::Rare((*name).to_owned())]
        }
        _ => Vec::new(),
    }
}

fn is_roman(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| matches!(c, 'I' | 'V' | 'X'))
}

/// "2018 FIFA World Cup", "2004 Summer Olympics": without who holds it or when in the year.
fn event_forms(title: &str) -> Vec<ShortForm> {
    let words: Vec<&str> = title.split(' ').collect();
    let is_year = |word: &str| word.len() == 4 && word.bytes().all(|b| b.is_ascii_digit());
    let is_holder = |word: &str| {
        matches!(word, "Summer" | "Winter") || word.len() > 2 && word.chars().all(|c| c.is_ascii_uppercase())
    };
    match words.as_slice() {
        [year, "United", "States", rest @ ..] if is_year(year) && !rest.is_empty() => {
            vec![ShortForm::Other(format!("{year} {}", rest.join(" ")))]
        }
        [year, holder, rest @ ..] if is_year(year) && is_holder(holder) && !rest.is_empty() => {
            vec![ShortForm::Other(format!("{year} {}", rest.join(" ")))]
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::ShortForm::{Name, Other, Rare};
    use super::*;

    #[test]
    fn a_rank_behind_a_comma_is_another_name() {
        let read = |title| short_forms(title, EntityKind::Person);
        let (name, rank) = ("Ada Lind", "Earl of Lyme");
        assert_eq!(read("Ada Lind, 1st Earl of Lyme"), [Name(name.into()), Other(rank.into())]);
        assert_eq!(read("Maud, Duchess of Lyme"), [Rare("Maud".into()), Other("Duchess of Lyme".into())]);
        assert!(read("Otto Brandt, Jr.").is_empty());
        assert!(short_forms("Old Lyme, Baron County", EntityKind::Place).is_empty());
    }

    #[test]
    fn a_ruler_is_called_without_number() {
        let read = |title| short_forms(title, EntityKind::Person);
        assert_eq!(read("Olav VII"), [Rare("Olav".into())]);
        assert_eq!(read("Olav VII of Lyme"), [Other("Olav VII".into()), Rare("Olav".into())]);
        assert!(read("Malcolm Mix").is_empty());
    }

    #[test]
    fn an_event_is_called_without_its_holder() {
        let read = |title| short_forms(title, EntityKind::Event);
        assert_eq!(read("2018 FIFA World Cup"), [Other("2018 World Cup".into())]);
        assert_eq!(read("2004 Summer Olympics"), [Other("2004 Olympics".into())]);
        let election = "1976 presidential election";
        assert_eq!(read("1976 United States presidential election"), [Other(election.into())]);
        assert!(read("2018 Lyme Open").is_empty());
        assert!(read("Summer Olympics").is_empty());
    }
}
