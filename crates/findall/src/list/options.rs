//! How a list is made: every choice of the paper, with its default, or ours where we believe it better.

/// What ranks passages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Retriever {
    /// BM25.
    Words,
    /// The encoder.
    Dense,
    /// Both, fused.
    Both,
}

/// How the best passages are ordered again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RerankMethod {
    /// As retrieved.
    Plain,
    /// Those with many names first.
    Num,
    /// Round robin over clusters.
    Div,
    /// A second round with a query that the first one's support makes better.
    Amp,
}

/// How passages are put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Batching {
    /// Neighbours in rank.
    Ranked,
    /// Those that share names.
    Neo,
    /// Those that are alike.
    Sim,
}

/// Which test an object must pass to be accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scrutiny {
    /// The calibrated combination of all evidence: the default.
    Calibrated,
    /// Within the quantile of the score mass.
    Thr,
    /// The reader, asked with the best support passages, names the object; or a larger model says yes.
    Conf,
    /// Support near the relation's own vector.
    Pred,
    /// Support nearer to that of the best than to that of the worst candidates.
    Dis,
    /// Within half of the score mass, or as `Pred`.
    ThrPred,
    /// Within half of the score mass, or as `Dis`.
    ThrDis,
}

/// All choices. The numbers are the paper's table 2 where nothing else is said.
#[derive(Clone, Debug, PartialEq)]
pub struct ListOptions {
    /// What ranks passages.
    pub retriever: Retriever,
    /// Passages retrieved.
    pub pool: usize,
    /// Passages that the generator reads. The paper's 20 spares a language model; here all of the pool are read.
    pub top: usize,
    /// Passages in a batch.
    pub batch: usize,
    /// Order of the passages.
    pub rerank: RerankMethod,
    /// Keywords that `amp` adds for words.
    pub keywords: usize,
    /// Weight of the first query in `amp`'s second.
    pub alpha: f32,
    /// Rounds of `amp`.
    pub rounds: usize,
    /// How batches are made.
    pub batching: Batching,
    /// Passages that the reader is asked about; 0 asks it nothing.
    pub read: usize,
    /// The test.
    pub scrutiny: Scrutiny,
    /// Whether names other than subject and object are hidden from the tests' vectors.
    pub masked: bool,
    /// Share of the score mass that `thr` keeps.
    pub quantile: f32,
    /// The score from which a candidate helps to make the relation's vector (ω). The paper's 5 is for its sums of a
    /// language model's probabilities over five prompts; ours are of one.
    pub sure: f32,
    /// Candidates at the top and the bottom that `dis` compares with (q).
    pub extremes: usize,
    /// Support passages for `conf`, `pred` and `dis` (p).
    pub support: [usize; 3],
    /// Cosine that `pred` asks for (θ).
    pub cosine: f32,
    /// Probability from which the calibrated test accepts.
    pub threshold: f32,
}

impl Default for ListOptions {
    fn default() -> Self {
        Self {
            retriever: Retriever::Both,
            pool: 500,
            top: 500,
            batch: 2,
            rerank: RerankMethod::Plain,
            keywords: 5,
            alpha: 0.7,
            rounds: 1,
            batching: Batching::Ranked,
            read: 0,
            scrutiny: Scrutiny::Calibrated,
            masked: false,
            quantile: 0.8,
            sure: 1.0,
            extremes: 6,
            support: [2, 1, 3],
            cosine: 0.85,
            threshold: 0.5,
        }
    }
}
