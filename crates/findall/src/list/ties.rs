//! Ties: what a book says outright about who is what to whom. "her sister Beth", "Mr. Hale, his uncle", "the daughter of
//! Lady Ware", "Anna was my friend". A read book enters; counted ties leave, each with the places that say so.

use std::collections::HashMap;

use super::RELATION_WORD_LISTS;
use super::reading::BookReading;
use super::tokens::{Token, TokenKind};
use super::verbs;
use super::weights::StatementStrengths;
use crate::names::{CastKind, Gender};
use crate::span::Span;
use crate::tuning::tuning;
use crate::word_list::{LabelledWords, WordList};

/// What one person is to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Tie {
    Parent,
    Child,
    Sibling,
    Spouse,
    /// Aunts, cousins, grandparents, relations by marriage.
    Kin,
    Friend,
    Opponent,
}

impl Tie {
    /// What the other one is in turn.
    pub fn inverse(self) -> Tie {
        match self {
            Tie::Parent => Tie::Child,
            Tie::Child => Tie::Parent,
            same => same,
        }
    }
}

/// The tie and gender of a word, and whether the word may name many.
pub(super) fn tie_word(word: &str) -> Option<(Tie, Gender)> {
    TIE_WORDS.get(word)
}

static TIE_WORDS: LabelledWords<(Tie, Gender)> = LabelledWords::new(
    RELATION_WORD_LISTS,
    &[
        ("parent-woman", (Tie::Parent, Gender::Female)),
        ("parent-man", (Tie::Parent, Gender::Male)),
        ("parent-either", (Tie::Parent, Gender::Unknown)),
        ("child-woman", (Tie::Child, Gender::Female)),
        ("child-man", (Tie::Child, Gender::Male)),
        ("child-either", (Tie::Child, Gender::Unknown)),
        ("sibling-woman", (Tie::Sibling, Gender::Female)),
        ("sibling-man", (Tie::Sibling, Gender::Male)),
        ("sibling-either", (Tie::Sibling, Gender::Unknown)),
        ("spouse-woman", (Tie::Spouse, Gender::Female)),
        ("spouse-man", (Tie::Spouse, Gender::Male)),
        ("kin-woman", (Tie::Kin, Gender::Female)),
        ("kin-man", (Tie::Kin, Gender::Male)),
        ("kin-either", (Tie::Kin, Gender::Unknown)),
        ("friend-either", (Tie::Friend, Gender::Unknown)),
        ("opponent-either", (Tie::Opponent, Gender::Unknown)),
    ],
);

/// Words between an owner and what is owned: "her *dear eldest* sister".
static KIN_MODIFIERS: WordList = WordList::new(RELATION_WORD_LISTS, "between");

/// One tie that the book states.
#[derive(Clone, Debug)]
pub(crate) struct StatedTie {
    pub tie: Tie,
    /// Whose mother, sister, friend.
    pub owner: usize,
    /// Who is it.
    pub object: usize,
    pub strength: f32,
    pub span: Span,
}

/// All ties that the book states, in order.
pub(crate) fn read_ties(reading: &BookReading<'_>) -> Vec<StatedTie> {
    let mut out = Vec::new();
    for (at, token) in reading.tokens.iter().enumerate() {
        let Some((tie, gender)) = token.word().and_then(tie_word) else { continue };
        let scan = TieContext { reading, at, tie, gender };
        scan.read(&mut out);
    }
    titles(reading, &mut out);
    couples(reading, &mut out);
    verbs::read_verb_ties(reading, &mut out);
    out
}

/// A word for a tie, and what stands around it.
struct TieContext<'r, 'd> {
    reading: &'r BookReading<'d>,
    at: usize,
    tie: Tie,
    gender: Gender,
}

impl TieContext<'_, '_> {
    fn token(&self, at: usize) -> Option<&Token> {
        self.reading.tokens.get(at).filter(|token| token.sentence == self.reading.tokens[self.at].sentence)
    }

    fn person(&self, at: usize) -> Option<usize> {
        let member = self.token(at)?.name()?;
        (self.reading.cast.members[member].kind == CastKind::Person).then_some(member)
    }

    fn read(&self, out: &mut Vec<StatedTie>) {
        let Some((owners, start)) = self.owners() else { return };
        let StatementStrengths { beside, apart, .. } = tuning().list.statements;
        let mut objects: Vec<(usize, f32, usize)> = Vec::new();
        let mut after = self.at + 1;
        // "the sister of Mr. Ware": what follows is the owner.
        let owned_by =
            self.token(after).and_then(Token::word).is_some_and(|word| word == "of" || word == "to");
        if !owned_by {
            let comma = self.token(after).is_some_and(|token| token.is(','));
            after += usize::from(comma);
            let strength = if comma { apart } else { beside };
            objects.extend(self.listed_members(after).into_iter().map(|member| (member, strength, after)));
            if let Some(verb) = self.token(self.at + 1).and_then(Token::word)
                && matches!(verb, "is" | "was" | "being" | "named" | "called")
                && let Some(member) = self.person(self.at + 2)
            {
                objects.push((member, apart, self.at + 2));
            }
        }
        if objects.is_empty() {
            objects.extend(self.member_before(start).map(|member| (member, apart, start)));
        }
        for (object, strength, _) in objects {
            let told = self.reading.cast.members[object].gender;
            let clash = told != Gender::Unknown && self.gender != Gender::Unknown && told != self.gender;
            for &owner in owners.iter().filter(|&&owner| owner != object && !clash) {
                let span = self.token(self.at).map_or(Span::new(0, 0), |token| token.span);
                out.push(StatedTie { tie: self.tie, owner, object, strength, span });
            }
        }
    }

