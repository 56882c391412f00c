//! What the screen of `findall like --interactive` knows: the sentence's words as chips with weights, which one is chosen, and what
//! the keys do to them. Nothing here draws or searches.

use findall::like::{Example, LikeFindings, MAX_WORD_WEIGHT, Suggestion, Term};

/// A word that can be weighted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chip {
    pub word: String,
    pub weight: u8,
    suggested: u8,
}

/// What a key means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    Left,
    Right,
    Up,
    Down,
    Weight(u8),
    /// Takes over all suggested weights.
    Accept,
    /// Sets all weights to nothing.
    Clear,
    ScrollUp,
    ScrollDown,
    Quit,
}

/// What follows from a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyEffect {
    /// Only the screen changes.
    Draw,
    /// The weights did: search again.
    Search,
    /// Leave.
    Leave,
}

/// The screen.
pub struct State {
    pub chips: Vec<Chip>,
    pub chosen: usize,
    pub scrolled: usize,
    /// One line an entity, with its sentence.
    pub results: Vec<(String, String)>,
    /// How long the last search took.
    pub took_ms: u128,
    example: Example,
}

impl State {
    /// The words of the example's sentence, weighted as it says.
    pub fn new(example: Example, suggested: Vec<Suggestion>) -> Self {
        let weight = |word: &str| {
            let same = |term: &&Term| term.word.to_lowercase() == word.to_lowercase();
            example.terms.iter().find(same).map_or(0, |term| term.weight)
        };
        let chips = suggested
            .into_iter()
            .map(|one| Chip { weight: weight(&one.word), suggested: one.weight, word: one.word })
            .collect();
        Self { chips, chosen: 0, scrolled: 0, results: Vec::new(), took_ms: 0, example }
    }

    /// The example with the weights as they stand.
    pub fn example(&self) -> Example {
        let weighted = self.chips.iter().filter(|chip| chip.weight > 0);
        let terms = weighted.map(|chip| Term { word: chip.word.clone(), weight: chip.weight }).collect();
        Example { terms, ..self.example.clone() }
    }

    /// The weights that one key would accept differ from those that are set.
    pub fn has_suggestion(&self) -> bool {
        self.chips.iter().any(|chip| chip.weight != chip.suggested)
    }

    /// What was found.
    pub fn show(&mut self, alike: &LikeFindings, sentence: impl Fn(usize) -> String, took_ms: u128) {
        let line = |entity: &findall::like::AlikeEntity| {
            (format!("{} ({})", entity.name, entity.kind.name()), sentence(entity.best_sentence()))
        };
        self.results = alike.entities.iter().map(line).collect();
        self.scrolled = 0;
        self.took_ms = took_ms;
    }

    /// Does what a key says.
    pub fn press(&mut self, key: Key) -> KeyEffect {
        let before: Vec<u8> = self.chips.iter().map(|chip| chip.weight).collect();
        match key {
            Key::Quit => return KeyEffect::Leave,
            Key::Left => self.chosen = self.chosen.saturating_sub(1),
            Key::Right => self.chosen = (self.chosen + 1).min(self.chips.len().saturating_sub(1)),
            Key::Up => self.set(|chip| (chip.weight + 1).min(MAX_WORD_WEIGHT)),
            Key::Down => self.set(|chip| chip.weight.saturating_sub(1)),
            Key::Weight(weight) => self.set(|_| weight.min(MAX_WORD_WEIGHT)),
            Key::Accept => self.chips.iter_mut().for_each(|chip| chip.weight = chip.suggested),
            Key::Clear => self.chips.iter_mut().for_each(|chip| chip.weight = 0),
            Key::ScrollUp => self.scrolled = self.scrolled.saturating_sub(1),
            Key::ScrollDown => self.scrolled = (self.scrolled + 1).min(self.results.len().saturating_sub(1)),
        }
        match self.chips.iter().map(|chip| chip.weight).eq(before) {
            true => KeyEffect::Draw,
            false => KeyEffect::Search,
        }
    }

    fn set(&mut self, weight: impl Fn(&Chip) -> u8) {
        if let Some(chip) = self.chips.get_mut(self.chosen) {
            chip.weight = weight(chip);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state() -> State {
        let example = Example {
            entity: "Jo".into(),
            sentence: "Jo taught at a school.".into(),
            terms: vec![Term { word: "School".into(), weight: 2 }],
        };
        let suggested = [("taught", 1), ("school", 3)];
        let suggested = suggested.map(|(word, weight)| Suggestion { word: word.into(), weight }).to_vec();
        State::new(example, suggested)
    }

    fn weights(state: &State) -> Vec<u8> {
        state.chips.iter().map(|chip| chip.weight).collect()
    }

    #[test]
    fn arrows_and_digits_set_weights() {
        let mut state = state();
        assert_eq!(weights(&state), [0, 2], "the weights that were given");
        assert_eq!(state.press(Key::Up), KeyEffect::Search);
        assert_eq!(state.press(Key::Right), KeyEffect::Draw);
        assert_eq!(state.press(Key::Right), KeyEffect::Draw, "the last one stays chosen");
        assert_eq!(state.press(Key::Weight(7)), KeyEffect::Search);
        assert_eq!(state.press(Key::Weight(7)), KeyEffect::Draw, "nothing changed");
        assert_eq!(weights(&state), [1, 7]);
        assert_eq!(state.press(Key::Down), KeyEffect::Search);
        let terms = state.example().terms;
        assert_eq!(terms[1], Term { word: "school".into(), weight: 6 });
        assert_eq!(state.press(Key::Quit), KeyEffect::Leave);
    }

    #[test]
    fn one_key_accepts_what_is_suggested_and_another_clears() {
        let mut state = state();
        assert!(state.has_suggestion());
        assert_eq!(state.press(Key::Accept), KeyEffect::Search);
        assert_eq!(weights(&state), [1, 3]);
        assert!(!state.has_suggestion());
        assert_eq!(state.press(Key::Clear), KeyEffect::Search);
        assert!(state.example().terms.is_empty());
    }
}
