//! The way back: ranges of decoded text enter, ranges of the bytes that they were decoded from leave.

use std::ops::Range;
use std::sync::Arc;

use encoding_rs::Encoding;

/// Characters of UTF-32 between two that are noted.
pub(super) const UTF32_STEP: usize = 256;

/// Leads from ranges of the decoded text to ranges of the bytes it was decoded from.
#[derive(Clone, Debug)]
pub(crate) enum ByteMap {
    /// The bytes are the text, after `skipped` bytes of BOM.
    Same { skipped: usize },
    /// Another encoding: the bytes are kept and short chunks of them decoded anew when asked.
    /// A table of every character would weigh more than the text.
    Other { source: Arc<[u8]>, encoding: &'static Encoding, chunks: Vec<Chunk> },
    /// UTF-32, which the web has no decoder for: where every so many characters of the text start, and how long each
    /// character is in the text.
    Utf32 { steps: Vec<u32>, lengths: Arc<[u8]> },
    /// UTF-8 with stray bytes in it: where each stands and what it became.
    Mixed { strays: Vec<StrayBytes> },
}

/// Bytes that are no UTF-8, in the text and in the source.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StrayBytes {
    pub(super) text: u32,
    pub(super) source: u32,
    pub(super) text_len: u8,
    pub(super) source_len: u8,
}

/// A stretch of bytes that decodes on its own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chunk {
    pub(super) text: usize,
    pub(super) source: usize,
}

impl ByteMap {
    /// The bytes that the given range of decoded text came from.
    pub fn source(&self, range: Range<usize>) -> Range<usize> {
        match self {
            ByteMap::Same { skipped } => range.start + skipped..range.end + skipped,
            ByteMap::Utf32 { steps, lengths } => {
                let start = utf32_char_at(steps, lengths, range.start);
                let end = match range.is_empty() {
                    true => start,
                    false => utf32_char_at(steps, lengths, range.end - 1) + 1,
                };
                4 * (start + 1)..4 * (end + 1)
            }
            ByteMap::Mixed { strays } => {
                let start = mixed_offset(strays, range.start, Side::Start);
                start..mixed_offset(strays, range.end, Side::End).max(start)
            }
            ByteMap::Other { .. } => {
                let start = self.offset(range.start, Side::Start);
                let end = self.offset(range.end, Side::End);
                start..end.max(start)
            }
        }
    }

    fn offset(&self, text_offset: usize, side: Side) -> usize {
        let ByteMap::Other { source, encoding, chunks } = self else { return text_offset };
        let at = chunks.partition_point(|chunk| chunk.text <= text_offset).saturating_sub(1);
        let Some(&chunk) = chunks.get(at) else { return 0 };
        let end = chunks.get(at + 1).map_or(source.len(), |next| next.source);
        let bytes = &source[chunk.source..end];
        chunk.source + offset_in_chunk(bytes, encoding, text_offset - chunk.text, side)
    }
}

/// Which edge of a range is sought; a character that straddles the offset is taken in whole.
#[derive(Clone, Copy, PartialEq)]
enum Side {
    Start,
    End,
}

/// Decodes byte by byte until `wanted` bytes of text are out. Chunks are short, so this stays cheap.
fn offset_in_chunk(bytes: &[u8], encoding: &'static Encoding, wanted: usize, side: Side) -> usize {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let mut buffer = [0u8; 64];
    let (mut written, mut char_start) = (0, 0);
    if wanted == 0 {
        return 0;
    }
    for at in 0..bytes.len() {
        let (_, _, out, _) = decoder.decode_to_utf8(&bytes[at..=at], &mut buffer, false);
        if out == 0 {
            continue;
        }
        if written + out > wanted && side == Side::Start {
            return char_start;
        }
        written += out;
        char_start = at + 1;
        if written >= wanted {
            return char_start;
        }
    }
    bytes.len()
}

/// Where an offset of a mixed text lies in its bytes.
fn mixed_offset(strays: &[StrayBytes], offset: usize, side: Side) -> usize {
    let at = strays.partition_point(|stray| stray.text as usize <= offset);
    let Some(stray) = at.checked_sub(1).map(|at| strays[at]) else { return offset };
    let (text, source) = (stray.text as usize, stray.source as usize);
    match (offset - text).checked_sub(usize::from(stray.text_len)) {
        Some(beyond) => source + usize::from(stray.source_len) + beyond,
        None if side == Side::Start || offset == text => source,
        None => source + usize::from(stray.source_len),
    }
}

/// The number of the character that holds this byte of the text.
fn utf32_char_at(steps: &[u32], lengths: &[u8], byte: usize) -> usize {
    let step = steps.partition_point(|&start| start as usize <= byte).saturating_sub(1);
    let mut start = steps.get(step).map_or(0, |&start| start as usize);
    let mut number = step * UTF32_STEP;
    while let Some(&length) = lengths.get(number).filter(|&&length| start + usize::from(length) <= byte) {
        start += usize::from(length);
        number += 1;
    }
    number
}
