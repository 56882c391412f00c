//! Small values under hashed keys, in 64 append-only files. A record carries its own checksum: a process that dies
//! while writing leaves at most one torn record, which the next reader stops at and the next writer cuts off.

use std::collections::{HashMap, HashSet};
use std::io::{ErrorKind, Write};
use std::path::PathBuf;
use std::sync::Mutex;

use super::private::{make_private_folder, open_private, private_options, read_private};

/// What a value is kept under: the first half of a BLAKE3 hash.
pub(crate) type Key = [u8; 16];

/// The key of a text, told apart by what it is the text of.
pub(crate) fn key_of(kind: u8, text: &str) -> Key {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&[kind]);
    hasher.update(text.as_bytes());
    let mut key = [0; 16];
    key.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
    key
}

const SHARD_FILES: usize = 64;

/// A file over this size is begun anew, and what it held is let go: old values are made again when they are needed, and
/// neither the folder nor a process that runs for weeks grows without end.
const MAX_FILE_BYTES: usize = 2 << 20;

/// A file that is larger than one round can make it was not written by us.
const MAX_READ_FILE_BYTES: u64 = 64 << 20;

/// Longest value; more is not worth keeping.
const MAX_VALUE_BYTES: usize = 64 << 10;

const SHARD_HEAD_BYTES: usize = 4 + 16 + 4;

/// One store. Reads come from memory once a file has been read; writes wait for [`flush`](Shards::flush).
pub(crate) struct Shards {
    folder: PathBuf,
    files: Vec<Mutex<Shard>>,
}

#[derive(Default)]
struct Shard {
    read: bool,
    /// Bytes of the file up to the first torn record; `None` when nothing is torn.
    sound: Option<u64>,
    size: usize,
    values: HashMap<Key, Vec<u8>>,
    fresh: Vec<Key>,
}

impl Shards {
    pub fn new(folder: PathBuf) -> Self {
        Self { folder, files: (0..SHARD_FILES).map(|_| Mutex::new(Shard::default())).collect() }
    }

    pub fn get(&self, key: &Key) -> Option<Vec<u8>> {
        self.shard(key).values.get(key).cloned()
    }

    pub fn put(&self, key: Key, value: Vec<u8>) {
        if value.len() > MAX_VALUE_BYTES {
            return;
        }
        let mut shard = self.shard(&key);
        if shard.values.insert(key, value).is_none() {
            shard.fresh.push(key);
        }
    }

    /// Appends what is new. A cache that cannot be written is no error: the next run works things out again.
    pub fn flush(&self) {
        for number in 0..SHARD_FILES {
            let mut shard = self.files[number].lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            if shard.fresh.is_empty() {
                continue;
            }
            let fresh = std::mem::take(&mut shard.fresh);
            let records: Vec<u8> = fresh.iter().flat_map(|key| record(key, &shard.values[key])).collect();
            if shard.size + records.len() > MAX_FILE_BYTES {
                let fresh: HashSet<&Key> = fresh.iter().collect();
                shard.values.retain(|key, _| fresh.contains(key));
            }
            // Counted even where nothing can be written: the limit is on memory, too.
            let _ = self.append(number, &mut shard, &records);
            shard.size += records.len();
        }
    }

    /// Lets go of everything in memory; the files are the cache's to delete.
    pub fn forget(&self) {
        for shard in &self.files {
            *shard.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = Shard::default();
        }
    }

    fn append(&self, number: usize, shard: &mut Shard, records: &[u8]) -> std::io::Result<()> {
        make_private_folder(&self.folder)?;
        let path = self.path(number);
        if shard.size + records.len() > MAX_FILE_BYTES {
            shard.size = 0;
            return super::write_whole(&path, records);
        }
        let mut file = open_private(&path, private_options().create(true).append(true))?;
        if let Some(sound) = shard.sound.take() {
            file.set_len(sound)?;
        }
        // One write call: the system keeps appended writes of several processes apart.
        file.write_all(records)
    }

    fn path(&self, number: usize) -> PathBuf {
        self.folder.join(format!("{number:02x}"))
    }

