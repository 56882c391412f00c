//! What a judge reads of one entity: its name, the kind the tagger gave it, what is known about it, what the document says
//! it is, and the sentences of the document that share most with the query.

use std::fmt;

use super::gender::{PersonEvidence, asks_for_one};
use super::region::Region;
use crate::document::Document;
use crate::index::{OccurrenceOrigin, PreparedEntity};
use crate::knowledge::fold;
use crate::mentions::MentionType;
use crate::retrieval::terms_of;
use crate::span::Span;

/// Sentences shown at most.
const MAX_SENTENCES: usize = 3;
/// Characters of a sentence shown before and after the mention.
const MAX_JUDGED_CHARS_BEFORE: usize = 110;
const MAX_JUDGED_CHARS_AFTER: usize = 150;
/// Characters of knowledge shown.
const MAX_KNOWLEDGE_CHARS: usize = 220;
/// Characters of the page's word shown where the knowledge base has something to say as well; where it stands is then
/// left out.
const MAX_HERE_CHARS_BESIDE_KNOWLEDGE: usize = 90;
/// Mentions of an entity whose sentences are compared with the query.
const MAX_COMPARED_MENTIONS: usize = 60;

/// Stands before the page's word, so that a judge can tell it from what is known.
const PAGE_WORD_LABEL: &str = "Here:";

/// What a judge reads of one entity. Its display is the text that judges are trained on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CandidateText {
    /// The fullest name in the document and, where it differs, the title in the knowledge base.
    pub name: String,
    /// What sort of thing the tagger took it for, where it said.
    pub kind: Option<MentionType>,
    /// What is known about it, without its title; empty when nothing is.
    pub knowledge: String,
    /// What the document says it is, and where it stands there; empty when it does not say.
    pub here: String,
    /// What the document says of it, in document order.
    pub sentences: Vec<String>,
}

impl CandidateText {
    /// Gathers the text for one entity and a query.
    pub fn gather(document: &Document, entity: &PreparedEntity, query: &QueryTerms) -> Self {
        let text = document.text();
        let named = entity.mentions.iter().filter(|at| at.found != OccurrenceOrigin::Described);
        let surfaces = named.clone().filter_map(|at| at.span.slice(text));
        let fullest = surfaces.max_by_key(|surface| surface.len()).unwrap_or_default();
        let fullest = fullest.split_whitespace().collect::<Vec<_>>().join(" ");
        let title = entity.name.as_str();
        let bare = title.split(" (").next().unwrap_or(title);
        let name = match fold(bare) == fold(&fullest) || fullest.is_empty() {
            true => title.to_owned(),
            false => format!("{fullest}, {title}"),
        };
        let known = entity.knowledge.strip_prefix(title).unwrap_or(&entity.knowledge);
        let known = known.trim_start_matches(['.', ' ']);
        let places: Vec<Span> = named.map(|at| at.span).take(MAX_COMPARED_MENTIONS).collect();
        let known_here = [known, &entity.page_word.said].join("; ");
        let region = query.region.and_then(|region| region.describe(bare, &known_here));
        let gender = (query.gender && entity.kind == MentionType::Person)
            .then(|| PersonEvidence { known: &known_here, names: [bare, &fullest] })
            .and_then(|person| person.describe(Some(document), &places));
        Self {
            name,
            kind: Some(entity.kind).filter(|kind| *kind != MentionType::Other),
            knowledge: knowledge_of(gender, region, known),
            here: match known.is_empty() {
                true => entity.page_word.to_string(),
                false => cut(&entity.page_word.said, MAX_HERE_CHARS_BESIDE_KNOWLEDGE).to_owned(),
            },
            sentences: choose_sentences(document, &places, query),
        }
    }
}

/// What is known, cut to what a judge is shown, after what the query made worth saying: whether it is a woman or a man, and the
/// region of the world.
pub(super) fn knowledge_of(gender: Option<&str>, region: Option<&str>, known: &str) -> String {
    let known = Some(cut(known, MAX_KNOWLEDGE_CHARS)).filter(|known| !known.is_empty());
    gender.into_iter().chain(region).chain(known).collect::<Vec<_>>().join("; ")
}

