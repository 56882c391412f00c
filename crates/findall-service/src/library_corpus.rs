//! The sentences of a library as a corpus, with the way back: what a sentence says, and in which file and line it stands.

use std::path::Path;

use findall::like::Corpus;
use findall::{Document, Engine, Span};
use findall_library::{LibraryError, Snapshot};

/// What is in a library at one moment.
pub struct LibraryCorpus {
    snapshot: Snapshot,
    corpus: Corpus,
    /// The corpus' documents as places in the snapshot's files.
    files: Vec<usize>,
}

/// A sentence of a library.
pub struct LibrarySentence {
    /// The file that it stands in, as the library knows it.
    pub path: String,
    document: Document,
    span: Span,
}

impl LibraryCorpus {
    /// Its sentences as far as this engine's models have analysed them; only of files under `root`, if there is one.
    pub fn read(snapshot: Snapshot, engine: &Engine, root: Option<&Path>) -> Result<Self, LibraryError> {
        let (corpus, files) = snapshot.corpus(&engine.made_by(), root)?;
        Ok(Self { snapshot, corpus, files })
    }

    /// The sentences.
    pub fn corpus(&self) -> &Corpus {
        &self.corpus
    }

    /// The sentence of this number.
    pub fn sentence(&self, number: usize) -> Option<LibrarySentence> {
        let (document, at) = self.corpus.place(number)?;
        let file = *self.files.get(document)?;
        let document = self.snapshot.document(file)?;
        let span = *document.sentences().get(at)?;
        Some(LibrarySentence { path: self.snapshot.files()[file].path.clone(), document, span })
    }
}

impl LibrarySentence {
    /// What it says.
    pub fn text(&self) -> &str {
        self.span.slice(self.document.text()).unwrap_or_default()
    }

    /// Its line, from 1.
    pub fn line(&self) -> usize {
        self.document.positions().line_column(self.span.start).map_or(1, |place| place.line)
    }
}
