//! Places that a reader of the document knows better than a line number: a cell of a sheet, a slide, a message of a
//! mailbox, a file in an archive, a moment of a film. Readers of formats mark where each begins; a byte of the text in,
//! the place out.

use std::fmt;

/// Where in a document a text stands, in the document's own terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DocumentPlace<'d> {
    /// A cell of a table.
    Cell {
        /// The sheet's name; empty when the file is one table.
        sheet: &'d str,
        /// Counted from 1.
        row: u32,
        /// Counted from 1.
        column: u32,
    },
    /// A slide of a presentation, counted from 1.
    Slide(u32),
    /// A message of a mailbox, counted from 1.
    Message(u32),
    /// A cell of a notebook, counted from 1.
    NotebookCell(u32),
    /// A file in an archive, by its path there.
    Member(&'d str),
    /// When a subtitle is shown, in milliseconds from the start.
    Time(u32),
}

impl fmt::Display for DocumentPlace<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            DocumentPlace::Cell { sheet: "", row, column } => write!(out, "{}{row}", column_letters(column)),
            DocumentPlace::Cell { sheet, row, column } => {
                write!(out, "{sheet}!{}{row}", column_letters(column))
            }
            DocumentPlace::Slide(number) => write!(out, "slide {number}"),
            DocumentPlace::Message(number) => write!(out, "message {number}"),
            DocumentPlace::NotebookCell(number) => write!(out, "cell {number}"),
            DocumentPlace::Member(path) => out.write_str(path),
            DocumentPlace::Time(milliseconds) => {
                let seconds = milliseconds / 1000;
                write!(out, "{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
            }
        }
    }
}

/// A column as spreadsheets name it: A to Z, AA, AB …
fn column_letters(column: u32) -> String {
    let mut letters = Vec::new();
    let mut rest = column;
    while rest > 0 {
        letters.push(b'A' + ((rest - 1) % 26) as u8);
        rest = (rest - 1) / 26;
    }
    letters.iter().rev().map(|&letter| char::from(letter)).collect()
}

/// A place as it is kept: names are numbered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(feature = "archives"), allow(dead_code))]
pub(crate) enum PlaceMark {
    Cell { sheet: u32, row: u32, column: u32 },
    Slide(u32),
    Message(u32),
    NotebookCell(u32),
    Member(u32),
    Time(u32),
}

/// All places of a document, in text order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places {
    marks: Vec<(u32, PlaceMark)>,
    names: Vec<String>,
}

impl Places {
    /// Keeps a name and gives its number.
    pub fn add_name(&mut self, name: &str) -> u32 {
        if self.names.last().is_none_or(|last| last != name) {
            self.names.push(name.to_owned());
        }
        self.names.len() as u32 - 1
    }

    /// From this byte of the text on, text stands at this place.
    pub fn mark(&mut self, text: usize, mark: PlaceMark) {
        match self.marks.last_mut() {
            Some(last) if last.0 == text as u32 => last.1 = mark,
            _ => self.marks.push((text as u32, mark)),
        }
    }

    /// The place of a byte of the text.
    pub fn at(&self, byte: usize) -> Option<DocumentPlace<'_>> {
        let after = self.marks.partition_point(|mark| mark.0 as usize <= byte);
        let name = |number: u32| self.names.get(number as usize).map_or("", String::as_str);
        Some(match self.marks[after.checked_sub(1)?].1 {
            PlaceMark::Cell { sheet, row, column } => DocumentPlace::Cell { sheet: name(sheet), row, column },
            PlaceMark::Slide(number) => DocumentPlace::Slide(number),
            PlaceMark::Message(number) => DocumentPlace::Message(number),
            PlaceMark::NotebookCell(number) => DocumentPlace::NotebookCell(number),
            PlaceMark::Member(number) => DocumentPlace::Member(name(number)),
            PlaceMark::Time(milliseconds) => DocumentPlace::Time(milliseconds),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_named_as_people_name_them() {
        assert_eq!(DocumentPlace::Cell { sheet: "Prices", row: 3, column: 28 }.to_string(), "Prices!AB3");
        assert_eq!(DocumentPlace::Cell { sheet: "", row: 1, column: 26 }.to_string(), "Z1");
        assert_eq!(DocumentPlace::Time(3_725_500).to_string(), "1:02:05");
        let mut places = Places::default();
        let sheet = places.add_name("One");
        places.mark(4, PlaceMark::Cell { sheet, row: 1, column: 2 });
        places.mark(9, PlaceMark::Slide(2));
        assert_eq!(places.at(3), None);
        assert_eq!(places.at(8), Some(DocumentPlace::Cell { sheet: "One", row: 1, column: 2 }));
        assert_eq!(places.at(100), Some(DocumentPlace::Slide(2)));
    }
}
