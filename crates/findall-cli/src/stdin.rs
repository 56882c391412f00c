//! Standard input as bytes: all of it, or, where a search by letters stops after so many lines, only as far as they stand.
//! Whoever writes into the pipe need not come to an end then.

use std::io::{self, Read};

use findall::document::{Document, Format, Limits};

use crate::search::Searcher;

/// Bytes asked for at a time: what a pipe holds.
const PIECE_BYTES: usize = 64 * 1024;

/// When a search has read enough.
#[derive(Clone, Copy)]
pub struct LineQuota<'s> {
    /// Says what matches.
    pub searcher: &'s Searcher,
    /// Matching lines that are shown.
    pub lines: usize,
    /// Lines that are shown after the last of them.
    pub after: usize,
}

/// Reads to the end, to the limit, or until there is enough. Only whole lines count, each piece of them by itself: a match
/// that two pieces share is counted too late, never too early.
pub fn read(mut source: impl Read, enough: Option<LineQuota<'_>>, limits: &Limits) -> io::Result<Vec<u8>> {
    // One byte past the limit, so that the engine can tell that there was more.
    let most = limits.source_bytes.saturating_add(1);
    let mut bytes = Vec::new();
    let Some(enough) = enough else {
        source.take(most as u64).read_to_end(&mut bytes)?;
        return Ok(bytes);
    };
    let mut piece = vec![0; PIECE_BYTES];
    let mut count = LineCount::default();
    let mut counted_to = 0;
    while bytes.len() < most {
        let wanted = PIECE_BYTES.min(most - bytes.len());
        let length = match source.read(&mut piece[..wanted]) {
            Ok(0) => break,
            Ok(length) => length,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        bytes.extend_from_slice(&piece[..length]);
        let Some(newline) = memchr::memrchr(b'\n', &bytes[counted_to..]).filter(|_| is_plain(&bytes)) else {
            continue;
        };
        let lines = counted_to..counted_to + newline + 1;
        counted_to = lines.end;
        count.add(&bytes[lines], &enough, limits);
        if count.matching >= enough.lines && count.after >= enough.after {
            bytes.truncate(counted_to);
            break;
        }
    }
    Ok(bytes)
}

/// Text whose lines end with a newline byte; other formats and encodings can only be read whole.
fn is_plain(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(PIECE_BYTES)];
    !head.contains(&0) && Format::guess(head, None) == Ok(Format::Text)
}

#[derive(Default)]
struct LineCount {
    /// Lines that match.
    matching: usize,
    /// Lines after the last one that is shown.
    after: usize,
}

impl LineCount {
    fn add(&mut self, lines: &[u8], enough: &LineQuota<'_>, limits: &Limits) {
        let newlines = |text: &[u8]| memchr::memchr_iter(b'\n', text).count();
        if self.matching >= enough.lines {
            self.after += newlines(lines);
            return;
        }
        let Ok(document) = Document::from_bytes(lines, Some(Format::Text), limits) else { return };
        let wanted = enough.lines - self.matching;
        let (found, end) = enough.searcher.first_lines(&document, wanted);
        self.matching += found;
        if found >= wanted {
            // The first newline ends the matching line itself.
            self.after = newlines(&document.text().as_bytes()[end..]).saturating_sub(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::config::layer::Layer;
    use crate::search::MatchRules;

    /// Gives so many pieces, and must not be asked for more.
    struct Pieces(Vec<&'static [u8]>);

    impl Read for Pieces {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            assert!(!self.0.is_empty(), "it reads on");
            let piece = self.0.remove(0);
            into[..piece.len()].copy_from_slice(piece);
            Ok(piece.len())
        }
    }

    fn read_for(query: &str, lines: usize, after: usize, pieces: &[&'static [u8]]) -> Vec<u8> {
        let rules = MatchRules { exact: true, whole_words: false, without: None, guess: false };
        let searcher = Searcher::new(query, rules, &Config::build(Layer::default()).unwrap()).unwrap();
        let enough = LineQuota { searcher: &searcher, lines, after };
        read(Pieces(pieces.to_vec()), Some(enough), &Limits::default()).unwrap()
    }

    #[test]
    fn no_more_is_read_than_is_shown() {
        assert_eq!(read_for("word", 2, 0, &[b"a word\nno\nthe wo", b"rd\nrest"]), b"a word\nno\nthe word\n");
        assert_eq!(read_for("word", 1, 0, &[b"word word\n"]), b"word word\n");
        assert_eq!(read_for("word", 1, 2, &[b"word\nb\n", b"c\nd"]), b"word\nb\nc\n");
    }

    #[test]
    fn what_is_no_plain_text_is_read_whole() {
        let page: [&[u8]; 3] = [b"<!DOCTYPE html>\nword\n", b"word\n", b""];
        assert_eq!(read_for("word", 1, 0, &page), page.concat());
        let wide: [&[u8]; 3] = [b"\xff\xfew\0o\0r\0d\0\n\0", b"w\0\n\0", b""];
        assert_eq!(read_for("word", 1, 0, &wide), wide.concat());
        let few: [&[u8]; 3] = [b"word\n", b"word without an end", b""];
        assert_eq!(read_for("word", 3, 0, &few), few.concat());
    }
}
