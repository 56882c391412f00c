//! Widths of the fonts that every reader has, and that files therefore use without saying how wide their letters are
//! (ISO 32000-1, 9.6.2.2; the numbers are those of Adobe's published metrics).

use std::collections::HashMap;

/// Half the letter size is about right for letters that are not listed.
const DEFAULT_WIDTH: f32 = 500.0;
/// Every letter of Courier.
const COURIER_WIDTH: f32 = 600.0;
/// The first letter of the lists.
const FIRST_LETTER: u32 = 32;

/// Helvetica, from space to tilde.
const HELVETICA_WIDTHS: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556,
    556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278,
    500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469,
    556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500,
    278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];

/// Times, from space to tilde.
const TIMES_WIDTHS: [u16; 95] = [
    250, 333, 408, 500, 500, 833, 778, 180, 333, 333, 500, 564, 250, 333, 250, 278, 500, 500, 500, 500, 500,
    500, 500, 500, 500, 500, 278, 278, 564, 564, 564, 444, 921, 722, 667, 667, 722, 611, 556, 722, 722, 333,
    389, 722, 611, 889, 722, 722, 556, 722, 667, 556, 611, 722, 722, 944, 722, 722, 611, 333, 278, 333, 469,
    500, 333, 444, 500, 444, 500, 444, 333, 500, 500, 278, 278, 500, 278, 778, 500, 500, 500, 500, 333, 389,
    278, 500, 500, 722, 500, 500, 444, 480, 200, 480, 541,
];

/// The widths of a font by its name, and the width of the letters that are not listed.
pub(super) fn standard_widths(name: &[u8]) -> (HashMap<u32, f32>, f32) {
    let holds = |part: &[u8]| memchr::memmem::find(name, part).is_some();
    let listed: &[u16] = if holds(b"Courier") || holds(b"Mono") {
        return (HashMap::new(), COURIER_WIDTH);
    } else if holds(b"Times") || holds(b"Serif") {
        &TIMES_WIDTHS
    } else if holds(b"Helvetica") || holds(b"Arial") {
        &HELVETICA_WIDTHS
    } else {
        return (HashMap::new(), DEFAULT_WIDTH);
    };
    let widths = listed.iter().zip(FIRST_LETTER..).map(|(&width, code)| (code, f32::from(width)));
    (widths.collect(), DEFAULT_WIDTH)
}
