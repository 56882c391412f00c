//! Made-up texts whose words are as common and rare as those of a language (Zipf), for measuring speed only.

use std::path::Path;

use crate::store::RandomSource;

/// Distinct words.
const DISTINCT_WORDS: u64 = 40_000;

const SYLLABLES: [&str; 16] =
    ["ba", "ren", "ti", "lo", "mus", "ka", "vel", "dor", "in", "se", "pra", "go", "nu", "that", "el", "fi"];

/// The word of a rank; names begin with a capital.
fn word(rank: u64) -> String {
    let mut number = rank + 16;
    let mut word = String::new();
    while number > 0 {
        word.push_str(SYLLABLES[(number % 16) as usize]);
        number /= 16;
    }
    word
}

/// About as many words as a sentence has, the commonest most often, one name among them.
pub fn sentence(random: &mut RandomSource) -> String {
    let length = 8 + random.below(18);
    let mut text = String::new();
    let name = random.below(length);
    for at in 0..length {
        // The logarithm of the rank is even: Zipf's law.
        let rank = (DISTINCT_WORDS as f64).powf(random.below(1_000_000) as f64 / 1e6) as u64;
        let mut next = word(if at == name { DISTINCT_WORDS + random.below(5000) } else { rank });
        if at == 0 || at == name {
            next = next[..1].to_uppercase() + &next[1..];
        }
        if at > 0 {
            text.push(' ');
        }
        text.push_str(&next);
    }
    text + ". "
}

/// A text of about so many bytes.
pub fn text(random: &mut RandomSource, bytes: usize) -> String {
    let mut text = String::with_capacity(bytes + 200);
    while text.len() < bytes {
        text.push_str(&sentence(random));
        if random.below(6) == 0 {
            text.push_str("\n\n");
        }
    }
    text
}

/// Fills a folder.
pub fn write(folder: &Path, files: u64, bytes: usize, seed: u64) -> std::io::Result<u64> {
    let mut total = 0;
    for number in 0..files {
        let place = folder.join(format!("{:03}", number / 100));
        std::fs::create_dir_all(&place)?;
        let text = text(&mut RandomSource::new(seed + number), bytes);
        total += text.len() as u64;
        std::fs::write(place.join(format!("{number:06}.txt")), text)?;
    }
    Ok(total)
}
