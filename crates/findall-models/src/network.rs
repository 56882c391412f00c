//! A network on the runtime: batches of token sequences in, rows of numbers out, in the order given.
//!
//! Sequences are sorted by length, so that a batch holds little padding, and batches are spread over the cores as
//! independent streams of one thread each: that beats splitting every small product of one batch over the threads.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use findall::encode::ModelError;
use rten::{Model, ModelOptions, NodeId, RunOptions, ThreadPool, ValueView};
use rten_tensor::Tensor;
use rten_tensor::prelude::*;

use crate::error::LoadError;
use crate::folder::{Files, Folder};
use crate::lazy::LazyValue;
use crate::wire_format;

/// Batches that a stream gets where there is work enough. With one each, the streams ended a third of their time apart.
const STREAM_BATCHES: usize = 4;
/// Tokens (with padding) in one batch: large enough to keep the products busy, small enough to stay in the cache.
const MAX_BATCH_TOKENS: usize = 1024;
/// Below this many tokens a batch of its own costs more than it brings.
const MIN_BATCH_TOKENS: usize = 128;

/// One input: token ids with special tokens in place.
#[derive(Clone, Debug, Default)]
pub struct Sequence {
    /// Token ids.
    pub ids: Vec<i32>,
    /// Token types, one an id; empty when all are 0 or the network has none.
    pub types: Vec<i32>,
}

