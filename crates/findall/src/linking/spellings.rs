//! Other spellings: a name that the base does not know enters; the ways leave in which it may be written there.
//!
//! Each rule is one function, found by reading labelled names of training pages that led to nothing.

use super::LINKING_WORD_LISTS;
use crate::word_list::WordList;

/// Abbreviations of American states behind a comma, as newspapers have them, folded.
static STATES: WordList = WordList::new(LINKING_WORD_LISTS, "state");

/// Words that are written out or not.
const NAME_WORD_ABBREVIATIONS: &[(&str, &str)] = &[("ft", "fort"), ("mt", "mount"), ("st", "saint")];

/// What a place is, before "of" and its name: "the Republic of Uruguay".
const RANKS_OF_PLACES: &[&str] =
    &["city", "commonwealth", "county", "kingdom", "province", "region", "republic", "state", "town"];

/// Titles of rulers, who are known without them.
const RULERS: &[&str] = &["emperor", "empress", "king", "pope", "prince", "princess", "queen", "sultan"];

/// What may be left out behind a name: each ending, and what stands for it.
const OMITTED_NAME_ENDINGS: &[(&str, &str)] =
    &[(" football club", " fc"), (" football club", ""), (" people", ""), (" tribe", "")];

/// Other spellings of a folded name; `written` is how the page has it.
pub(super) fn spellings(words: &[String], written: &str) -> Vec<String> {
    let mut out = Vec::new();
    out.extend(expand_state(words, written));
    out.extend(swap_abbreviations(words));
    out.extend(strip_rank(words));
    let key = words.join(" ");
    out.extend(
        OMITTED_NAME_ENDINGS
            .iter()
            .filter_map(|(ending, by)| Some(format!("{}{by}", key.strip_suffix(ending)?))),
    );
    out
}

/// "Mandan, N.D.": the state in full.
fn expand_state(words: &[String], written: &str) -> Option<String> {
    let place = written.split(", ").next().filter(|place| place.len() < written.len())?;
    let before = crate::knowledge::fold(place).split(' ').count();
    let (place, region) = words.split_at_checked(before)?;
    let short = region.concat();
    let state = STATES.meaning(&short)?;
    Some(format!("{} {state}", place.join(" ")))
}

/// "St. Paul" for "Saint Paul", and the other way round.
fn swap_abbreviations(words: &[String]) -> Option<String> {
    let other = |word: &String| {
        let pair = NAME_WORD_ABBREVIATIONS.iter().find(|(short, long)| word == short || word == long);
        pair.map(|(short, long)| if word == short { *long } else { *short })
    };
    let changed: Vec<&str> = words.iter().map(|word| other(word).unwrap_or(word)).collect();
    (words.len() > 1 && changed.iter().zip(words).any(|(new, old)| new != old)).then(|| changed.join(" "))
}

/// "Federal Republic of Germany", "King Haakon": the name alone.
fn strip_rank(words: &[String]) -> Option<String> {
    if let [first, rest @ ..] = words
        && RULERS.contains(&first.as_str())
        && !rest.is_empty()
    {
        return Some(rest.join(" "));
    }
    let of = words.iter().take(4).position(|word| word == "of")?;
    let rank = words[..of].last()?;
    let name = &words[of + 1..];
    (RANKS_OF_PLACES.contains(&rank.as_str()) && !name.is_empty()).then(|| name.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(written: &str) -> Vec<String> {
        let words: Vec<String> = crate::knowledge::fold(written).split(' ').map(str::to_owned).collect();
        spellings(&words, written)
    }

    #[test]
    fn each_rule_changes_what_it_is_for() {
        for (written, other) in [
            ("Mandan, N.D.", "mandan north dakota"),
            ("Buckhannon, W. Va.", "buckhannon west virginia"),
            ("Minneapolis-St. Paul", "minneapolis saint paul"),
            ("Saint Moritz", "st moritz"),
            ("Federal Republic of Germany", "germany"),
            ("City of Belleville", "belleville"),
            ("King Vajiralongkorn", "vajiralongkorn"),
            ("Northern Cheyenne Tribe", "northern cheyenne"),
        ] {
            assert!(read(written).iter().any(|own| own == other), "{written}: {:?}", read(written));
        }
        assert_eq!(read("Lyme Football Club"), ["lyme fc", "lyme"]);
    }

    #[test]
    fn each_rule_leaves_the_rest_alone() {
        for written in ["Mandan ND", "Lind, Md Ali", "Bank of Lyme", "Republic of", "King", "St.", "People"] {
            assert!(read(written).is_empty(), "{written}: {:?}", read(written));
        }
    }

    #[test]
    fn tables_are_sorted() {
        assert!(NAME_WORD_ABBREVIATIONS.is_sorted() && RANKS_OF_PLACES.is_sorted() && RULERS.is_sorted());
    }
}
