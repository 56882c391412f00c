//! Ranked sentences to ranked entities: what each sentence is about, one entry an entity, its other sentences grouped.

use std::collections::{HashMap, HashSet};

use super::Example;
use super::analysed::{Names, kind_bit};
use super::corpus::Corpus;
use crate::knowledge::fold;
use crate::mentions::MentionType;
use crate::retrieval::RankedPassage;
use crate::span::Span;

/// An entity like the example.
#[derive(Clone, Debug, PartialEq)]
pub struct AlikeEntity {
    /// Its title in the knowledge base, or its fullest name in its document.
    pub name: String,
    /// True when the name is a title of the knowledge base.
    pub known: bool,
    /// What sort of thing it is.
    pub kind: MentionType,
    /// How well its best sentence fits; comparable within one answer only.
    pub score: f32,
    /// Where it is named, in all ranked sentences that do, best first; never empty.
    pub mentions: Vec<AlikeMention>,
}

impl AlikeEntity {
    /// Its best sentence.
    pub fn best_sentence(&self) -> usize {
        self.mentions.first().map_or(0, |mention| mention.sentence)
    }
}

/// One place where an entity is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AlikeMention {
    /// The sentence.
    pub sentence: usize,
    /// Where, in its document's text.
    pub span: Span,
}

/// Who is named in sentences, each document read once.
pub(super) struct Subjects<'c> {
    corpus: &'c Corpus,
    kinds: Option<u8>,
    read: HashMap<usize, Option<Names<'c>>>,
}

/// What a sentence is about.
#[derive(Clone, Debug)]
pub(super) struct Subject {
    pub key: String,
    pub name: String,
    pub known: bool,
    pub kind: MentionType,
    pub span: Span,
}

impl<'c> Subjects<'c> {
    pub fn new(corpus: &'c Corpus, kinds: Option<u8>) -> Self {
        Self { corpus, kinds, read: HashMap::new() }
    }

    /// The first entity of the right kind that a sentence names.
    pub fn of(&mut self, sentence: usize) -> Option<Subject> {
        let (document, at) = self.corpus.place(sentence)?;
        let names = self.read.entry(document).or_insert_with(|| self.corpus.names(document)).as_ref()?;
        let from = names.mentions.partition_point(|mention| mention.sentence < at);
        let here = names.mentions[from..].iter().take_while(|mention| mention.sentence == at);
        let mention = here.into_iter().find(|m| {
            self.kinds.is_none_or(|wanted| wanted & kind_bit(names.entities[m.entity].kind) != 0)
        })?;
        let entity = &names.entities[mention.entity];
        Some(Subject {
            key: key(entity.name),
            name: entity.name.to_owned(),
            known: entity.known,
            kind: entity.kind,
            span: mention.span,
        })
    }
}

impl Subjects<'_> {
    /// Everything that a sentence names.
    fn all(&mut self, sentence: usize) -> Vec<String> {
        let Some((document, at)) = self.corpus.place(sentence) else { return Vec::new() };
        let names = self.read.entry(document).or_insert_with(|| self.corpus.names(document));
        let Some(names) = names else { return Vec::new() };
        let from = names.mentions.partition_point(|mention| mention.sentence < at);
        let here = names.mentions[from..].iter().take_while(|mention| mention.sentence == at);
        here.map(|mention| key(names.entities[mention.entity].name)).collect()
    }

    /// What is named within a part of a sentence.
    fn names_within(&mut self, sentence: usize, part: Span) -> Vec<String> {
        let Some((document, at)) = self.corpus.place(sentence) else { return Vec::new() };
        let names = self.read.entry(document).or_insert_with(|| self.corpus.names(document));
        let Some(names) = names else { return Vec::new() };
        let part = part.shifted(names.sentences[at].start);
        let here = names.mentions.iter().filter(|mention| mention.sentence == at);
        here.filter(|mention| mention.span.overlaps(&part))
            .map(|mention| key(names.entities[mention.entity].name))
            .collect()
    }
}

/// What makes two names the same entity: letters only, a disambiguator kept.
pub(super) fn key(name: &str) -> String {
    fold(name)
}

/// Ranked sentences among which the example's own is looked for: it is the likest of all, or nearly.
const MAX_RANK_OF_EXAMPLE: usize = 10;

/// The names that the example has: its own, and what a linker took it for in its own sentence.
fn names_of_example(
    subjects: &mut Subjects<'_>,
    ranking: &[RankedPassage],
    example: &Example,
) -> HashSet<String> {
    let mut own = HashSet::from([key(&example.entity)]);
    for ranked in ranking.iter().take(MAX_RANK_OF_EXAMPLE) {
        let Some(text) = subjects.corpus.words().text(ranked.passage) else { continue };
        if text.split_whitespace().eq(example.sentence.split_whitespace())
            && let Some(at) = text.find(&example.entity)
        {
            own.extend(subjects.names_within(ranked.passage, Span::new(at, at + example.entity.len())));
        }
    }
    own
}

/// The entities of ranked sentences in the order of their best one, the example itself left out.
pub(super) fn group(
    subjects: &mut Subjects<'_>,
    ranking: &[RankedPassage],
    example: &Example,
) -> Vec<AlikeEntity> {
    let own = names_of_example(subjects, ranking, example);
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut found: Vec<AlikeEntity> = Vec::new();
    for ranked in ranking {
        let Some(subject) = subjects.of(ranked.passage).filter(|subject| !own.contains(&subject.key)) else {
            continue;
        };
        let mention = AlikeMention { sentence: ranked.passage, span: subject.span };
        match places.get(&subject.key) {
            Some(&at) => found[at].mentions.push(mention),
            None => {
                places.insert(subject.key, found.len());
                found.push(AlikeEntity {
                    name: subject.name,
                    known: subject.known,
                    kind: subject.kind,
                    score: ranked.rank_weight,
                    mentions: vec![mention],
                });
            }
        }
    }
    found
}

/// The same sentences, those that name somebody new before all others. What a sentence is about is its first name, as far
/// as names tell: one that names nobody stays where it is.
pub(super) fn order_by_novelty(
    subjects: &mut Subjects<'_>,
    ranking: Vec<RankedPassage>,
    example: &str,
) -> Vec<RankedPassage> {
    let mut seen = HashSet::from([key(example)]);
    let (mut new, mut old) = (Vec::with_capacity(ranking.len()), Vec::new());
    for ranked in ranking {
        let named = subjects.all(ranked.passage);
        match !named.is_empty() && named.iter().all(|name| seen.contains(name)) {
            true => old.push(ranked),
            false => {
                seen.extend(named.into_iter().next());
                new.push(ranked);
            }
        }
    }
    new.append(&mut old);
    new
}
