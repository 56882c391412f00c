//! What English names are made of: titles, given names with their usual gender, and pet forms.

use super::Gender;
use crate::word_list::{LabelledWords, WordList};

const NAME_WORD_LISTS: &str = include_str!("words.txt");

/// What a title says about its bearer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Title {
    /// Mr., Herr, Monsieur.
    Mister,
    /// Mrs., Madame, Frau: the wife, or the widow, of a bearer of the surname.
    Missis,
    /// Miss, Mademoiselle.
    Miss,
    /// Master: a boy.
    Master,
    /// Aunt, grandmother: somebody's relation, a woman.
    Kinswoman,
    /// Uncle, grandfather: somebody's relation, a man.
    Kinsman,
    /// Lady, Duchess, Queen.
    Lady,
    /// Lord, Sir, Count, King.
    Lord,
    /// Captain, Doctor, Professor: what one does.
    Office,
}

impl Title {
    /// The gender that the title tells.
    pub fn gender(self) -> Gender {
        match self {
            Self::Missis | Self::Miss | Self::Kinswoman | Self::Lady => Gender::Female,
            Self::Mister | Self::Master | Self::Kinsman | Self::Lord => Gender::Male,
            Self::Office => Gender::Unknown,
        }
    }
}

/// The title that a word is, as it is written before a name; a final dot is left out.
pub fn title(word: &str) -> Option<Title> {
    TITLE_WORDS.get(word)
}

/// True for a form of address that names nobody when it stands alone; "King" and "Captain" may name someone.
pub fn is_honorific(word: &str) -> bool {
    HONORIFICS.contains(word)
}

static HONORIFICS: WordList = WordList::new(NAME_WORD_LISTS, "honorific");

static TITLE_WORDS: LabelledWords<Title> = LabelledWords::new(
    NAME_WORD_LISTS,
    &[
        ("mister", Title::Mister),
        ("missis", Title::Missis),
        ("miss", Title::Miss),
        ("master", Title::Master),
        ("kinswoman", Title::Kinswoman),
        ("kinsman", Title::Kinsman),
        ("lady", Title::Lady),
        ("lord", Title::Lord),
        ("office", Title::Office),
    ],
);

/// Words for relations: names only when another name follows.
pub static KIN_WORDS: WordList = WordList::new(NAME_WORD_LISTS, "kin");

static FEMALE_NAMES: WordList = WordList::new(NAME_WORD_LISTS, "female");

static MALE_NAMES: WordList = WordList::new(NAME_WORD_LISTS, "male");

/// Forms of one given name, the formal one first; within a book two of them may be one person.
static NAME_FORMS: WordList = WordList::new(NAME_WORD_LISTS, "form");

/// The usual gender of a given name, in small letters.
pub fn given_name(word: &str) -> Option<Gender> {
    if FEMALE_NAMES.contains(word) {
        Some(Gender::Female)
    } else if MALE_NAMES.contains(word) {
        Some(Gender::Male)
    } else {
        None
    }
}

/// True when two given names, in small letters, may be forms of one.
pub fn same_given_name(one: &str, other: &str) -> bool {
    one == other || NAME_FORMS.entries().iter().any(|forms| has(forms, one) && has(forms, other))
}

/// True when one of the two is the formal name and the other a pet form of it.
pub fn is_pet_form(one: &str, other: &str) -> bool {
    let formal = |forms: &str, name: &str| forms.split(' ').next() == Some(name);
    one != other
        && NAME_FORMS
            .entries()
            .iter()
            .any(|forms| (formal(forms, one) || formal(forms, other)) && has(forms, one) && has(forms, other))
}

/// True for a given name, in small letters, that has other forms.
pub fn has_forms(name: &str) -> bool {
    NAME_FORMS.entries().iter().any(|forms| has(forms, name))
}

/// Words for peoples and their languages, which taggers take for places: "a German student", "in French".
pub static PEOPLES: WordList = WordList::new(NAME_WORD_LISTS, "people");

fn has(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|listed| listed == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_and_given_names_tell_gender() {
        assert_eq!(title("Mrs").map(Title::gender), Some(Gender::Female));
        assert_eq!(title("mrs"), None);
        assert_eq!(given_name("edgar"), Some(Gender::Male));
        assert_eq!(given_name("lamp"), None);
        assert!(same_given_name("lizzy", "eliza") && !same_given_name("jane", "elizabeth"));
        assert!(is_pet_form("lizzy", "elizabeth") && !is_pet_form("lizzy", "eliza"));
    }
}
