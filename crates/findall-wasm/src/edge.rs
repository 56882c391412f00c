//! What a page can be asked when there is no server: files first, then `open`, then texts and queries.
//!
//! ```text
//! one thread holds the pages:   document ─▶ wanted ┐   ┌▶ learn ─▶ read ─▶ wanted … ─▶ find
//! others have the models:                          └▶ work
//! ```
//! `document` and `read` say what is wanted next: what is seen on the screen first. What has been learned so far can be
//! searched at any time. A judged `find` may want something, too: it is asked again when that has been learned.

use std::sync::Arc;

use findall::find::{FindError, Speed};
use findall::index::{Preparation, PreparationProgress, SkippedPart};
use findall::knowledge::KnowledgeBase;
use findall::{Document, Engine, FindOptions, Span};
use findall_models::Models;
use findall_models::folder::Files;
use findall_models::judge::verdict_rule;
use findall_wire::browser::engine::{EngineAnswer, EngineRequest, ModelTask, TaskOutcome};
use findall_wire::offsets::Converter;
use findall_wire::{ErrorDetail, FindRequest, FindResponse, Offsets, WireCoverage, convert};

use crate::answer::{self, MAX_MATCHES, failure};
use crate::shared::{AbsentTagger, Ledger, SharedJudge, Workforce, give_outcome};

/// The name of the knowledge base among the files.
const KNOWLEDGE: &str = "edge.kb";
/// Names of the judge's description and weights among the files; with the first alone, a thread knows its rule.
const JUDGE: &str = "judge/model.json";
const JUDGE_WEIGHTS: &str = "judge/model.data";
/// Candidates that the judge reads for one query; the others are decided by the encoder alone.
const MAX_JUDGED: usize = 24;
/// Pages held; the one used longest ago goes first.
const MAX_PAGES: usize = 4;
/// Passages that are wanted at a time: work for some seconds, so that a page of any length is handed over once.
const MAX_WANTED_PASSAGES: usize = 64;
/// Longest text in bytes; of more, letters must do.
const MAX_TEXT_BYTES: usize = 1 << 20;

/// The engine and the pages that it has read, and the models that do the work.
#[derive(Default)]
pub struct Edge {
    files: Files,
    engine: Option<Engine>,
    ledger: Arc<Ledger>,
    workforce: Workforce,
    /// The page used last stands last.
    pages: Vec<Page>,
}

struct Page {
    id: String,
    document: Document,
    preparation: Preparation,
    /// Tasks that are next, the most urgent first.
    wanted: Vec<ModelTask>,
}

impl Edge {
    /// Takes one file of the models folder, or the knowledge base. They are used by `open`.
    pub fn file(&mut self, name: String, bytes: Vec<u8>) {
        self.files.insert(name, bytes);
    }

    /// Answers a JSON request with JSON; a failure is an answer, too.
    pub fn call(&mut self, request: &[u8]) -> String {
        let answer = match serde_json::from_slice(request) {
            Ok(request) => self.answer(request),
            Err(error) => Err(failure("bad_request", error.to_string())),
        };
        let answer = answer.unwrap_or_else(|error| EngineAnswer::Failed { error });
        // Nothing that an answer holds can fail to be written.
        serde_json::to_string(&answer).unwrap_or_default()
    }

    fn answer(&mut self, request: EngineRequest) -> Result<EngineAnswer, ErrorDetail> {
        match request {
            EngineRequest::Open => self.open(),
            EngineRequest::Document { text, seen } => self.document(text, seen),
            EngineRequest::Read { document } => self.read(&document),
            EngineRequest::Work { tasks } => self.work(tasks),
            EngineRequest::Learn { done } => Ok(self.learn(done)),
            EngineRequest::Find { document, query, fast } => self.find(&document, &query, fast),
        }
    }

