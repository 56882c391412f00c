//! What is known about one thing: a [`Record`], and the text of it that an encoder sees.

/// A record's number within one opened [`KnowledgeBase`](super::KnowledgeBase). Not stable between builds: keep the
/// record's key or title instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EntityId(pub u32);

/// What sort of thing an entity is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EntityKind {
    /// A person.
    Person,
    /// A company, institution, party, agency.
    Organization,
    /// A country, city, river, building.
    Place,
    /// A sports club or national team.
    Team,
    /// A film, book, song, law, newspaper.
    Work,
    /// A thing made and sold, a vehicle, software.
    Product,
    /// A war, tournament, season, disaster.
    Event,
    /// A people, religion, movement, military unit.
    Group,
    /// A kind of living thing.
    Species,
    /// A material, chemical, drug, food.
    Substance,
    /// An idea, field, activity, common noun.
    Concept,
    /// A fictional person.
    Character,
    /// None of the above, or not known.
    #[default]
    Other,
}

impl EntityKind {
    /// Every kind, in the order of their stored numbers.
    pub const ALL: [EntityKind; 13] = [
        Self::Person,
        Self::Organization,
        Self::Place,
        Self::Team,
        Self::Work,
        Self::Product,
        Self::Event,
        Self::Group,
        Self::Species,
        Self::Substance,
        Self::Concept,
        Self::Character,
        Self::Other,
    ];

    /// The word used in files and output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Person => "person",
            Self::Organization => "organization",
            Self::Place => "place",
            Self::Team => "team",
            Self::Work => "work",
            Self::Product => "product",
            Self::Event => "event",
            Self::Group => "group",
            Self::Species => "species",
            Self::Substance => "substance",
            Self::Concept => "concept",
            Self::Character => "character",
            Self::Other => "other",
        }
    }

    /// The kind that [`name`](Self::name) names, if any.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name().eq_ignore_ascii_case(name))
    }

    /// The one with this number in [`ALL`](Self::ALL), by which files name it.
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number)).copied()
    }
}

/// What a key phrase says about its entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PhraseKind {
    /// What it is: "Spanish footballer".
    What,
    /// Where it is or comes from: "based in Calabria".
    Where,
    /// Its field or industry: "online advertising".
    Field,
    /// What it is known for or did.
    KnownFor,
    /// What it belongs to, who owns it.
    PartOf,
    /// When: "founded 1867".
    When,
    /// A fact of no particular type.
    Fact,
}

impl PhraseKind {
    /// Every kind, in the order of their stored numbers.
    pub const ALL: [PhraseKind; 7] =
        [Self::What, Self::Where, Self::Field, Self::KnownFor, Self::PartOf, Self::When, Self::Fact];

    /// The word used in files and output.
    pub fn name(self) -> &'static str {
        match self {
            Self::What => "what",
            Self::Where => "where",
            Self::Field => "field",
            Self::KnownFor => "known for",
            Self::PartOf => "part of",
            Self::When => "when",
            Self::Fact => "fact",
        }
    }

    /// The kind that [`name`](Self::name) names, if any.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name().eq_ignore_ascii_case(name))
    }

    /// The one with this number in [`ALL`](Self::ALL), by which files name it.
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number)).copied()
    }
}

/// A short typed fact.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Phrase {
    /// What it says.
    pub kind: PhraseKind,
    /// The words.
    pub text: String,
}

/// One entity.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Its number in the opened base.
    pub id: EntityId,
    /// The id that its source gave it ("Q42"); empty when the title is the only name it has.
    pub key: String,
    /// The title, with a disambiguator in parentheses where it needs one.
    pub title: String,
    /// What sort of thing it is.
    pub kind: EntityKind,
    /// One dense phrase; may be empty.
    pub description: String,
    /// Further facts, best first.
    pub phrases: Vec<Phrase>,
    /// Other names.
    pub aliases: Vec<String>,
    /// A rough count of how often the world refers to it.
    pub popularity: f32,
}

/// The longest text an encoder is given for one entity, in words.
const MAX_KNOWLEDGE_WORDS: usize = 60;

impl Record {
    /// The text that an encoder sees: "{title}. {description}; {phrase}; {phrase}", phrases that the text already
    /// contains left out, at most 60 words; the title alone when nothing else is known.
    pub fn knowledge_text(&self) -> String {
        let mut text = self.title.clone();
        let mut words = self.title.split_whitespace().count();
        let mut separator = ". ";
        let facts =
            std::iter::once(self.description.as_str()).chain(self.phrases.iter().map(|p| p.text.as_str()));
        for fact in facts {
            let length = fact.split_whitespace().count();
            if length == 0 || contains_ignoring_case(&text, fact) {
                continue;
            }
            if words + length > MAX_KNOWLEDGE_WORDS && separator == "; " {
                break;
            }
            text.push_str(separator);
            for (at, word) in fact.split_whitespace().take(MAX_KNOWLEDGE_WORDS).enumerate() {
                if at > 0 {
                    text.push(' ');
                }
                text.push_str(word);
            }
            words += length;
            separator = "; ";
        }
        text
    }
}

fn contains_ignoring_case(text: &str, part: &str) -> bool {
    text.to_lowercase().contains(&part.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(title: &str, description: &str, phrases: &[&str]) -> Record {
        Record {
            id: EntityId(0),
            key: String::new(),
            title: title.into(),
            kind: EntityKind::Other,
            description: description.into(),
            phrases: phrases
                .iter()
                .map(|text| Phrase { kind: PhraseKind::Fact, text: (*text).into() })
                .collect(),
            aliases: Vec::new(),
            popularity: 1.0,
        }
    }

    #[test]
    fn knowledge_text_joins_what_is_new() {
        let text =
            record("Ada", "English mathematician", &["english mathematician", "born 1815"]).knowledge_text();
        assert_eq!(text, "Ada. English mathematician; born 1815");
        assert_eq!(record("Ada", "", &[]).knowledge_text(), "Ada");
        assert_eq!(record("Ada", "", &["born 1815"]).knowledge_text(), "Ada. born 1815");
    }

    #[test]
    fn knowledge_text_is_bounded() {
        let phrases: Vec<String> = (0..100).map(|n| format!("fact number {n}")).collect();
        let phrases: Vec<&str> = phrases.iter().map(String::as_str).collect();
        let text = record("Thing", &"word ".repeat(500), &phrases).knowledge_text();
        assert!(text.split_whitespace().count() <= MAX_KNOWLEDGE_WORDS + 1);
    }

    #[test]
    fn kinds_keep_their_names_and_numbers() {
        for (number, kind) in EntityKind::ALL.into_iter().enumerate() {
            assert_eq!(EntityKind::from_name(kind.name()), Some(kind));
            assert_eq!(EntityKind::from_number(number as u8), Some(kind));
            assert_eq!(kind as usize, number);
        }
        for (number, kind) in PhraseKind::ALL.into_iter().enumerate() {
            assert_eq!(PhraseKind::from_name(kind.name()), Some(kind));
            assert_eq!(PhraseKind::from_number(number as u8), Some(kind));
            assert_eq!(kind as usize, number);
        }
    }
}
