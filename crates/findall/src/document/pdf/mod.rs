//! PDF to text: the pages in order, each the text that its content stream shows, laid out in lines. lopdf reads the
//! objects under a memory limit; this module walks the drawing operators that place text.

mod cmap;
mod direction;
mod font;
mod interpret;
mod layout;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use lopdf::{Document as Pdf, LoadOptions, Object};

use super::builder::TextBuilder;
use super::format::Format;
use super::limits::{self, Limits};
use crate::error::DocumentError;

/// Stack of the reading thread: objects may nest, and lopdf follows them by recursion.
const STACK: usize = 64 * 1024 * 1024;

/// When to stop: the clock, or nobody waiting any more.
#[derive(Clone, Debug)]
struct Deadline {
    at: Instant,
    limit: Duration,
    abandoned: Arc<AtomicBool>,
}

impl Deadline {
    fn check(&self) -> Result<(), DocumentError> {
        if Instant::now() > self.at || self.abandoned.load(Ordering::Relaxed) {
            return Err(DocumentError::TimedOut { format: Format::Pdf, limit: self.limit });
        }
        Ok(())
    }
}

/// Reads a PDF into a new builder. The work runs on its own thread, because a parser of so large a format may recurse
/// deeply, hang or panic on hostile bytes, and none of that may reach the caller.
pub(super) fn read(bytes: Vec<u8>, limits: &Limits) -> Result<TextBuilder, DocumentError> {
    let abandoned = Arc::new(AtomicBool::new(false));
    let deadline =
        Deadline { at: Instant::now() + limits.time, limit: limits.time, abandoned: abandoned.clone() };
    let (sender, receiver) = mpsc::channel();
    let (own_limits, own_deadline) = (limits.clone(), deadline);
    let spawned =
        std::thread::Builder::new().name("findall-pdf".to_owned()).stack_size(STACK).spawn(move || {
            // The receiver is gone only after a timeout, and then nobody wants the result.
            let _ = sender.send(read_here(&bytes, &own_limits, &own_deadline));
        });
    if let Err(error) = spawned {
        return Err(damaged(&format!("no thread to read it on: {error}")));
    }
    // The thread looks at the clock itself; the extra second lets it say so.
    match receiver.recv_timeout(limits.time + Duration::from_secs(1)) {
        Ok(result) => result,
        Err(mpsc::RecvTimeoutError::Timeout) => {
            abandoned.store(true, Ordering::Relaxed);
            Err(DocumentError::TimedOut { format: Format::Pdf, limit: limits.time })
        }
        Err(mpsc::RecvTimeoutError::Disconnected) => Err(damaged("its structure makes no sense")),
    }
}

fn read_here(bytes: &[u8], limits: &Limits, deadline: &Deadline) -> Result<TextBuilder, DocumentError> {
    let pdf = load(bytes, limits)?;
    deadline.check()?;
    let mut builder = TextBuilder::default();
    builder.title = title(&pdf);
    let mut work = interpret::Work::new(&pdf, limits, deadline);
    let mut pages = 0;
    for page in pdf.page_iter() {
        pages += 1;
        limits::check("number of pages", pages, limits.pages)?;
        deadline.check()?;
        builder.start_page();
        work.page(page, &mut builder)?;
    }
    if pages == 0 {
        return Err(damaged("it has no pages"));
    }
    Ok(builder)
}

fn load(bytes: &[u8], limits: &Limits) -> Result<Pdf, DocumentError> {
    // Object streams are unpacked while loading, each within the limit: share it between as many as there are.
    let object_streams = memchr::memmem::find_iter(bytes, b"/ObjStm").count().max(1);
    let budget = bytes.len().saturating_mul(16).clamp(16 << 20, 128 << 20);
    let each = (budget / object_streams).max(256 << 10).min(limits.text_bytes);
    let options = LoadOptions::with_max_decompressed_size(each);
    let pdf = Pdf::load_mem_with_options(bytes, options).map_err(|error| explain(&error))?;
    if pdf.is_encrypted() && pdf.encryption_state.is_none() {
        return Err(DocumentError::Encrypted { format: Format::Pdf });
    }
    // Objects found by scanning a file without its end are those that happened to arrive.
    let tail = &bytes[bytes.len().saturating_sub(2048)..];
    if pdf.xref_recovery.is_some() && memchr::memmem::find(tail, b"%%EOF").is_none() {
        return Err(damaged("the end of the file is missing"));
    }
    Ok(pdf)
}

fn explain(error: &lopdf::Error) -> DocumentError {
    match error {
        lopdf::Error::InvalidPassword
        | lopdf::Error::Decryption(_)
        | lopdf::Error::UnsupportedSecurityHandler(_) => DocumentError::Encrypted { format: Format::Pdf },
        lopdf::Error::Decompress(lopdf::DecompressError::MemoryLimitExceeded { limit }) => {
            DocumentError::ZipBomb { detail: format!("a stream unpacks to over {limit} bytes") }
        }
        other => damaged(&other.to_string()),
    }
}

fn damaged(detail: &str) -> DocumentError {
    DocumentError::Damaged { format: Format::Pdf, detail: detail.to_owned() }
}

fn title(pdf: &Pdf) -> Option<String> {
    let info = pdf.trailer.get_deref(b"Info", pdf).and_then(Object::as_dict).ok()?;
    lopdf::decode_text_string(info.get_deref(b"Title", pdf).ok()?).ok()
}
