//! What can go wrong with a store. Every message is one line, names the store, and says what to do; none holds a
//! password, a page's address or a question.

/// Why a store could not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The file is there and is something else.
    #[error("{place} is not a findall store; name another file, this one was left as it is")]
    Foreign {
        /// Which file or schema.
        place: String,
    },
    /// A later findall wrote it.
    #[error(
        "{place} was written by a newer findall (its layout is {found}, this one knows {known}); update findall"
    )]
    Newer {
        /// Which store.
        place: String,
        /// Layout of the store.
        found: i64,
        /// Newest layout that this program knows.
        known: i64,
    },
    /// It cannot be opened or reached.
    #[error("{place}: cannot be opened ({reason})")]
    Unreachable {
        /// Which store.
        place: String,
        /// What the system said, and what to do where that is known.
        reason: String,
    },
    /// Somebody else is writing and did not finish in time.
    #[error("{place}: another process has been writing for {seconds} s; try again when it is done")]
    Busy {
        /// Which store.
        place: String,
        /// How long it was waited for.
        seconds: u64,
    },
    /// The connection went away; whether the last write arrived is not known.
    #[error("{place}: the connection was lost ({reason}); the last write may or may not have arrived")]
    Lost {
        /// Which store.
        place: String,
        /// What was seen of it.
        reason: String,
    },
    /// No answer came in time; whether the last write arrived is not known.
    #[error("{place}: no answer within {seconds} s; is the server stopped, or the network down?")]
    Silent {
        /// Which store.
        place: String,
        /// How long it was waited for.
        seconds: u64,
    },
    /// The file is torn.
    #[error("{place} is damaged ({reason}); restore a backup, or move it away and start anew")]
    Damaged {
        /// Which store.
        place: String,
        /// What the check found.
        reason: String,
    },
    /// No room, no permission, a disk that fails.
    #[error("{place}: {reason}")]
    Failed {
        /// Which store.
        place: String,
        /// What the database said.
        reason: String,
    },
    /// More than a store takes.
    #[error("{what} is longer than {limit} bytes; it is not remembered")]
    TooLong {
        /// What was too long.
        what: &'static str,
        /// Most that is kept.
        limit: usize,
    },
    /// A character that one of the databases cannot keep.
    #[error("{what} holds a NUL character; it is not remembered")]
    Unstorable {
        /// Which text.
        what: &'static str,
    },
    /// A vector that cannot be compared with the others.
    #[error("the vector is no direction in {expected} dimensions (it has {found}); use the shipped encoder")]
    Vector {
        /// What every vector here has.
        expected: usize,
        /// What this one has.
        found: usize,
    },
    /// A pattern that is no glob.
    #[error(
        "the pattern {pattern:?} cannot be read ({reason}); write it like *.bank.example or https://example.org/private/*"
    )]
    Pattern {
        /// As given.
        pattern: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A line of an import that is none of ours.
    #[error(
        "line {line} of the import {reason}; everything before it is imported, and importing again is safe"
    )]
    Import {
        /// Its number, from 1.
        line: u64,
        /// What is wrong with it.
        reason: String,
    },
    /// The reader or writer of an import or export failed.
    #[error("{0}")]
    Stream(#[from] std::io::Error),
    /// This build has no such backend.
    #[error("this findall was built without PostgreSQL; use one built with the default features")]
    NotBuilt,
}