impl fmt::Display for CandidateText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        if let Some(kind) = self.kind {
            write!(f, " ({})", kind.name())?;
        }
        f.write_str(".")?;
        if !self.knowledge.is_empty() {
            write!(f, " {}", self.knowledge)?;
        }
        if !self.here.is_empty() {
            write!(f, " {PAGE_WORD_LABEL} {}", self.here)?;
        }
        self.sentences.iter().try_for_each(|sentence| write!(f, " | {sentence}"))
    }
}

/// The words of a query that say something about a topic, the region of the world that they name, and whether they ask for
/// women or for men.
#[derive(Clone, Debug, Default)]
pub struct QueryTerms {
    terms: Vec<String>,
    region: Option<Region>,
    gender: bool,
}

impl QueryTerms {
    /// Reads a query.
    pub fn of(query: &str) -> Self {
        let mut terms: Vec<String> = terms_of(query).collect();
        terms.sort_unstable();
        terms.dedup();
        Self { terms, region: Region::named_in(query), gender: asks_for_one(query) }
    }

    /// How many of them stand in a text.
    fn count_shared(&self, text: &str) -> usize {
        if self.terms.is_empty() {
            return 0;
        }
        let mut seen: Vec<&String> = Vec::new();
        for term in terms_of(text) {
            if let Some(known) = self.terms.iter().find(|own| **own == term)
                && !seen.contains(&known)
            {
                seen.push(known);
            }
        }
        seen.len()
    }
}

