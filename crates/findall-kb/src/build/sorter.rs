//! Sorting more than fits in memory: pairs of bytes enter in any order and leave ordered by key, equal keys in the
//! order they came. Past its memory budget the sorter spills sorted runs into its folder and merges them at the end.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

/// A pair that leaves the sorter.
pub(super) type SortedPair = (Vec<u8>, Vec<u8>);

pub(super) struct Sorter {
    folder: PathBuf,
    name: String,
    budget: usize,
    arena: Vec<u8>,
    /// Start, length of key and length of value in the arena.
    pairs: Vec<(usize, u32, u32)>,
    runs: Vec<PathBuf>,
}

impl Sorter {
    pub(super) fn new(folder: &Path, name: &str, budget: usize) -> Self {
        Self {
            folder: folder.to_owned(),
            name: name.to_owned(),
            budget,
            arena: Vec::new(),
            pairs: Vec::new(),
            runs: Vec::new(),
        }
    }

    /// Takes up runs that an interrupted build left.
    pub(super) fn resume(&mut self, runs: usize) {
        self.runs = (0..runs).map(|number| self.run_path(number)).collect();
    }

    /// Spilled runs so far.
    pub(super) fn runs(&self) -> usize {
        self.runs.len()
    }

    fn run_path(&self, number: usize) -> PathBuf {
        self.folder.join(format!("{}.{number:05}", self.name))
    }

    pub(super) fn push(&mut self, key: &[u8], value: &[u8]) -> io::Result<()> {
        let too_long = |_| io::Error::new(io::ErrorKind::InvalidInput, "an item over four gigabytes");
        let (key_len, value_len) =
            (u32::try_from(key.len()).map_err(too_long)?, u32::try_from(value.len()).map_err(too_long)?);
        if self.arena.len() + key.len() + value.len() + 16 * (self.pairs.len() + 1) > self.budget
            && !self.pairs.is_empty()
        {
            self.spill()?;
        }
        self.pairs.push((self.arena.len(), key_len, value_len));
        self.arena.extend_from_slice(key);
        self.arena.extend_from_slice(value);
        Ok(())
    }

    fn sort(&mut self) {
        let arena = &self.arena;
        self.pairs.sort_by(|a, b| key_of(arena, a).cmp(key_of(arena, b)).then(a.0.cmp(&b.0)));
    }

    /// Writes what is in memory as a sorted run.
    pub(super) fn spill(&mut self) -> io::Result<()> {
        if self.pairs.is_empty() {
            return Ok(());
        }
        self.sort();
        let path = self.run_path(self.runs.len());
        let mut out = BufWriter::with_capacity(1 << 18, File::create(&path)?);
        for &(start, key_len, value_len) in &self.pairs {
            out.write_all(&key_len.to_le_bytes())?;
            out.write_all(&value_len.to_le_bytes())?;
            out.write_all(&self.arena[start..start + key_len as usize + value_len as usize])?;
        }
        out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_data()?;
        self.runs.push(path);
        self.pairs.clear();
        self.arena.clear();
        Ok(())
    }

    /// Everything in order. The runs are deleted when the stream is dropped.
    pub(super) fn finish(mut self) -> io::Result<SortedPairs> {
        self.sort();
        let runs = self
            .runs
            .iter()
            .map(|path| Ok(BufReader::with_capacity(1 << 16, File::open(path)?)))
            .collect::<io::Result<Vec<_>>>()?;
        let mut sorted = SortedPairs {
            arena: self.arena,
            pairs: self.pairs.into_iter(),
            runs,
            paths: self.runs,
            heap: BinaryHeap::new(),
        };
        for source in 0..=sorted.runs.len() {
            sorted.refill(source)?;
        }
        Ok(sorted)
    }
}

fn key_of<'a>(arena: &'a [u8], pair: &(usize, u32, u32)) -> &'a [u8] {
    &arena[pair.0..pair.0 + pair.1 as usize]
}

/// Key, source and value of a source's next pair; order by key, then by age of the source.
type Head = (Vec<u8>, usize, Vec<u8>);

/// The ordered stream of a [`Sorter`].
pub(super) struct SortedPairs {
    arena: Vec<u8>,
    pairs: std::vec::IntoIter<(usize, u32, u32)>,
    runs: Vec<BufReader<File>>,
    paths: Vec<PathBuf>,
    /// The next pair of each run, and of memory as the last source.
    heap: BinaryHeap<Reverse<Head>>,
}

impl SortedPairs {
    fn refill(&mut self, source: usize) -> io::Result<()> {
        let pair = if source == self.runs.len() {
            self.pairs.next().map(|(start, key_len, value_len)| {
                let middle = start + key_len as usize;
                (self.arena[start..middle].to_vec(), self.arena[middle..middle + value_len as usize].to_vec())
            })
        } else {
            read_pair(&mut self.runs[source])?
        };
        if let Some((key, value)) = pair {
            self.heap.push(Reverse((key, source, value)));
        }
        Ok(())
    }
}

fn read_pair(run: &mut impl Read) -> io::Result<Option<SortedPair>> {
    let mut sizes = [0u8; 8];
    match run.read(&mut sizes[..1])? {
        0 => return Ok(None),
        _ => run.read_exact(&mut sizes[1..])?,
    }
    let size =
        |at: usize| u32::from_le_bytes([sizes[at], sizes[at + 1], sizes[at + 2], sizes[at + 3]]) as usize;
    let mut key = vec![0; size(0)];
    run.read_exact(&mut key)?;
    let mut value = vec![0; size(4)];
    run.read_exact(&mut value)?;
    Ok(Some((key, value)))
}

impl Iterator for SortedPairs {
    type Item = io::Result<SortedPair>;

    fn next(&mut self) -> Option<Self::Item> {
        let Reverse((key, source, value)) = self.heap.pop()?;
        match self.refill(source) {
            Ok(()) => Some(Ok((key, value))),
            Err(error) => Some(Err(error)),
        }
    }
}

impl Drop for SortedPairs {
    fn drop(&mut self) {
        for path in &self.paths {
            // A run that stays behind costs disk only; the folder goes when the build ends.
            let _ = std::fs::remove_file(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_is_the_same_in_memory_and_spilled() {
        let folder = std::env::temp_dir().join(format!("findall-sorter-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let run = |budget: usize| {
            let mut sorter = Sorter::new(&folder, &format!("s{budget}"), budget);
            for n in 0..2000u32 {
                let key = format!("{:03}", n * 7 % 300);
                sorter.push(key.as_bytes(), &n.to_le_bytes()).unwrap();
            }
            (sorter.runs(), sorter.finish().unwrap().map(Result::unwrap).collect::<Vec<_>>())
        };
        let (no_runs, in_memory) = run(1 << 20);
        let (runs, spilled) = run(1000);
        assert_eq!(no_runs, 0);
        assert!(runs > 10);
        assert_eq!(in_memory, spilled);
        assert!(in_memory.is_sorted_by_key(|(key, _)| key));
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
