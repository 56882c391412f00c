//! Is a text English? The knowledge and the models are, so a document in another language is searched by its letters,
//! and the person is told.

use super::INDEX_WORD_LISTS;
use crate::word_list::WordList;

/// Words so common that an English text cannot do without them, and few other languages have them.
static ENGLISH_WORDS: WordList = WordList::new(INDEX_WORD_LISTS, "english");

/// Words looked at; the start of a document tells.
const MAX_SAMPLE_WORDS: usize = 2000;

/// With fewer words nothing can be said, and the text passes.
const MIN_WORDS: usize = 40;

/// False when the text is long enough to tell and has too few English function words.
pub(super) fn looks_english(text: &str) -> bool {
    let mut words = 0usize;
    let mut common = 0usize;
    let mut letters = 0usize;
    let mut foreign = 0usize;
    for word in
        text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()).take(MAX_SAMPLE_WORDS)
    {
        words += 1;
        for c in word.chars() {
            letters += 1;
            foreign += usize::from(c as u32 > 0x24F);
        }
        if word.len() <= 5 && ENGLISH_WORDS.contains(&word.to_ascii_lowercase()) {
            common += 1;
        }
    }
    // Scripts without spaces have few "words"; a page in another script is another language whatever their number.
    if letters >= 100 && foreign * 2 > letters {
        return false;
    }
    words < MIN_WORDS || common * 100 >= words * 14
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_english_from_others() {
        let english =
            "The river rises in the hills near the town and flows to the sea, where it is wide. ".repeat(4);
        let names = "Ada Lovelace, Grace Hopper, Alan Turing, Edsger Dijkstra";
        let german =
            "Der Fluss entspringt in den Bergen bei der Stadt und mündet nach langem Lauf ins Meer. "
                .repeat(5);
        let spanish =
            "El río nace en las montañas cerca de la ciudad y desemboca en el mar después de muchos días. "
                .repeat(5);
        let chinese = "这条河发源于城市附近的群山，流入大海。".repeat(20);
        for (text, expected) in
            [(english.as_str(), true), (names, true), (&german, false), (&spanish, false), (&chinese, false)]
        {
            assert_eq!(looks_english(text), expected, "{text}");
        }
    }
}
