//! The engine's tests, in one program: documents of every format, hostile ones, lexical find, and properties that
//! hold for any input.

mod documents;
mod fixtures;
mod formats;
mod hostile;
mod lexical;
mod pdf;
mod properties;
