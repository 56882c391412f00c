//! Letters within a story: paragraphs that say "I" outside of quotation marks and end in a signature. Who wrote them is
//! there in every line, though never named.

use super::reading::BookReading;
use super::tokens::Token;
use crate::names::CastKind;

/// Words of a signature at most, and paragraphs of a letter at least and at most.
const MAX_SIGNATURE_WORDS: usize = 8;
const MIN_LETTER_PARAGRAPHS: usize = 2;
const MAX_LETTER_PARAGRAPHS: usize = 80;

/// The writer of each paragraph that is part of a letter.
pub(super) fn writers(reading: &BookReading<'_>) -> Vec<Option<usize>> {
    let count = reading.paragraphs.len() - 1;
    let mut writers = vec![None; count];
    let says_i = |number: usize| {
        let own =
            |token: &&Token| !token.spoken && matches!(token.word(), Some("i" | "my" | "me" | "we" | "our"));
        reading.paragraph(number).iter().filter(own).count()
    };
    // A book told by an "I" has one in most paragraphs: there a signature proves nothing.
    let told = (0..count).filter(|&number| says_i(number) > 0).count();
    if 4 * told > count {
        return writers;
    }
    for end in 0..count {
        let Some(writer) = signature(reading, end) else { continue };
        let (mut first, mut with_i, mut without) = (end, 0, 0);
        for number in (end.saturating_sub(MAX_LETTER_PARAGRAPHS)..end).rev() {
            let short = reading.paragraph(number).len() <= 3 * MAX_SIGNATURE_WORDS;
            match says_i(number) {
                0 if short && without < 2 => without += 1,
                0 => break,
                _ => {
                    (first, without) = (number, 0);
                    with_i += 1;
                }
            }
        }
        if with_i >= MIN_LETTER_PARAGRAPHS {
            writers[first..=end].fill(Some(writer));
        }
    }
    writers
}

/// The one person named in a paragraph that is hardly more than the name.
fn signature(reading: &BookReading<'_>, number: usize) -> Option<usize> {
    let tokens = reading.paragraph(number);
    let words = tokens.iter().filter(|token| token.word().is_some() || token.name().is_some()).count();
    let spoken = tokens.iter().any(|token| token.spoken);
    let mut people = tokens
        .iter()
        .filter_map(Token::name)
        .filter(|&member| reading.cast.members[member].kind == CastKind::Person);
    let last = people.next_back()?;
    let ends = tokens.iter().rev().find(|token| token.word().is_some() || token.name().is_some());
    let at_the_end = ends.is_some_and(|token| token.name() == Some(last));
    (words <= MAX_SIGNATURE_WORDS && !spoken && at_the_end).then_some(last)
}
