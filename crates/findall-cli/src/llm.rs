//! A larger model that a person names: the flags that every verb shares, the client with its kept replies, and the line
//! that says what it cost.

#[cfg(feature = "larger")]
use std::time::Duration;

use clap::Args;
use findall::chat::Usage;
#[cfg(feature = "larger")]
use findall_llm::{CachedModel, Endpoint, EndpointOptions, Price};

use crate::absent::Part;
#[cfg(not(feature = "larger"))]
use crate::absent::larger::{AbsentModel, AbsentPrice as Price};
use crate::config::Config;
use crate::failure::Failure;
#[cfg(feature = "larger")]
use crate::{failure::complain, meaning};

/// The model that a person named, with its kept replies.
#[cfg(feature = "larger")]
pub type LargerModel = CachedModel<Endpoint>;
/// The model that a person named: in this build there is none.
#[cfg(not(feature = "larger"))]
pub type LargerModel = AbsentModel;

/// Where a larger model answers. Without --llm nothing is sent anywhere.
#[derive(Clone, Debug, Args)]
pub struct LlmArgs {
    /// Ask a larger model behind this OpenAI-compatible address, such as http://127.0.0.1:8080/v1; its key, where it
    /// wants one, in FINDALL_LLM_KEY
    #[arg(long, value_name = "URL", hide = !Part::Larger.is_present())]
    #[cfg_attr(feature = "larger", arg(requires = "llm_model"))]
    pub llm: Option<String>,

    /// The name that the endpoint knows the model by
    #[arg(long, value_name = "NAME", requires = "llm", hide = !Part::Larger.is_present())]
    llm_model: Option<String>,

    /// Seconds that one answer may take
    #[arg(long, value_name = "SECONDS", default_value_t = 120, requires = "llm", hide = !Part::Larger.is_present(),
        value_parser = clap::value_parser!(u64).range(1..=3600))]
    llm_timeout: u64,

    /// Tries after the first when the model does not answer
    #[arg(long, value_name = "N", default_value_t = 2, requires = "llm", hide = !Part::Larger.is_present(),
        value_parser = clap::value_parser!(u32).range(0..=10))]
    llm_retries: u32,

    /// Calls a minute at most; 0 for no limit
    #[arg(long, value_name = "N", default_value_t = 0, requires = "llm", hide = !Part::Larger.is_present())]
    llm_rate: u32,

    /// Price of a million tokens sent and received, such as 0.15,0.60: then the cost is shown
    #[arg(long, value_name = "SENT,RECEIVED", requires = "llm", hide = !Part::Larger.is_present())]
    llm_price: Option<Price>,
}

impl LlmArgs {
    /// The model, where one is named. Replies are kept in the cache, so that a run that was cut short goes on.
    #[cfg(feature = "larger")]
    pub fn model(&self, config: &Config) -> Result<Option<LargerModel>, Failure> {
        let (Some(url), Some(model)) = (&self.llm, &self.llm_model) else { return Ok(None) };
        if config.offline {
            return Err(Failure::Setting {
                origin: "offline".into(),
                message: "--llm would open a connection; leave it out, or turn offline off".into(),
            });
        }
        let mut options = EndpointOptions::new(url, model);
        options.timeout = Duration::from_secs(self.llm_timeout);
        options.retries = self.llm_retries;
        options.per_minute = self.llm_rate;
        let endpoint = Endpoint::new(options).map_err(|error| Failure::Usage(format!("--llm: {error}")))?;
        if endpoint.sends_in_clear() {
            complain("--llm: over http:// others can read the key and the text on their way; use https://");
        }
        let folder = meaning::find_usable_cache(config).map(|folder| folder.join("llm"));
        Ok(Some(CachedModel::new(endpoint, folder)))
    }

    /// No model; whoever names one is told how to get a program that asks it.
    #[cfg(not(feature = "larger"))]
    pub fn model(&self, _: &Config) -> Result<Option<LargerModel>, Failure> {
        match &self.llm {
            Some(_) => Part::Larger.require("--llm").map(|()| None),
            None => Ok(None),
        }
    }

    /// "larger model: 11 calls (3 more kept from before), 20,513 tokens sent, 310 received, cost 0.0033".
    pub fn cost(&self, usage: &Usage) -> String {
        let kept = match usage.kept {
            0 => String::new(),
            kept => format!(" ({kept} more kept from before)"),
        };
        let retries = match usage.retries {
            0 => String::new(),
            retries => format!(", {retries} tried again"),
        };
        let about = if usage.guessed { "about " } else { "" };
        let cost = self.llm_price.map_or(String::new(), |price| format!(", cost {:.4}", price.of(usage)));
        format!(
            "larger model: {} calls{kept}{retries}, {about}{} tokens sent, {} received{cost}",
            usage.calls, usage.tokens_in, usage.tokens_out
        )
    }
}