    fn shard(&self, key: &Key) -> std::sync::MutexGuard<'_, Shard> {
        let number = usize::from(key[0]) % SHARD_FILES;
        let mut shard = self.files[number].lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if !shard.read {
            shard.read = true;
            match read_private(&self.path(number), MAX_READ_FILE_BYTES) {
                Ok(bytes) => shard.load(&bytes),
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                // A link, a pipe, a giant: as if it were full, so that the next write puts a file in its place.
                Err(_) => shard.size = MAX_FILE_BYTES,
            }
        }
        shard
    }
}

impl Shard {
    fn load(&mut self, bytes: &[u8]) {
        self.size = bytes.len();
        let mut rest = bytes;
        while !rest.is_empty() {
            let Some((key, value, length)) = parse(rest) else {
                self.sound = Some((bytes.len() - rest.len()) as u64);
                return;
            };
            self.values.insert(key, value.to_vec());
            rest = &rest[length..];
        }
    }
}

fn record(key: &Key, value: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(SHARD_HEAD_BYTES + value.len());
    out.extend_from_slice(&(value.len() as u32).to_le_bytes());
    out.extend_from_slice(key);
    out.extend_from_slice(value);
    out.extend_from_slice(&checksum(key, value));
    out
}

/// Key, value and length of the first record, if it is whole.
fn parse(bytes: &[u8]) -> Option<(Key, &[u8], usize)> {
    let length = u32::from_le_bytes(bytes.get(..4)?.try_into().ok()?) as usize;
    if length > MAX_VALUE_BYTES {
        return None;
    }
    let key: Key = bytes.get(4..20)?.try_into().ok()?;
    let value = bytes.get(20..20 + length)?;
    let sum = bytes.get(20 + length..24 + length)?;
    (sum == checksum(&key, value)).then_some((key, value, SHARD_HEAD_BYTES + length))
}

fn checksum(key: &Key, value: &[u8]) -> [u8; 4] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(key);
    hasher.update(value);
    let mut sum = [0; 4];
    sum.copy_from_slice(&hasher.finalize().as_bytes()[..4]);
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_survive_and_a_torn_end_is_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        let keys: Vec<Key> = (0..200).map(|n| key_of(1, &format!("text {n}"))).collect();
        let store = Shards::new(folder.path().into());
        for (n, key) in keys.iter().enumerate() {
            store.put(*key, vec![n as u8; n]);
        }
        store.flush();

        let torn = folder.path().join(format!("{:02x}", usize::from(keys[7][0]) % SHARD_FILES));
        let bytes = std::fs::read(&torn).unwrap();
        std::fs::write(&torn, [&bytes[..], &[9, 0, 0, 0, 1, 2]].concat()).unwrap();

        let again = Shards::new(folder.path().into());
        for (n, key) in keys.iter().enumerate() {
            assert_eq!(again.get(key), Some(vec![n as u8; n]));
        }
        let mut new = keys[7];
        new[15] ^= 1;
        again.put(new, b"new".to_vec());
        again.flush();
        let last = Shards::new(folder.path().into());
        assert_eq!(last.get(&new).as_deref(), Some(&b"new"[..]), "written after the torn record was cut");
        assert_eq!(last.get(&keys[7]), Some(vec![7; 7]));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_in_place_of_a_file_is_replaced_and_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let other = folder.path().join("other");
        std::fs::write(&other, "somebody else's").unwrap();
        let key = key_of(1, "text");
        let file = folder.path().join(format!("{:02x}", usize::from(key[0]) % SHARD_FILES));
        std::os::unix::fs::symlink(&other, &file).unwrap();
        let store = Shards::new(folder.path().into());
        assert_eq!(store.get(&key), None);
        store.put(key, b"value".to_vec());
        store.flush();
        assert_eq!(std::fs::read_to_string(&other).unwrap(), "somebody else's");
        assert!(std::fs::symlink_metadata(&file).unwrap().is_file());
        assert_eq!(Shards::new(folder.path().into()).get(&key).as_deref(), Some(&b"value"[..]));
    }

    #[test]
    fn a_changed_byte_is_not_believed() {
        let whole = record(&key_of(0, "a"), b"value");
        assert!(parse(&whole).is_some());
        for at in 0..whole.len() {
            let mut changed = whole.clone();
            changed[at] ^= 4;
            assert!(parse(&changed).is_none(), "byte {at}");
        }
    }
}
