//! Who speaks, and whom pronouns mean: the tokens of a book enter, each place gets a speaker, a listener, and the man
//! and the woman last spoken of. Rules of thumb, right often enough that facts found many times stand out.

use super::RELATION_WORD_LISTS;
use super::letters;
use super::tokens::{Token, tokens};
use crate::document::Document;
use crate::names::{Cast, CastKind, Gender};
use crate::word_list::WordList;

/// Verbs that say who speaks.
static SPEECH_WORDS: WordList = WordList::new(RELATION_WORD_LISTS, "speech");

/// How many paragraphs a conversation may go on without saying who speaks.
const MAX_CONVERSATION_GAP: usize = 6;

/// A book that was read.
pub(crate) struct BookReading<'d> {
    pub document: &'d Document,
    pub cast: &'d Cast,
    pub(super) tokens: Vec<Token>,
    /// The speaker of each paragraph, where somebody speaks and it can be told who.
    pub speakers: Vec<Option<usize>>,
    /// Who listens in each paragraph.
    pub listeners: Vec<Option<usize>>,
    /// Who writes each paragraph, where it is part of a letter.
    pub writers: Vec<Option<usize>>,
    /// The first token of each paragraph; one more at the end.
    pub(super) paragraphs: Vec<usize>,
    /// Whom "he" and "she" mean at the start of each sentence, by number of the sentence.
    topics: Vec<[Option<usize>; 2]>,
    /// The first token of each sentence; one more at the end.
    pub(super) sentences: Vec<usize>,
}

impl<'d> BookReading<'d> {
    /// Reads the book.
    pub fn of(document: &'d Document, cast: &'d Cast) -> Self {
        let tokens = tokens(document, cast);
        let starts = |unit: fn(&Token) -> usize, count: usize| {
            let mut starts = vec![tokens.len(); count + 1];
            for (at, token) in tokens.iter().enumerate().rev() {
                starts[unit(token)] = at;
            }
            for at in (0..count).rev() {
                starts[at] = starts[at].min(starts[at + 1]);
            }
            starts
        };
        let paragraphs = starts(|token| token.paragraph, tokens.last().map_or(0, |last| last.paragraph + 1));
        let sentences = starts(
            |token| token.sentence,
            document.sentences().len().max(tokens.last().map_or(0, |last| last.sentence + 1)),
        );
        let mut reading = BookReading {
            document,
            cast,
            tokens,
            speakers: Vec::new(),
            listeners: Vec::new(),
            writers: Vec::new(),
            paragraphs,
            topics: Vec::new(),
            sentences,
        };
        reading.follow_topics();
        reading.follow_speakers();
        reading.writers = letters::writers(&reading);
        reading
    }

    /// The tokens of a paragraph.
    pub(super) fn paragraph(&self, number: usize) -> &[Token] {
        &self.tokens[self.paragraphs[number]..self.paragraphs[number + 1]]
    }

    /// The tokens of a sentence.
    pub(super) fn sentence(&self, number: usize) -> &[Token] {
        &self.tokens[self.sentences[number]..self.sentences[number + 1]]
    }

    fn is(&self, member: usize, gender: Gender) -> bool {
        let member = &self.cast.members[member];
        member.kind == CastKind::Person && member.gender == gender
    }

    /// Whom a pronoun of this gender means at a token: the first so named before it in its sentence, on the same side
    /// of the quotation marks, else whom the sentences before were about.
    pub(super) fn pronoun(&self, at: usize, gender: Gender) -> Option<usize> {
        let token = &self.tokens[at];
        let before = &self.tokens[self.sentences[token.sentence].min(at)..at];
        let fits = |other: &&Token| {
            other.spoken == token.spoken && other.name().is_some_and(|member| self.is(member, gender))
        };
        let named = if token.spoken { before.iter().rev().find(fits) } else { before.iter().find(fits) };
        named.and_then(Token::name).or(self.topics[token.sentence][slot(gender)])
    }

