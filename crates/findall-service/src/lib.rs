//! What every face does alike: the engine, what is remembered and what is indexed, put together once. Faces (the command
//! line, HTTP, MCP) parse what is asked, call this crate and print what comes back.
//!
//! - [`ask`]: a question enters; the answer leaves, remembered, corrected, read now or found by a larger model.
//! - [`base`]: a list query to the knowledge base itself, and a person's corrections of it.
//! - [`find`]: which matches are kept, and matches by meaning while a document is still being read.
//! - [`library_corpus`]: the sentences of a library, and where they stand (feature `library`).
//! - [`like`]: from one sentence to all entities of that kind.
//! - [`list`]: subjects and relations enter, whole lists from a book leave.
//! - [`library_files`]: which files of a library are worth reading for a query (feature `library`).

pub mod ask;
pub mod base;
pub mod find;
#[cfg(feature = "library")]
pub mod library_corpus;
#[cfg(feature = "library")]
pub mod library_files;
pub mod like;
pub mod list;
