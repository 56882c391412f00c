//! Where findall remembers: the configured store, and the key under which a file's page is kept.

use std::path::Path;

use findall_models::places::UserFolder;
pub use findall_store::file_key;
use findall_store::{Store, StoreError};

use crate::config::Config;
use crate::failure::{Failure, complain};

/// The store's place: what was named, or `store.db` among the person's data.
pub fn place(config: &Config) -> Result<String, Failure> {
    if let Some(place) = &config.store {
        return Ok(place.clone());
    }
    let folder = UserFolder::Data.locate().ok_or_else(|| {
        Failure::Usage("no home folder to remember in; name a place with --store or FINDALL_STORE".into())
    })?;
    Ok(folder.join("store.db").to_string_lossy().into_owned())
}

/// True when the configured store is there, or is on a server.
pub fn exists(config: &Config) -> bool {
    place(config).is_ok_and(|place| findall_store::is_server(&place) || Path::new(&place).exists())
}

/// The configured store.
pub fn open(config: &Config) -> Result<Box<dyn Store>, Failure> {
    let place = place(config)?;
    if config.offline && findall_store::is_server(&place) {
        return Err(Failure::Setting {
            origin: "offline".into(),
            message: "the store is on a server; name a file with --store, or turn offline off".into(),
        });
    }
    // Opening a store shuts it to others; whoever could read it until now is worth a word.
    let loose = !findall_store::is_server(&place) && findall_store::is_open_to_others(Path::new(&place));
    let store = findall_store::open(&place).map_err(store_failure)?;
    if loose {
        complain(&format!("{place} could be read by others; from now on only by you"));
    }
    Ok(store)
}

/// A store's error, already worded for people.
pub fn store_failure(error: StoreError) -> Failure {
    match error {
        StoreError::Stream(error) => error.into(),
        error => Failure::Verb(error.to_string()),
    }
}

/// The key of a page: an address as it is, a file by where it lies.
pub fn page_key(page: &str) -> String {
    match std::fs::canonicalize(page) {
        Ok(path) if !page.contains("://") => file_key(&path),
        _ => page.to_owned(),
    }
}
