//! PDF to text: the pages in order, each the text that its content stream shows, laid out in lines. lopdf reads the
//! objects under a memory limit; this module walks the drawing operators that place text, and says which pages are not
//! text at all.

mod annotations;
mod bombs;
mod cmap;
mod codes;
mod content;
mod coverage;
mod direction;
mod font;
mod glyphs;
mod interpret;
mod layout;
mod program;
mod standard;
mod streams;

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use lopdf::{Document as Pdf, LoadOptions, Object};

use super::builder::TextBuilder;
use super::format::Format;
use super::gaps::TextGaps;
use super::limits::{self, Limits};
use crate::error::DocumentError;

/// Stack of the reading thread: objects may nest, and lopdf follows them by recursion.
const STACK_BYTES: usize = 64 * 1024 * 1024;

/// A file says what it is within its first bytes.
const MAX_HEADER_BYTES: usize = 1024;

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

/// Reads a PDF into the builder. Its pages are counted when nothing was read before it.
pub(super) fn read_into(
    bytes: Vec<u8>,
    builder: &mut TextBuilder,
    limits: &Limits,
) -> Result<(), DocumentError> {
    builder.take_in(read(bytes, limits)?);
    Ok(())
}

/// Reads a PDF into a new builder. The work runs on its own thread, because a parser of so large a format may recurse
/// deeply, hang or panic on hostile bytes, and none of that may reach the caller.
fn read(bytes: Vec<u8>, limits: &Limits) -> Result<TextBuilder, DocumentError> {
    let abandoned = Arc::new(AtomicBool::new(false));
    let deadline =
        Deadline { at: Instant::now() + limits.time, limit: limits.time, abandoned: abandoned.clone() };
    let (sender, receiver) = mpsc::channel();
    let (own_limits, own_deadline) = (limits.clone(), deadline);
    let spawned =
        std::thread::Builder::new().name("findall-pdf".to_owned()).stack_size(STACK_BYTES).spawn(move || {
            // The receiver is gone only after a timeout, and then nobody wants the result.
            let _ = sender.send(read_here(&bytes, &own_limits, &own_deadline));
        });
    if let Err(error) = spawned {
        return Err(damage_error(&format!("no thread to read it on: {error}")));
    }
    // The thread looks at the clock itself; the extra second lets it say so.
    match receiver.recv_timeout(limits.time + Duration::from_secs(1)) {
        Ok(result) => result,
        Err(mpsc::RecvTimeoutError::Timeout) => {
            abandoned.store(true, Ordering::Relaxed);
            Err(DocumentError::TimedOut { format: Format::Pdf, limit: limits.time })
        }
        Err(mpsc::RecvTimeoutError::Disconnected) => Err(damage_error("its structure makes no sense")),
    }
}

fn read_here(bytes: &[u8], limits: &Limits, deadline: &Deadline) -> Result<TextBuilder, DocumentError> {
    let pdf = load(bytes, limits)?;
    deadline.check()?;
    let mut builder = TextBuilder::default();
    builder.title = title(&pdf);
    let mut work = interpret::PageInterpreter::new(&pdf, limits, deadline);
    let mut gaps = TextGaps::default();
    for page in pdf.page_iter() {
        limits::check("number of pages", gaps.pages + 1, limits.pages)?;
        deadline.check()?;
        builder.start_page();
        work.page(page, &mut builder)?.report(&mut gaps);
    }
    if gaps.pages == 0 {
        return Err(damage_error("it has no pages"));
    }
    if !gaps.is_empty() && builder.is_blank() {
        return Err(DocumentError::NoText { gaps });
    }
    builder.gaps = gaps;
    Ok(builder)
}

fn load(bytes: &[u8], limits: &Limits) -> Result<Pdf, DocumentError> {
    let each = bombs::measure_object_streams(bytes, limits)?;
    let options = LoadOptions::with_max_decompressed_size(each);
    let bytes = &*blank_remarks(bytes);
    let pdf = Pdf::load_mem_with_options(bytes, options).map_err(|error| {
        // A lock that lopdf does not know looks like damage to it.
        match explain(&error) {
            DocumentError::Damaged { .. } if is_locked(bytes) => {
                DocumentError::Encrypted { format: Format::Pdf }
            }
            error => error,
        }
    })?;
    if pdf.is_encrypted() && pdf.encryption_state.is_none() {
        return Err(DocumentError::Encrypted { format: Format::Pdf });
    }
    // Objects found by scanning a file without its end are those that happened to arrive.
    let tail = &bytes[bytes.len().saturating_sub(2048)..];
    if pdf.xref_recovery.is_some() && memchr::memmem::find(tail, b"%%EOF").is_none() {
        return Err(damage_error("the end of the file is missing"));
    }
    Ok(pdf)
}

/// A file that qpdf wrote for people to look at has remarks where lopdf does not expect them, before objects of an object
/// stream; they are made blank.
fn blank_remarks(bytes: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memmem::find(&bytes[..bytes.len().min(MAX_HEADER_BYTES)], b"\n%QDF-").is_none() {
        return Cow::Borrowed(bytes);
    }
    let mut plain = bytes.to_vec();
    for at in memchr::memmem::find_iter(bytes, b"\n%% ") {
        let end = memchr::memchr(b'\n', &bytes[at + 1..]).map_or(bytes.len(), |end| at + 1 + end);
        plain[at + 1..end].fill(b' ');
    }
    Cow::Owned(plain)
}

/// True when a whole file names an encryption dictionary in its trailer.
fn is_locked(bytes: &[u8]) -> bool {
    let tail = &bytes[bytes.len().saturating_sub(2048)..];
    let holds = |bytes: &[u8], part: &[u8]| memchr::memmem::find(bytes, part).is_some();
    holds(tail, b"%%EOF") && holds(bytes, b"/Encrypt ")
}

fn explain(error: &lopdf::Error) -> DocumentError {
    match error {
        lopdf::Error::InvalidPassword
        | lopdf::Error::Decryption(_)
        | lopdf::Error::UnsupportedSecurityHandler(_) => DocumentError::Encrypted { format: Format::Pdf },
        lopdf::Error::Decompress(lopdf::DecompressError::MemoryLimitExceeded { limit }) => {
            DocumentError::ZipBomb { detail: format!("a stream unpacks to over {limit} bytes") }
        }
        other => damage_error(&other.to_string()),
    }
}

fn damage_error(detail: &str) -> DocumentError {
    DocumentError::Damaged { format: Format::Pdf, detail: detail.to_owned() }
}

fn title(pdf: &Pdf) -> Option<String> {
    let info = pdf.trailer.get_deref(b"Info", pdf).and_then(Object::as_dict).ok()?;
    lopdf::decode_text_string(info.get_deref(b"Title", pdf).ok()?).ok()
}
