//! How much a PDF's object streams unpack to. They are unpacked while the file is loaded, all of them, so their sizes are
//! measured before: bytes of the file in, the size of the largest one out, or a refusal.

use std::io::Read;

use flate2::read::ZlibDecoder;

use crate::document::limits::Limits;
use crate::error::DocumentError;

/// All object streams together may unpack to this many times the file's size.
const MAX_UNPACKED_RATIO: usize = 64;
/// A small file may unpack to this much in any case.
const MIN_UNPACKED_BYTES: usize = 64 << 20;
/// No file may unpack to more than this.
const MAX_UNPACKED_BYTES: usize = 512 << 20;
/// Streams that are not measured (encrypted, or packed in another way) may each have this much.
const MIN_STREAM_BYTES: usize = 1 << 20;
/// The dictionary of a stream begins this far before its keyword at most.
const MAX_DICTIONARY_BYTES: usize = 1024;

/// The most bytes that one stream needs while the file is loaded.
pub(super) fn measure_object_streams(bytes: &[u8], limits: &Limits) -> Result<usize, DocumentError> {
    let budget = bytes.len().saturating_mul(MAX_UNPACKED_RATIO).clamp(MIN_UNPACKED_BYTES, MAX_UNPACKED_BYTES);
    let budget = budget.min(limits.text_bytes.max(MIN_STREAM_BYTES));
    let (mut total, mut largest, mut unmeasured) = (0usize, 0usize, 0usize);
    for at in memchr::memmem::find_iter(bytes, b"/ObjStm") {
        match packed_bytes(bytes, at) {
            Some(packed) => {
                let size = unpacked_size(packed, budget - total);
                total += size;
                largest = largest.max(size);
                if total >= budget {
                    let detail = format!("its objects unpack to over {budget} bytes");
                    return Err(DocumentError::ZipBomb { detail });
                }
            }
            None => unmeasured += 1,
        }
    }
    let share = (budget - total) / (unmeasured + 1);
    // Cross-reference streams, which go by the same limit, are smaller than what they refer to.
    Ok(largest.max(share).max(MIN_STREAM_BYTES).max(bytes.len().min(MAX_UNPACKED_BYTES)))
}

/// The packed bytes of the stream in whose dictionary `at` lies, if they are packed the common way.
fn packed_bytes(bytes: &[u8], at: usize) -> Option<&[u8]> {
    let head = &bytes[at..bytes.len().min(at + MAX_DICTIONARY_BYTES)];
    let keyword = memchr::memmem::find(head, b"stream")?;
    let rest = &bytes[at + keyword + b"stream".len()..];
    let rest = rest.strip_prefix(b"\r").unwrap_or(rest);
    let rest = rest.strip_prefix(b"\n").unwrap_or(rest);
    // The two bytes that zlib data begins with.
    let zlib =
        rest.len() > 2 && rest[0] & 0x0F == 8 && u16::from_be_bytes([rest[0], rest[1]]).is_multiple_of(31);
    zlib.then_some(rest)
}

/// How many bytes come out, counted up to `most`.
fn unpacked_size(packed: &[u8], most: usize) -> usize {
    let mut reader = ZlibDecoder::new(packed).take(most as u64);
    let mut buffer = [0; 16 * 1024];
    let mut size = 0;
    while let Ok(read @ 1..) = reader.read(&mut buffer) {
        size += read;
    }
    size
}
