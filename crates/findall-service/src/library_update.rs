//! A library brought up to date with files: what is new or has changed is read, what is gone is taken out, what is not
//! analysed yet is analysed. The face names the files, opens them and hears how far the work is.

use std::collections::BTreeMap;
use std::io;
use std::ops::ControlFlow;
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use findall::Engine;
use findall::document::Document;
use findall_library::{AnalyseError, CommitProgress, LibraryError, Stamp, Writer};

/// A path from the root, as the library knows files.
pub fn to_absolute(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    path.components().filter(|part| *part != Component::CurDir).collect()
}

/// What a path is called in the library: itself, with bytes that are no UTF-8 as numbers.
fn key_of(path: &Path) -> String {
    let mut key = String::new();
    for part in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        key.push_str(part.valid());
        key.extend(part.invalid().iter().map(|byte| format!("\\x{byte:02x}")));
    }
    key
}

/// What is to be in a library: files by their absolute path.
#[derive(Debug, Default)]
pub struct WantedFiles {
    library: PathBuf,
    roots: Vec<PathBuf>,
    files: BTreeMap<String, WantedFile>,
    /// True when something that was named is not there.
    pub missing: bool,
}

#[derive(Debug)]
struct WantedFile {
    /// As the person named it, or the folder that it was met in.
    path: PathBuf,
    stamp: Stamp,
    named: bool,
}

impl WantedFiles {
    /// No file yet of what was named for the library in this folder.
    pub fn new(library: &Path, named: &[PathBuf]) -> Self {
        let roots = named.iter().map(|path| to_absolute(path)).collect();
        Self { library: to_absolute(library), roots, ..Self::default() }
    }

    /// Adds a file, which was named itself or met in a folder; the library's own files are left out.
    pub fn add(&mut self, path: &Path, named: bool) -> io::Result<()> {
        let stamp = Stamp::of(path).inspect_err(|_| self.missing |= named)?;
        let whole = to_absolute(path);
        if !whole.starts_with(&self.library) {
            let key = key_of(&whole);
            let named = named || self.files.get(&key).is_some_and(|known| known.named);
            self.files.insert(key, WantedFile { path: path.to_owned(), stamp, named });
        }
        Ok(())
    }

    /// How the person named a file.
    pub fn display_path(&self, path: &str) -> String {
        self.files.get(path).map_or_else(|| path.to_owned(), |file| file.path.display().to_string())
    }

    /// Whether a file of the library lies under what was named, so that it is gone where it is not wanted.
    fn covers(&self, path: &str) -> bool {
        self.roots.iter().any(|root| Path::new(path).starts_with(root))
    }
}

/// What bringing up to date did.
#[derive(Clone, Copy, Debug, Default)]
pub struct IndexingReport {
    /// Files read, and their text.
    pub words: CommitProgress,
    /// Files that were gone.
    pub removed: usize,
    /// Files left as they were.
    pub unchanged: usize,
    /// How long the words took.
    pub words_time: Duration,
    /// Documents analysed.
    pub meaning: CommitProgress,
    /// Tokens that the encoder read for the analysis.
    pub tokens: u64,
    /// How long the analysis took.
    pub meaning_time: Duration,
    /// True when a file that was named could not be read.
    pub failed_by_name: bool,
}

/// Opens a file that was named itself, or met in a folder: nothing where it has no text, a complaint where it cannot be read.
pub type FileOpener<'o> = dyn Fn(&Path, bool) -> Result<Option<Document>, String> + Sync + 'o;

