//! The engine's terms (folded, stemmed, without common words) as tokens of the index.

use findall::retrieval::TermReader;
use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

/// Reads a text at once and hands its terms over one by one.
#[derive(Default)]
pub struct Terms {
    reader: TermReader,
    letters: String,
    /// Where each term ends in `letters`.
    ends: Vec<usize>,
}

impl Clone for Terms {
    /// Every thread learns the words that it meets by itself.
    fn clone(&self) -> Self {
        Self::default()
    }
}

pub struct Stream<'a> {
    letters: &'a str,
    ends: &'a [usize],
    next: usize,
    token: Token,
}

impl Tokenizer for Terms {
    type TokenStream<'a> = Stream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> Stream<'a> {
        self.letters.clear();
        self.ends.clear();
        let (letters, ends) = (&mut self.letters, &mut self.ends);
        self.reader.read(text, |_, term| {
            letters.push_str(term);
            ends.push(letters.len());
        });
        Stream { letters: &self.letters, ends: &self.ends, next: 0, token: Token::default() }
    }
}

impl TokenStream for Stream<'_> {
    fn advance(&mut self) -> bool {
        let Some(&end) = self.ends.get(self.next) else { return false };
        let start = self.next.checked_sub(1).map_or(0, |before| self.ends[before]);
        self.token.text.clear();
        self.token.text.push_str(&self.letters[start..end]);
        self.token.position = self.next;
        self.next += 1;
        true
    }

    fn token(&self) -> &Token {
        &self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.token
    }
}
