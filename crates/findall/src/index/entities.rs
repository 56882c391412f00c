//! Mentions that mean one thing become one entity: its fullest name, what is known about it, and the text that shows
//! it in its context.

use std::collections::HashMap;

use super::{Occurrence, OccurrenceOrigin};
use crate::document::Document;
use crate::knowledge::{EntityId, KnowledgeBase};
use crate::linking::LinkedMention;
use crate::mentions::MentionType;
use crate::page_words::{self, NamedThing, PageWord};

/// Characters of a sentence shown before and after the mention; what the encoder was trained on.
const MAX_CONTEXT_CHARS_BEFORE: usize = 160;
const MAX_CONTEXT_CHARS_AFTER: usize = 200;

/// An entity before its vectors are there.
#[derive(Clone, Debug)]
pub(crate) struct EntityDraft {
    pub name: String,
    pub id: Option<EntityId>,
    pub confidence: f32,
    pub kind: MentionType,
    /// In document order, not empty.
    pub mentions: Vec<Occurrence>,
}

/// One entity a cluster, in the order of first mention.
pub(crate) fn gather(
    document: &Document,
    linked: &[LinkedMention],
    knowledge: &KnowledgeBase,
) -> Vec<EntityDraft> {
    let text = document.text();
    let mut places: HashMap<usize, usize> = HashMap::new();
    let mut entities: Vec<EntityDraft> = Vec::new();
    for one in linked {
        let Some(name) = one.mention.span.slice(text) else { continue };
        let place = *places.entry(one.cluster).or_insert_with(|| {
            entities.push(EntityDraft {
                name: String::new(),
                id: None,
                confidence: 0.0,
                kind: one.mention.kind,
                mentions: Vec::new(),
            });
            entities.len() - 1
        });
        let entity = &mut entities[place];
        entity.mentions.push(Occurrence { span: one.mention.span, found: OccurrenceOrigin::Tagged });
        if let Some(link) = &one.link
            && link.confidence > entity.confidence
        {
            entity.id = Some(link.entity);
            entity.confidence = link.confidence;
        }
        if name.len() > entity.name.len() {
            entity.name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        }
    }
    for entity in &mut entities {
        if let Some(record) = entity.id.and_then(|id| knowledge.record(id).ok()) {
            entity.name = record.title;
        }
        entity.mentions.sort_unstable();
    }
    entities.sort_by_key(|entity| entity.mentions[0].span);
    entities
}

/// What the document itself says of each entity.
pub(super) fn page_words(document: &Document, entities: &[EntityDraft]) -> Vec<PageWord> {
    let things: Vec<NamedThing> = entities
        .iter()
        .map(|entity| {
            let named = entity.mentions.iter().filter(|at| at.found != OccurrenceOrigin::Described);
            NamedThing { kind: entity.kind, places: named.map(|at| at.span).collect() }
        })
        .collect();
    page_words::gather(document.text(), document.sentences(), &things)
}

/// The text that stands for an entity by its context: its name, its kind, what the document says it is, and the sentence of
/// its first mention.
pub(super) fn context(document: &Document, entity: &EntityDraft, page_word: &PageWord) -> String {
    let text = document.text();
    let mention = entity.mentions[0].span;
    let sentence = document.sentence_at(mention.start).unwrap_or(mention);
    let start =
        sentence.start.max(text.floor_char_boundary(mention.start.saturating_sub(MAX_CONTEXT_CHARS_BEFORE)));
    let end =
        sentence.end.min(text.ceil_char_boundary(mention.start + MAX_CONTEXT_CHARS_AFTER)).max(mention.end);
    let mut out = match entity.kind {
        MentionType::Other => format!("{}.", entity.name),
        kind => format!("{} ({}).", entity.name, kind.name()),
    };
    if !page_word.is_empty() {
        out.push_str(&format!(" {page_word}."));
    }
    for word in text[start..end].split_whitespace() {
        out.push(' ');
        out.push_str(word);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::span::Span;

    fn draft_named(name: &str, kind: MentionType, at: usize) -> EntityDraft {
        let mentions =
            vec![Occurrence { span: Span::new(at, at + name.len()), found: OccurrenceOrigin::Tagged }];
        EntityDraft { name: name.into(), id: None, confidence: 0.0, kind, mentions }
    }

    #[test]
    fn context_is_the_sentence_around_the_mention_and_bounded() {
        let document = Document::from_text("It rained.\nAda met Bob\nin Rome. They left.");
        let bob = draft_named("Bob", MentionType::Other, document.text().find("Bob").unwrap());
        assert_eq!(context(&document, &bob, &PageWord::default()), "Bob. Ada met Bob in Rome.");

        let long = Document::from_text(format!("{}Bob{}", "é ".repeat(500), " ü".repeat(500)));
        let bob = draft_named("Bob", MentionType::Other, long.text().find("Bob").unwrap());
        let shown = context(&long, &bob, &PageWord::default());
        assert!(shown.len() < 450 && shown.contains("Bob"), "{shown}");
    }

    #[test]
    fn context_tells_the_kind_and_what_the_document_says() {
        let document = Document::from_text("Ada met Bob, a baker, in Rome.");
        let bob = draft_named("Bob", MentionType::Person, document.text().find("Bob").unwrap());
        let word = PageWord { said: "a baker".into(), stands: "Guests".into() };
        let expected = "Bob (person). a baker; Guests. Ada met Bob, a baker, in Rome.";
        assert_eq!(context(&document, &bob, &word), expected);
    }
}
