//! A larger model that is measured: an address and a name enter, a client leaves that waits as long as a model on a small
//! machine takes. Replies are kept where a run keeps what it works out, so that one that was stopped goes on.

use std::path::Path;
use std::time::Duration;

use findall_llm::{CachedModel, Endpoint, EndpointOptions};

use crate::EvalError;

/// How long one reply may take; a person would not wait so long, a measurement does.
const MAX_REPLY_SECONDS: u64 = 1800;

/// Tries after the first; while a server loads its model, it refuses.
const MAX_RETRIES: u32 = 6;

/// Where a larger model answers. Without it nothing is sent anywhere.
#[derive(Clone, Debug, clap::Args)]
pub struct LargerArgs {
    /// Measure a larger model too, behind this OpenAI-compatible address
    #[arg(long, value_name = "URL", requires = "llm_model")]
    llm: Option<String>,

    /// The name that the endpoint knows the model by
    #[arg(long, value_name = "NAME", requires = "llm")]
    llm_model: Option<String>,
}

impl LargerArgs {
    /// The model, where one is named; `cache` is the folder of what the run keeps.
    pub fn model(&self, cache: Option<&Path>) -> Result<Option<CachedModel<Endpoint>>, EvalError> {
        let (Some(url), Some(model)) = (&self.llm, &self.llm_model) else { return Ok(None) };
        open(url, model, cache).map(Some)
    }

    /// "findall, qwen": a system with the name of its larger model, where one is named.
    pub fn label(&self, system: &str) -> String {
        self.llm_model.as_ref().map_or_else(|| system.to_owned(), |model| format!("{system}, {model}"))
    }
}

/// The model behind an address.
pub fn open(url: &str, model: &str, cache: Option<&Path>) -> Result<CachedModel<Endpoint>, EvalError> {
    let options = EndpointOptions {
        timeout: Duration::from_secs(MAX_REPLY_SECONDS),
        retries: MAX_RETRIES,
        ..EndpointOptions::new(url, model)
    };
    let endpoint = Endpoint::new(options).map_err(wrap_error)?;
    Ok(CachedModel::new(endpoint, cache.map(|folder| folder.join("llm"))))
}

/// A larger model's error as this crate's.
pub fn wrap_error(error: findall::chat::ChatError) -> EvalError {
    EvalError::Program { program: "llm".into(), message: error.to_string() }
}
