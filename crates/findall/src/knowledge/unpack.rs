//! Unpacks the blocks of a knowledge base: zstd with a dictionary, by the C library where there is one and in Rust in
//! a browser. A packed block in, its bytes out; nothing when it is damaged or longer than allowed.

#[cfg(not(target_arch = "wasm32"))]
pub(super) use native::Unpacker;
#[cfg(target_arch = "wasm32")]
pub(super) use portable::Unpacker;

#[cfg(not(target_arch = "wasm32"))]
mod native {
    use zstd::bulk::Decompressor;

    pub struct Unpacker(Decompressor<'static>);

    impl Unpacker {
        pub fn new(dictionary: &[u8]) -> Option<Self> {
            Decompressor::with_dictionary(dictionary).ok().map(Self)
        }

        pub fn unpack(&mut self, packed: &[u8], longest: usize) -> Option<Vec<u8>> {
            let size = Decompressor::upper_bound(packed).filter(|size| *size <= longest)?;
            self.0.decompress(packed, size).ok()
        }
    }
}

#[cfg(target_arch = "wasm32")]
mod portable {
    use ruzstd::decoding::{Dictionary, FrameDecoder};

    pub struct Unpacker(FrameDecoder);

    impl Unpacker {
        pub fn new(dictionary: &[u8]) -> Option<Self> {
            let mut decoder = FrameDecoder::new();
            if !dictionary.is_empty() {
                decoder.add_dict(Dictionary::decode_dict(dictionary).ok()?).ok()?;
            }
            Some(Self(decoder))
        }

        pub fn unpack(&mut self, packed: &[u8], longest: usize) -> Option<Vec<u8>> {
            self.0.reset(packed).ok()?;
            let size = usize::try_from(self.0.content_size()).ok().filter(|size| *size <= longest)?;
            let mut unpacked = vec![0; size];
            let written = self.0.decode_all(packed, &mut unpacked).ok()?;
            (written == size).then_some(unpacked)
        }
    }
}
