//! The findall engine: text in, spans out. No network, no async, no printing.
//!
//! The flow, one module a stage, each stage a type:
//!
//! ```text
//! bytes ─▶ Document ─▶ Mention ─▶ LinkedMention ─▶ PreparedDocument ─▶ Match
//!         document/    mentions    linking         index               find · ask · like
//! ```
//!
//! The shortest use, which needs no model:
//!
//! ```
//! use findall::lexical::{LexicalOptions, find};
//! let page = b"<p>Two <b>companies</b> merged; one company is left.</p>";
//! let document = findall::Document::from_bytes(page, Some(findall::document::Format::Html), &Default::default())?;
//! for found in find(document.text(), "company", LexicalOptions::default())? {
//!     println!("{:?} {:?} {}", found.span.slice(document.text()), found.kind, found.score);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Engine`] runs it; its page shows the five lines from a document to matches by meaning.

pub mod ask;
pub mod built_in;
pub mod cache;
pub mod chat;
pub mod document;
pub mod encode;
pub mod engine;
pub mod error;
pub mod find;
pub mod index;
pub mod judge;
pub mod knowledge;
pub mod lexical;
pub mod like;
pub mod linking;
pub mod list;
pub mod mentions;
pub mod names;
pub mod page_words;
pub mod quote;
pub mod retrieval;
pub mod span;
pub mod spelling;
#[cfg(not(target_arch = "wasm32"))]
#[doc(hidden)]
pub mod testing;
pub mod tuning;
pub mod word_list;

pub use ask::{Answers, AskOptions};
pub use cache::Cache;
pub use document::Document;
pub use engine::Engine;
pub use find::{FindOptions, Findings, Match};
pub use index::PreparedDocument;
pub use quote::Quote;
pub use span::Span;
