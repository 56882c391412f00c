//! Everything as JSON Lines: a header, settings, pages, questions with all that hangs on them, an end. Written and read
//! a line at a time; reading the same file twice changes nothing the second time.

mod line;
mod training;

use std::io::{BufRead, Read, Write};

pub use line::{
    AnswerLine, AskedLine, FORMAT, FeedbackLine, Line, PageLine, QuestionLine, ReadingLine, SelectorLine,
    VectorLine, VersionLine,
};
pub use training::{TrainingRow, write_corrections};

use crate::error::StoreError;
use crate::store::Store;

/// What to hand out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// All of it, settings too.
    Everything,
    /// Pages that may be shared and their questions, without settings.
    Shared,
    /// Questions that persons corrected, without settings.
    Corrected,
}

/// How to take an import in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ImportOptions {
    /// Take the privacy settings too: for a backup of one's own.
    pub settings: bool,
}

/// What an import brought.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ImportCounts {
    /// Pages that were not there.
    pub pages: u64,
    /// Questions that were not there.
    pub questions: u64,
    /// Readings that were not there or are newer.
    pub readings: u64,
    /// Corrections that were not there.
    pub corrections: u64,
    /// Pages and questions that the privacy settings of this store keep out.
    pub refused: u64,
}

impl ImportCounts {
    fn add(&mut self, other: Self) {
        self.pages += other.pages;
        self.questions += other.questions;
        self.readings += other.readings;
        self.corrections += other.corrections;
        self.refused += other.refused;
    }
}

/// Lines written in one transaction.
const MAX_BATCH_LINES: usize = 200;
/// A question with a thousand answers is a megabyte; anything longer is something else.
const MAX_LINE_BYTES: u64 = 16 << 20;

/// Writes a store as JSON Lines.
pub fn write_all(store: &dyn Store, scope: Scope, out: &mut dyn Write) -> Result<(), StoreError> {
    store.export(scope, &mut |line| {
        serde_json::to_writer(&mut *out, &line).map_err(std::io::Error::from)?;
        Ok(out.write_all(b"\n")?)
    })
}

/// Reads what [`write_all`] wrote. `progress` is called with the number of lines taken so far.
pub fn import(
    store: &dyn Store,
    input: &mut dyn BufRead,
    options: ImportOptions,
    progress: &mut dyn FnMut(u64),
) -> Result<ImportCounts, StoreError> {
    let mut lines = Lines { input, number: 0 };
    let wrong = |line: u64, reason: &str| Err(StoreError::Import { line, reason: reason.to_owned() });
    match lines.next()? {
        Some(Line::Store { format, .. }) if format <= FORMAT => {}
        Some(Line::Store { .. }) => return wrong(1, "was written by a newer findall; update findall"),
        _ => return wrong(1, "is not the beginning of an export; make one with findall store export"),
    }
    let mut total = ImportCounts::default();
    let mut batch = Vec::with_capacity(MAX_BATCH_LINES);
    loop {
        let line = lines.next()?;
        let ended = matches!(line, None | Some(Line::End { .. }));
        if let (Some(line), false) = (&line, ended) {
            batch.push(line.clone());
        }
        if ended || batch.len() == MAX_BATCH_LINES {
            total.add(store.import(&batch, options)?);
            batch.clear();
            progress(lines.number);
        }
        match line {
            None => {
                return wrong(
                    lines.number,
                    "is the last, but the export's end is missing: the file was cut off",
                );
            }
            Some(Line::End { .. }) => return Ok(total),
            Some(_) => {}
        }
    }
}

struct Lines<'r> {
    input: &'r mut dyn BufRead,
    number: u64,
}

impl Lines<'_> {
    fn next(&mut self) -> Result<Option<Line>, StoreError> {
        let mut text = Vec::new();
        let read = (&mut *self.input).take(MAX_LINE_BYTES).read_until(b'\n', &mut text)?;
        if read == 0 {
            return Ok(None);
        }
        self.number += 1;
        let wrong = |reason: String| StoreError::Import { line: self.number, reason };
        if read as u64 == MAX_LINE_BYTES {
            return Err(wrong("is longer than any that findall writes".into()));
        }
        let line =
            serde_json::from_slice(&text).map_err(|error| wrong(format!("cannot be read ({error})")))?;
        Ok(Some(line))
    }
}