/// The first sentence, and those that share words with the query, the most first; in document order.
fn choose_sentences(document: &Document, places: &[Span], query: &QueryTerms) -> Vec<String> {
    let text = document.text();
    let mut windows: Vec<Span> = Vec::new();
    for place in places {
        let window = window_around(document, *place);
        if windows.last().is_none_or(|last| last.end <= window.start) {
            windows.push(window);
        }
    }
    let mut order: Vec<(usize, usize)> = windows
        .iter()
        .enumerate()
        .map(|(number, window)| (number, query.count_shared(window.slice(text).unwrap_or_default())))
        .collect();
    order.sort_by_key(|&(number, shared)| (std::cmp::Reverse(shared), number));
    order.truncate(MAX_SENTENCES);
    if order.iter().any(|&(_, shared)| shared > 0) {
        order.retain(|&(number, shared)| shared > 0 || number == 0);
    } else {
        order.truncate(1);
    }
    order.sort_unstable();
    let shown = order.iter().filter_map(|&(number, _)| windows[number].slice(text));
    shown.map(|words| words.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

/// The sentence of a mention, cut to what stands around it, at word boundaries.
fn window_around(document: &Document, mention: Span) -> Span {
    let text = document.text();
    let sentence = document.sentence_at(mention.start).unwrap_or(mention);
    let mut start = text.floor_char_boundary(mention.start.saturating_sub(MAX_JUDGED_CHARS_BEFORE));
    if start <= sentence.start {
        start = sentence.start;
    } else if let Some(space) = text[start..mention.start].find(char::is_whitespace) {
        start += space;
    }
    let mut end = text.ceil_char_boundary((mention.end + MAX_JUDGED_CHARS_AFTER).min(text.len()));
    if end >= sentence.end {
        end = sentence.end.max(mention.end);
    } else if let Some(space) = text[mention.end..end].rfind(char::is_whitespace) {
        end = mention.end + space;
    }
    Span::new(start, end)
}

/// The beginning of a text up to a phrase boundary.
pub(super) fn cut(text: &str, most: usize) -> &str {
    if text.len() <= most {
        return text;
    }
    let end = text.floor_char_boundary(most);
    let boundary = text[..end].rfind("; ").or_else(|| text[..end].rfind(' ')).unwrap_or(end);
    &text[..boundary]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::Occurrence;
    use crate::page_words::PageWord;

    fn entity(document: &Document, name: &str, title: &str, knowledge: &str) -> PreparedEntity {
        let places = document.text().match_indices(name);
        PreparedEntity {
            name: title.into(),
            id: None,
            confidence: 0.0,
            kind: MentionType::Organization,
            knowledge: knowledge.into(),
            page_word: PageWord::default(),
            mentions: places
                .map(|(at, found)| Occurrence {
                    span: Span::new(at, at + found.len()),
                    found: OccurrenceOrigin::Tagged,
                })
                .collect(),
            knowledge_embedding: None,
            context_embedding: None,
        }
    }

    #[test]
    fn the_sentences_that_fit_the_query_are_shown_in_order() {
        let document = Document::from_text(
            "Acme opened in May. Acme is loud. In June Acme sued Bolt. Nobody knew why. Acme sued again.",
        );
        let acme =
            entity(&document, "Acme", "Acme Corporation", "Acme Corporation. maker of anvils; American");
        let text = CandidateText::gather(&document, &acme, &QueryTerms::of("who sued")).to_string();
        let expected = "Acme, Acme Corporation (organization). maker of anvils; American \
                        | Acme opened in May. | In June Acme sued Bolt. | Acme sued again.";
        assert_eq!(text, expected);
        let plain = CandidateText::gather(&document, &acme, &QueryTerms::of("companies"));
        assert_eq!(plain.sentences, ["Acme opened in May."], "nothing shared: the first one");
    }

    #[test]
    fn a_query_about_a_region_is_told_where_a_country_lies() {
        let document = Document::from_text("Acme came.");
        let read = |knowledge: &str, query: &str| {
            let acme = entity(&document, "Acme", "Acme", knowledge);
            CandidateText::gather(&document, &acme, &QueryTerms::of(query)).knowledge
        };
        assert_eq!(
            read("Acme. Japanese maker of anvils", "Asian companies"),
            "Asian; Japanese maker of anvils"
        );
        assert_eq!(read("Acme. Japanese maker of anvils", "companies"), "Japanese maker of anvils");
        assert_eq!(read("", "Asian companies"), "");
    }

    #[test]
    fn a_query_for_women_is_told_who_is_one() {
        let document = Document::from_text("Merkel came.");
        let mut merkel = entity(&document, "Merkel", "Angela Merkel", "Angela Merkel. German politician");
        let read = |entity: &PreparedEntity, query: &str| {
            CandidateText::gather(&document, entity, &QueryTerms::of(query)).knowledge
        };
        assert_eq!(read(&merkel, "women"), "German politician", "only people are told apart");
        merkel.kind = MentionType::Person;
        assert_eq!(read(&merkel, "women"), "woman; German politician");
        assert_eq!(read(&merkel, "European men"), "woman; European; German politician");
        assert_eq!(read(&merkel, "politicians"), "German politician");
    }

    #[test]
    fn the_page_has_its_word_apart_from_the_base() {
        let document = Document::from_text("Acme came.");
        let page_word = PageWord { said: "maker of anvils; sponsor".into(), stands: "under: Guests".into() };
        let unknown = PreparedEntity { page_word, ..entity(&document, "Acme", "Acme", "") };
        let text = |entity: &PreparedEntity| {
            CandidateText::gather(&document, entity, &QueryTerms::default()).to_string()
        };
        let expected = "Acme (organization). Here: maker of anvils; sponsor; under: Guests | Acme came.";
        assert_eq!(text(&unknown), expected);
        let known = PreparedEntity { knowledge: "Acme. American".into(), ..unknown };
        let expected = "Acme (organization). American Here: maker of anvils; sponsor | Acme came.";
        assert_eq!(text(&known), expected, "where it stands is for names that nobody knows");
    }

    #[test]
    fn long_sentences_and_long_knowledge_are_cut_at_words() {
        let document = Document::from_text(format!("{}Acme{}", "word ".repeat(90), " über".repeat(90)));
        let long = "a fact of some length; ".repeat(30);
        let acme = entity(&document, "Acme", "Acme", &format!("Acme. {long}"));
        let text = CandidateText::gather(&document, &acme, &QueryTerms::default());
        assert!(text.sentences[0].len() < 300 && text.sentences[0].contains(" Acme "), "{text}");
        assert!(text.sentences[0].starts_with("word") && text.sentences[0].ends_with("über"), "{text}");
        assert!(text.knowledge.len() <= MAX_KNOWLEDGE_CHARS && text.knowledge.ends_with("length"), "{text}");
    }
}