/// Reads what is new or changed and takes out what is gone; `report` hears of every commit and every complaint, and may stop
/// the reading.
pub fn read_words(
    writer: &mut Writer<'_>,
    wanted: &WantedFiles,
    open: &FileOpener<'_>,
    report: &mut dyn FnMut(Result<CommitProgress, String>) -> ControlFlow<()>,
) -> Result<IndexingReport, LibraryError> {
    let started = Instant::now();
    let changed: Vec<(String, Stamp)> = wanted
        .files
        .iter()
        .filter(|(path, file)| writer.find_file(path).is_none_or(|known| known.stamp != file.stamp))
        .map(|(path, file)| (path.clone(), file.stamp))
        .collect();
    let gone: Vec<String> = (writer.paths())
        .filter(|path| wanted.covers(path) && !wanted.files.contains_key(*path))
        .map(str::to_owned)
        .collect();
    let removed = gone.iter().filter(|path| writer.remove(path)).count();
    // Any of the threads that read files may set it.
    let failed_by_name = AtomicBool::new(wanted.missing);
    let open_one = |key: &Path| {
        // The key of a name that is no UTF-8 is not the name.
        let Some(file) = key.to_str().and_then(|key| wanted.files.get(key)) else { return Ok(None) };
        open(&to_absolute(&file.path), file.named)
            .inspect_err(|_| _ = failed_by_name.fetch_or(file.named, Ordering::Relaxed))
    };
    let words = writer.read(&changed, &open_one, report)?;
    if removed > 0 && changed.is_empty() {
        writer.commit()?;
    }
    Ok(IndexingReport {
        words,
        removed,
        unchanged: wanted.files.len() - changed.len(),
        words_time: started.elapsed(),
        failed_by_name: failed_by_name.into_inner(),
        ..IndexingReport::default()
    })
}

/// Analyses what is not yet; `also` may do its own with each document, and `report`, which hears of every commit, may stop the
/// analysis.
pub fn read_meaning<E: From<AnalyseError> + From<LibraryError>>(
    writer: &Writer<'_>,
    engine: &Engine,
    done: &mut IndexingReport,
    also: &mut dyn FnMut(&str, &Document) -> Result<(), E>,
    report: &mut dyn FnMut(CommitProgress) -> ControlFlow<()>,
) -> Result<(), E> {
    let started = Instant::now();
    let mut failure = None;
    let mut tokens = 0;
    let mut watch = |path: &str, document: &Document| {
        let sentences = document.sentences().iter().filter_map(|span| span.slice(document.text()));
        tokens += sentences.map(|text| engine.count_tokens(text) as u64).sum::<u64>();
        if failure.is_none() {
            failure = also(path, document).err();
        }
        Ok(())
    };
    done.meaning = writer.analyse(&engine.analyser(), &engine.made_by(), &mut watch, report)?;
    writer.tidy(&engine.made_by())?;
    done.tokens = tokens;
    done.meaning_time = started.elapsed();
    failure.map_or(Ok(()), Err)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use findall_library::Library;

    use super::*;

    /// How many files are read, left as they were and removed, and whether one that was named failed.
    fn update(library: &Library, folder: &Path, files: &[&str]) -> (usize, usize, usize, bool) {
        let mut wanted = WantedFiles::new(library.folder(), &[folder.to_owned()]);
        for file in files {
            wanted.add(&folder.join(file), *file == "broken.txt").unwrap();
        }
        let open = |path: &Path, _: bool| match fs::read_to_string(path) {
            Ok(text) if text.is_empty() => Err("there is nothing in it".to_owned()),
            text => Ok(text.ok().map(|text| Document::from_text(&text))),
        };
        let mut writer = library.writer().unwrap();
        let done = read_words(&mut writer, &wanted, &open, &mut |_| ControlFlow::Continue(())).unwrap();
        writer.finish().unwrap();
        (done.words.files, done.unchanged, done.removed, done.failed_by_name)
    }

    #[test]
    fn only_what_is_new_or_changed_is_read_and_what_is_gone_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let library = Library::create(&folder.path().join("library")).unwrap();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        write("a.txt", "Lyon is a city.");
        write("b.txt", "WeChat is old.");
        write("library/c.txt", "A library does not read itself.");
        assert_eq!(update(&library, folder.path(), &["a.txt", "b.txt", "library/c.txt"]), (2, 0, 0, false));
        write("b.txt", "WeChat is older than that.");
        assert_eq!(update(&library, folder.path(), &["a.txt", "b.txt"]), (1, 1, 0, false));
        assert_eq!(update(&library, folder.path(), &["b.txt"]), (0, 1, 1, false));
        write("broken.txt", "");
        assert_eq!(update(&library, folder.path(), &["b.txt", "broken.txt"]), (1, 1, 0, true));
    }
}
