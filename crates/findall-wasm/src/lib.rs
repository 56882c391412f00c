//! The engine for a browser without a server: files and JSON requests enter, JSON answers leave
//! (`findall_wire::browser::engine`).
//!
//! [`Edge`] is the whole of it and knows nothing of browsers; `memory`, compiled for WebAssembly only, is the narrow
//! door through which bytes go in and out. `extension/src/offscreen/` stands on the other side.

mod answer;
mod edge;
#[cfg(target_arch = "wasm32")]
mod memory;
mod shared;

pub use edge::Edge;
