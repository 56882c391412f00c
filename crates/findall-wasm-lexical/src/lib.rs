//! Find by letters for a browser, alone and small: no model, no knowledge. A page's text and queries enter, places leave
//! (`findall_wire::browser::letters`).
//!
//! [`Letters`] is the whole of it and knows nothing of browsers; `memory`, compiled for WebAssembly only, is the narrow
//! door through which bytes go in and out. `extension/src/engine/edge/` stands on the other side.

mod letters;
#[cfg(target_arch = "wasm32")]
mod memory;
mod units;

pub use letters::Letters;
