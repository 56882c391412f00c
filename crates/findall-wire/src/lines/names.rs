//! Lines of `findall names --json`: one member of the cast a line, the most named first.

use serde::Serialize;

/// Somebody or something that a book names.
#[derive(Debug, Serialize)]
pub struct CastMemberLine<'e> {
    /// All names, the most used first.
    pub aliases: Vec<AliasLine<'e>>,
    /// How often it is named.
    pub count: usize,
    /// Where it is named first.
    pub first: Option<NamePlaceLine>,
    /// `female` or `male`, where the book says so.
    pub gender: Option<&'static str>,
    /// `person`, `place` or `group`.
    pub kind: &'static str,
    /// The fullest name.
    pub name: &'e str,
}

/// One of the names of a member.
#[derive(Debug, Serialize)]
pub struct AliasLine<'e> {
    /// How often it is used.
    pub count: usize,
    /// Where it is used first.
    pub first: NamePlaceLine,
    /// The name.
    pub text: &'e str,
}

/// Where a name stands: the ends of its span, and its line.
#[derive(Debug, Serialize)]
pub struct NamePlaceLine {
    /// Bytes into the text.
    pub bytes: [usize; 2],
    /// Characters into the text.
    pub chars: [Option<usize>; 2],
    /// Line of the first character, from 1.
    pub line: usize,
}
