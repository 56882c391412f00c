//! Forgetting: a page, a question or everything, in the store and wherever else its words were kept: the cache of texts and
//! the library that lies in it.

use std::path::{Path, PathBuf};

use clap::Args;
use findall::Cache;
use findall_library::Library;
use findall_store::{Forget, Pattern, Store};

use crate::failure::{Failure, Outcome};
use crate::output::Output;
use crate::{library, meaning, remember};

/// Arguments of `findall store forget`.
#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("what").required(true).multiple(true))]
pub struct ForgetArgs {
    /// A page: its address, its file, or a glob such as *.bank.example
    #[arg(long, value_name = "PAGE", group = "what")]
    page: Option<String>,

    /// A question, of one page with --page, else of all
    #[arg(long, value_name = "QUESTION", group = "what")]
    question: Option<String>,

    /// All pages, questions, answers and corrections, and the library in the cache; settings stay
    #[arg(long, group = "what", conflicts_with_all = ["page", "question"])]
    everything: bool,
}

/// Forgets; exit 1 when there was nothing to forget.
pub fn run(store: &dyn Store, args: &ForgetArgs) -> Result<Outcome, Failure> {
    let page = args.page.as_deref().map(remember::page_key);
    let normalised = args.question.as_deref().map(findall::ask::question::normalise);
    let what = match (&normalised, &page) {
        (Some(normalised), page) => Forget::Question { normalised, page: page.as_deref() },
        (None, Some(page)) => Forget::Pages(page),
        (None, None) => Forget::Everything,
    };
    let gone = store.forget(what).map_err(remember::failed)?;
    let mut documents = 0;
    if let Some(folder) = meaning::cache_folder() {
        // What was worked out about texts cannot be told apart by page.
        let cleared = Cache::new(&folder).clear();
        cleared
            .map_err(|error| Failure::Verb(format!("{}: {error}; delete it by hand", folder.display())))?;
        let shelf = folder.join("library");
        documents = match what {
            _ if !library::is_library(&shelf) => 0,
            Forget::Everything => forget_library(&shelf)?,
            Forget::Pages(page) => forget_documents(&shelf, page)?,
            Forget::Question { .. } => 0,
        };
    }
    let mut said = format!("forgotten: {} pages, {} questions\n", gone.pages, gone.questions);
    if documents > 0 {
        said += &format!("taken out of the library: {documents} documents\n");
    }
    if !gone.wiped {
        said += "another process holds the old file open; traces on the disk are overwritten when it ends\n";
    }
    Output::stdout().write(said.as_bytes())?;
    let any = gone.pages + gone.questions > 0 || documents > 0;
    Ok(if any { Outcome::Found } else { Outcome::Nothing })
}

/// Takes the whole library away; one of another version too, whose documents nobody can count.
fn forget_library(shelf: &Path) -> Result<usize, Failure> {
    let held = Library::open(shelf).and_then(|library| library.snapshot());
    let documents = held.map_or(0, |snapshot| snapshot.files().len());
    Library::remove(shelf)?;
    Ok(documents)
}

/// Takes the documents of a page out: the file of that name, or every file that the glob matches.
fn forget_documents(shelf: &Path, page: &str) -> Result<usize, Failure> {
    let library = Library::open(shelf)?;
    let keys = |path: &str| {
        let path = PathBuf::from(path);
        [
            remember::file_key(&path),
            path.canonicalize().map_or_else(|_| String::new(), |it| remember::file_key(&it)),
        ]
    };
    let snapshot = library.snapshot()?;
    let paths: Vec<&str> = snapshot.files().iter().map(|known| known.path.as_str()).collect();
    let mut chosen: Vec<&str> =
        paths.iter().copied().filter(|path| keys(path).iter().any(|key| key == page)).collect();
    if chosen.is_empty()
        && let Ok(pattern) = Pattern::new(page)
    {
        chosen = paths.iter().copied().filter(|path| pattern.matches(&keys(path)[0])).collect();
    }
    if chosen.is_empty() {
        return Ok(0);
    }
    let writer = library.writer()?;
    let gone = chosen.iter().filter(|path| writer.remove(path)).count();
    drop(snapshot);
    writer.purge()?;
    Ok(gone)
}