/// A loaded graph with its inputs and outputs resolved.
pub struct Network {
    name: &'static str,
    model: Model,
    ids: NodeId,
    mask: NodeId,
    types: Option<NodeId>,
    outputs: Vec<NodeId>,
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
        let held = folder.take_held();
        let checked = match held.get("model.onnx") {
            Some(graph) => wire_format::check_model(graph),
            None => wire_format::check_model(&std::fs::read(&path).map_err(|e| refuse(e.to_string()))?),
        };
        checked.map_err(|reason| refuse(reason.to_owned()))?;
        let model = if held.is_empty() { map(&path) } else { load_from_memory(held) }
            .map_err(|e| refuse(e.to_string()))?;
        let node = |id: &str| model.find_node(id);
        let required = |id: &str| node(id).ok_or_else(|| refuse(format!("has no value named {id}")));
        Ok(Self {
            name,
            ids: required("input_ids")?,
            mask: required("attention_mask")?,
            types: node("token_type_ids"),
            outputs: outputs
                .iter()
                .map(|id| required(id))
                .chain(optional.iter().filter_map(|id| node(id)).map(Ok))
                .collect::<Result<_, _>>()?,
            model,
        })
    }

    /// Runs all sequences; for every sequence the rows of every output, in the order of `outputs`.
    pub fn run(&self, sequences: &[Sequence]) -> Result<Vec<Vec<Rows>>, ModelError> {
        let batches = plan(sequences, streams());
        let next = AtomicUsize::new(0);
        let results: Mutex<Vec<Vec<Rows>>> = Mutex::new(vec![Vec::new(); sequences.len()]);
        let work = |stream: usize| -> Result<(), ModelError> {
            while let Some(batch) = batches.get(next.fetch_add(1, Ordering::Relaxed)) {
                let rows = self.run_batch(sequences, batch, stream)?;
                let mut results = results.lock().unwrap_or_else(|e| e.into_inner());
                for (&index, row) in batch.iter().zip(rows) {
                    results[index] = row;
                }
            }
            Ok(())
        };
        let wanted = streams().min(batches.len());
        if wanted <= 1 {
            work(0)?;
        } else {
            std::thread::scope(|scope| {
                let others: Vec<_> = (1..wanted).map(|s| scope.spawn(move || work(s))).collect();
                let mine = work(0);
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
        stream: usize,
    ) -> Result<Vec<Vec<Rows>>, ModelError> {
        let width = batch.iter().map(|&i| sequences[i].ids.len()).max().unwrap_or(0);
        let shape = [batch.len(), width];
        let mut ids = vec![0i32; batch.len() * width];
        let mut mask = ids.clone();
        let mut types = ids.clone();
        for (row, &i) in batch.iter().enumerate() {
            let sequence = &sequences[i];
            let (start, end) = (row * width, row * width + sequence.ids.len());
            ids[start..end].copy_from_slice(&sequence.ids);
            mask[start..end].fill(1);
            if sequence.types.len() == sequence.ids.len() {
                types[start..end].copy_from_slice(&sequence.types);
            }
        }
        let view = |values| ValueView::from_shape(shape, values).map_err(|e| self.to_model_error(e));
        let mut inputs = vec![(self.ids, view(&ids)?.into()), (self.mask, view(&mask)?.into())];
        if let Some(node) = self.types {
            inputs.push((node, view(&types)?.into()));
        }
        let options = RunOptions::default().with_thread_pool(Some(pool(stream)));
        let values =
            self.model.run(inputs, &self.outputs, Some(options)).map_err(|e| self.to_model_error(e))?;

        let mut rows = vec![Vec::with_capacity(values.len()); batch.len()];
        for value in values {
            let tensor: Tensor<f32> = value.try_into().map_err(|e| self.to_model_error(e))?;
            // An output with one row a token is padded like its input; one with a single row is not.
            let by_token = tensor.ndim() == 3;
            let data = tensor.into_data();
            let each = data.len() / batch.len();
            for (row, &i) in batch.iter().enumerate() {
                let kept = if by_token { each / width * sequences[i].ids.len() } else { each };
                rows[row].push(data[row * each..row * each + kept].to_vec());
            }
        }
        Ok(rows)
    }

    fn to_model_error(&self, reason: impl std::fmt::Display) -> ModelError {
        ModelError {
            model: self.name.into(),
            message: format!("{reason}; check the model folder with `findall doctor`"),
        }
    }
}

/// Weights of products are packed once: four times less work for a short query.
fn options() -> ModelOptions {
    let mut options = ModelOptions::with_all_ops();
    options.prepack_weights(true);
    options
}

/// A graph from files in memory.
fn load_from_memory(mut files: Files) -> Result<Model, rten::LoadError> {
    let graph = files.remove("model.onnx").unwrap_or_default();
    let mut options = options();
    for (name, bytes) in files {
        options.external_data(&name, bytes);
    }
    options.load(graph)
}

/// A graph whose weights are mapped.
fn map(path: &Path) -> Result<Model, rten::LoadError> {
    #[expect(
        unsafe_code,
        reason = "the weights are mapped read-only; replacing the file in place while it is in use is the one misuse, \
                  and installing a model writes a new file"
    )]
    unsafe {
        options().load_mmap(path)
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

/// The pool of one thread in which a stream runs its products.
fn pool(stream: usize) -> Arc<ThreadPool> {
    static POOLS: OnceLock<Vec<Arc<ThreadPool>>> = OnceLock::new();
    let pools =
        POOLS.get_or_init(|| (0..streams()).map(|_| Arc::new(ThreadPool::with_num_threads(1))).collect());
    pools[stream % pools.len()].clone()
}

/// Groups sequences of like length; long batches first, so that the streams end together.
fn plan(sequences: &[Sequence], streams: usize) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..sequences.len()).collect();
    order.sort_by_key(|&i| std::cmp::Reverse(sequences[i].ids.len()));
    let total: usize = sequences.iter().map(|s| s.ids.len()).sum();
    // Several batches a stream: whoever is done takes another, and a batch of fewer is padded less.
    let target = total.div_ceil(streams * STREAM_BATCHES).clamp(MIN_BATCH_TOKENS, MAX_BATCH_TOKENS);
    let mut batches: Vec<Vec<usize>> = Vec::new();
    for index in order {
        match batches.last_mut() {
            // The first of a batch is its longest: it sets the width of all.
            Some(batch) if (batch.len() + 1) * sequences[batch[0]].ids.len() <= target => batch.push(index),
            _ => batches.push(vec![index]),
        }
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
    fn batches_hold_every_sequence_once_with_little_padding() {
        let lengths: Vec<usize> = (0..300).map(|i| 5 + (i * 37) % 250).collect();
        let sequences = of_lengths(&lengths);
        let batches = plan(&sequences, 2);
        let mut seen: Vec<usize> = batches.concat();
        seen.sort_unstable();
        assert_eq!(seen, (0..300).collect::<Vec<_>>());
        let padded: usize =
            batches.iter().map(|b| b.len() * b.iter().map(|&i| lengths[i]).max().unwrap()).sum();
        let real: usize = lengths.iter().sum();
        assert!(padded < real * 108 / 100, "{padded} tokens with padding for {real}");
        assert!(batches.iter().all(|b| b.len() == 1 || b.len() * lengths[b[0]] <= MAX_BATCH_TOKENS));
    }

    #[test]
    fn a_query_is_one_batch_and_a_page_is_shared_between_streams() {
        assert_eq!(plan(&of_lengths(&[11]), 2).len(), 1);
        assert_eq!(plan(&of_lengths(&[11, 9, 8]), 2).len(), 1);
        let tokens = |batches: Vec<Vec<usize>>| batches.iter().map(|b| b.len() * 30).collect::<Vec<_>>();
        assert_eq!(tokens(plan(&of_lengths(&[30; 16]), 2)), [120; 4]);
        assert_eq!(tokens(plan(&of_lengths(&[30; 160]), 2)), [600; 8]);
        assert!(
            tokens(plan(&of_lengths(&[30; 1600]), 2)).into_iter().all(|tokens| tokens <= MAX_BATCH_TOKENS)
        );
        assert!(plan(&of_lengths(&[]), 2).is_empty());
    }
}
