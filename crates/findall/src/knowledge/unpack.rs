//! Unpacks the blocks of a knowledge base: zstd with a dictionary, by the C library where there is one and in Rust in
//! a browser. A packed block in, its bytes out; nothing when it is damaged or longer than allowed.

#[cfg(not(target_arch = "wasm32"))]
use native::{Decoder, decode, open_decoder};
#[cfg(target_arch = "wasm32")]
use portable::{Decoder, decode, open_decoder};

/// What unpacks the blocks of one base.
pub(super) struct Unpacker(Decoder);

impl Unpacker {
    pub fn new(dictionary: &[u8]) -> Option<Self> {
        open_decoder(dictionary).map(Self)
    }

    pub fn unpack(&mut self, packed: &[u8], longest: usize) -> Option<Vec<u8>> {
        decode(&mut self.0, packed, longest)
    }
}

#[cfg(not(target_arch = "wasm32"))]
mod native {
    use zstd::bulk::Decompressor;

    pub type Decoder = Decompressor<'static>;

    pub fn open_decoder(dictionary: &[u8]) -> Option<Decoder> {
        Decompressor::with_dictionary(dictionary).ok()
    }

    pub fn decode(decoder: &mut Decoder, packed: &[u8], longest: usize) -> Option<Vec<u8>> {
        let size = Decompressor::upper_bound(packed).filter(|size| *size <= longest)?;
        decoder.decompress(packed, size).ok()
    }
}

#[cfg(target_arch = "wasm32")]
mod portable {
    use ruzstd::decoding::{Dictionary, FrameDecoder};

    pub type Decoder = FrameDecoder;

    pub fn open_decoder(dictionary: &[u8]) -> Option<Decoder> {
        let mut decoder = FrameDecoder::new();
        if !dictionary.is_empty() {
            decoder.add_dict(Dictionary::decode_dict(dictionary).ok()?).ok()?;
        }
        Some(decoder)
    }

    pub fn decode(decoder: &mut Decoder, packed: &[u8], longest: usize) -> Option<Vec<u8>> {
        decoder.reset(packed).ok()?;
        let size = usize::try_from(decoder.content_size()).ok().filter(|size| *size <= longest)?;
        let mut unpacked = vec![0; size];
        let written = decoder.decode_all(packed, &mut unpacked).ok()?;
        (written == size).then_some(unpacked)
    }
}
