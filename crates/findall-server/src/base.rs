//! The knowledge base that a server answers from: the index of its words, made when it is first asked for, and a
//! person's corrections, which count from the next request on, whoever wrote them.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::{Mutex, OnceLock, PoisonError};

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use findall::knowledge::KnowledgeBase;
use findall::knowledge::corrections::{Correction, CorrectionError, CorrectionsFile, Stamp};
use findall::knowledge::words::{WordIndex, WordIndexError};

use crate::app::App;
use crate::error::ApiError;
use crate::workers::Stop;

/// What a server keeps beside the base itself.
#[derive(Debug, Default)]
pub struct Base {
    /// Where the index of words lies; in memory without a place.
    words_path: Option<PathBuf>,
    words: OnceLock<WordIndex>,
    building: Mutex<()>,
    /// Where corrections are kept; a server without a place takes none.
    corrections: Option<CorrectionsFile>,
    applied: Mutex<Stamp>,
}

impl Base {
    /// Keeps its index and corrections at these places. The corrections are taken to be applied already.
    pub fn new(words_path: Option<PathBuf>, corrections: Option<CorrectionsFile>) -> Self {
        let applied = corrections.as_ref().map(CorrectionsFile::stamp).unwrap_or_default();
        Self { words_path, corrections, applied: Mutex::new(applied), ..Self::default() }
    }

    /// The index of words, made now if need be. Who waits for it while another request makes it gets the same.
    pub fn words(&self, knowledge: &KnowledgeBase, stop: &Stop) -> Result<&WordIndex, ApiError> {
        if let Some(words) = self.words.get() {
            return Ok(words);
        }
        let _building = self.building.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(words) = self.words.get() {
            return Ok(words);
        }
        let built =
            WordIndex::open_or_build(knowledge, self.words_path.as_deref(), &mut |_| match stop.is_set() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            });
        match built {
            Ok(words) => Ok(self.words.get_or_init(|| words)),
            Err(WordIndexError::Stopped) => {
                Err(ApiError::Busy("the base is still being indexed; try again in a few seconds".into()))
            }
            Err(error) => {
                tracing::error!(%error, "indexing the base failed");
                Err(ApiError::Internal("the base could not be indexed; the server's log says why".into()))
            }
        }
    }

    /// Keeps a correction.
    pub fn keep(&self, correction: &Correction) -> Result<(), ApiError> {
        let file = self.corrections.as_ref().ok_or_else(|| {
            ApiError::NotBuilt(
                "this server keeps no corrections; use findall kb report on its machine".into(),
            )
        })?;
        file.append(correction).map_err(|error| match error {
            CorrectionError::Refused(refusal) => ApiError::Unprocessable(refusal.to_string()),
            CorrectionError::ReadOnly { .. } => ApiError::Unprocessable(
                "the server's file of corrections is read-only; nothing was changed".into(),
            ),
            error => {
                tracing::error!(%error, "keeping a correction failed");
                ApiError::Internal("the correction could not be kept; the server's log says why".into())
            }
        })
    }

    /// Applies what changed in the file since it was last read; true when something did.
    pub fn refresh(&self, knowledge: &KnowledgeBase) -> bool {
        let Some(file) = &self.corrections else { return false };
        let mut applied = self.applied.lock().unwrap_or_else(PoisonError::into_inner);
        let stamp = file.stamp();
        if *applied == stamp {
            return false;
        }
        *applied = stamp;
        let before = knowledge.id();
        match file.read() {
            Ok(read) => {
                if !read.broken.is_empty() {
                    tracing::warn!(lines = read.broken.len(), "lines of the corrections cannot be read");
                }
                knowledge.correct(&read.corrections);
            }
            Err(error) => tracing::warn!(%error, "the corrections cannot be read; those read before stay"),
        }
        knowledge.id() != before
    }
}

/// Applies new corrections before a request is answered. Documents that were made ready with what was known before are
/// let go: who asks about one is told that it is not held, and sends it again.
pub(crate) async fn refresh(State(app): State<App>, request: Request, next: Next) -> Response {
    app.refresh_corrections();
    next.run(request).await
}
