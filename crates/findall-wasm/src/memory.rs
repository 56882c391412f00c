//! The door: JavaScript calls [`reserve_input`], writes there, and calls; the answer lies where [`answer`] says.
//! No pointer comes in, so nothing here has to be trusted.

#![expect(
    unsafe_code,
    reason = "an exported name cannot be checked to be the only one of its kind; these four are"
)]

use std::sync::Mutex;

use crate::Edge;

static STATE: Mutex<MemoryState> =
    Mutex::new(MemoryState { input: Vec::new(), answer: Vec::new(), edge: None });

struct MemoryState {
    input: Vec<u8>,
    answer: Vec<u8>,
    edge: Option<Edge>,
}

fn with_state<T>(work: impl FnOnce(&mut MemoryState) -> T) -> T {
    work(&mut STATE.lock().unwrap_or_else(|poisoned| poisoned.into_inner()))
}

/// Reserves an input of so many bytes; what was there is gone.
#[unsafe(no_mangle)]
pub extern "C" fn reserve_input(bytes: usize) -> *mut u8 {
    with_state(|state| {
        state.input = vec![0; bytes];
        state.input.as_mut_ptr()
    })
}

/// Takes the input as a file whose name is its last `name` bytes.
#[unsafe(no_mangle)]
pub extern "C" fn file(name: usize) {
    with_state(|state| {
        let mut bytes = std::mem::take(&mut state.input);
        let length = bytes.len().saturating_sub(name);
        let name = String::from_utf8_lossy(&bytes[length..]).into_owned();
        bytes.truncate(length);
        state.edge.get_or_insert_default().file(name, bytes);
    });
}

/// Takes the input as a JSON request; gives the length of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn call() -> usize {
    with_state(|state| {
        let input = std::mem::take(&mut state.input);
        state.answer = state.edge.get_or_insert_default().call(&input).into_bytes();
        state.answer.len()
    })
}

/// Where the last answer lies.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> *const u8 {
    with_state(|state| state.answer.as_ptr())
}
