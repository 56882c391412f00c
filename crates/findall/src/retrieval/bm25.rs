//! BM25 (Robertson et al. 1994, with the never-negative idf that Lucene uses): an inverted index over passages, and
//! rankings by the words that a query shares with them.

use std::collections::HashSet;

use super::terms::{Numbering, Terms, terms_of};
use super::{RankedPassage, sort};

/// The two parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bm25Options {
    /// How soon repeating a word stops to help.
    pub k1: f32,
    /// How much long passages are held back, 0 to 1.
    pub b: f32,
}

impl Default for Bm25Options {
    fn default() -> Self {
        Self { k1: 1.2, b: 0.75 }
    }
}

#[derive(Clone, Copy)]
struct Posting {
    passage: u32,
    count: u32,
}

/// Passages, indexed by their words.
pub struct Bm25 {
    options: Bm25Options,
    terms: Terms,
    /// For every term, the passages that hold it.
    postings: Vec<Vec<Posting>>,
    /// Terms in each passage.
    lengths: Vec<u32>,
    average: f32,
}

impl Bm25 {
    /// Indexes passages; their order gives them their numbers.
    pub fn new<'t>(passages: impl IntoIterator<Item = &'t str>) -> Self {
        Self::with_options(passages, Bm25Options::default())
    }

    /// As [`new`](Self::new) with other parameters.
    pub fn with_options<'t>(passages: impl IntoIterator<Item = &'t str>, options: Bm25Options) -> Self {
        let mut numbering = Numbering::new();
        let mut postings: Vec<Vec<Posting>> = Vec::new();
        let mut lengths = Vec::new();
        for passage in passages {
            let number = lengths.len() as u32;
            let mut length = 0;
            numbering.read(passage, |term| {
                length += 1;
                let term = term as usize;
                if postings.len() <= term {
                    postings.resize_with(term + 1, Vec::new);
                }
                match postings[term].last_mut() {
                    Some(last) if last.passage == number => last.count += 1,
                    _ => postings[term].push(Posting { passage: number, count: 1 }),
                }
            });
            lengths.push(length);
        }
        let total: f64 = lengths.iter().map(|&length| f64::from(length)).sum();
        let average = (total / lengths.len().max(1) as f64).max(1.0) as f32;
        let terms = numbering.finish();
        debug_assert_eq!(terms.len(), postings.len());
        Self { options, terms, postings, lengths, average }
    }

    /// How many passages there are.
    pub fn len(&self) -> usize {
        self.lengths.len()
    }

    /// True when there are none.
    pub fn is_empty(&self) -> bool {
        self.lengths.is_empty()
    }

    /// Every passage that shares a word with the query, best first. A word that stands in the query several times
    /// counts as often, which is how a word is given weight.
    pub fn rank(&self, query: &str) -> Vec<RankedPassage> {
        let Bm25Options { k1, b } = self.options;
        let mut rank_weights = vec![0.0_f32; self.lengths.len()];
        for asked in self.terms.of_query(query) {
            let postings = self.postings(asked.number);
            let weight = self.rarity(postings.len()) * asked.times as f32;
            for posting in postings {
                let passage = posting.passage as usize;
                let count = posting.count as f32;
                let length = self.lengths[passage] as f32 / self.average;
                rank_weights[passage] += weight * count * (k1 + 1.0) / (count + k1 * (1.0 - b + b * length));
            }
        }
        let ranked = rank_weights.into_iter().enumerate().filter(|(_, rank_weight)| *rank_weight > 0.0);
        let mut ranking: Vec<RankedPassage> =
            ranked.map(|(passage, rank_weight)| RankedPassage { passage, rank_weight }).collect();
        sort(&mut ranking);
        ranking
    }

    /// For every passage, how much of the query it has: the share of the query's words that stand there, each weighed
    /// by its rarity. Words that no passage has count, too.
    pub fn shares(&self, query: &str) -> Vec<f32> {
        let mut shares = vec![0.0; self.lengths.len()];
        let asked = self.terms.of_query(query);
        let weights: Vec<f32> =
            asked.iter().map(|asked| self.rarity(self.postings(asked.number).len())).collect();
        let whole = weights.iter().sum::<f32>();
        for (asked, weight) in asked.iter().zip(&weights) {
            for posting in self.postings(asked.number) {
                shares[posting.passage as usize] += weight / whole;
            }
        }
        shares
    }

    /// The same for any short text, by the rarity of words in the passages.
    pub fn share_in(&self, query: &str, text: &str) -> f32 {
        let here: HashSet<String> = terms_of(text).collect();
        let (mut shared, mut whole) = (0.0, 0.0);
        for asked in self.terms.of_query(query) {
            let weight = self.rarity(self.postings(asked.number).len());
            whole += weight;
            shared += if here.contains(&asked.term) { weight } else { 0.0 };
        }
        if whole > 0.0 { shared / whole } else { 0.0 }
    }

    fn postings(&self, term: Option<u32>) -> &[Posting] {
        term.map_or(&[], |term| &self.postings[term as usize])
    }

    fn rarity(&self, passages: usize) -> f32 {
        let (all, here) = (self.lengths.len() as f32, passages as f32);
        (1.0 + (all - here + 0.5) / (here + 0.5)).ln()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const PASSAGES: [&str; 4] = [
        "The lighthouse was built in 1847.",
        "Keepers lived in the lighthouse until 1971; the keepers' log is kept in the museum.",
        "The museum opens at nine.",
        "",
    ];

    fn order(query: &str) -> Vec<usize> {
        Bm25::new(PASSAGES).rank(query).into_iter().map(|ranked| ranked.passage).collect()
    }

    #[test]
    fn shared_words_rank_whatever_their_form() {
        assert_eq!(order("Who was the keeper?"), [1]);
        assert_eq!(order("When did the MUSEUM open?"), [2, 1]);
        assert_eq!(order("What is it?"), [0; 0], "nothing but common words");
        assert_eq!(order("zebra"), [0; 0]);
        assert_eq!(order("lighthouse"), [0, 1], "the shorter passage says more about it");
    }

    #[test]
    fn rank_weights_are_those_of_the_formula() {
        let ranking = Bm25::new(["red red blue", "green", "blue sky green"]).rank("red");
        // idf = ln(1 + 2.5 / 1.5); two of three words, 3 against an average of 7/3.
        let expected = (1.0_f32 + 2.5 / 1.5).ln() * 2.0 * 2.2 / (2.0 + 1.2 * (0.25 + 0.75 * 9.0 / 7.0));
        assert_eq!(ranking.len(), 1);
        assert!((ranking[0].rank_weight - expected).abs() < 1e-5, "{} {expected}", ranking[0].rank_weight);
    }

    #[test]
    fn a_repeated_word_weighs_more() {
        let index = Bm25::new(["school and garden", "a garden of a house", "school of music"]);
        assert_eq!(index.rank("garden school school school")[1].passage, 2);
        assert_eq!(index.rank("school garden garden garden")[1].passage, 1);
    }

    #[test]
    fn shares_count_words_that_are_nowhere() {
        let index = Bm25::new(PASSAGES);
        let (rare, known) = ((1.0_f32 + 4.5 / 0.5).ln(), (1.0_f32 + 2.5 / 2.5).ln());
        let expected = known / (rare + known);
        let shares = index.shares("Which museum has a zebra?");
        assert!((shares[2] - expected).abs() < 1e-6 && shares[0] == 0.0, "{shares:?}");
        assert!((index.share_in("Which museum has a zebra?", "museums everywhere") - expected).abs() < 1e-6);
        assert_eq!(index.shares("What is it?"), [0.0; 4]);
    }

    proptest! {
        #[test]
        fn any_text_gives_a_ranking_in_order(passages in prop::collection::vec(".{0,40}", 0..8), query in ".{0,40}") {
            let ranking = Bm25::new(passages.iter().map(String::as_str)).rank(&query);
            prop_assert!(ranking.windows(2).all(|pair| pair[0].rank_weight >= pair[1].rank_weight));
            prop_assert!(ranking.iter().all(|ranked| ranked.rank_weight.is_finite() && ranked.passage < passages.len()));
        }
    }
}
