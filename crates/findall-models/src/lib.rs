//! Runs findall's models on the CPU: the encoder, the mention tagger, the reader and the judge behind the engine's traits.
//!
//! A folder of weights enters ([`Models::load`]), implementations of [`findall::encode::Encoder`],
//! [`findall::mentions::MentionTagger`], [`findall::ask::Reader`] and [`findall::judge::Judge`] leave. A model is checked and loaded when it is
//! first asked for, so a verb pays only for what it uses; a deferred one when it is first run.
//!
//! ```text
//! text ─▶ Tokenizer ─▶ windows ─▶ Network (batches without padding, longest first, one stream a core) ─▶ vectors · mentions · answers
//! ```

pub mod encoder;
pub mod error;
pub mod folder;
pub mod judge;
mod lazy;
pub mod network;
pub mod places;
pub mod reader;
pub mod tagger;
pub mod tokenizer;
mod transformer;
mod windows;
mod wire_format;

use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use encoder::TextEncoder;
pub use error::LoadError;
pub use judge::PairJudge;
pub use reader::SpanReader;
pub use tagger::WordTagger;

use folder::{Files, Folder};
use lazy::LazyValue;
use places::{Artifact, MODELS_VARIABLE};
use tokenizer::Tokenizer;

/// The models of one folder, each loaded at its first use.
pub struct Models {
    dir: PathBuf,
    tokenizer: LazyValue<Tokenizer>,
    encoder: LazyValue<TextEncoder>,
    tagger: LazyValue<WordTagger>,
    reader: LazyValue<SpanReader>,
    judge: LazyValue<PairJudge>,
    large_judge: LazyValue<PairJudge>,
}

impl Models {
    /// Models in `dir`. Nothing is read yet but the presence of the folder.
    pub fn load(dir: &Path) -> Result<Self, LoadError> {
        if !places::holds_models(dir) {
            return Err(LoadError::NotFound { searched: vec![dir.to_owned()] });
        }
        Ok(Self {
            dir: dir.to_owned(),
            tokenizer: LazyValue::new(),
            encoder: LazyValue::new(),
            tagger: LazyValue::new(),
            reader: LazyValue::new(),
            judge: LazyValue::new(),
            large_judge: LazyValue::new(),
        })
    }

    /// Models whose files are in memory (a browser has no others), by their path in the folder. What is there is
    /// loaded at once; a model whose `model.json` is not there is taken as not installed.
    pub fn from_memory(mut files: Files) -> Result<Self, LoadError> {
        let path = Path::new("tokenizer.json");
        let json = files.get("tokenizer.json");
        let json = json.ok_or_else(|| LoadError::NotFound { searched: vec![path.to_owned()] })?;
        let tokenizer = Tokenizer::from_json(json, path)?;
        let models = Self {
            dir: PathBuf::new(),
            tokenizer: LazyValue::new(),
            encoder: LazyValue::new(),
            tagger: LazyValue::new(),
            reader: LazyValue::new(),
            judge: LazyValue::new(),
            large_judge: LazyValue::new(),
        };
        let tokenizer = models.tokenizer.get(|| Ok(tokenizer))?;
        let mut folder = |kind: &str| {
            let here = files.contains_key(&format!("{kind}/model.json"));
            here.then(|| Folder::from_memory(&mut files, kind)).transpose()
        };
        if let Some(folder) = folder("encoder")? {
            models.encoder.get(|| TextEncoder::of_folder(folder, tokenizer.clone()))?.load()?;
        }
        if let Some(folder) = folder("tagger")? {
            models.tagger.get(|| WordTagger::of_folder(folder, tokenizer.clone()))?.load()?;
        }
        if let Some(folder) = folder("reader")? {
            models.reader.get(|| SpanReader::of_folder(folder, tokenizer.clone()))?.load()?;
        }
        if let Some(folder) = folder("judge")? {
            models.judge.get(|| PairJudge::of_folder(folder, tokenizer.clone()))?.load()?;
        }
        Ok(models)
    }

