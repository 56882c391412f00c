//! What a preparation read and what it passed over, so that a list of matches can say how complete it is.

/// How complete a prepared document is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Bytes of text read.
    pub bytes: usize,
    /// Passages read.
    pub passages: usize,
    /// Mentions found.
    pub mentions: usize,
    /// Those that were recognised as an entity of the knowledge base.
    pub linked: usize,
    /// What was passed over, and why.
    pub skipped: Vec<SkippedPart>,
}

/// Something that was passed over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SkippedPart {
    /// The text is in another language than the knowledge and the models.
    OtherLanguage,
    /// Entities beyond what a document may have; they are still found by their letters.
    TooManyEntities {
        /// How many were left out.
        left_out: usize,
    },
    /// Lists and tables beyond what is read of them; what they name is still found by its letters.
    LongLists {
        /// Bytes that were not read.
        bytes: usize,
    },
    /// The preparation was stopped before the end.
    Stopped {
        /// Bytes that were not read.
        bytes: usize,
    },
}

impl Coverage {
    /// False when the preparation was stopped before the end.
    pub fn is_whole(&self) -> bool {
        !self.skipped.iter().any(|skipped| matches!(skipped, SkippedPart::Stopped { .. }))
    }

    /// Mentions that were not recognised; they are judged by what the document says about them.
    pub fn count_unlinked(&self) -> usize {
        self.mentions - self.linked
    }
}

impl std::fmt::Display for Coverage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let size = match self.bytes {
            bytes if bytes < 10_000 => format!("{bytes} bytes"),
            bytes => format!("{} kB", bytes.div_ceil(1000)),
        };
        write!(
            f,
            "read {size} in {} passages; {} mentions, {} linked, {} not linked",
            self.passages,
            self.mentions,
            self.linked,
            self.count_unlinked()
        )?;
        for skipped in &self.skipped {
            write!(f, "; {skipped}")?;
        }
        Ok(())
    }
}

impl std::fmt::Display for SkippedPart {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::OtherLanguage => {
                f.write_str("the text does not look English, the knowledge is: trust exact matches only")
            }
            Self::TooManyEntities { left_out } => {
                write!(f, "{left_out} names left out: the document has too many; split it")
            }
            Self::LongLists { bytes } => {
                write!(f, "{} kB of long lists went by words alone: split the file", bytes.div_ceil(1000))
            }
            Self::Stopped { bytes } => write!(f, "stopped with {bytes} bytes unread"),
        }
    }
}
