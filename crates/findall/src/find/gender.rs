//! Women and men: a query that asks for either ("women", "American actresses") is about people of whom a text seldom says
//! outright which they are. What words, titles, given names and pronouns say is gathered here and told to the judge.

use crate::document::Document;
use crate::names::{Gender, given_name};
use crate::span::Span;
use crate::word_list::{LabelledWords, WordList};

const GENDER_WORD_LISTS: &str = include_str!("gender.txt");
static ASKED_WOMEN: WordList = WordList::new(GENDER_WORD_LISTS, "asked women");
static ASKED_MEN: WordList = WordList::new(GENDER_WORD_LISTS, "asked men");
static GENDERED_WORDS: LabelledWords<Gender> =
    LabelledWords::new(GENDER_WORD_LISTS, &[("said woman", Gender::Female), ("said man", Gender::Male)]);
static GENDERED_KIN: LabelledWords<Gender> =
    LabelledWords::new(GENDER_WORD_LISTS, &[("kin woman", Gender::Female), ("kin man", Gender::Male)]);
static GENDERED_TITLES: LabelledWords<Gender> =
    LabelledWords::new(GENDER_WORD_LISTS, &[("title woman", Gender::Female), ("title man", Gender::Male)]);
static GIVEN_NAMES: LabelledWords<Gender> =
    LabelledWords::new(GENDER_WORD_LISTS, &[("name woman", Gender::Female), ("name man", Gender::Male)]);
static GENDERED_PRONOUNS: LabelledWords<Gender> = LabelledWords::new(
    GENDER_WORD_LISTS,
    &[("pronoun woman", Gender::Female), ("pronoun man", Gender::Male)],
);

/// Whether a query asks for women or for men, and not for both.
pub(super) fn asks_for_one(query: &str) -> bool {
    let query = query.to_lowercase();
    let asks = |list: &WordList| words_of(&query).any(|word| list.contains(word));
    asks(&ASKED_WOMEN) != asks(&ASKED_MEN)
}

/// A person, as far as it can tell whether it is a woman or a man.
pub(super) struct PersonEvidence<'a> {
    /// What is known, without the name.
    pub known: &'a str,
    /// The title in the knowledge base and the fullest name in the document.
    pub names: [&'a str; 2],
}

impl PersonEvidence<'_> {
    /// What the person is, where anything says it: what is known comes first, then titles and given names, then pronouns.
    pub fn describe(&self, document: Option<&Document>, places: &[Span]) -> Option<&'static str> {
        let around = |place: &Span| MentionSurroundings::of(document?, *place);
        let around: Vec<MentionSurroundings<'_>> = places.iter().filter_map(around).collect();
        let gender = by_words(self.known)
            .or_else(|| around.iter().find_map(|place| GENDERED_TITLES.get(place.before)))
            .or_else(|| self.names.iter().find_map(|name| by_name(name)))
            .or_else(|| by_pronouns(&around));
        match gender? {
            Gender::Female => Some("woman"),
            Gender::Male => Some("man"),
            Gender::Unknown => None,
        }
    }
}

/// What stands around a mention.
struct MentionSurroundings<'d> {
    /// The word before it.
    before: &'d str,
    /// The rest of its sentence.
    after: &'d str,
}

impl<'d> MentionSurroundings<'d> {
    fn of(document: &'d Document, place: Span) -> Option<Self> {
        let text = document.text();
        let sentence = document.sentence_at(place.start).unwrap_or(place);
        let before = text.get(sentence.start..place.start)?.trim_end().trim_end_matches('.');
        let before = before.rsplit(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
        Some(Self { before, after: text.get(place.end..sentence.end).unwrap_or_default() })
    }
}

/// What the words say by which somebody is described; "with wife Marie" says nothing of who had her.
fn by_words(known: &str) -> Option<Gender> {
    let next = words_of(known).skip(1).chain([""]);
    let mut words = words_of(known).zip(next);
    words.find_map(|(word, next)| {
        GENDERED_WORDS.get(word).or_else(|| GENDERED_KIN.get(word).filter(|_| next == "of"))
    })
}

/// What a title or a given name at the beginning of a name says; a name of one word may be a family's.
fn by_name(name: &str) -> Option<Gender> {
    let (first, _) = name.split_once(' ')?;
    let first = first.trim_end_matches('.');
    GENDERED_TITLES.get(first).or_else(|| {
        let first = first.to_lowercase();
        GIVEN_NAMES.get(&first).or_else(|| given_name(&first))
    })
}

/// What the pronouns behind the mentions say, where all say the same.
fn by_pronouns(around: &[MentionSurroundings<'_>]) -> Option<Gender> {
    let mut said =
        around.iter().flat_map(|place| words_of(place.after)).filter_map(|word| GENDERED_PRONOUNS.get(word));
    let first = said.next()?;
    said.all(|other| other == first).then_some(first)
}

fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tell(known: &str, title: &str, text: &str, name: &str) -> Option<&'static str> {
        let document = Document::from_text(text);
        let places: Vec<Span> =
            text.match_indices(name).map(|(at, found)| Span::new(at, at + found.len())).collect();
        PersonEvidence { known, names: [title, name] }.describe(Some(&document), &places)
    }

    #[test]
    fn only_queries_for_one_of_the_two_want_to_know() {
        for query in ["women", "Canadian actresses", "women's teams", "Men who signed it"] {
            assert!(asks_for_one(query), "{query}");
        }
        for query in ["people", "men and women", "Germans", "the manager"] {
            assert!(!asks_for_one(query), "{query}");
        }
    }

    #[test]
    fn what_is_known_goes_before_titles_names_and_pronouns() {
        assert_eq!(tell("German politician", "Angela Merkel", "Merkel came.", "Merkel"), Some("woman"));
        assert_eq!(tell("Dutch actress", "Robin Veld", "He saw Veld.", "Veld"), Some("woman"));
        assert_eq!(tell("shared a prize with wife Marie", "Pierre Sol", "", "Sol"), Some("man"));
        assert_eq!(tell("son of Queen Anna", "Robin Veld", "Veld came.", "Veld"), Some("man"));
        assert_eq!(tell("", "Veld", "Ms. Veld came.", "Veld"), Some("woman"));
        assert_eq!(tell("", "Sir Robin Veld", "", "Robin Veld"), Some("man"));
        assert_eq!(tell("", "Veld", "Veld said that she would come.", "Veld"), Some("woman"));
        assert_eq!(tell("", "Veld", "Veld told her that he would come.", "Veld"), None, "it may be either");
        assert_eq!(tell("", "Veld", "Veld came.", "Veld"), None);
        assert_eq!(tell("", "James", "James came.", "James"), None, "it may be a family's name");
    }
}
