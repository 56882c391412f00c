//! Builds knowledge bases: dumps and rows that people wrote enter, one file leaves that the engine reads.
//!
//! ```text
//! sources ─▶ Draft ─▶ Builder ─▶ file        run: the whole of it, resumable
//!    └ extract: facts out of prose
//! ```
//! How a file is laid out is the engine's to say (`findall::knowledge::format`); how it is filled is said here.

pub mod build;
mod checkpoint;
pub mod extract;
pub mod run;
pub mod sources;

pub use build::{BaseCounts, BuildOptions, Builder, Draft, Name, NameOrigin, Refusal, demonyms};
pub use findall::knowledge::EntityKind;
pub use run::{BuildObserver, BuildPlan, BuildReport, build_base, rejects_path};
pub use sources::{Format, Source, SourceError};

#[cfg(test)]
mod tests {
    #[test]
    fn every_word_list_is_in_order() {
        findall::testing::check_word_lists(concat!(env!("CARGO_MANIFEST_DIR"), "/src"));
    }
}
