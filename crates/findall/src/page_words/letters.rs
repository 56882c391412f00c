//! Abbreviations with their long forms: "World Health Organization (WHO)" and "WHO (World Health Organization)".

use std::collections::HashMap;

use super::words::Gap;
use super::{PageText, Rank, Remark};

/// Letters of an abbreviation.
const MIN_ABBREVIATION_LETTERS: usize = 2;
const MAX_ABBREVIATION_LETTERS: usize = 8;

/// Words that need no letter.
const LETTERLESS_WORDS: &[&str] =
    &["a", "and", "at", "de", "des", "du", "for", "in", "of", "on", "the", "to", "und"];

/// A short form and the words of its long one.
struct ShortForm {
    short: usize,
    from: usize,
    to: usize,
}

pub(super) fn remark(page: &PageText<'_>, out: &mut [Vec<Remark>]) {
    let pairs: Vec<ShortForm> = (1..page.words.words.len())
        .filter(|&at| page.words.gap_before(at) == Gap::Open)
        .filter_map(|at| find_short_form(page, at).or_else(|| find_long_form(page, at)))
        .collect();
    if pairs.is_empty() {
        return;
    }
    let mut long_of: HashMap<&str, (String, Option<usize>)> = HashMap::new();
    for pair in &pairs {
        let long = page.words.phrase(pair.from, pair.to);
        let thing = (pair.from..pair.to).find_map(|at| page.place_of(at)).map(|place| place.thing);
        let short = page.words.get(pair.short).unwrap_or_default();
        if let Some(thing) = thing
            && page.place_of(pair.short).is_none_or(|place| place.thing != thing)
        {
            out[thing].push(Remark { rank: Rank::Letters, text: format!("called {short}") });
        }
        long_of.entry(short).or_insert((long, thing));
    }
    for place in page.places.iter().filter(|place| place.to == place.from + 1) {
        let known = page
            .words
            .get(place.from)
            .and_then(|word| long_of.get(word.trim_end_matches("'s").trim_end_matches("’s")));
        if let Some((long, thing)) = known
            && *thing != Some(place.thing)
        {
            let text = format!("short for {long}");
            if out[place.thing].iter().all(|remark| remark.text != text) {
                out[place.thing].push(Remark { rank: Rank::Letters, text });
            }
        }
    }
}

/// "Long Form (ABC)"
fn find_short_form(page: &PageText<'_>, at: usize) -> Option<ShortForm> {
    let letters = abbreviation(page, at)?;
    if !matches!(page.words.gap_before(at + 1), Gap::Close | Gap::Break) {
        return None;
    }
    let mut from = at;
    for &letter in letters.iter().rev() {
        loop {
            from = from.checked_sub(1)?;
            if from + 1 < at && !matches!(page.words.gap_before(from + 1), Gap::Space | Gap::Quote) {
                return None;
            }
            let word = page.words.get(from)?;
            if begins_with(word, letter) {
                break;
            }
            if !LETTERLESS_WORDS.contains(&word) {
                return None;
            }
        }
    }
    Some(ShortForm { short: at, from, to: at })
}

/// "ABC (Long Form)"
fn find_long_form(page: &PageText<'_>, at: usize) -> Option<ShortForm> {
    let short = at.checked_sub(1)?;
    let letters = abbreviation(page, short)?;
    let mut to = at;
    for &letter in &letters {
        loop {
            let word = page.words.get(to)?;
            if to > at && page.words.gap_before(to) != Gap::Space {
                return None;
            }
            to += 1;
            if begins_with(word, letter) {
                break;
            }
            if !LETTERLESS_WORDS.contains(&word) || to == at + 1 {
                return None;
            }
        }
    }
    matches!(page.words.gap_before(to), Gap::Close | Gap::Break).then_some(ShortForm { short, from: at, to })
}

fn begins_with(word: &str, letter: char) -> bool {
    word.chars().next().is_some_and(|c| c.to_uppercase().eq([letter]))
}

/// The capital letters of a word that is an abbreviation.
fn abbreviation(page: &PageText<'_>, at: usize) -> Option<Vec<char>> {
    let letters: Vec<char> = page.words.get(at)?.chars().filter(|c| *c != '.').collect();
    let fits = (MIN_ABBREVIATION_LETTERS..=MAX_ABBREVIATION_LETTERS).contains(&letters.len())
        && letters.iter().all(|c| c.is_uppercase());
    fits.then_some(letters)
}
