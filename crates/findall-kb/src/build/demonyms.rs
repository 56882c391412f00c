//! What the people of a place are called: "French" leads to France, "Texan" to Texas.

use super::draft::{Draft, Name, NameOrigin};
use findall::word_list::WordList;

const DEMONYM_WORD_LISTS: &str = include_str!("demonyms.txt");

/// Places, each with its demonyms, which commas separate.
static PLACES: WordList = WordList::new(DEMONYM_WORD_LISTS, "place");

/// Demonyms and common short forms as drafts that attach to the places a base holds.
pub fn demonyms() -> impl Iterator<Item = Draft> {
    PLACES.entries().iter().filter_map(|entry| entry.split_once('=')).map(|(place, names)| Draft {
        names: names
            .split(',')
            .map(|text| Name { text: text.to_owned(), origin: NameOrigin::Given })
            .collect(),
        attaches_only: true,
        ..Draft::new(place)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_has_names() {
        assert_eq!(demonyms().count(), PLACES.entries().len());
        assert!(demonyms().all(|draft| draft.attaches_only
            && !draft.names.is_empty()
            && draft.names.iter().all(|n| !n.text.is_empty())));
    }
}
