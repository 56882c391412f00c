//! BERT's uncased WordPiece tokenizer: text in, pieces with their byte ranges out.
//!
//! Written here because the ranges must be exact whatever the text holds (accents, marks, emoji, control characters)
//! and hostile text must not panic; `rten-text` 0.27 gives shifted offsets after accents and panics on some words.
//! Special tokens are never read out of the text: `[SEP]` in a page is three ordinary words.

use std::path::Path;

use rustc_hash::FxHashMap;
use serde::Deserialize;
use unicode_normalization::char::decompose_canonical;
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};

use crate::error::LoadError;

/// A piece of a word, as the network sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Its number in the vocabulary.
    pub id: i32,
    /// First byte of the text it stands for.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// True for the first piece of a word.
    pub begins_word: bool,
}

/// The vocabulary and the rules that cut a text into its pieces.
pub struct Tokenizer {
    /// Pieces that begin a word.
    starts: FxHashMap<Box<str>, i32>,
    /// Pieces that continue one, without their `##`.
    continuations: FxHashMap<Box<str>, i32>,
    /// Longest entry in bytes: no longer candidate needs to be looked up.
    longest: usize,
    unknown: i32,
    /// Stands before every text.
    pub(crate) first: i32,
    /// Stands after every text.
    pub(crate) separator: i32,
}

/// Words of more characters are one unknown piece, as in BERT.
const MAX_WORD_CHARS: usize = 100;

#[derive(Deserialize)]
struct File {
    normalizer: Normalizer,
    model: Model,
}

#[derive(Deserialize)]
struct Normalizer {
    r#type: String,
    lowercase: bool,
}

#[derive(Deserialize)]
struct Model {
    vocab: FxHashMap<Box<str>, i32>,
    continuing_subword_prefix: String,
}

impl Tokenizer {
    /// Reads the contents of a Hugging Face `tokenizer.json` that describes an uncased BERT tokenizer.
    pub fn from_json(json: &[u8], path: &Path) -> Result<Self, LoadError> {
        let refuse = |reason: String| LoadError::Tokenizer { path: path.to_owned(), reason };
        let file: File = serde_json::from_slice(json).map_err(|e| refuse(e.to_string()))?;
        if file.normalizer.r#type != "BertNormalizer" || !file.normalizer.lowercase {
            return Err(refuse("not an uncased BERT tokenizer".into()));
        }
        if file.model.continuing_subword_prefix != "##" {
            return Err(refuse("pieces must continue words with ##".into()));
        }
        let special = |name: &str| {
            let id = file.model.vocab.get(name).copied();
            id.ok_or_else(|| refuse(format!("{name} is not in the vocabulary")))
        };
        let (unknown, first, separator) = (special("[UNK]")?, special("[CLS]")?, special("[SEP]")?);
        let longest = file.model.vocab.keys().map(|k| k.len()).max().unwrap_or(0);
        let (continuations, starts): (Vec<_>, Vec<_>) =
            file.model.vocab.into_iter().partition(|(text, _)| text.len() > 2 && text.starts_with("##"));
        Ok(Self {
            starts: starts.into_iter().collect(),
            continuations: continuations.into_iter().map(|(text, id)| (text[2..].into(), id)).collect(),
            longest,
            unknown,
            first,
            separator,
        })
    }

    /// Whole words of the vocabulary, the most common first: that is how such vocabularies are numbered.
    pub fn words(&self) -> Vec<&str> {
        let whole = |word: &str| word.len() > 2 && word.chars().all(char::is_alphabetic);
        let mut words: Vec<(i32, &str)> =
            self.starts.iter().filter(|(word, _)| whole(word)).map(|(word, id)| (*id, &**word)).collect();
        words.sort_unstable();
        words.into_iter().map(|(_, word)| word).collect()
    }

    /// True when this lower-case word is in the vocabulary whole.
    pub fn knows(&self, word: &str) -> bool {
        self.starts.contains_key(word)
    }

    /// The pieces of `text`, at most `limit` of them: a text of any size costs no more than what is kept.
    pub fn pieces(&self, text: &str, limit: usize) -> Vec<Piece> {
        let mut pieces = Vec::with_capacity(limit.min(text.len() / 3 + 4));
        let mut word = Word::default();
        for (at, c) in text.char_indices() {
            if pieces.len() >= limit {
                break;
            }
            let end = at + c.len_utf8();
            if c.is_ascii_alphanumeric() {
                word.push(c.to_ascii_lowercase(), at, end);
            } else if c.is_whitespace() {
                self.finish(&mut word, &mut pieces);
            } else if c == '\0' || c == '\u{fffd}' || is_control(c) {
                // Dropped without ending the word, as BERT does: a soft hyphen does not split its word.
            } else if is_cjk(c) {
                self.push_alone(c, at, end, &mut word, &mut pieces);
            } else {
                decompose_canonical(c, |part| {
                    if part.general_category() == GeneralCategory::NonspacingMark {
                        word.extend_to(end);
                    } else {
                        for lower in part.to_lowercase() {
                            if is_punctuation(lower) {
                                self.push_alone(lower, at, end, &mut word, &mut pieces);
                            } else {
                                word.push(lower, at, end);
                            }
                        }
                    }
                });
            }
        }
        self.finish(&mut word, &mut pieces);
        pieces.truncate(limit);
        pieces
    }

    /// Ends the word at hand and adds `c` as a word of its own.
    fn push_alone(&self, c: char, start: usize, end: usize, word: &mut Word, pieces: &mut Vec<Piece>) {
        self.finish(word, pieces);
        word.push(c, start, end);
        self.finish(word, pieces);
    }

    /// Cuts the word greedily into the longest pieces known; one unknown piece if that fails anywhere.
    fn finish(&self, word: &mut Word, pieces: &mut Vec<Piece>) {
        if word.text.is_empty() {
            return;
        }
        let before = pieces.len();
        let mut at = 0;
        let mut known = word.chars <= MAX_WORD_CHARS;
        while known && at < word.text.len() {
            let table = if at == 0 { &self.starts } else { &self.continuations };
            let mut end = word.text.len().min(at + self.longest);
            while !word.text.is_char_boundary(end) {
                end -= 1;
            }
            let found = loop {
                if end == at {
                    break None;
                }
                if let Some(&id) = table.get(&word.text[at..end]) {
                    break Some(id);
                }
                end -= 1;
                while !word.text.is_char_boundary(end) {
                    end -= 1;
                }
            };
            let Some(id) = found else {
                known = false;
                break;
            };
            let last = word.sources.len().min(end) - 1;
            pieces.push(Piece {
                id,
                start: word.sources[at].0,
                end: word.sources[last].1,
                begins_word: at == 0,
            });
            at = end;
        }
        let (start, end) = (word.sources[0].0, word.sources[word.sources.len() - 1].1);
        if known {
            // Marks that were dropped after the last letter still belong to the word.
            if let Some(last) = pieces.last_mut() {
                last.end = end;
            }
        } else {
            pieces.truncate(before);
            pieces.push(Piece { id: self.unknown, start, end, begins_word: true });
        }
        word.clear();
    }
}

