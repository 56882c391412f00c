//! Every target by its name: bytes in, a panic where something does not hold.

mod documents;
mod knowledge;
mod lexical;
#[cfg(feature = "models")]
mod models;
#[cfg(feature = "service")]
mod service;

/// A target: its name, which is also the folder of its seeds, and what it does.
pub type Target = (&'static str, fn(&[u8]));

/// All of them, as far as they were compiled in.
pub const ALL: &[Target] = &[
    ("csv", documents::csv),
    ("docx", documents::docx),
    ("epub", documents::epub),
    ("fb2", documents::fb2),
    ("gzip", documents::gzip),
    ("html", documents::html),
    ("knowledge", knowledge::knowledge),
    ("latex", documents::latex),
    ("lexical", lexical::lexical),
    ("mail", documents::mail),
    ("markdown", documents::markdown),
    ("mbox", documents::mbox),
    ("notebook", documents::notebook),
    ("odf", documents::odf),
    #[cfg(feature = "pdf")]
    ("pdf", documents::pdf),
    ("pptx", documents::pptx),
    ("rtf", documents::rtf),
    ("subtitles", documents::subtitles),
    ("text", documents::text),
    ("xlsx", documents::xlsx),
    ("zip", documents::zip),
    #[cfg(feature = "models")]
    ("graph", models::graph),
    #[cfg(feature = "models")]
    ("manifest", models::manifest),
    #[cfg(feature = "models")]
    ("tokenizer", models::tokenizer),
    #[cfg(feature = "service")]
    ("http", service::http),
    #[cfg(feature = "service")]
    ("mcp", service::mcp),
];
