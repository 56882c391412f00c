//! The bytes of a stream unpacked under a limit. Its filters may be named in the stream, or lie elsewhere in the file as
//! references, or go by their short names.

use lopdf::{Document as Pdf, Object, Stream};

/// Filters that one stream may name; real ones name two at most.
const MAX_FILTERS: usize = 8;

/// What the stream holds, or why it cannot be unpacked within `limit` bytes.
pub(super) fn unpack_stream(stream: &Stream, pdf: &Pdf, limit: usize) -> Result<Vec<u8>, lopdf::Error> {
    let filters = names(stream.dict.get(b"Filter").ok(), pdf);
    if filters.is_empty() {
        return match stream.content.len() > limit {
            true => Err(lopdf::DecompressError::MemoryLimitExceeded { limit }.into()),
            false => Ok(stream.content.clone()),
        };
    }
    let mut plain = Stream { dict: lopdf::Dictionary::new(), ..stream.clone() };
    plain.dict.set("Filter", Object::Array(filters));
    if let Some(settings) = settings(stream, pdf) {
        plain.dict.set("DecodeParms", settings);
    }
    plain.decompressed_content_with_limit(limit)
}

/// Filter names in full, in order; encryption is undone before.
fn names(object: Option<&Object>, pdf: &Pdf) -> Vec<Object> {
    let resolve = |object| pdf.dereference(object).ok().map(|(_, object)| object);
    let listed: Vec<&Object> = match object.and_then(resolve) {
        Some(Object::Array(list)) => list.iter().take(MAX_FILTERS).filter_map(resolve).collect(),
        Some(name) => vec![name],
        None => Vec::new(),
    };
    let full = |name: &[u8]| match name {
        b"Fl" => b"FlateDecode".to_vec(),
        b"LZW" => b"LZWDecode".to_vec(),
        b"A85" => b"ASCII85Decode".to_vec(),
        b"AHx" => b"ASCIIHexDecode".to_vec(),
        b"RL" => b"RunLengthDecode".to_vec(),
        other => other.to_vec(),
    };
    let named = listed.into_iter().filter_map(|name| name.as_name().ok());
    named.filter(|name| *name != b"Crypt").map(|name| Object::Name(full(name))).collect()
}

fn settings(stream: &Stream, pdf: &Pdf) -> Option<Object> {
    let resolve = |object| pdf.dereference(object).ok().map(|(_, object)| object.clone());
    match stream.dict.get(b"DecodeParms").or_else(|_| stream.dict.get(b"DP")).ok().and_then(resolve)? {
        Object::Array(list) => {
            let each = list.iter().take(MAX_FILTERS).map(|item| resolve(item).unwrap_or(Object::Null));
            Some(Object::Array(each.collect()))
        }
        settings => Some(settings),
    }
}
