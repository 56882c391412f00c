//! The page as a source: a text and the places where it names things enter; what the page itself says of each leaves,
//! short enough to be read beside what is known.
//!
//! ```text
//! text, sentences ─▶ Words ─┐                    ┌ before   director Jane Roe; Senator
//! names ─▶ places ──────────┴▶ Page ─▶ remarks ──┤ after    Jane Roe, director of the Centre; X is a …; X, who …
//!                                                │ chains   companies such as X and Y; directed by X; Label: X
//!                                                ├ letters  World Health Organization (WHO)
//!                                                └ layout   table column, list introduction, section heading
//! ```
//!
//! Everything is by rule over words and punctuation, with lexicons in `words.txt`. A rule that is not sure says nothing.

mod after;
mod before;
mod chains;
mod layout;
mod letters;
mod lexicon;
mod phrases;
mod words;

use crate::mentions::MentionType;
use crate::span::Span;
use words::TextWords;

const LINES: &str = include_str!("lines.txt");

/// Characters of all that a page says of one name at most.
pub const MAX_PAGE_WORD_CHARS: usize = 160;

/// Characters of one remark at most.
const MAX_REMARK_CHARS: usize = 100;

/// Mentions of one name that are looked at.
const MAX_REMARKED_MENTIONS: usize = 40;

/// A thing that the page names.
#[derive(Clone, Debug)]
pub struct NamedThing {
    /// What sort of thing the tagger took it for.
    pub kind: MentionType,
    /// Where it is named, in document order.
    pub places: Vec<Span>,
}

/// What a page says of one thing that it names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageWord {
    /// What is said of it, the best evidence first, remarks apart by "; ".
    pub said: String,
    /// Where it stands: the column, the list or the section.
    pub stands: String,
}

impl PageWord {
    /// True when the page says nothing.
    pub fn is_empty(&self) -> bool {
        self.said.is_empty() && self.stands.is_empty()
    }
}

impl std::fmt::Display for PageWord {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let between = if self.said.is_empty() || self.stands.is_empty() { "" } else { "; " };
        write!(f, "{}{between}{}", self.said, self.stands)
    }
}

/// What the page says of each name, in the order given. `sentences` are those of the text, in order.
pub fn gather(text: &str, sentences: &[Span], names: &[NamedThing]) -> Vec<PageWord> {
    let page = PageText::of(text, sentences, names);
    let mut remarks: Vec<Vec<Remark>> = vec![Vec::new(); names.len()];
    for (number, place) in page.places.iter().enumerate() {
        let found = &mut remarks[place.thing];
        after::remark(&page, number, found);
        before::remark(&page, number, found);
    }
    chains::remark(&page, &mut remarks);
    letters::remark(&page, &mut remarks);
    let layout = layout::PageLayout::of(text, names);
    remarks
        .into_iter()
        .zip(names)
        .map(|(remarks, name)| {
            let said = join(remarks, name, text);
            let left = MAX_PAGE_WORD_CHARS.saturating_sub(said.len() + 2);
            let stands =
                layout.describe_place(name).filter(|stands| stands.len() <= left).unwrap_or_default();
            PageWord { said, stands }
        })
        .collect()
}

/// How good the evidence is; better first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// "X is a …", "X, a …".
    Definition,
    /// "Senator X", "director X", "directed by X", "Label: X".
    Role,
    /// "companies such as X".
    Example,
    /// "X (Y)".
    Letters,
    /// "X, who …", "X of Y".
    Clause,
    /// "X makes chips".
    Deed,
    /// "Mr X".
    Address,
}

#[derive(Clone, Debug)]
struct Remark {
    rank: Rank,
    text: String,
}

/// One place where something is named, in words.
#[derive(Clone, Copy, Debug)]
struct NamePlace {
    thing: usize,
    kind: MentionType,
    /// The first word, and the one after the last.
    from: usize,
    to: usize,
}

/// A page as the rules read it.
struct PageText<'t> {
    words: TextWords<'t>,
    /// In document order, not overlapping.
    places: Vec<NamePlace>,
    /// For each word, the place that it belongs to.
    owner: Vec<Option<u32>>,
}

impl<'t> PageText<'t> {
    fn of(text: &'t str, sentences: &[Span], names: &[NamedThing]) -> Self {
        let words = TextWords::of(text, sentences);
        let mut places: Vec<NamePlace> = Vec::new();
        for (thing, name) in names.iter().enumerate() {
            let covered =
                name.places.iter().take(MAX_REMARKED_MENTIONS).filter_map(|span| words.covered_words(*span));
            places.extend(covered.map(|(from, to)| NamePlace { thing, kind: name.kind, from, to }));
        }
        places.sort_by_key(|place| (place.from, std::cmp::Reverse(place.to)));
        let mut owner = vec![None; words.words.len()];
        let mut end = 0;
        places.retain(|place| {
            let free = place.from >= end;
            if free {
                end = place.to;
            }
            free
        });
        for (number, place) in places.iter().enumerate() {
            owner[place.from..place.to].fill(Some(number as u32));
        }
        Self { words, places, owner }
    }

    /// The place that a word belongs to.
    fn place_of(&self, word: usize) -> Option<&NamePlace> {
        self.owner.get(word).copied().flatten().map(|number| &self.places[number as usize])
    }
}

/// The remarks as one text: the best first, nothing twice, nothing that only repeats the name.
fn join(mut remarks: Vec<Remark>, name: &NamedThing, text: &str) -> String {
    remarks.sort_by_key(|remark| remark.rank);
    let surfaces: Vec<String> = name
        .places
        .iter()
        .take(MAX_REMARKED_MENTIONS)
        .filter_map(|span| span.slice(text))
        .map(str::to_lowercase)
        .collect();
    let mut out = String::new();
    let mut kept: Vec<String> = Vec::new();
    for remark in remarks {
        let words =
            remark.text.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '"' | '“' | '”' | ')'));
        let words = cut(words, MAX_REMARK_CHARS);
        let lower = words.to_lowercase();
        let bare = lower.strip_prefix("short for ").unwrap_or(&lower);
        let repeats =
            surfaces.iter().any(|surface| surface == bare) || kept.iter().any(|other| other.contains(&lower));
        if words.is_empty() || repeats || out.len() + words.len() + 2 > MAX_PAGE_WORD_CHARS {
            continue;
        }
        if !out.is_empty() {
            out.push_str("; ");
        }
        out.push_str(words);
        kept.push(lower);
    }
    out
}

/// The beginning of a text, up to a blank.
fn cut(text: &str, most: usize) -> &str {
    if text.len() <= most {
        return text;
    }
    let end = text.floor_char_boundary(most);
    text[..end].rfind(' ').map_or(&text[..end], |blank| &text[..blank])
}

#[cfg(test)]
mod tests;
