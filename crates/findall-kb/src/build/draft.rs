//! A [`Draft`]: what one source says about one entity, before sources are merged.

use super::{BUILD_WORD_LISTS, RANKS};
use crate::extract::{ExtractOptions, extract, kind_of_description};
use findall::knowledge::format::{Cursor, put_number, put_text};
use findall::knowledge::{EntityKind, Phrase, PhraseKind};
use findall::word_list::LabelledWords;

/// Where a name comes from, which says how far it is to be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum NameOrigin {
    /// Someone listed it as a name of this entity.
    Given,
    /// A redirect or an anchor text of an encyclopedia: mostly a name, sometimes only a topic.
    Redirect,
    /// Text that stood in a table cell or a link: noisy.
    Anchor,
}

/// A name of an entity.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name {
    /// The name.
    pub text: String,
    /// Where it comes from.
    pub origin: NameOrigin,
}

/// What one source says about one entity.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Draft {
    /// The id the source gives it, or empty.
    pub key: String,
    /// The title.
    pub title: String,
    /// The sort of thing, if the source says.
    pub kind: Option<EntityKind>,
    /// One phrase, shipped as it is.
    pub description: String,
    /// Facts.
    pub phrases: Vec<Phrase>,
    /// Other names.
    pub names: Vec<Name>,
    /// A rough count of references to it.
    pub popularity: f32,
    /// Where sources disagree on kind or description the higher authority wins.
    pub authority: u8,
    /// Only adds to an entity that another source brings; alone it is dropped.
    pub attaches_only: bool,
    /// Never merges with another draft of the same title: its key tells them apart.
    pub stands_alone: bool,
}

impl Draft {
    /// A draft that knows a title only.
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), ..Self::default() }
    }

    /// The key, for a draft that must not merge with others of its title.
    pub(super) fn own_key(&self) -> Option<&str> {
        (self.stands_alone && !self.key.is_empty()).then_some(&self.key)
    }

    pub(super) fn encode(&self) -> Vec<u8> {
        let mut out = vec![
            self.kind.map_or(u8::MAX, |kind| kind as u8),
            self.authority,
            u8::from(self.attaches_only) | u8::from(self.stands_alone) << 1,
        ];
        out.extend_from_slice(&self.popularity.to_le_bytes());
        put_text(&mut out, &self.key);
        put_text(&mut out, &self.title);
        put_text(&mut out, &self.description);
        put_number(&mut out, self.phrases.len() as u64);
        for phrase in &self.phrases {
            out.push(phrase.kind as u8);
            put_text(&mut out, &phrase.text);
        }
        for name in &self.names {
            out.push(name.origin as u8);
            put_text(&mut out, &name.text);
        }
        out
    }

    pub(super) fn decode(bytes: &[u8]) -> Option<Self> {
        let (&[kind, authority, flags, a, b, c, d], rest) = bytes.split_first_chunk::<7>()?;
        let mut cursor = Cursor::new(rest);
        let mut draft = Self {
            kind: EntityKind::from_number(kind),
            authority,
            attaches_only: flags & 1 != 0,
            stands_alone: flags & 2 != 0,
            popularity: f32::from_le_bytes([a, b, c, d]),
            key: cursor.text()?.to_owned(),
            title: cursor.text()?.to_owned(),
            description: cursor.text()?.to_owned(),
            ..Self::default()
        };
        for _ in 0..cursor.number()? {
            draft.phrases.push(Phrase {
                kind: PhraseKind::from_number(cursor.byte()?)?,
                text: cursor.text()?.to_owned(),
            });
        }
        while !cursor.is_empty() {
            let origin = match cursor.byte()? {
                0 => NameOrigin::Given,
                1 => NameOrigin::Redirect,
                _ => NameOrigin::Anchor,
            };
            draft.names.push(Name { text: cursor.text()?.to_owned(), origin });
        }
        Some(draft)
    }

    /// Adds what an abstract says: definition, phrases, other names, kind.
    pub fn read_text(&mut self, text: &str, options: &ExtractOptions) {
        let facts = extract(&self.title, text, options);
        self.kind = self.kind.or(facts.kind);
        if self.description.is_empty() {
            self.description = facts.description;
        } else if !facts.description.is_empty() {
            self.phrases.push(Phrase { kind: PhraseKind::What, text: facts.description });
        }
        self.phrases.extend(facts.phrases);
        self.names.extend(facts.aliases.into_iter().map(|text| Name { text, origin: NameOrigin::Given }));
    }

    /// Adds what the title itself says: "Mercury (planet)", "Old Lyme, Connecticut", "1968 Ohio State football team".
    pub fn read_title(&mut self) {
        let disambiguator =
            self.title.rfind(" (").and_then(|at| self.title[at + 2..].strip_suffix(')')).map(str::to_owned);
        if let Some(words) = disambiguator {
            let kind = kind_of_description(&words);
            self.kind = self.kind.or(kind);
            if self.description.is_empty() && words.chars().any(char::is_alphabetic) {
                self.description = words;
            }
        } else {
            if self.kind.is_none() {
                self.kind = kind_of_title(&self.title);
            }
            let after_comma = self.title.split_once(", ").map(|(_, after)| after.to_owned());
            match after_comma {
                Some(rank) if is_rank_of_person(&rank) => {
                    self.kind = self.kind.or(Some(EntityKind::Person));
                    if self.description.is_empty() && !rank.ends_with("r.") {
                        self.description = rank;
                    }
                }
                Some(region)
                    if self.description.is_empty()
                        && matches!(self.kind, None | Some(EntityKind::Place))
                        && region.chars().next().is_some_and(char::is_uppercase)
                        && region.split(' ').count() <= 4
                        && !COMPANY_ENDINGS.contains(&region.as_str()) =>
                {
                    self.kind = Some(EntityKind::Place);
                    self.description = format!("place in {region}");
                }
                _ => {}
            }
        }
    }
}