    /// Opens what the files are enough for: with the knowledge base, a thread that holds pages; with models, one that
    /// works. More files may follow, and another `open`.
    fn open(&mut self) -> Result<EngineAnswer, ErrorDetail> {
        let mut files = std::mem::take(&mut self.files);
        let broken = |error: &dyn std::fmt::Display| failure("no_engine", error.to_string());
        let knowledge = files.remove(KNOWLEDGE);
        let has = |name: &str| files.contains_key(name);
        let (encodes, tags, judges) =
            (has("encoder/model.json"), has("tagger/model.json"), has(JUDGE_WEIGHTS));
        let rule = if judges { None } else { files.remove(JUDGE) };
        let models = Models::from_memory(files).map_err(|error| broken(&error))?;
        if encodes {
            self.workforce.encoder = Some(models.encoder().map_err(|error| broken(&error))?);
        }
        if tags {
            self.workforce.tagger = Some(models.tagger().map_err(|error| broken(&error))?);
        }
        let mut verdict = None;
        if let Some(judge) = models.judge().map_err(|error| broken(&error))? {
            verdict = Some(findall::judge::Judge::verdict(&*judge));
            self.workforce.judge = Some(judge);
        }
        if let Some(knowledge) = knowledge {
            if let Some(rule) = rule {
                verdict = Some(verdict_rule(&rule).map_err(|error| broken(&error))?);
            }
            let knowledge = KnowledgeBase::from_bytes(knowledge).map_err(|error| broken(&error))?;
            let own = self.workforce.encoder.clone();
            let own = own.ok_or_else(|| broken(&"the encoder is not among the files"))?;
            let mut engine = Engine::new(own, Arc::new(AbsentTagger), Arc::new(knowledge));
            if let Some(rule) = verdict {
                engine = engine.with_judge(Arc::new(SharedJudge { rule, ledger: self.ledger.clone() }));
            }
            self.engine = Some(engine);
        }
        Ok(EngineAnswer::Opened { ready: true })
    }

    fn work(&self, tasks: Vec<ModelTask>) -> Result<EngineAnswer, ErrorDetail> {
        let outcomes = self.workforce.perform(&tasks);
        let outcomes = outcomes.map_err(|error| failure("internal", error.to_string()))?;
        Ok(EngineAnswer::Done { done: tasks.into_iter().zip(outcomes).collect() })
    }

    /// Takes in what came out of tasks: whatever page waits for it has it, and pages to come find it in the ledger.
    fn learn(&mut self, done: Vec<(ModelTask, TaskOutcome)>) -> EngineAnswer {
        for (task, outcome) in &done {
            self.pages.iter_mut().for_each(|page| give_outcome(&mut page.preparation, task, outcome));
        }
        self.ledger.learn(done);
        EngineAnswer::Learned { learned: true }
    }

    /// Takes a page and says what is wanted to read it.
    fn document(&mut self, text: String, seen: Option<(usize, usize)>) -> Result<EngineAnswer, ErrorDetail> {
        if text.len() > MAX_TEXT_BYTES {
            return Err(failure("too_large", "the page is too long to be read without a server"));
        }
        let engine = self.engine()?.clone();
        let document = Document::from_text(&text);
        let seen = answer::span(&document, seen.unwrap_or_default());
        let id: String = document.content_hash()[..16].iter().map(|byte| format!("{byte:02x}")).collect();
        if self.page(&id).is_err() {
            if self.pages.len() >= MAX_PAGES {
                self.pages.remove(0);
            }
            let preparation = engine.begin(&document);
            self.pages.push(Page { id: id.clone(), document, preparation, wanted: Vec::new() });
        }
        self.page(&id)?.preparation.focus_on(seen);
        self.read(&id)
    }

    /// Reads a page as far as what was learned goes, and says what is wanted next.
    fn read(&mut self, id: &str) -> Result<EngineAnswer, ErrorDetail> {
        let engine = self.engine()?.clone();
        let ledger = self.ledger.clone();
        let page = self.page(id)?;
        page.catch_up(&engine, &ledger);
        Ok(page.progress())
    }