/// The word being read: its folded text, and for every byte of that the range of source bytes behind it.
#[derive(Default)]
struct Word {
    text: String,
    sources: Vec<(usize, usize)>,
    chars: usize,
}

impl Word {
    fn push(&mut self, c: char, start: usize, end: usize) {
        // Past the limit the word is unknown anyway; only its end still matters, and memory stays bounded.
        if self.chars > MAX_WORD_CHARS {
            self.extend_to(end);
            return;
        }
        self.text.push(c);
        self.chars += 1;
        self.sources.extend(std::iter::repeat_n((start, end), c.len_utf8()));
    }

    fn extend_to(&mut self, end: usize) {
        if let Some(last) = self.sources.last_mut() {
            last.1 = end;
        }
    }

    fn clear(&mut self) {
        self.text.clear();
        self.sources.clear();
        self.chars = 0;
    }
}

fn is_control(c: char) -> bool {
    matches!(
        c.general_category(),
        GeneralCategory::Control | GeneralCategory::Format | GeneralCategory::PrivateUse
    )
}

fn is_punctuation(c: char) -> bool {
    c.is_ascii_punctuation() || c.general_category_group() == GeneralCategoryGroup::Punctuation
}

/// The blocks that BERT treats as Chinese: every character is a word.
fn is_cjk(c: char) -> bool {
    matches!(c as u32,
        0x4E00..=0x9FFF | 0x3400..=0x4DBF | 0x20000..=0x2A6DF | 0x2A700..=0x2B73F
        | 0x2B740..=0x2B81F | 0x2B920..=0x2CEAF | 0xF900..=0xFAFF | 0x2F800..=0x2FA1F)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokenizer() -> Tokenizer {
        let words =
            ["[UNK]", "[CLS]", "[SEP]", "find", "##all", "cafe", "s", "##s", "'", "[", "]", "sep", "中"];
        let vocab: serde_json::Map<_, _> =
            words.iter().enumerate().map(|(i, w)| (w.to_string(), i.into())).collect();
        let json = serde_json::json!({
            "normalizer": {"type": "BertNormalizer", "lowercase": true},
            "model": {"vocab": vocab, "continuing_subword_prefix": "##"}
        });
        Tokenizer::from_json(json.to_string().as_bytes(), Path::new("tokenizer.json")).unwrap()
    }

    /// Id, text behind it, whether it begins a word.
    type PieceView<'t> = (i32, &'t str, bool);

    fn cut_pieces(text: &str) -> Vec<PieceView<'_>> {
        let pieces = tokenizer().pieces(text, 100);
        pieces.iter().map(|p| (p.id, &text[p.start..p.end], p.begins_word)).collect()
    }

    #[test]
    fn pieces_keep_their_place_in_the_text() {
        let cases: &[(&str, &[PieceView])] = &[
            ("FindAll", &[(3, "Find", true), (4, "All", false)]),
            ("Café's", &[(5, "Café", true), (8, "'", true), (6, "s", true)]),
            ("cafe\u{301} s", &[(5, "cafe\u{301}", true), (6, "s", true)]),
            ("find\u{ad}all", &[(3, "find", true), (4, "all", false)]),
            ("s中s", &[(6, "s", true), (12, "中", true), (6, "s", true)]),
            ("findx s", &[(0, "findx", true), (6, "s", true)]),
            ("[SEP]", &[(9, "[", true), (11, "SEP", true), (10, "]", true)]),
            ("\u{301}\0\u{fffd} ", &[]),
        ];
        for (text, expected) in cases {
            assert_eq!(&cut_pieces(text), expected, "{text:?}");
        }
    }

    #[test]
    fn long_words_are_one_unknown_piece_and_the_limit_holds() {
        let text = "s".repeat(5000);
        assert_eq!(cut_pieces(&text), [(0, text.as_str(), true)]);
        assert_eq!(tokenizer().pieces(&"s ".repeat(1000), 7).len(), 7);
    }
}
