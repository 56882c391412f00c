//! Mentions: the places in a text that name something, and what the engine asks of a tagger.

use crate::encode::ModelError;
use crate::span::Span;

/// The coarse type of what is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MentionType {
    /// People, real or fictional.
    Person,
    /// Companies, institutions, parties, teams.
    Organization,
    /// Countries, cities, rivers, buildings.
    Place,
    /// Nationalities, religions, peoples, movements.
    Group,
    /// Films, books, songs, laws.
    Work,
    /// Things made and sold, vehicles, software.
    Product,
    /// Wars, tournaments, disasters.
    Event,
    /// Named, and none of the above.
    Other,
}

impl MentionType {
    /// All of them; what is saved and what travels between threads counts into these.
    pub const ALL: [MentionType; 8] = [
        Self::Person,
        Self::Organization,
        Self::Place,
        Self::Group,
        Self::Work,
        Self::Product,
        Self::Event,
        Self::Other,
    ];

    /// Its place among [all](Self::ALL).
    pub fn number(self) -> usize {
        Self::ALL.iter().position(|&kind| kind == self).unwrap_or(Self::ALL.len() - 1)
    }

    /// The word used in output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Person => "person",
            Self::Organization => "organization",
            Self::Place => "place",
            Self::Group => "group",
            Self::Work => "work",
            Self::Product => "product",
            Self::Event => "event",
            Self::Other => "other",
        }
    }
}

/// A named thing in a text. The span excludes a leading "the" and a trailing possessive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mention {
    /// Where it stands.
    pub span: Span,
    /// What sort of thing it is.
    pub kind: MentionType,
    /// How sure the tagger is, 0 to 1.
    pub confidence: f32,
}

/// Finds mentions. Implemented in `findall-models`, faked in tests.
pub trait MentionTagger: Send + Sync {
    /// Names the exact weights; part of every cache key.
    fn id(&self) -> &str;

    /// Mentions of each text, in text order, not overlapping, spans relative to that text.
    /// A text may be of any length; the tagger windows it.
    fn tag(&self, texts: &[&str]) -> Result<Vec<Vec<Mention>>, ModelError>;
}
