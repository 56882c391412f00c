//! A network on the runtime: batches of token sequences in, rows of numbers out, in the order given.
//!
//! Batches are spread over the cores as independent streams of one thread each, long sequences first: that beats
//! splitting every small product of one batch over the threads.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use findall::encode::ModelError;

use crate::error::LoadError;
use crate::folder::Folder;
use crate::lazy::LazyValue;
use crate::transformer::{Buffers, Tokens, Transformer};

/// Batches that a stream gets where there is work enough. With one each, the streams ended a third of their time apart.
const STREAM_BATCHES: usize = 4;
/// Tokens in one batch: large enough to keep the products busy, small enough to stay in the cache.
const MAX_BATCH_TOKENS: usize = 256;
/// Below this many tokens a batch of its own costs more than it brings.
const MIN_BATCH_TOKENS: usize = 64;

/// One input: token ids with special tokens in place.
#[derive(Clone, Debug, Default)]
pub struct Sequence {
    /// Token ids.
    pub ids: Vec<i32>,
    /// Token types, one an id; empty when all are 0 or the network has none.
    pub types: Vec<i32>,
}

/// A loaded network with its outputs resolved.
pub struct Network {
    name: &'static str,
    transformer: Transformer,
    outputs: Vec<usize>,
}

/// A network whose weights are checked and loaded when it first runs.
pub struct DeferredNetwork {
    folder: Folder,
    name: &'static str,
    outputs: &'static [&'static str],
    optional: &'static [&'static str],
    network: LazyValue<Network>,
}

impl DeferredNetwork {
    /// The network of a folder whose graph was checked, with the outputs that [`Network::load`] resolves.
    pub fn new(
        folder: Folder,
        name: &'static str,
        outputs: &'static [&'static str],
        optional: &'static [&'static str],
    ) -> Self {
        Self { folder, name, outputs, optional, network: LazyValue::new() }
    }

    /// The network, loaded now if nobody did before. The weights' sums are worked out meanwhile; a network whose weights
    /// are not what they should be is never handed out.
    pub fn load(&self) -> Result<Arc<Network>, LoadError> {
        self.network.get(|| {
            let load = || Network::load(&self.folder, self.name, self.outputs, self.optional);
            if cfg!(target_arch = "wasm32") {
                self.folder.check_weights()?;
                return load();
            }
            let (sums, network) = std::thread::scope(|scope| {
                let sums = scope.spawn(|| self.folder.check_weights());
                let network = load();
                (sums.join(), network)
            });
            // A thread that stopped has checked nothing.
            sums.unwrap_or_else(|_| self.folder.check_weights())?;
            network
        })
    }

    /// As [`Network::run`].
    pub fn run(&self, sequences: &[Sequence]) -> Result<Vec<Vec<Rows>>, ModelError> {
        self.load()?.run(sequences)
    }
}

/// What one output holds for one sequence: as many rows as the output has (one, or one a token), without padding.
pub type Rows = Vec<f32>;

impl Network {
    /// Loads the graph of a checked folder and resolves the outputs named; `optional` ones follow as far as they exist.
    pub fn load(
        folder: &Folder,
        name: &'static str,
        outputs: &[&str],
        optional: &[&str],
    ) -> Result<Self, LoadError> {
        let path = folder.path.join("model.onnx");
        let refuse = |reason: String| LoadError::Graph { path: path.clone(), reason };
        let mut held = folder.take_held();
        let transformer = match held.remove("model.onnx") {
            Some(graph) => Transformer::from_memory(&graph, held),
            None => Transformer::map(&path, &folder.weight_names()),
        }
        .map_err(refuse)?;
        let required =
            |id: &str| transformer.output(id).ok_or_else(|| refuse(format!("has no value named {id}")));
        let outputs = outputs.iter().map(|id| required(id));
        let outputs = outputs
            .chain(optional.iter().filter_map(|id| transformer.output(id)).map(Ok))
            .collect::<Result<_, _>>()?;
        Ok(Self { name, transformer, outputs })
    }

    /// Runs all sequences; for every sequence the rows of every output, in the order of `outputs`.
    pub fn run(&self, sequences: &[Sequence]) -> Result<Vec<Vec<Rows>>, ModelError> {
        let batches = plan(sequences, streams());
        let next = AtomicUsize::new(0);
        let results: Mutex<Vec<Vec<Rows>>> = Mutex::new(vec![Vec::new(); sequences.len()]);
        let work = || -> Result<(), ModelError> {
            let mut buffers = Buffers::default();
            while let Some(batch) = batches.get(next.fetch_add(1, Ordering::Relaxed)) {
                let rows = self.run_batch(sequences, batch, &mut buffers)?;
                let mut results = results.lock().unwrap_or_else(|e| e.into_inner());
                for (&index, row) in batch.iter().zip(rows) {
                    results[index] = row;
                }
            }
            Ok(())
        };
        let wanted = streams().min(batches.len());
        if wanted <= 1 {
            in_stream(0, work)?;
        } else {
            std::thread::scope(|scope| {
                let work = &work;
                let others: Vec<_> = (1..wanted).map(|s| scope.spawn(move || in_stream(s, work))).collect();
                let mine = in_stream(0, work);
                others.into_iter().fold(mine, |done, other| {
                    let other = other.join().unwrap_or_else(|_| Err(self.to_model_error("a thread stopped")));
                    done.and(other)
                })
            })?;
        }
        Ok(results.into_inner().unwrap_or_else(|e| e.into_inner()))
    }

