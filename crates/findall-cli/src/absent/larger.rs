//! Stands where a larger model and its price would: there is none, so that nothing can be asked of it.

use std::convert::Infallible;
use std::str::FromStr;

use findall::chat::{ChatError, ChatModel, Reply, Turn, Usage};

/// A larger model that nobody can have.
pub enum AbsentModel {}

impl AbsentModel {
    /// What its replies cost.
    pub fn usage(&self) -> Usage {
        match *self {}
    }
}

impl ChatModel for AbsentModel {
    fn id(&self) -> &str {
        match *self {}
    }

    fn chat(&self, _: &[Turn], _: u32) -> Result<Reply, ChatError> {
        match *self {}
    }
}

/// The price of nothing: whatever was typed is taken.
#[derive(Clone, Copy, Debug)]
pub struct AbsentPrice;

impl AbsentPrice {
    /// What this usage costs.
    pub fn of(&self, _: &Usage) -> f64 {
        0.0
    }
}

impl FromStr for AbsentPrice {
    type Err = Infallible;

    fn from_str(_: &str) -> Result<Self, Infallible> {
        Ok(Self)
    }
}