    /// Whom a possessive or personal pronoun at a token means.
    pub(super) fn referent(&self, at: usize) -> Option<usize> {
        let token = &self.tokens[at];
        match token.word()? {
            "he" | "his" | "him" => self.pronoun(at, Gender::Male),
            "she" | "her" => self.pronoun(at, Gender::Female),
            "my" | "our" | "i" | "me" if token.spoken => self.speakers[token.paragraph],
            "my" | "our" | "i" | "me" => self.writers.get(token.paragraph).copied().flatten(),
            "your" | "you" if token.spoken => self.listeners[token.paragraph],
            _ => None,
        }
    }

    fn follow_topics(&mut self) {
        let mut topic = [None, None];
        self.topics = Vec::with_capacity(self.sentences.len());
        for number in 0..self.sentences.len() - 1 {
            self.topics.push(topic);
            for gender in [Gender::Male, Gender::Female] {
                let named = self.sentence(number).iter().filter(|token| !token.spoken);
                let first = named.filter_map(Token::name).find(|&member| self.is(member, gender));
                topic[slot(gender)] = first.or(topic[slot(gender)]);
            }
        }
        self.topics.push(topic);
    }

    fn follow_speakers(&mut self) {
        let count = self.paragraphs.len() - 1;
        let (mut speakers, mut listeners) = (vec![None; count], vec![None; count]);
        let mut last_speech: Vec<(usize, Option<usize>)> = Vec::new();
        for number in 0..count {
            if !self.paragraph(number).iter().any(|token| token.spoken) {
                continue;
            }
            let recent = |back: usize| {
                let place = last_speech.len().checked_sub(back)?;
                last_speech
                    .get(place)
                    .filter(|(at, _)| number - at <= MAX_CONVERSATION_GAP)
                    .and_then(|(_, who)| *who)
            };
            let called = self.find_addressee(number);
            let speaker = self.find_speaker(number).or_else(|| recent(2).filter(|who| Some(*who) != called));
            speakers[number] = speaker;
            listeners[number] = called.or_else(|| recent(1)).filter(|who| Some(*who) != speaker);
            last_speech.push((number, speaker));
        }
        (self.speakers, self.listeners) = (speakers, listeners);
    }

    /// The person beside a verb of speech outside the quotation marks, else the first one named outside of them.
    fn find_speaker(&self, paragraph: usize) -> Option<usize> {
        let from = self.paragraphs[paragraph];
        let tokens = self.paragraph(paragraph);
        let person = |at: usize| {
            let token = tokens.get(at).filter(|token| !token.spoken)?;
            let pronoun = || match token.word()? {
                "he" => self.pronoun(from + at, Gender::Male),
                "she" => self.pronoun(from + at, Gender::Female),
                _ => None,
            };
            let named = token.name().filter(|&member| self.cast.members[member].kind == CastKind::Person);
            named.or_else(pronoun)
        };
        let verbs = tokens.iter().enumerate().filter(|(_, token)| {
            !token.spoken && token.word().is_some_and(|word| SPEECH_WORDS.contains(word))
        });
        let beside = verbs
            .into_iter()
            .find_map(|(at, _)| person(at + 1).or_else(|| at.checked_sub(1).and_then(person)));
        beside.or_else(|| (0..tokens.len()).find_map(|at| tokens[at].name().and_then(|_| person(at))))
    }

    /// Whom the speaker calls by name: a spoken name with a comma on its open sides.
    fn find_addressee(&self, paragraph: usize) -> Option<usize> {
        let tokens = self.paragraph(paragraph);
        (0..tokens.len()).find_map(|at| {
            let member = tokens[at].name().filter(|_| tokens[at].spoken)?;
            let sign = |place: Option<usize>, signs: &str| {
                let token = place.and_then(|place| tokens.get(place));
                token.is_some_and(|token| signs.chars().any(|sign| token.is(sign)))
            };
            let before = at == 0 || sign(at.checked_sub(1), ",\"“'‘!?.");
            let after = sign(Some(at + 1), ",!?.");
            let person = self.cast.members[member].kind == CastKind::Person;
            (person && before && after).then_some(member)
        })
    }
}

fn slot(gender: Gender) -> usize {
    usize::from(gender == Gender::Female)
}