    /// Models from the folder that [`MODELS_VARIABLE`] names, or from where [`places`] says that they lie. An empty variable
    /// names no folder.
    pub fn find() -> Result<Self, LoadError> {
        let named = std::env::var_os(MODELS_VARIABLE).filter(|folder| !folder.is_empty()).map(PathBuf::from);
        let located = Artifact::Models.locate(named.as_deref());
        let searched = || Artifact::Models.places(named.as_deref());
        Self::load(&located.ok_or_else(|| LoadError::NotFound { searched: searched() })?)
    }

    /// Where the models lie.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The encoder.
    pub fn encoder(&self) -> Result<Arc<TextEncoder>, LoadError> {
        let encoder = self.deferred_encoder()?;
        encoder.load()?;
        Ok(encoder)
    }

    /// The same, but its weights are checked and loaded when it first runs: who may not need it does not wait for it.
    pub fn deferred_encoder(&self) -> Result<Arc<TextEncoder>, LoadError> {
        self.encoder.get(|| TextEncoder::of_folder(self.folder("encoder")?, self.tokenizer()?))
    }

    /// The mention tagger.
    pub fn tagger(&self) -> Result<Arc<WordTagger>, LoadError> {
        let tagger = self.deferred_tagger()?;
        tagger.load()?;
        Ok(tagger)
    }

    /// The same, but its weights are checked and loaded when it first runs: who may not need it does not wait for it.
    pub fn deferred_tagger(&self) -> Result<Arc<WordTagger>, LoadError> {
        self.tagger.get(|| WordTagger::of_folder(self.folder("tagger")?, self.tokenizer()?))
    }

    /// The reader.
    pub fn reader(&self) -> Result<Arc<SpanReader>, LoadError> {
        let reader = self.reader.get(|| SpanReader::of_folder(self.folder("reader")?, self.tokenizer()?))?;
        reader.load()?;
        Ok(reader)
    }

    /// The judge; nothing when the folder has none, which is no error: find then goes by the encoder alone.
    pub fn judge(&self) -> Result<Option<Arc<PairJudge>>, LoadError> {
        self.judge_of(&self.judge, "judge")
    }

    /// The large judge, `judge-large/`, which reads four times as long and does not come with findall; nothing when the
    /// folder has none.
    pub fn large_judge(&self) -> Result<Option<Arc<PairJudge>>, LoadError> {
        self.judge_of(&self.large_judge, "judge-large")
    }

    fn judge_of(
        &self,
        judge: &LazyValue<PairJudge>,
        folder: &str,
    ) -> Result<Option<Arc<PairJudge>>, LoadError> {
        if judge.is_empty() && !self.dir.join(folder).join("model.json").is_file() {
            return Ok(None);
        }
        let judge = judge.get(|| {
            let folder = Folder::without_weights(&self.dir.join(folder), "judge")?;
            PairJudge::of_folder(folder, self.tokenizer()?)
        })?;
        judge.load()?;
        Ok(Some(judge))
    }

    /// What the encoder and the reader will call themselves, without loading either: what is remembered is found by it.
    pub fn encoder_and_reader_ids(&self) -> Result<(String, String), LoadError> {
        Ok((self.id_of("encoder")?, self.id_of("reader")?))
    }

    /// What one model (`encoder`, `tagger`, `reader`, `judge`) will call itself, without loading it: its name and the start
    /// of a sum over its files.
    pub fn id_of(&self, kind: &str) -> Result<String, LoadError> {
        Ok(Folder::open_unchecked(&self.dir.join(kind), kind)?.id())
    }

    fn folder(&self, kind: &str) -> Result<Folder, LoadError> {
        Folder::without_weights(&self.dir.join(kind), kind)
    }

    fn tokenizer(&self) -> Result<Arc<Tokenizer>, LoadError> {
        self.tokenizer.get(|| {
            let path = self.dir.join("tokenizer.json");
            Tokenizer::from_json(&folder::read(&path)?, &path)
        })
    }
}
