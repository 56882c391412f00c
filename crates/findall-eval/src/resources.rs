//! Models and knowledge for measurements: where they lie, loaded.

use std::path::PathBuf;
use std::sync::Arc;

use findall::ask::Reader;
use findall::cache::Cache;
use findall::engine::Engine;
use findall::find::{EvidenceSource, KeepRule};
use findall::knowledge::KnowledgeBase;
use findall_models::Models;

use crate::EvalError;
use crate::ktrlf::Endpoint;
use crate::ktrlf::systems::{SystemName, Tools};
use crate::ktrlf::{JudgeArg, SwitchArg, SystemArgs, WithoutArg};

/// Which models and knowledge to measure with.
#[derive(Clone, Debug, clap::Args)]
pub struct ResourceArgs {
    /// Folder of the models [default: FINDALL_MODELS, or those that came with the program]
    #[arg(long, value_name = "DIR")]
    pub model: Option<PathBuf>,

    /// Knowledge base
    #[arg(long, value_name = "FILE", default_value = "kb/default.kb")]
    pub kb: PathBuf,

    /// Keep what is worked out in this folder; the default keeps nothing, so that every run is cold
    #[arg(long, value_name = "DIR")]
    pub cache: Option<PathBuf>,
}

impl ResourceArgs {
    /// The models.
    pub fn models(&self) -> Result<Models, EvalError> {
        let models = match &self.model {
            Some(folder) => Models::load(folder),
            None => Models::find(),
        };
        models.map_err(|error| wrap_error("models", error))
    }

    /// The knowledge base.
    pub fn knowledge(&self) -> Result<Arc<KnowledgeBase>, EvalError> {
        KnowledgeBase::open(&self.kb).map(Arc::new).map_err(|error| wrap_error("knowledge base", error))
    }

    /// Everything that the chosen systems need.
    pub fn tools(&self, what: &SystemArgs) -> Result<Tools, EvalError> {
        let models = self.models()?;
        let load = |error| wrap_error("models", error);
        let encoder = models.encoder().map_err(load)?;
        let tagger = models.tagger().map_err(load)?;
        let mut engine = Engine::new(encoder.clone(), tagger, self.knowledge()?);
        let judge = match what.judge {
            JudgeArg::None => None,
            JudgeArg::Small => models.judge().map_err(load)?,
            JudgeArg::Large => Some(models.large_judge().map_err(load)?.ok_or_else(|| {
                wrap_error(
                    "models",
                    "no large judge in judge-large/; training/README.md says how to make one",
                )
            })?),
        };
        if let Some(judge) = judge {
            engine = engine.with_judge(judge);
        }
        if let Some(folder) = &self.cache {
            engine = engine.with_cache(Cache::new(folder));
        }
        let reader: Option<Arc<dyn Reader>> = match what.systems_to_run().contains(&SystemName::Reader) {
            true => Some(models.reader().map_err(load)?),
            false => None,
        };
        let endpoint =
            what.endpoint.as_ref().map(|url| Endpoint::new(url, &what.llm_model, self.cache.as_deref()));
        let endpoint = endpoint.transpose()?;
        let without = what.without.map(|without| match without {
            WithoutArg::External => EvidenceSource::External,
            WithoutArg::Internal => EvidenceSource::Internal,
        });
        Ok(Tools {
            engine,
            encoder,
            reader,
            endpoint,
            gold_entities: what.gold_entities,
            without,
            page_words: what.page_words == SwitchArg::On,
            descriptions: false,
            keep: KeepRule::Decided,
        })
    }
}

fn wrap_error(program: &str, error: impl std::fmt::Display) -> EvalError {
    EvalError::Program { program: program.into(), message: error.to_string() }
}