    /// Everything in what was read so far that the query means; or what is wanted to judge that.
    fn find(&mut self, id: &str, query: &str, fast: bool) -> Result<EngineAnswer, ErrorDetail> {
        let engine = self.engine()?.clone();
        let ledger = self.ledger.clone();
        let page = self.page(id)?;
        let speed = if fast { Speed::Fast } else { Speed::Judged };
        let options = FindOptions { speed, max_judged: MAX_JUDGED, ..FindOptions::default() };
        ledger.take_wanted();
        match engine.find(&page.document, page.preparation.prepared(), query, &options) {
            Ok(found) => {
                let request = FindRequest {
                    query: query.to_owned(),
                    offsets: Offsets::Utf16,
                    all: true,
                    fast,
                    ..FindRequest::default()
                };
                let prepared = page.preparation.prepared();
                let response =
                    convert::findings(&engine, &found, &page.document, prepared, &request, MAX_MATCHES);
                Ok(EngineAnswer::Found(FindResponse { coverage: page.coverage(), ..response }))
            }
            Err(FindError::Model(_)) if !fast => Ok(EngineAnswer::Wanted { wanted: ledger.take_wanted() }),
            Err(error) => Err(failure("unprocessable", error.to_string())),
        }
    }

    fn engine(&self) -> Result<&Engine, ErrorDetail> {
        self.engine.as_ref().ok_or_else(|| failure("no_engine", "the engine is not open"))
    }

    /// The page, which thereby becomes the one used last.
    fn page(&mut self, id: &str) -> Result<&mut Page, ErrorDetail> {
        let unknown = || failure("unknown_document", "send the page's text again");
        let at = self.pages.iter().position(|page| page.id == id).ok_or_else(unknown)?;
        let page = self.pages.remove(at);
        self.pages.push(page);
        self.pages.last_mut().ok_or_else(unknown)
    }
}

impl Page {
    /// Takes from the ledger what other pages have had done, and notes what is left to be done.
    fn catch_up(&mut self, engine: &Engine, ledger: &Ledger) {
        loop {
            engine.refresh(&self.document, &mut self.preparation);
            let wanted = self.preparation.next_tasks(&self.document, MAX_WANTED_PASSAGES);
            let mut has_news = false;
            self.wanted = Vec::with_capacity(wanted.len());
            for task in wanted.into_iter().map(ModelTask::from) {
                match ledger.outcome_of(&task) {
                    Some(outcome) => {
                        give_outcome(&mut self.preparation, &task, &outcome);
                        has_news = true;
                    }
                    None => self.wanted.push(task),
                }
            }
            if !has_news {
                return;
            }
        }
    }

    /// How much of the text has been read, in bytes: all but the passages that are still to be tagged.
    fn read_bytes(&self) -> usize {
        let PreparationProgress { bytes, total, finished, .. } = self.preparation.progress();
        if finished { total } else { bytes.min(total.saturating_sub(1)) }
    }

    fn coverage(&self) -> WireCoverage {
        let converter = Converter::new(self.document.positions(), Offsets::Utf16);
        let read = self.document.text().floor_char_boundary(self.read_bytes());
        let mut coverage = self.preparation.prepared().coverage.clone();
        // Nobody has stopped it: it goes on.
        coverage.skipped.retain(|skipped| !matches!(skipped, SkippedPart::Stopped { .. }));
        let prepared = convert::coverage(&coverage, &self.document, Offsets::Utf16);
        WireCoverage { read: converter.to_wire_span(Span::new(0, read)).end, ..prepared }
    }

    fn progress(&self) -> EngineAnswer {
        let WireCoverage { read, total, .. } = self.coverage();
        let (document, whole, wanted) =
            (self.id.clone(), self.preparation.is_finished(), self.wanted.clone());
        EngineAnswer::Read { document, read, total, whole, wanted }
    }
}
