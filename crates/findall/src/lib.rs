//! The findall engine: text in, spans out. No network, no async, no printing.
//!
//! The flow, one module a stage, each stage a type:
//!
//! ```text
//! bytes ─▶ Document ─▶ Mention ─▶ LinkedMention ─▶ PreparedDocument ─▶ Match
//!         document/    mentions    linking         index               find · ask
//! ```

pub mod ask;
pub mod document;
pub mod encode;
pub mod error;
pub mod knowledge;
pub mod lexical;
pub mod linking;
pub mod mentions;
pub mod span;

pub use document::Document;
pub use span::Span;
