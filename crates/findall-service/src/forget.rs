//! Forgetting: a page, a question or everything enters, and is gone from what is remembered and from wherever else its words
//! were kept: the cache of texts, and the library that lies in it.

use std::io;
use std::path::Path;

#[cfg(feature = "library")]
use findall_library::{Library, LibraryError};
use findall_store::{ForgetReport, ForgetTarget, Store, StoreError};

/// Where words of texts are kept.
#[derive(Clone, Copy)]
pub struct KeptPlaces<'a> {
    /// What is remembered.
    pub store: &'a dyn Store,
    /// Deletes the cache of texts, which cannot be told apart by page; a face that has none does nothing.
    pub clear_cache: &'a dyn Fn() -> io::Result<()>,
    /// The folder of the library in the cache, if there may be one. A build without libraries leaves it alone.
    pub library: Option<&'a Path>,
}

/// What is gone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ForgetOutcome {
    /// From what was remembered.
    pub store: ForgetReport,
    /// Documents of the library.
    pub documents: usize,
}

/// What could not be forgotten; what comes before it in the list of [`KeptPlaces`] is gone.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ForgetError {
    /// Nothing is.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The cache is still there.
    #[error("the cache cannot be deleted: {0}")]
    Cache(io::Error),
    /// The library is as it was.
    #[cfg(feature = "library")]
    #[error(transparent)]
    Library(#[from] LibraryError),
}

/// Forgets it everywhere.
pub fn forget_everywhere(
    what: ForgetTarget<'_>,
    places: &KeptPlaces<'_>,
) -> Result<ForgetOutcome, ForgetError> {
    let store = places.store.forget(what)?;
    (places.clear_cache)().map_err(ForgetError::Cache)?;
    #[cfg(feature = "library")]
    let documents = places.library.map_or(Ok(0), |folder| forget_documents(folder, what))?;
    #[cfg(not(feature = "library"))]
    let documents = 0;
    Ok(ForgetOutcome { store, documents })
}

/// Takes documents out of a library, if there is one. Says how many.
#[cfg(feature = "library")]
fn forget_documents(library: &Path, what: ForgetTarget<'_>) -> Result<usize, LibraryError> {
    match what {
        _ if !Library::exists(library) => Ok(0),
        ForgetTarget::Everything => Library::remove(library),
        what => Library::take_out(library, |paths| what.files(paths)),
    }
}
