//! The user's corrections of the knowledge base: where they lie, and how a base that was opened learns of them.

use std::sync::Once;

use findall::knowledge::KnowledgeBase;
use findall::knowledge::corrections::{CorrectionsFile, ParsedCorrections};
use findall_models::places::UserFolder;

use crate::failure::{Failure, complain};

/// Broken lines that are named; of more it is said how many.
const MAX_LINES_NAMED: usize = 5;

/// The file; nothing where the user has no home.
pub fn file() -> Option<CorrectionsFile> {
    UserFolder::Data.locate().map(|folder| CorrectionsFile::new(folder.join("corrections.tsv")))
}

/// The file, or that there is no place for one.
pub fn file_to_write() -> Result<CorrectionsFile, Failure> {
    file().ok_or_else(|| Failure::Usage("no home folder to keep corrections in; set XDG_DATA_HOME".into()))
}

/// Lays the corrections over a base. Lines or a file that cannot be read cost one line on stderr, not the answer.
pub fn apply(knowledge: &KnowledgeBase) {
    static COMPLAINT: Once = Once::new();
    let Some(file) = file() else { return };
    match file.read() {
        Ok(read) => {
            if let Some(line) = broken_lines(&file, &read) {
                COMPLAINT.call_once(|| complain(&line));
            }
            knowledge.correct(&read.corrections);
        }
        Err(error) => COMPLAINT.call_once(|| complain(&format!("corrections are not used: {error}"))),
    }
}

/// What to say of lines that cannot be read.
pub fn broken_lines(file: &CorrectionsFile, read: &ParsedCorrections) -> Option<String> {
    let (first, rest) = read.broken.split_at(read.broken.len().min(MAX_LINES_NAMED));
    let mut lines: Vec<String> = first.iter().map(usize::to_string).collect();
    match (lines.len(), rest.len()) {
        (0, _) => return None,
        (_, 0) => {}
        (_, more) => lines.push(format!("{more} more")),
    }
    let word = if read.broken.len() == 1 { "line" } else { "lines" };
    let lines = lines.join(", ");
    let place = file.path().display();
    Some(format!("{place}: {word} {lines} cannot be read and are passed over; correct or delete them"))
}
