//! What of a document could not be read although the file is sound: pages that are pictures, letters without meaning.
//! Counts enter; one line that says what is missing and what to do leaves.

use std::fmt;

/// Pages of a document whose text is not, or not all, in [`Document::text`](super::Document::text).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextGaps {
    /// Pages that the document has.
    pub pages: usize,
    /// Pages that are pictures of text.
    pub scanned: usize,
    /// Pages whose fonts do not say what their letters are.
    pub unmapped: usize,
    /// Pages whose content is damaged.
    pub damaged: usize,
}

impl TextGaps {
    /// Pages that were not read, or only in part.
    pub fn count_unread(&self) -> usize {
        self.scanned + self.unmapped + self.damaged
    }

    /// The gaps of two documents that are read as one.
    #[cfg(feature = "pdf")]
    pub(crate) fn join(self, other: TextGaps) -> TextGaps {
        TextGaps {
            pages: self.pages + other.pages,
            scanned: self.scanned + other.scanned,
            unmapped: self.unmapped + other.unmapped,
            damaged: self.damaged + other.damaged,
        }
    }

    /// True when everything was read.
    pub fn is_empty(&self) -> bool {
        self.count_unread() == 0
    }
}

impl fmt::Display for TextGaps {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let causes = [
            (self.scanned, "scanned, a picture without text", "scanned, pictures without text"),
            (self.unmapped, "in a font without a text map", "in fonts without a text map"),
            (self.damaged, "damaged", "damaged"),
        ];
        let mut separator = "";
        for (count, one, several) in causes.into_iter().filter(|cause| cause.0 > 0) {
            let cause = if count == 1 { one } else { several };
            match self.pages {
                1 => write!(out, "{separator}its one page is {cause}")?,
                pages if count == 1 => write!(out, "{separator}1 of {pages} pages is {cause}")?,
                pages => write!(out, "{separator}{count} of {pages} pages are {cause}")?,
            }
            separator = "; ";
        }
        match self.scanned + self.unmapped {
            0 => out.write_str("; fetch or export it again"),
            _ => out.write_str("; recognise the text (for example with ocrmypdf) and search the copy"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_what_is_missing_and_what_to_do() {
        let gaps = TextGaps { pages: 12, scanned: 3, unmapped: 1, damaged: 0 };
        assert_eq!(
            gaps.to_string(),
            "3 of 12 pages are scanned, pictures without text; 1 of 12 pages is in a font without a text map; \
             recognise the text (for example with ocrmypdf) and search the copy"
        );
        let gaps = TextGaps { pages: 1, damaged: 1, ..TextGaps::default() };
        assert_eq!(gaps.to_string(), "its one page is damaged; fetch or export it again");
    }
}
