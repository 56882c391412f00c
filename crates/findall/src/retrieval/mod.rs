//! Retrieval: passages and a query in, ranked passages out. What reads only the best of a long text starts here.
//!
//! ```
//! use findall::retrieval::{Bm25, fuse};
//! let passages = ["The ferry leaves at nine.", "Tickets are sold on board the ferry.", "Dogs are welcome."];
//! let words = Bm25::new(passages).rank("Where are ferry tickets sold?");
//! assert_eq!(words[0].passage, 1);
//! // With a ranking by meaning beside it (`nearest`), the two become one:
//! assert_eq!(fuse(&[&words])[0].passage, 1);
//! ```

mod bm25;
mod fusion;
mod nearest;
mod terms;

pub use bm25::{Bm25, Bm25Options};
pub use fusion::{RANK_OFFSET, fuse};
pub use nearest::nearest;
pub use terms::TermReader;

pub(crate) use terms::{terms_of, terms_with_words};

/// A passage in a ranking.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankedPassage {
    /// Its number among the passages ranked.
    pub passage: usize,
    /// What it is ranked by: a log-odds, a BM25 weight or a sum over ranks; comparable within one ranking only.
    pub rank_weight: f32,
}

/// Best first; equal ones as they stand in the text.
fn sort(ranking: &mut [RankedPassage]) {
    ranking.sort_by(|a, b| b.rank_weight.total_cmp(&a.rank_weight).then(a.passage.cmp(&b.passage)));
}
