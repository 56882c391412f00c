//! One typing error a question: a letter added, replaced or removed, or a word as people misspell it. The same seed and
//! question always give the same error.

use std::collections::HashMap;

/// Puts errors into questions.
pub struct Misspeller {
    seed: u64,
    /// How people misspell words; letters are changed where it is empty.
    people: HashMap<String, Vec<String>>,
}

impl Misspeller {
    /// Changes letters.
    pub fn of_letters(seed: u64) -> Self {
        Self { seed, people: HashMap::new() }
    }

    /// Uses misspellings from lines of `word: misspelling, misspelling*3, …`.
    pub fn of_people(lines: &str, seed: u64) -> Self {
        let mut people: HashMap<String, Vec<String>> = HashMap::new();
        for (word, errors) in lines.lines().filter_map(|line| line.split_once(':')) {
            let plain = |error: &str| error.trim().split('*').next().unwrap_or_default().replace('_', " ");
            let errors =
                errors.split(',').map(plain).filter(|error| !error.is_empty() && !error.contains(' '));
            people.entry(word.trim().to_lowercase()).or_default().extend(errors);
        }
        Self { seed, people }
    }

    /// The question with one error; unchanged where none can be made.
    pub fn misspell(&self, question: &str) -> String {
        let mut random = SplitMix::of(self.seed, question);
        if self.people.is_empty() {
            misspell_letter(question, &mut random)
        } else {
            self.misspell_word(question, &mut random)
        }
    }

    fn misspell_word(&self, question: &str, random: &mut SplitMix) -> String {
        let words: Vec<&str> = question.split(' ').collect();
        let plain = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        let wrong: Vec<usize> = (0..words.len())
            .filter(|&n| words[n].len() > 2 && self.people.contains_key(&plain(words[n])))
            .collect();
        let Some(&chosen) = wrong.get(random.below(wrong.len().max(1))) else { return question.to_owned() };
        let word = plain(words[chosen]);
        let errors = &self.people[&word];
        let Some(error) = errors.get(random.below(errors.len().max(1))) else { return question.to_owned() };
        let mut words: Vec<String> = words.into_iter().map(str::to_owned).collect();
        words[chosen] = words[chosen].to_lowercase().replace(&word, error);
        words.join(" ")
    }
}

fn misspell_letter(question: &str, random: &mut SplitMix) -> String {
    let mut chars: Vec<char> = question.chars().collect();
    let letters: Vec<usize> = (0..chars.len()).filter(|&n| chars[n].is_alphabetic()).collect();
    let Some(&at) = letters.get(random.below(letters.len().max(1))) else { return question.to_owned() };
    let letter = char::from(b'a' + random.below(26) as u8);
    match random.below(3) {
        0 => chars.insert(at, letter),
        1 if chars[at] != letter => chars[at] = letter,
        _ => {
            chars.remove(at);
        }
    }
    chars.into_iter().collect()
}

/// SplitMix64.
struct SplitMix(u64);

impl SplitMix {
    fn of(seed: u64, text: &str) -> Self {
        // FNV-1a.
        let hash = text
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
        Self(hash ^ seed.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % limit as u64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_letter_changes_and_always_the_same() {
        let misspeller = Misspeller::of_letters(1);
        for question in ["Who built the mill?", "When?", "Où est le moulin à vent?"] {
            let wrong = misspeller.misspell(question);
            let length = |text: &str| text.chars().count();
            assert!(wrong != question && length(&wrong).abs_diff(length(question)) <= 1, "{wrong}");
            assert_eq!(wrong, misspeller.misspell(question));
        }
        assert_eq!(misspeller.misspell("12?"), "12?");
    }

    #[test]
    fn words_are_misspelt_as_people_do() {
        let misspeller = Misspeller::of_people("believe: beleive*3\nmill: mil\n", 1);
        assert_eq!(misspeller.misspell("Who built the Mill?"), "Who built the mil?");
        assert_eq!(misspeller.misspell("Who?"), "Who?");
    }
}
