//! The cast of a book: tagged mentions enter; who and what is named leaves, each with all its names and places.
//!
//! Names are resolved within the book only: given names, surnames, titles, pet forms and nicknames of one person come
//! together ("Lizzy", "Miss Elizabeth", "Elizabeth Bennet"), and what only looks alike stays apart ("Mr. Bennet",
//! "Mrs. Bennet", "Miss Bennet"). A surname that several people bear stays a name of its own.
//!
//! ```text
//! Mention ─▶ Surface ─▶ clusters of surfaces ─▶ Cast
//!            surfaces   people, gender
//! ```

mod families;
mod gender;
mod lookup;
mod people;
mod surfaces;
mod tables;

use std::collections::HashMap;

pub use surfaces::CastKind;
pub use tables::Title;
pub(crate) use tables::given_name;
pub(crate) use tables::is_honorific;

use crate::document::Document;
use crate::mentions::Mention;
use crate::span::Span;
use surfaces::Surface;

/// He or she, as far as the book tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Gender {
    /// She.
    Female,
    /// He.
    Male,
    /// Not told.
    #[default]
    Unknown,
}

/// One way in which a member of the cast is named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alias {
    /// As written.
    pub text: String,
    /// How often.
    pub count: usize,
    /// Where it first stands.
    pub first: Span,
}

/// Somebody or something that a book names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CastMember {
    /// The fullest name, or the usual one where none is fuller.
    pub name: String,
    /// What it is.
    pub kind: CastKind,
    /// He or she; unknown for places and groups.
    pub gender: Gender,
    /// All its names, the most used first.
    pub aliases: Vec<Alias>,
    /// True for a surname alone that several people bear: it may mean any of them.
    pub ambiguous: bool,
    /// The surname, in small letters, where it has one.
    pub surname: Option<String>,
    /// Titles that it is given with the surname or the full name.
    pub titles: Vec<Title>,
    /// Everywhere it is named, in order.
    pub spans: Vec<Span>,
}

/// Everybody and everything that a book names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cast {
    /// The most named first.
    pub members: Vec<CastMember>,
}

impl Cast {
    /// Resolves the names of a document. Mentions that cannot be shown in the text are left out.
    pub fn of(document: &Document, mentions: &[Mention]) -> Cast {
        let mut surfaces = surfaces::collect(document, mentions);
        families::mark(&mut surfaces);
        let pronouns = gender::pronouns(document, &surfaces);
        let mut members: Vec<CastMember> = people::cluster(&surfaces, &pronouns)
            .into_iter()
            .map(|person| {
                let gender = gender::decide(person.surfaces.iter().map(|&n| (&surfaces[n], pronouns[n])));
                let member = member(&surfaces, &person.surfaces, CastKind::Person, gender);
                CastMember { ambiguous: person.ambiguous, ..member }
            })
            .collect();
        members.extend(families::gather(&surfaces, &members));
        let mut others: HashMap<(CastKind, String), Vec<usize>> = HashMap::new();
        for (number, surface) in
            surfaces.iter().enumerate().filter(|(_, s)| s.kind != CastKind::Person && !s.family)
        {
            others.entry((surface.kind, surface.words.join(" "))).or_default().push(number);
        }
        members.extend(
            others.into_iter().map(|((kind, _), numbers)| member(&surfaces, &numbers, kind, Gender::Unknown)),
        );
        members.sort_by(|a, b| b.spans.len().cmp(&a.spans.len()).then(a.spans[0].cmp(&b.spans[0])));
        Cast { members }
    }

    /// Every place where somebody or something is named, in order, with its number.
    pub fn occurrences(&self) -> Vec<(Span, usize)> {
        let mut all: Vec<(Span, usize)> = (self.members.iter().enumerate())
            .flat_map(|(number, member)| member.spans.iter().map(move |&span| (span, number)))
            .collect();
        all.sort_unstable();
        all
    }
}

fn member(surfaces: &[Surface], numbers: &[usize], kind: CastKind, gender: Gender) -> CastMember {
    let mut aliases: Vec<Alias> = (numbers.iter().map(|&n| &surfaces[n]))
        .map(|s| Alias { text: s.text.clone(), count: s.spans.len(), first: s.spans[0] })
        .collect();
    aliases.sort_by(|a, b| b.count.cmp(&a.count).then(a.first.cmp(&b.first)));
    let mut spans: Vec<Span> = numbers.iter().flat_map(|&n| surfaces[n].spans.iter().copied()).collect();
    spans.sort_unstable();
    // How often a word is the whole name: what mostly stands alone is no surname, and "Thank Heaven Anna" no full name.
    let alone = |word: Option<&String>| {
        let bare =
            numbers.iter().map(|&n| &surfaces[n]).filter(|s| s.titles.is_empty() && s.words.len() == 1);
        bare.filter(|s| s.words.last() == word).map(|s| s.spans.len()).sum::<usize>()
    };
    // "Miss Jane Bennet" is Jane Bennet, but "Mrs. John Brooke" is not John, and a lady stays a lady.
    let gives_name = |s: &&Surface| {
        let kept = s.titles.iter().any(|t| matches!(t, Title::Missis | Title::Lady | Title::Lord));
        let full = s.words.len() > 1 && alone(s.words.last()) < 10 * s.spans.len();
        kind == CastKind::Person && full && !kept
    };
    let full = (numbers.iter().map(|&n| &surfaces[n]))
        .filter(gives_name)
        .max_by_key(|s| (s.titles.is_empty(), s.spans.len(), std::cmp::Reverse(s.spans[0])));
    let titled = numbers.iter().map(|&n| &surfaces[n]).filter(|s| !s.titles.is_empty());
    let mut titles: Vec<Title> = titled.clone().flat_map(|s| s.titles.iter().copied()).collect();
    titles.sort_unstable();
    titles.dedup();
    let surname = match kind {
        CastKind::Person => surname(surfaces, numbers),
        _ => None,
    };
    let usual = |text: &str| text.split(' ').map(surfaces::usual_case).collect::<Vec<_>>().join(" ");
    let name = full.map_or_else(
        || usual(&aliases[0].text),
        |full| {
            let words: Vec<&str> = full.text.split(' ').collect();
            usual(&words[words.len().saturating_sub(full.words.len())..].join(" "))
        },
    );
    CastMember { name, kind, gender, aliases, ambiguous: false, surname, titles, spans }
}

/// The last word of the most used full name, or the word after the most used title.
fn surname(surfaces: &[Surface], numbers: &[usize]) -> Option<String> {
    let most = |test: &dyn Fn(&Surface) -> bool| {
        let fitting = numbers.iter().map(|&n| &surfaces[n]).filter(|s| test(s));
        fitting.max_by_key(|s| s.spans.len()).and_then(|s| s.words.last().cloned())
    };
    let bare: Vec<&str> = (numbers.iter().map(|&n| &surfaces[n]))
        .filter(|s| s.words.len() == 1 && s.titles.is_empty())
        .map(|s| s.words[0].as_str())
        .collect();
    most(&|s| s.words.len() > 1).or_else(|| {
        most(&|s| {
            let plain =
                matches!(s.titles.last(), Some(t) if t.gender() != Gender::Unknown || *t == Title::Office);
            plain && (bare.is_empty() || matches!(s.titles.last(), Some(Title::Mister | Title::Missis)))
        })
    })
}

#[cfg(test)]
mod tests;
