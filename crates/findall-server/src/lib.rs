//! findall over HTTP and MCP: the same engine for the browser extension, scripts and assistants.
//!
//! [`app()`] is the whole service as one [`axum::Router`], which tests call without a socket and [`serve`](serve::serve)
//! binds. A request goes from the outside in:
//!
//! ```text
//! observe ─▶ guard (Host, Origin) ─▶ CORS ─▶ token ─▶ time limit ─▶ route ─▶ workers ─▶ engine
//! metrics                                                          wire      two lanes
//! ```
//!
//! What travels is in `findall-wire`; what every face does alike is in `findall-service`.

pub mod access;
pub mod app;
pub mod base;
mod connections;
pub mod documents;
pub mod error;
mod extract;
mod guard;
pub mod limits;
pub mod log;
pub mod mcp;
mod memory;
mod metrics;
mod openapi;
mod question;
mod routes;
mod search;
pub mod serve;
mod sources;
mod stream;
mod suggest;
pub mod workers;

pub use access::{Access, AccessError};
pub use app::{App, ServedLibrary, ServerConfig, ServerResources, app};
pub use findall_service::base::Base;
pub use limits::Limits;
pub use routes::{MCP, addresses};
