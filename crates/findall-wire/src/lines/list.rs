//! A line of `findall list --json`: one list, with every object that was looked at and the passages that speak for it.

use findall::list::{ListedObject, Listing, NameOutsideCast};
use findall::names::Cast;
use findall::{Document, Span};
use serde::{Deserialize, Serialize};

/// One list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ListLine {
    /// The book, as it was named.
    pub book: String,
    /// The subject by its fullest name.
    pub subject: String,
    /// All that the book calls the subject.
    pub aliases: Vec<String>,
    /// The relation.
    pub relation: String,
    /// Why the list is not whole, where it is not.
    pub partial: Option<String>,
    /// Objects, the likeliest first.
    pub objects: Vec<ObjectLine>,
}

/// One object.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ObjectLine {
    /// Its fullest name.
    pub name: String,
    /// All that the book calls it.
    pub aliases: Vec<String>,
    /// How likely it is one, 0 to 1.
    pub score: f32,
    /// Whether it passed the test.
    pub accepted: bool,
    /// The test that decided.
    pub by: String,
    /// The paper's score: over batches, how likely each gives it.
    pub generated: f32,
    /// True when it follows from other ties, and no retrieved passage names it with the subject.
    pub inferred: bool,
    /// False for a name that a larger model gave and the text does not have.
    pub located: bool,
    /// How often the book names it.
    pub mentions: usize,
    /// The passages that speak for it best.
    pub support: Vec<SupportLine>,
}

/// A passage that speaks for an object.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SupportLine {
    /// What it says.
    pub text: String,
    /// Line of its first character, from 1.
    pub line: usize,
    /// Bytes into the text of the book.
    pub bytes: [usize; 2],
    /// Characters into the text of the book.
    pub chars: [usize; 2],
    /// Subject, object and the words that tell of the relation, in bytes into the text of the book.
    pub highlights: Vec<[usize; 2]>,
}

/// Passages shown of a name that only a larger model gave.
const MAX_OUTSIDE_PASSAGES: usize = 3;

impl ListLine {
    /// A whole list of a book with this name.
    pub fn of(listing: &Listing, cast: &Cast, document: &Document, book: String) -> Self {
        let subject = &cast.members[listing.subject];
        let others = listing.larger.iter().flat_map(|larger| &larger.others);
        let mut objects: Vec<ObjectLine> = (listing.objects.iter())
            .map(|object| ObjectLine::of(object, cast, document))
            .chain(others.map(|other| ObjectLine::of_outsider(other, document)))
            .collect();
        objects.sort_by(|a, b| b.score.total_cmp(&a.score));
        Self {
            book,
            subject: subject.name.clone(),
            aliases: list_aliases(cast, listing.subject),
            relation: listing.relation.name().to_owned(),
            partial: None,
            objects,
        }
    }
}

impl ObjectLine {
    fn of(object: &ListedObject, cast: &Cast, document: &Document) -> Self {
        let member = &cast.members[object.member];
        let support = object.support.iter();
        Self {
            name: member.name.clone(),
            aliases: list_aliases(cast, object.member),
            score: object.score,
            accepted: object.accepted,
            by: object.by.to_owned(),
            generated: object.generated,
            inferred: object.inferred,
            located: true,
            mentions: member.spans.len(),
            support: support.map(|it| SupportLine::of(document, it.span, &it.highlights)).collect(),
        }
    }

    /// A name that is not in the cast, with its places in the text where it has any.
    fn of_outsider(other: &NameOutsideCast, document: &Document) -> Self {
        let support = other.spans.iter().take(MAX_OUTSIDE_PASSAGES).filter_map(|&span| {
            let sentences = document.sentences();
            let at = sentences.partition_point(|sentence| sentence.end <= span.start);
            Some(SupportLine::of(document, *sentences.get(at)?, &[span]))
        });
        Self {
            name: other.name.clone(),
            aliases: Vec::new(),
            score: other.generated / (1.0 + other.generated),
            accepted: other.accepted,
            by: if other.spans.is_empty() { "not in the text" } else { "thr" }.to_owned(),
            generated: other.generated,
            inferred: false,
            located: !other.spans.is_empty(),
            mentions: other.spans.len(),
            support: support.collect(),
        }
    }
}

impl SupportLine {
    fn of(document: &Document, span: Span, highlights: &[Span]) -> Self {
        let positions = document.positions();
        let char_of = |byte: usize| positions.char_of(byte).unwrap_or_default();
        Self {
            text: span.slice(document.text()).unwrap_or_default().to_owned(),
            line: positions.line_column(span.start).map_or(1, |place| place.line),
            bytes: [span.start, span.end],
            chars: [char_of(span.start), char_of(span.end)],
            highlights: highlights.iter().map(|span| [span.start, span.end]).collect(),
        }
    }
}

fn list_aliases(cast: &Cast, member: usize) -> Vec<String> {
    cast.members[member].aliases.iter().map(|alias| alias.text.clone()).collect()
}
