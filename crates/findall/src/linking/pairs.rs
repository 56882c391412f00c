//! Pairs: senses of different names that name each other enter support, whatever the odds of either.
//!
//! "David and Victoria" are two first names with a thousand bearers each; that the description of one bearer names a
//! bearer of the other singles both out. Titles are looked up by their rarest word, so the cost stays linear in the words
//! of all senses.

use std::collections::HashMap;

use super::candidates::{Profile, Sense};
use super::words::{HashedWord, Rarity};

/// Titles that share their rarest word and are compared; a book is bounded by it.
const MAX_ALIKE_TITLES: usize = 32;
/// More supporters than these add nothing.
const MAX_SUPPORTERS: usize = 3;

/// For each chain and each of its senses, how many other chains have a sense that names it or is named by it: 0 to 1.
pub(super) fn support(chains: &[&[Sense]], rarity: &Rarity) -> Vec<Vec<f32>> {
    let mut by_word: HashMap<HashedWord, Vec<(usize, usize)>> = HashMap::new();
    for (chain, senses) in chains.iter().enumerate() {
        for (place, sense) in senses.iter().enumerate() {
            let title = &sense.profile.title_words;
            // A title of one word stands in descriptions by accident.
            let rarest = title.iter().max_by(|a, b| rarity.of(**a).total_cmp(&rarity.of(**b)));
            if let (Some(word), true) = (rarest, title.len() > 1) {
                let alike = by_word.entry(*word).or_default();
                if alike.len() < MAX_ALIKE_TITLES {
                    alike.push((chain, place));
                }
            }
        }
    }
    let mut supporters: Vec<Vec<Vec<usize>>> =
        chains.iter().map(|senses| vec![Vec::new(); senses.len()]).collect();
    for (chain, senses) in chains.iter().enumerate() {
        for (place, sense) in senses.iter().enumerate() {
            let named = sense.profile.words.iter().filter_map(|word| by_word.get(word)).flatten();
            for (other, at) in named.filter(|(other, _)| *other != chain) {
                if tells_of(&sense.profile, &chains[*other][*at].profile) {
                    note(&mut supporters[chain][place], *other);
                    note(&mut supporters[*other][*at], chain);
                }
            }
        }
    }
    let share = |found: Vec<usize>| found.len() as f32 / MAX_SUPPORTERS as f32;
    supporters.into_iter().map(|senses| senses.into_iter().map(share).collect()).collect()
}

/// True when the words of a profile hold the whole title of another, and not by its own title alone.
fn tells_of(profile: &Profile, other: &Profile) -> bool {
    let own = |word: &HashedWord| profile.title_words.binary_search(word).is_ok();
    profile.id != other.id
        && other.title_words.iter().all(|word| profile.has(*word))
        && !other.title_words.iter().all(own)
}

fn note(supporters: &mut Vec<usize>, chain: usize) {
    if supporters.len() < MAX_SUPPORTERS && !supporters.contains(&chain) {
        supporters.push(chain);
    }
}
