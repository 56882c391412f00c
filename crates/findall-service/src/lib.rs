//! What every face does alike: the engine, what is remembered and what is indexed, put together once. Faces (the command
//! line, HTTP, MCP) parse what is asked, call this crate and print what comes back.
//!
//! - [`ask`]: a question enters; the answer leaves, remembered, corrected, read now or found by a larger model.
//! - [`base`]: a list query to the knowledge base itself, and a person's corrections of it.
//! - [`feedback`]: a person's word about an answer, kept.
//! - [`find`]: limits of a query, which matches are kept, and matches by meaning while a document is still being read.
//! - [`forget`]: what a person wants forgotten is gone from store, cache and library.
//! - [`library_corpus`]: the sentences of a library, and where they stand (feature `library`).
//! - [`like`]: from one sentence to all entities of that kind.
//! - [`list`]: subjects and relations enter, whole lists from a book leave.
//! - [`library_files`]: which files of a library are worth reading for a query (feature `library`).
//! - [`library_search`]: many documents of a library, searched as one (feature `library`).
//! - [`library_update`]: a library brought up to date with files (feature `library`).
//! - [`questions`]: what was asked before, here and of other pages.

pub mod ask;
pub mod base;
pub mod feedback;
pub mod find;
pub mod forget;
#[cfg(feature = "library")]
pub mod library_corpus;
#[cfg(feature = "library")]
pub mod library_files;
#[cfg(feature = "library")]
pub mod library_search;
#[cfg(feature = "library")]
pub mod library_update;
pub mod like;
pub mod list;
pub mod questions;
