//! Facts from prose: an entity's opening sentences enter, its kind, one dense description and short typed phrases leave.
//!
//! Facts ship, sentences do not: what is taken is cut at every clause, stripped of function words and articles, and
//! bounded in words, so that an encoder can tell what the thing is while the prose cannot be put together again.

mod definition;
mod segments;
mod tokens;

use findall::knowledge::{EntityKind, Phrase, PhraseKind};

const EXTRACT_WORD_LISTS: &str = include_str!("words.txt");

/// How much to keep of one text.
#[derive(Clone, Copy, Debug)]
pub struct ExtractOptions {
    /// Sentences read.
    pub sentences: usize,
    /// Words of phrases kept besides the description.
    pub phrase_words: usize,
    /// Words of the description.
    pub description_words: usize,
}

impl Default for ExtractOptions {
    fn default() -> Self {
        Self { sentences: 4, phrase_words: 30, description_words: 16 }
    }
}

/// What a text says about its subject.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facts {
    /// The sort of thing, when its defining noun tells.
    pub kind: Option<EntityKind>,
    /// What it is, in one phrase; empty when the text does not say.
    pub description: String,
    /// Further facts in the order of the text.
    pub phrases: Vec<Phrase>,
    /// Other names the text gives ("also known as …").
    pub aliases: Vec<String>,
}

/// Texts longer than this are cut: an abstract says what it has to say early.
const MAX_EXTRACTED_TEXT_BYTES: usize = 4096;

/// Reads the facts about `title` out of `text`.
pub fn extract(title: &str, text: &str, options: &ExtractOptions) -> Facts {
    let text = &text[..text.floor_char_boundary(MAX_EXTRACTED_TEXT_BYTES)];
    let (plain, asides) = tokens::set_asides_apart(text);
    let mut sentences = tokens::sentences_of_words(&plain);
    sentences.truncate(options.sentences);
    let subject = SubjectNames::new(title);
    let mut facts = Facts::default();
    let Some((first, rest)) = sentences.split_first() else {
        return facts;
    };
    let definition = definition::find(first, &subject, options.description_words);
    facts.kind = definition.kind;
    facts.description = definition.text;
    facts.aliases = definition.aliases;

    let mut found = Vec::new();
    if let Some(life) = definition::life_dates(&asides, first) {
        found.push(segments::PhraseSegment { kind: PhraseKind::When, text: life, words: 2, worth: 2.0 });
    }
    segments::cut(definition.rest, &subject, 0, &mut found);
    for (at, sentence) in rest.iter().enumerate() {
        segments::cut(sentence, &subject, at + 1, &mut found);
    }
    facts.phrases = segments::choose(found, &facts.description, &subject, options.phrase_words);
    let said = |wanted: &[&str]| {
        sentences.iter().flatten().any(|w| wanted.iter().any(|word| w.text.eq_ignore_ascii_case(word)))
    };
    let lived =
        asides.first().is_some_and(|aside| aside.contains("born") || definition::looks_like_life_span(aside));
    match facts.kind {
        None if lived && said(&["he", "she"]) => facts.kind = Some(EntityKind::Person),
        // "largest gas producer": what makes things need not be a person.
        Some(EntityKind::Person)
            if !lived
                && !said(&["he", "she", "his", "her", "born", "who"])
                && said(&["it", "its", "company", "company's"]) =>
        {
            facts.kind = Some(EntityKind::Organization);
        }
        _ => {}
    }
    facts
}

/// The kind that a short description ("Spanish footballer", "city in Chile") names.
pub fn kind_of_description(description: &str) -> Option<EntityKind> {
    let (plain, _) = tokens::set_asides_apart(description);
    let sentences = tokens::sentences_of_words(&plain);
    sentences.first().and_then(|words| definition::kind_of(words))
}

/// The names of the subject itself, which its facts need not repeat.
struct SubjectNames {
    words: Vec<String>,
}

impl SubjectNames {
    fn new(title: &str) -> Self {
        let bare = title.split(" (").next().unwrap_or(title);
        let words = bare
            .split(|c: char| !c.is_alphanumeric())
            .filter(|w| !w.is_empty())
            .map(str::to_lowercase)
            .collect();
        Self { words }
    }