/// What stands behind the comma of a company's name.
const COMPANY_ENDINGS: [&str; 6] = ["Inc.", "Inc", "Ltd.", "Ltd", "LLC", "L.P."];
/// True for what stands behind the comma of a person's name, not of a place's: "Jr.", "Holy Roman Emperor", "Baron Bramall",
/// but not "Prince Edward Island".
fn is_rank_of_person(after: &str) -> bool {
    let is_rank = |word: &str| RANKS.contains(word) || matches!(word, "Emperor" | "Empress" | "Jr." | "Sr.");
    if after.contains(", ") || kind_of_title(after) == Some(EntityKind::Place) {
        return false;
    }
    after.split(' ').next().is_some_and(is_rank) || after.rsplit(' ').next().is_some_and(is_rank)
}

/// Last words of titles, by the kind that they give away.
static TITLE_ENDINGS: LabelledWords<EntityKind> = LabelledWords::new(
    BUILD_WORD_LISTS,
    &[
        ("title-of-place", EntityKind::Place),
        ("title-of-organization", EntityKind::Organization),
        ("title-of-team", EntityKind::Team),
        ("title-of-event", EntityKind::Event),
        ("title-of-work", EntityKind::Work),
    ],
);

/// The kind that a title's own last word gives away: "… River", "… High School", "… season".
fn kind_of_title(title: &str) -> Option<EntityKind> {
    let last = title.rsplit(' ').next()?;
    if last.len() == title.len() || title.contains(", ") {
        return None;
    }
    TITLE_ENDINGS.get(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_says_what_it_can() {
        let read = |title: &str| {
            let mut draft = Draft::new(title);
            draft.read_title();
            (draft.kind, draft.description)
        };
        assert_eq!(read("Ron Barnes (footballer)"), (Some(EntityKind::Person), "footballer".into()));
        assert_eq!(read("Old Lyme, Connecticut"), (Some(EntityKind::Place), "place in Connecticut".into()));
        assert_eq!(read("Ada Lind, Baroness Lind"), (Some(EntityKind::Person), "Baroness Lind".into()));
        assert_eq!(read("Otto Brandt, Jr."), (Some(EntityKind::Person), String::new()));
        assert_eq!(read("Lind & Sons, Inc."), (None, String::new()));
        for region in ["Prince Edward Island", "King County", "Prince George's County, Maryland"] {
            let place = (Some(EntityKind::Place), format!("place in {region}"));
            assert_eq!(read(&format!("Old Lyme, {region}")), place);
        }
        assert_eq!(read("Emmons Glacier"), (Some(EntityKind::Place), String::new()));
        assert_eq!(read("1999 (album)"), (Some(EntityKind::Work), "album".into()));
        assert_eq!(read("Laurence Yep"), (None, String::new()));
    }

    #[test]
    fn a_draft_survives_being_spilled() {
        let draft = Draft {
            key: "Q1".into(),
            kind: Some(EntityKind::Place),
            description: "river".into(),
            phrases: vec![Phrase { kind: PhraseKind::Where, text: "Chile".into() }],
            names: vec![Name { text: "Río Lío".into(), origin: NameOrigin::Redirect }],
            popularity: 2.5,
            authority: 3,
            attaches_only: true,
            stands_alone: true,
            ..Draft::new("Lio")
        };
        assert_eq!(Draft::decode(&draft.encode()), Some(draft.clone()));
        assert_eq!(Draft::decode(&draft.encode()[..9]), None);
    }

    #[test]
    fn an_abstract_adds_to_a_given_description() {
        let mut draft = Draft { description: "river in Chile".into(), ..Draft::new("Lio") };
        draft.read_text("The Lio is a river of southern Chile.", &ExtractOptions::default());
        assert_eq!(draft.description, "river in Chile");
        assert_eq!(draft.phrases[0].text, "river of southern Chile");
        assert_eq!(draft.kind, Some(EntityKind::Place));
    }
}