    /// Who owns the word, and where the phrase with the owner starts.
    fn owners(&self) -> Option<(Vec<usize>, usize)> {
        let mut left = self.at.checked_sub(1)?;
        for _ in 0..3 {
            if self.token(left).and_then(Token::word).is_some_and(|word| KIN_MODIFIERS.contains(word)) {
                left = left.checked_sub(1)?;
            }
        }
        let token = self.token(left)?;
        if token.kind == TokenKind::Possessive {
            let owner = left.checked_sub(1).and_then(|at| self.person(at))?;
            return Some((vec![owner], left - 1));
        }
        if let Some(owner) = self.reading.referent(left) {
            return Some((vec![owner], left));
        }
        let after = self.token(self.at + 1).and_then(Token::word);
        let owned_by = matches!(after, Some("of" | "to"));
        if owned_by {
            let mut place = self.at + 2;
            place += usize::from(self.token(place).and_then(Token::word) == Some("the"));
            let owners = self.listed_members(place);
            if !owners.is_empty() {
                return Some((owners, left));
            }
        }
        None
    }

    /// The people listed from a token on: "Meg, Jo and Beth". A possessive after the last one takes it away: in "her
    /// friend Anna's house" it is the friend all the same, so it stays; "her mother, Anna's pet" is not told apart.
    fn listed_members(&self, from: usize) -> Vec<usize> {
        let mut at = from;
        // "her brother, the Captain"; "his friend, young Mr. Ware".
        while self.token(at).and_then(Token::word).is_some_and(|w| w == "the" || KIN_MODIFIERS.contains(w)) {
            at += 1;
        }
        let mut members = Vec::new();
        while let Some(member) = self.person(at) {
            members.push(member);
            at += 1;
            let comma = self.token(at).is_some_and(|token| token.is(','));
            let and = |at: usize| self.token(at).and_then(Token::word) == Some("and");
            at += match (comma, and(at), and(at + 1)) {
                (true, _, true) => 2,
                (true, _, _) | (_, true, _) => 1,
                _ => break,
            };
        }
        // A list needs a plural: "her sister Jane and Anna ran" names one sister.
        let plural = self
            .token(self.at)
            .and_then(Token::word)
            .is_some_and(|word| word.ends_with('s') || word == "children");
        if !plural {
            members.truncate(1);
        }
        members
    }

    /// The person in apposition before the owner's phrase, or its subject: "Anna, her sister", "Anna was her sister".
    fn member_before(&self, start: usize) -> Option<usize> {
        let mut at = start.checked_sub(1)?;
        if matches!(self.token(at).and_then(Token::word), Some("the" | "a" | "an")) {
            at = at.checked_sub(1)?;
        }
        let token = self.token(at)?;
        let linking =
            matches!(token.word(), Some("is" | "was" | "became" | "being" | "as" | "be" | "been" | "like"));
        if token.is(',') || linking {
            at = at.checked_sub(1)?;
            if matches!(self.token(at).and_then(Token::word), Some("is" | "was" | "not" | "had" | "has")) {
                at = at.checked_sub(1)?;
            }
            return self.person(at);
        }
        None
    }
}

/// "Aunt March" said by somebody, or told while somebody is spoken of, is somebody's relation.
fn titles(reading: &BookReading<'_>, out: &mut Vec<StatedTie>) {
    use crate::names::Title;
    let text = reading.document.text();
    for (at, token) in reading.tokens.iter().enumerate() {
        let Some(object) = token.name() else { continue };
        let member = &reading.cast.members[object];
        if !member.titles.iter().any(|title| matches!(title, Title::Kinswoman | Title::Kinsman)) {
            continue;
        }
        let written = token.span.slice(text).unwrap_or_default();
        let kin = ["Aunt", "Uncle", "Grand", "Cousin"].iter().any(|title| written.starts_with(title));
        let owner = match token.spoken {
            true => reading.speakers[token.paragraph],
            false => reading.tokens[reading.sentences[token.sentence].min(at)..at]
                .iter()
                .filter_map(Token::name)
                .find(|&other| reading.cast.members[other].kind == CastKind::Person && other != object),
        };
        if let Some(owner) = owner.filter(|&owner| kin && owner != object) {
            let strength = tuning().list.statements.kin_title;
            out.push(StatedTie { tie: Tie::Kin, owner, object, strength, span: token.span });
        }
    }
}

/// "Mr. Ware" and "Mrs. Ware".
fn couples(reading: &BookReading<'_>, out: &mut Vec<StatedTie>) {
    let mut wives: HashMap<&str, (Option<usize>, Option<usize>)> = HashMap::new();
    for (number, member) in reading.cast.members.iter().enumerate() {
        use crate::names::Title;
        let Some(surname) = member.surname.as_deref() else { continue };
        let titled = |title: Title| {
            member.titles.contains(&title)
                && member.aliases.iter().any(|alias| {
                    alias.text.split(' ').count() == 2
                        && alias.text.to_lowercase().ends_with(surname)
                        && match title {
                            Title::Mister => alias.text.starts_with("Mr"),
                            _ => alias.text.starts_with("Mrs"),
                        }
                })
        };
        let entry = wives.entry(surname).or_default();
        if entry.0.is_none() && titled(Title::Mister) && member.gender == Gender::Male {
            entry.0 = Some(number);
        } else if entry.1.is_none() && titled(Title::Missis) && member.gender == Gender::Female {
            entry.1 = Some(number);
        }
    }
    for couple in wives.values() {
        if let (Some(owner), Some(object)) = couple {
            let span = reading.cast.members[*object].spans[0];
            let strength = tuning().list.statements.couple;
            out.push(StatedTie { tie: Tie::Spouse, owner: *owner, object: *object, strength, span });
        }
    }
}
