//! Measures findall: definitions and datasets in, a printed table and a dated CSV record out.
//!
//! One verb, one file: its arguments, what it measures, how. A new verb is a new file, a variant of [`EvalVerb`] and
//! an arm of [`run`]; it hands its figures over as [`record::Row`]s, so that all records read alike.

pub mod answers;
pub mod ask;
pub mod books;
pub mod building;
mod definition;
mod figures;
mod inputs;
pub mod kb_find;
mod kb_find_fit;
pub mod knowledge;
mod knowledge_pages;
pub mod ktrlf;
mod larger;
pub mod lexical;
pub mod lexical_speed;
pub mod library;
pub mod like;
pub mod linking;
pub mod lists;
pub mod load;
pub mod mentions;
mod process;
pub mod qa;
pub mod questions;
pub mod record;
pub mod report;
pub mod resources;
pub mod scaling;
mod score;
pub mod spelling;
pub mod store;
pub mod table;

use std::io::Write;
use std::path::PathBuf;

/// What can be measured.
#[derive(Debug, clap::Subcommand)]
pub enum EvalVerb {
    /// How much of what a KTRL+F file asks for the knowledge base knows, and how fast it answers
    Knowledge(knowledge::KnowledgeArgs),
    /// List queries over the whole knowledge base: nDCG@10 beside BM25 over the same texts, and time
    KbFind(kb_find::KbFindArgs),
    /// Rate and memory of building a knowledge base from a piece of a Wikidata dump
    Building(building::BuildingArgs),
    /// Precision and recall of lexical find on the definitions under eval/definitions/lexical
    Lexical(lexical::LexicalArgs),
    /// Find by meaning on KTRL+F data, scored as published, beside other systems
    Ktrlf(ktrlf::KtrlfArgs),
    /// Long lists from a whole book: precision and recall after each stage, R@P, and what each technique brings
    List(books::list::ListArgs),
    /// The cast of a book: gold persons found, with their aliases together
    Names(books::names::NamesArgs),
    /// Find by meaning on list queries: entities and mentions found, silence where there is no answer
    Lists(lists::ListsArgs),
    /// Time and memory of find by meaning as the text grows
    Scaling(scaling::ScalingArgs),
    /// Pictures from the records
    Report(report::ReportArgs),
    /// Time and memory of findall --exact beside ripgrep, from 1 to 50 MB
    LexicalSpeed(lexical_speed::SpeedArgs),
    /// Libraries of documents: speed of indexing and searching, and what survives kill -9
    Library(library::LibraryArgs),
    /// From one sentence to all entities of that kind, beside the paper's methods, in the form of its table
    Like(like::LikeArgs),
    /// Accuracy and end-to-end F1 of linking beside popularity-only and exact-title baselines
    Linking(linking::LinkingArgs),
    /// Many clients at once against a real findall serve: errors, latencies, memory
    Load(load::LoadArgs),
    /// The tagger on gold mentions in KTRL+F's format
    Mentions(mentions::MentionsArgs),
    /// Asking end to end, whole articles as documents: answers, silence where there is none, time, typing errors
    Ask(ask::AskArgs),
    /// The reader on questions in SQuAD 2.0's format, scored as its official script does
    Qa(qa::QaArgs),
    /// The encoder on pairs of questions that ask the same
    Questions(questions::QuestionsArgs),
    /// Typing errors: how many are put right, and how many questions without one are changed
    Spelling(spelling::SpellingArgs),
    /// The store: acknowledged writes after kill -9, and similar questions among a million
    Store(store::StoreArgs),
}

/// Why a measurement could not be made. Every message says what to do.
#[derive(Debug, thiserror::Error)]
pub enum EvalError {
    /// A file or folder that the measurement needs.
    #[error("{}: {error}; run from the root of the checkout, or name the place", path.display())]
    File {
        /// Which one.
        path: PathBuf,
        /// What the system said.
        error: std::io::Error,
    },
    /// A definition that cannot be used.
    #[error("{}: {message}", path.display())]
    Definition {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        message: String,
    },
    /// A program that is measured or compared with.
    #[error("{program}: {message}")]
    Program {
        /// Which one.
        program: String,
        /// What went wrong and what to do.
        message: String,
    },
    /// The record could not be written.
    #[error("cannot write the record: {0}")]
    Record(#[from] csv::Error),
    /// The table could not be written.
    #[error("cannot write the table: {0}")]
    Table(#[from] std::io::Error),
}

/// Measures, writes the table to `out` and the record where the arguments say.
pub fn run(verb: EvalVerb, out: &mut dyn Write) -> Result<(), EvalError> {
    match verb {
        EvalVerb::Knowledge(args) => knowledge::run(&args, out),
        EvalVerb::KbFind(args) => kb_find::run(&args, out),
        EvalVerb::Building(args) => building::run(&args, out),
        EvalVerb::Lexical(args) => lexical::run(&args, out),
        EvalVerb::Ktrlf(args) => ktrlf::run(&args, out),
        EvalVerb::List(args) => books::list::run(&args, out),
        EvalVerb::Names(args) => books::names::run(&args, out),
        EvalVerb::Lists(args) => lists::run(&args, out),
        EvalVerb::Scaling(args) => scaling::run(&args, out),
        EvalVerb::Report(args) => report::run(&args, out),
        EvalVerb::LexicalSpeed(args) => lexical_speed::run(&args, out),
        EvalVerb::Library(args) => library::run(&args, out),
        EvalVerb::Like(args) => like::run(&args, out),
        EvalVerb::Linking(args) => linking::run(&args, out),
        EvalVerb::Load(args) => load::run(&args, out),
        EvalVerb::Mentions(args) => mentions::run(&args, out),
        EvalVerb::Ask(args) => ask::run(&args, out),
        EvalVerb::Qa(args) => qa::run(&args, out),
        EvalVerb::Questions(args) => questions::run(&args, out),
        EvalVerb::Spelling(args) => spelling::run(&args, out),
        EvalVerb::Store(args) => store::run(&args, out),
    }
}
