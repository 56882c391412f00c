//! From one sentence to all entities of that kind: an example and a corpus enter; entities leave, best first. What may be
//! asked, and how much is given where nobody says, is decided here.

use findall::Engine;
use findall::encode::ModelError;
use findall::like::{
    Corpus, Example, LikeFindings, LikeOptions, MAX_WORD_WEIGHT, Method, Suggestion, Suggestions, Term,
};

/// Entities given when nobody says how many.
pub const DEFAULT_ALIKE_ENTITIES: usize = 20;
/// The same where a person reads them on a screen.
pub const DEFAULT_SHOWN_ENTITIES: usize = 10;
/// Most entities that are given.
pub const MAX_ALIKE_ENTITIES: usize = 1000;
/// Most words that can be weighted.
pub const MAX_TERMS: usize = 100;
/// Longest name and longest sentence of an example.
pub const MAX_EXAMPLE_BYTES: usize = 10_000;

/// What is asked.
#[derive(Clone, Debug, PartialEq)]
pub struct LikeQuery {
    /// What the person shows. Words of weight 0 do not count.
    pub example: Example,
    /// How sentences are ranked.
    pub method: Method,
    /// At most so many entities.
    pub top: usize,
    /// Keep only sentences that name something of the example's kind.
    pub same_kind: bool,
}

impl Default for LikeQuery {
    fn default() -> Self {
        Self {
            example: Example::default(),
            method: Method::default(),
            top: DEFAULT_ALIKE_ENTITIES,
            same_kind: true,
        }
    }
}

/// A limit that a query does not keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LikeLimit {
    /// Too many entities, or none.
    #[error("must be 1 to {MAX_ALIKE_ENTITIES}")]
    Entities,
    /// Too many words, or one that weighs too much.
    #[error("at most {MAX_TERMS} words, each with a weight from 0 to {MAX_WORD_WEIGHT}")]
    Terms,
    /// Too long a name or sentence.
    #[error("the example is too long; send one sentence")]
    Example,
}

impl LikeQuery {
    /// Refuses what goes over a limit.
    pub fn check(&self) -> Result<(), LikeLimit> {
        let Example { entity, sentence, terms } = &self.example;
        if !(1..=MAX_ALIKE_ENTITIES).contains(&self.top) {
            return Err(LikeLimit::Entities);
        }
        if terms.len() > MAX_TERMS || terms.iter().any(|term| term.weight > MAX_WORD_WEIGHT) {
            return Err(LikeLimit::Terms);
        }
        check_example_text(entity)?;
        check_example_text(sentence)
    }

    /// The words of the sentence, each with the weight that findall would give it.
    pub fn suggest_terms(&self, engine: &Engine) -> Result<Vec<Suggestion>, ModelError> {
        engine.suggest_terms(&self.example.entity, &self.example.sentence, Suggestions::default())
    }

    /// Weighs the words as suggested.
    pub fn accept_suggestions(&mut self, suggestions: Vec<Suggestion>) {
        let terms = suggestions.into_iter().map(|one| Term { word: one.word, weight: one.weight });
        self.example.terms = terms.collect();
    }

    /// The entities of a corpus that are like the example.
    pub fn find(&self, engine: &Engine, corpus: &Corpus) -> Result<LikeFindings, ModelError> {
        let mut example = self.example.clone();
        example.terms.retain(|term| term.weight > 0);
        let options = LikeOptions {
            method: self.method,
            top: self.top,
            same_kind: self.same_kind,
            ..LikeOptions::default()
        };
        engine.like(corpus, &example, &options)
    }
}

/// Refuses a name or sentence that is too long, before anything is made of it.
pub fn check_example_text(text: &str) -> Result<(), LikeLimit> {
    if text.len() <= MAX_EXAMPLE_BYTES { Ok(()) } else { Err(LikeLimit::Example) }
}

#[cfg(test)]
mod tests {
    use findall::testing::{small_encoder, small_knowledge, small_tagger};
    use findall::{Document, Engine};

    use super::*;

    const PAGE: &str = "Ada Reed taught music at a school in Lyon. Dora Lind taught music in a large school. \
        Cara Holt sold fish on the market.";

    fn teacher() -> LikeQuery {
        let example = Example {
            entity: "Ada Reed".into(),
            sentence: "Ada Reed taught music at a school in Lyon.".into(),
            terms: Vec::new(),
        };
        LikeQuery { example, ..LikeQuery::default() }
    }

    fn with_term(word: &str, weight: u8) -> LikeQuery {
        let mut query = teacher();
        query.example.terms = vec![Term { word: word.into(), weight }];
        query
    }

    #[test]
    fn limits_are_kept_and_said() {
        assert_eq!(teacher().check(), Ok(()));
        for top in [0, MAX_ALIKE_ENTITIES + 1] {
            let refused = LikeQuery { top, ..teacher() }.check().unwrap_err();
            assert_eq!(refused.to_string(), "must be 1 to 1000");
        }
        assert_eq!(with_term("school", MAX_WORD_WEIGHT).check(), Ok(()));
        assert_eq!(with_term("school", MAX_WORD_WEIGHT + 1).check(), Err(LikeLimit::Terms));
        let mut many = with_term("school", 1);
        many.example.terms = vec![many.example.terms[0].clone(); MAX_TERMS + 1];
        assert_eq!(many.check(), Err(LikeLimit::Terms));
        for long in [0, 1] {
            let mut query = teacher();
            let text = if long == 0 { &mut query.example.entity } else { &mut query.example.sentence };
            *text = "a".repeat(MAX_EXAMPLE_BYTES + 1);
            assert_eq!(query.check(), Err(LikeLimit::Example));
        }
    }

    #[test]
    fn words_without_weight_do_not_count_and_suggested_ones_can_be_accepted() {
        let engine = Engine::new(small_encoder(), small_tagger(), small_knowledge());
        let document = Document::from_text(PAGE);
        let analysed = engine.analyser().analyse(&[&document]).unwrap();
        let documents: Vec<_> = analysed.into_iter().map(|one| (PAGE.to_owned(), one)).collect();
        let corpus = Corpus::in_memory(&documents);
        let names = |query: &LikeQuery| -> Vec<String> {
            query.find(&engine, &corpus).unwrap().entities.into_iter().map(|one| one.name).collect()
        };
        assert_eq!(names(&teacher())[0], "Dora Lind");
        assert_eq!(names(&LikeQuery { top: 1, ..teacher() }), ["Dora Lind"]);
        assert_eq!(names(&with_term("fish", 0)), names(&teacher()), "it weighs nothing");
        let mut query = teacher();
        let suggested = query.suggest_terms(&engine).unwrap();
        assert!(suggested.iter().any(|one| one.word == "school"), "{suggested:?}");
        query.accept_suggestions(suggested.clone());
        assert_eq!(query.example.terms.len(), suggested.len());
        assert_eq!(names(&query)[0], "Dora Lind");
    }
}
