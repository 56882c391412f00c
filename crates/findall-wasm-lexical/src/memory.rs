//! The door: JavaScript calls [`reserve_input`], writes there, and calls; the answer lies where [`answer`] says.
//! No pointer comes in, so nothing here has to be trusted.

#![expect(
    unsafe_code,
    reason = "an exported name cannot be checked to be the only one of its kind; these eight are"
)]

use std::sync::Mutex;

use crate::Letters;

static STATE: Mutex<Option<MemoryState>> = Mutex::new(None);

#[derive(Default)]
struct MemoryState {
    input: Vec<u8>,
    answer: Vec<u8>,
    letters: Letters,
}

fn with_state<T>(work: impl FnOnce(&mut MemoryState) -> T) -> T {
    let mut state = STATE.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    work(state.get_or_insert_default())
}

/// Reserves an input of so many bytes; what was there is gone.
#[unsafe(no_mangle)]
pub extern "C" fn reserve_input(bytes: usize) -> *mut u8 {
    with_state(|state| {
        state.input.clear();
        state.input.resize(bytes, 0);
        state.input.as_mut_ptr()
    })
}

/// Takes the first `bytes` of the input as a piece of a page's text, the page's first one unless `first` is 0.
#[unsafe(no_mangle)]
pub extern "C" fn text(bytes: usize, first: u32) {
    with_state(|state| {
        let piece = String::from_utf8_lossy(&state.input[..bytes.min(state.input.len())]);
        state.letters.add_text(&piece, first != 0);
    });
}

/// Takes the input as a JSON request; gives the length of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn call() -> usize {
    with_state(|state| {
        state.answer = state.letters.call(&state.input).into_bytes();
        state.answer.len()
    })
}

/// Works a little at the search under way; 0 when nothing is left to do.
#[unsafe(no_mangle)]
pub extern "C" fn advance() -> u32 {
    with_state(|state| state.letters.advance().into())
}

/// Gathers some of the page's words; 0 when all are there.
#[unsafe(no_mangle)]
pub extern "C" fn read_on() -> u32 {
    with_state(|state| state.letters.read_on().into())
}

/// Where the last answer lies.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> *const u8 {
    with_state(|state| state.answer.as_ptr())
}

/// How many numbers the places of the last search are.
#[unsafe(no_mangle)]
pub extern "C" fn places_length() -> usize {
    with_state(|state| state.letters.places().len())
}

/// Where they lie.
#[unsafe(no_mangle)]
pub extern "C" fn places() -> *const u32 {
    with_state(|state| state.letters.places().as_ptr())
}
