//! How much of a PDF its text is: pages that are pictures, pages whose fonts do not say what their letters are, pages
//! that cannot be unpacked. Counts of what each page draws enter; what to tell a person leaves.

use super::content::Operand;
use super::font::ShownText;
use crate::document::gaps::TextGaps;

/// A page with more unknown letters than one in this many is only partly read.
const KNOWN_FOR_EACH_UNKNOWN: usize = 5;
/// Fewer unknown letters than this are ornaments: bullets, arrows, rules.
const MIN_UNKNOWN_LETTERS: usize = 12;

/// What one page draws.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct PageCoverage {
    /// Letters drawn.
    pub letters: usize,
    /// Letters that nobody says the meaning of.
    pub unknown: usize,
    /// Pictures that are large enough to be a scanned page.
    pub pictures: usize,
    /// Some of its content cannot be unpacked.
    pub damaged: bool,
}

impl PageCoverage {
    pub fn note_shown(&mut self, shown: &ShownText) {
        self.letters += shown.codes;
        self.unknown += shown.unknown;
    }

    /// Letters in a font that the file does not have.
    pub fn note_fontless(&mut self, shown: &Operand) {
        let count = |item: &Operand| if let Operand::Text(bytes) = item { bytes.len() } else { 0 };
        let letters = match shown {
            Operand::List(items) => items.iter().map(count).sum(),
            item => count(item),
        };
        self.letters += letters;
        self.unknown += letters;
    }

    /// Adds the page to what the file leaves unread.
    pub fn report(self, gaps: &mut TextGaps) {
        gaps.pages += 1;
        let read = self.letters - self.unknown;
        if self.unknown >= MIN_UNKNOWN_LETTERS && self.unknown * KNOWN_FOR_EACH_UNKNOWN > self.letters {
            gaps.unmapped += 1;
        } else if read == 0 && self.damaged {
            gaps.damaged += 1;
        } else if read == 0 && self.pictures > 0 {
            gaps.scanned += 1;
        }
    }
}
