//! A larger language model behind an OpenAI-compatible endpoint: the engine's [`ChatModel`](findall::chat::ChatModel)
//! over HTTP. Used only where a person named an address; nothing else in findall speaks to a network.
//!
//! ```no_run
//! use findall::chat::{ChatModel, Turn};
//! use findall_llm::{Endpoint, EndpointOptions};
//!
//! let endpoint = Endpoint::new(EndpointOptions::new("http://127.0.0.1:8080/v1", "smollm2"))?;
//! let reply = endpoint.chat(&[Turn::user("Say yes.")], 16)?;
//! println!("{} ({} tokens)", reply.text, reply.usage.tokens_out);
//! # Ok::<(), findall::chat::ChatError>(())
//! ```
//!
//! | module | answers |
//! | --- | --- |
//! | `endpoint` | how is one reply had? Address, pace, tries, time limits |
//! | `http` | one request in, one bounded answer out |
//! | `wire` | what travels? The request and the many shapes of an answer |
//! | `remember` | what was already said? Replies kept in a folder, so that a run that died goes on |
//! | `price` | what did it cost? |

mod endpoint;
mod http;
mod price;
mod remember;
#[doc(hidden)]
pub mod testing;
mod wire;

pub use endpoint::{Endpoint, EndpointOptions, KEY_VARIABLE};
pub use price::Price;
pub use remember::CachedModel;
