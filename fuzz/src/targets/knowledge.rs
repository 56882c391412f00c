//! A knowledge base file, checksums repaired: opening, looking up, reading and verifying must never panic or hang.

use findall::knowledge::KnowledgeBase;
use xxhash_rust::xxh3::xxh3_64;

pub fn knowledge(data: &[u8]) {
    let mut bytes = data.to_vec();
    repair(&mut bytes);
    let Ok(kb) = KnowledgeBase::from_bytes(bytes) else {
        return;
    };
    for surface in ["Mercury", "mercury planet", "a", "the", "", "Zürich's", "mobile apps"] {
        for candidate in kb.candidates(surface) {
            if let Ok(record) = kb.record(candidate.id) {
                record.knowledge_text();
            }
        }
        kb.find_title(surface);
        kb.names_from(surface, 20);
    }
    let _ = kb.verify();
}

/// Makes length and checksums of the header right, and the checksum of the first section.
fn repair(bytes: &mut [u8]) {
    const HEADER: usize = 24;
    const ENTRY: usize = 32;
    if bytes.len() < HEADER + 8 {
        return;
    }
    let length = bytes.len() as u64;
    bytes[..8].copy_from_slice(b"findallK");
    bytes[8..12].copy_from_slice(&1u32.to_le_bytes());
    bytes[16..24].copy_from_slice(&length.to_le_bytes());
    let count = u32::from_le_bytes([bytes[12], bytes[13], bytes[14], bytes[15]]) as usize;
    let table = HEADER.saturating_add(ENTRY.saturating_mul(count));
    if table + 8 > bytes.len() {
        return;
    }
    let field = |bytes: &[u8], at: usize| {
        u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap_or_default()) as usize
    };
    if count > 0 {
        let (start, size) = (field(bytes, HEADER + 8), field(bytes, HEADER + 16));
        if let Some(section) = bytes.get(start..start.saturating_add(size)) {
            let checksum = xxh3_64(section);
            bytes[HEADER + 24..HEADER + 32].copy_from_slice(&checksum.to_le_bytes());
        }
    }
    let checksum = xxh3_64(&bytes[..table]);
    bytes[table..table + 8].copy_from_slice(&checksum.to_le_bytes());
}