    fn run_batch(
        &self,
        sequences: &[Sequence],
        batch: &[usize],
        buffers: &mut Buffers,
    ) -> Result<Vec<Vec<Rows>>, ModelError> {
        let tokens: Vec<Tokens<'_>> = batch
            .iter()
            .map(|&index| Tokens { ids: &sequences[index].ids, types: &sequences[index].types })
            .collect();
        self.transformer.run(&tokens, &self.outputs, buffers).map_err(|e| self.to_model_error(e))
    }

    fn to_model_error(&self, reason: impl std::fmt::Display) -> ModelError {
        ModelError {
            model: self.name.into(),
            message: format!("{reason}; check the model folder with `findall doctor`"),
        }
    }
}

/// How many batches run at a time: one a core, or what RTEN_NUM_THREADS says.
pub fn streams() -> usize {
    static STREAMS: OnceLock<usize> = OnceLock::new();
    *STREAMS.get_or_init(|| {
        let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
        let wanted = std::env::var("RTEN_NUM_THREADS").ok().and_then(|n| n.parse().ok());
        wanted.unwrap_or(cores).clamp(1, 32)
    })
}

/// Works in a pool of one thread, so that a product is not split over the cores.
#[cfg(not(target_arch = "wasm32"))]
fn in_stream<T: Send>(stream: usize, work: impl FnOnce() -> T + Send) -> T {
    static POOLS: OnceLock<Vec<rayon::ThreadPool>> = OnceLock::new();
    let pools = POOLS.get_or_init(|| {
        let pool = || rayon::ThreadPoolBuilder::new().num_threads(1).build();
        (0..streams()).map_while(|_| pool().ok()).collect()
    });
    match pools.get(stream % pools.len().max(1)) {
        Some(pool) => pool.install(work),
        None => work(),
    }
}

/// A browser's thread has no others beside it.
#[cfg(target_arch = "wasm32")]
fn in_stream<T>(_stream: usize, work: impl FnOnce() -> T) -> T {
    work()
}

/// Groups sequences; long ones first, so that the streams end together.
fn plan(sequences: &[Sequence], streams: usize) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..sequences.len()).collect();
    order.sort_by_key(|&i| std::cmp::Reverse(sequences[i].ids.len()));
    let total: usize = sequences.iter().map(|s| s.ids.len()).sum();
    // Several batches a stream: whoever is done takes another.
    let target = total.div_ceil(streams * STREAM_BATCHES).clamp(MIN_BATCH_TOKENS, MAX_BATCH_TOKENS);
    let mut batches: Vec<Vec<usize>> = Vec::new();
    let mut last = 0;
    for index in order {
        let tokens = sequences[index].ids.len();
        match batches.last_mut() {
            Some(batch) if last + tokens <= target => batch.push(index),
            _ => {
                batches.push(vec![index]);
                last = 0;
            }
        }
        last += tokens;
    }
    batches
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_lengths(lengths: &[usize]) -> Vec<Sequence> {
        lengths.iter().map(|&n| Sequence { ids: vec![1; n], types: Vec::new() }).collect()
    }

    #[test]
    fn batches_hold_every_sequence_once_and_stay_small() {
        let lengths: Vec<usize> = (0..300).map(|i| 5 + (i * 37) % 380).collect();
        let sequences = of_lengths(&lengths);
        let batches = plan(&sequences, 2);
        let mut seen: Vec<usize> = batches.concat();
        seen.sort_unstable();
        assert_eq!(seen, (0..300).collect::<Vec<_>>());
        let tokens = |batch: &Vec<usize>| batch.iter().map(|&i| lengths[i]).sum::<usize>();
        assert!(batches.iter().all(|b| b.len() == 1 || tokens(b) <= MAX_BATCH_TOKENS));
        assert!(batches.is_sorted_by_key(|b| std::cmp::Reverse(lengths[b[0]])));
    }

    #[test]
    fn a_query_is_one_batch_and_a_page_is_shared_between_streams() {
        assert_eq!(plan(&of_lengths(&[11]), 2).len(), 1);
        assert_eq!(plan(&of_lengths(&[11, 9, 8]), 2).len(), 1);
        let tokens = |batches: Vec<Vec<usize>>| batches.iter().map(|b| b.len() * 30).collect::<Vec<_>>();
        assert_eq!(tokens(plan(&of_lengths(&[30; 16]), 2)), [60; 8]);
        assert_eq!(tokens(plan(&of_lengths(&[30; 64]), 2)), [240; 8]);
        assert!(
            tokens(plan(&of_lengths(&[30; 1600]), 2)).into_iter().all(|tokens| tokens <= MAX_BATCH_TOKENS)
        );
        assert!(plan(&of_lengths(&[]), 2).is_empty());
    }
}
