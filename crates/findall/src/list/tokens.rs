//! A book as tokens: words, signs and resolved names, each knowing its sentence, its paragraph and whether it is
//! spoken.

use crate::document::Document;
use crate::names::Cast;
use crate::span::Span;

/// What a token is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// A member of the cast, by number.
    Name(usize),
    /// A word, in small letters.
    Word(String),
    /// The "'s" of a name or word.
    Possessive,
    /// A sign.
    Sign(char),
}

/// One token.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub kind: TokenKind,
    pub span: Span,
    pub sentence: usize,
    pub paragraph: usize,
    /// True between quotation marks.
    pub spoken: bool,
}

impl Token {
    pub fn word(&self) -> Option<&str> {
        match &self.kind {
            TokenKind::Word(word) => Some(word),
            _ => None,
        }
    }

    pub fn name(&self) -> Option<usize> {
        match self.kind {
            TokenKind::Name(member) => Some(member),
            _ => None,
        }
    }

    pub fn is(&self, sign: char) -> bool {
        self.kind == TokenKind::Sign(sign)
    }
}

/// All tokens of a document, in order.
pub(super) fn tokens(document: &Document, cast: &Cast) -> Vec<Token> {
    let text = document.text();
    let names = cast.occurrences();
    let sentences = document.sentences();
    let (mut at, mut next_name, mut sentence, mut paragraph) = (0, 0, 0, 0);
    let mut quotes = Quotes::default();
    let mut out: Vec<Token> = Vec::with_capacity(text.len() / 5);
    while at < text.len() {
        while names.get(next_name).is_some_and(|(span, _)| span.start < at) {
            next_name += 1;
        }
        while sentences.get(sentence).is_some_and(|span| span.end <= at) {
            sentence += 1;
        }
        let Some(first) = text[at..].chars().next() else { break };
        if first.is_whitespace() {
            let blank =
                text[at..].chars().take_while(|c| c.is_whitespace()).map(char::len_utf8).sum::<usize>();
            if text[at..at + blank].matches('\n').count() > 1 {
                paragraph += 1;
                quotes = Quotes::default();
            }
            at += blank;
            continue;
        }
        let (kind, end) = match names.get(next_name) {
            Some((span, member)) if span.start == at => (TokenKind::Name(*member), span.end),
            _ => read(text, at, first),
        };
        if let TokenKind::Sign(sign) = kind {
            quotes.sign(sign, text, at);
        }
        out.push(Token { kind, span: Span::new(at, end), sentence, paragraph, spoken: quotes.open() });
        at = end;
    }
    out
}

/// The word or sign that starts at `at`.
fn read(text: &str, at: usize, first: char) -> (TokenKind, usize) {
    let rest = &text[at..];
    for ending in ["'s", "’s"] {
        let whole = rest.strip_prefix(ending).is_some_and(|after| !after.starts_with(char::is_alphanumeric));
        if whole && at > 0 && text[..at].ends_with(char::is_alphanumeric) {
            return (TokenKind::Possessive, at + ending.len());
        }
    }
    if !first.is_alphanumeric() {
        return (TokenKind::Sign(first), at + first.len_utf8());
    }
    let mut end = at;
    let mut chars = rest.char_indices().peekable();
    while let Some((place, c)) = chars.next() {
        let inner = c == '-' && chars.peek().is_some_and(|(_, next)| next.is_alphanumeric());
        if !(c.is_alphanumeric() || inner) {
            break;
        }
        end = at + place + c.len_utf8();
    }
    (TokenKind::Word(text[at..end].to_lowercase()), end)
}

/// Which quotation marks are open.
#[derive(Default)]
struct Quotes {
    double: bool,
    single: bool,
}

impl Quotes {
    fn open(&self) -> bool {
        self.double || self.single
    }

    fn sign(&mut self, sign: char, text: &str, at: usize) {
        let before = text[..at].chars().next_back();
        let after = text[at + sign.len_utf8()..].chars().next();
        let opens = before.is_none_or(|c| c.is_whitespace() || "-—(\"“".contains(c))
            && after.is_some_and(char::is_alphanumeric);
        let closes = before.is_some_and(|c| ".,!?;:-—".contains(c));
        match sign {
            '“' => self.double = true,
            '”' => self.double = false,
            '"' => self.double = !self.double,
            '\'' | '‘' if opens => self.single = true,
            '\'' | '’' if closes => self.single = false,
            _ => {}
        }
    }
}