    fn names(&self, word: &str) -> bool {
        let word = word.strip_suffix("'s").or_else(|| word.strip_suffix("’s")).unwrap_or(word);
        self.words.iter().any(|own| own.eq_ignore_ascii_case(word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Title, text, description, kind, phrases.
    type Case =
        (&'static str, &'static str, &'static str, Option<EntityKind>, &'static [(PhraseKind, &'static str)]);

    /// Texts written for this test, with what must come out of them.
    const CASES: &[Case] = &[
        (
            "Luis Prado",
            "Luis Prado Vega (born 3 May 1990) is a Spanish professional footballer who plays for Real Norte as a midfielder.",
            "Spanish professional footballer",
            Some(EntityKind::Person),
            &[
                (PhraseKind::When, "born 1990"),
                (PhraseKind::PartOf, "plays for Real Norte"),
                (PhraseKind::Fact, "midfielder"),
            ],
        ),
        (
            "Marlow Bay",
            "Marlow Bay is a town in Kerr County, Oregon, United States. The population was 2,011 at the 2010 census. It is known for its annual Kite Festival.",
            "town in Kerr County, Oregon, United States",
            Some(EntityKind::Place),
            &[(PhraseKind::KnownFor, "known for annual Kite Festival")],
        ),
        (
            "Ostrix",
            "Ostrix Corporation is an American software company headquartered in Denver, Colorado. It was founded in 1987 by Mary Holt.",
            "American software company",
            Some(EntityKind::Organization),
            &[
                (PhraseKind::Where, "headquartered in Denver, Colorado"),
                (PhraseKind::When, "founded in 1987 by Mary Holt"),
            ],
        ),
        (
            "The Lantern",
            "The Lantern is a 1951 British drama film directed by Ann Reed and starring Tom Hay, Joan Lee and Peter Moss.",
            "1951 British drama film",
            Some(EntityKind::Work),
            &[
                (PhraseKind::KnownFor, "directed by Ann Reed"),
                (PhraseKind::KnownFor, "starring Tom Hay, Joan Lee, Peter Moss"),
            ],
        ),
        (
            "Ann Holt",
            "Ann Holt (June 1, 1858 – April 2, 1943) was an American physician, farmer, banker and politician.",
            "American physician, farmer, banker, politician",
            Some(EntityKind::Person),
            &[(PhraseKind::When, "1858–1943")],
        ),
        (
            "Orr Deacons",
            "The Orr Deacons are an amateur, Division I college soccer team.",
            "amateur, Division I college soccer team",
            Some(EntityKind::Team),
            &[],
        ),
        (
            "Norgas",
            "Norgas SA is the largest natural gas producer in Northland. It was listed on 3 May 1990.",
            "largest natural gas producer in Northland",
            Some(EntityKind::Organization),
            &[(PhraseKind::When, "listed in 1990")],
        ),
        (
            "Light show",
            "a display of coloured lights moving in patterns",
            "display of coloured lights",
            None,
            &[(PhraseKind::Fact, "moving in patterns")],
        ),
    ];

    #[test]
    fn definitions_become_descriptions_and_typed_phrases() {
        for (title, text, description, kind, phrases) in CASES {
            let facts = extract(title, text, &ExtractOptions::default());
            assert_eq!(facts.description, *description, "{title}: {facts:?}");
            if kind.is_some() {
                assert_eq!(facts.kind, *kind, "{title}");
            }
            for (kind, phrase) in *phrases {
                assert!(
                    facts.phrases.iter().any(|p| p.kind == *kind && p.text == *phrase),
                    "{title}: {phrase:?} is not in {:?}",
                    facts.phrases
                );
            }
        }
    }

    #[test]
    fn other_names_are_aliases() {
        let facts = extract(
            "Grey fox",
            "The grey fox, also known as the tree fox, is a mammal.",
            &ExtractOptions::default(),
        );
        assert_eq!(facts.aliases, ["tree fox"]);
        assert_eq!(facts.description, "mammal");
    }

    #[test]
    fn no_sentence_comes_out_whole() {
        let text = "The bridge is a steel bridge over the river Wend in the town of Orr, which was built by the Holt brothers in 1890.";
        let facts = extract("Orr Bridge", text, &ExtractOptions::default());
        let all: Vec<&str> =
            facts.phrases.iter().map(|p| p.text.as_str()).chain([facts.description.as_str()]).collect();
        assert!(all.iter().all(|phrase| phrase.split_whitespace().count() <= 16), "{all:?}");
        assert!(!all.concat().contains("which was built"));
    }

    #[test]
    fn odd_texts_give_little_and_never_panic() {
        let long = "word ".repeat(50_000);
        for text in [
            "",
            " ",
            "is",
            "is a",
            "a",
            "((",
            "\u{301}\u{301}",
            "is is is is",
            long.as_str(),
            "日本の映画である。",
            "X is",
        ] {
            extract("X", text, &ExtractOptions::default());
            extract("", text, &ExtractOptions::default());
        }
    }
}
