//! What may be typed after `findall` or `findall find`.

use std::path::PathBuf;

use clap::Args;

use crate::absent::Part;
use crate::args::{CacheArgs, EngineArgs, JudgeArgs, LibrarySourceArgs, StyleArgs, TypoArgs};
use crate::config::layer::{Case, Layer, Sort};
use crate::walk::FileArgs;

/// Documents of a library that are read unless the person says otherwise.
pub const DEFAULT_DOCUMENTS: u32 = 32;

/// A source of evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Evidence {
    /// Knowledge from outside the document
    External,
    /// What the document says
    Internal,
}

/// Arguments of `findall find`.
#[derive(Debug, Args)]
pub struct FindArgs {
    /// What to look for
    #[arg(required_unless_present = "type_list")]
    pub query: Option<String>,

    /// Files and folders to search; - is standard input [default: a pipe if there is one, else this folder]
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,

    #[command(flatten)]
    pub source: LibrarySourceArgs,

    /// Documents of a library that are read
    #[arg(long, value_name = "N", default_value_t = DEFAULT_DOCUMENTS, requires = "library", hide = !Part::Library.is_present(), value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub documents: u32,

    /// Only the words as they stand (case, accents, line breaks and hyphenation aside)
    #[arg(long, help_heading = "What counts as a match")]
    pub exact: bool,

    /// Only the words and near spellings of them (typing errors, plurals, other endings)
    #[arg(long, conflicts_with_all = ["exact", "no_typos"], help_heading = "What counts as a match")]
    pub fuzzy: bool,

    /// By words only: no models, no knowledge
    #[arg(long, help_heading = "What counts as a match")]
    pub no_meaning: bool,

    /// Leave out what is known outside the document, or what the document says
    #[arg(long, value_enum, value_name = "EVIDENCE", help_heading = "What counts as a match")]
    pub without: Option<Evidence>,

    #[command(flatten, next_help_heading = "What counts as a match")]
    pub typos: TypoArgs,

    /// Only whole words
    #[arg(short = 'w', long, help_heading = "What counts as a match")]
    pub whole_words: bool,

    /// Capitals and small letters are the same (the default)
    #[arg(short = 'i', long, overrides_with = "case_sensitive", help_heading = "What counts as a match")]
    pub ignore_case: bool,

    /// Capitals, small letters and accents differ; only exact matches
    #[arg(short = 's', long, overrides_with = "ignore_case", help_heading = "What counts as a match")]
    pub case_sensitive: bool,

    #[command(flatten, next_help_heading = "What counts as a match")]
    pub engine: EngineArgs,

    #[command(flatten, next_help_heading = "What counts as a match")]
    pub cache: CacheArgs,

    #[command(flatten, next_help_heading = "What counts as a match")]
    pub judge: JudgeArgs,

    /// Something here answers: show the likeliest where nothing is sure
    #[arg(long, conflicts_with_all = ["threshold", "all", "exact"], help_heading = "What counts as a match")]
    pub guess: bool,

    /// Lowest score shown, 0 to 1
    #[arg(long, value_name = "SCORE", conflicts_with = "all", help_heading = "What counts as a match")]
    pub threshold: Option<f32>,

    /// Only the N best matches of each file
    #[arg(long, value_name = "N", conflicts_with = "all", help_heading = "What counts as a match")]
    pub top: Option<usize>,

    /// Every match, however low its score
    #[arg(long, help_heading = "What counts as a match")]
    pub all: bool,

    /// Stop after N matching lines in each file
    #[arg(short = 'm', long, value_name = "N", help_heading = "What counts as a match")]
    pub max_count: Option<usize>,

    #[command(flatten)]
    pub files: FileArgs,

    /// Print all file types and exit
    #[arg(long, help_heading = "Which files")]
    pub type_list: bool,

    /// Files searched at once [default: one a core]
    #[arg(short = 'j', long, value_name = "N", help_heading = "Which files")]
    pub threads: Option<usize>,

    /// Only the names of files with a match
    #[arg(short = 'l', long, group = "mode", help_heading = "Output")]
    pub files_with_matches: bool,

    /// Only the number of matching lines in each file
    #[arg(short = 'c', long, group = "mode", help_heading = "Output")]
    pub count: bool,

    /// Only the number of matches in each file
    #[arg(long, group = "mode", help_heading = "Output")]
    pub count_matches: bool,

    /// Only the matches, one a line
    #[arg(short = 'o', long, group = "mode", help_heading = "Output")]
    pub only_matching: bool,

    /// JSON Lines: begin, match, end, summary
    #[arg(long, group = "mode", help_heading = "Output")]
    pub json: bool,

    /// Say why each match is one, with its score
    #[arg(long, help_heading = "Output")]
    pub explain: bool,

    /// Order of a file's matches [default: document]
    #[arg(long, value_enum, value_name = "ORDER", help_heading = "Output")]
    pub sort: Option<Sort>,

    /// Number the lines (the default on a terminal)
    #[arg(short = 'n', long, overrides_with = "no_line_number", help_heading = "Output")]
    pub line_number: bool,

    /// Do not number the lines
    #[arg(short = 'N', long, overrides_with = "line_number", help_heading = "Output")]
    pub no_line_number: bool,

    /// Name the file of every match (the default with several files)
    #[arg(short = 'H', long, overrides_with = "no_filename", help_heading = "Output")]
    pub with_filename: bool,

    /// Never name the file
    #[arg(short = 'I', long, overrides_with = "with_filename", help_heading = "Output")]
    pub no_filename: bool,

    /// Write a NUL after every file name, for xargs -0
    #[arg(short = '0', long, help_heading = "Output")]
    pub null: bool,

    /// Lines shown after each match
    #[arg(short = 'A', long, value_name = "N", help_heading = "Output")]
    pub after_context: Option<usize>,

    /// Lines shown before each match
    #[arg(short = 'B', long, value_name = "N", help_heading = "Output")]
    pub before_context: Option<usize>,

    /// Lines shown before and after each match
    #[arg(short = 'C', long, value_name = "N", help_heading = "Output")]
    pub context: Option<usize>,

    #[command(flatten, next_help_heading = "Output")]
    pub style: StyleArgs,
}

impl FindArgs {
    /// What the flags say about settings that variables and files can set too.
    pub fn layer(&self) -> Layer {
        let own = Layer {
            case: self.case_sensitive.then_some(Case::Sensitive).or(self.ignore_case.then_some(Case::Ignore)),
            threshold: self.threshold.or(self.all.then_some(0.0)),
            top: self.top.or(self.all.then_some(usize::MAX)),
            sort: self.sort,
            context: self.context,
            typos: self.fuzzy.then_some(true),
            hidden: self.files.walk.hidden.then_some(true),
            threads: self.threads,
            meaning: (self.no_meaning || self.fuzzy).then_some(false),
            ..self.engine.layer()
        };
        [self.style.layer(), self.cache.layer(), self.judge.layer(), self.typos.layer()]
            .into_iter()
            .fold(own, Layer::or)
    }
}
