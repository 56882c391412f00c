//! Right-to-left text: a page draws Hebrew and Arabic from left to right like everything else, so the letters of a line
//! come in reverse. What was drawn enters; what a reader reads leaves.

use std::ops::Range;

/// True when some letter is read from right to left.
pub(super) fn is_rightward(text: &str) -> bool {
    text.chars().any(is_rightward_letter)
}

/// True when no letter says in which direction it is read: spaces, digits, punctuation.
pub(super) fn is_neutral(text: &str) -> bool {
    !text.chars().any(char::is_alphabetic)
}

/// Hebrew, Arabic and their neighbours (Unicode's blocks of right-to-left scripts), with their presentation forms.
fn is_rightward_letter(c: char) -> bool {
    matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{feff}' | '\u{10800}'..='\u{10fff}')
        && !c.is_numeric()
}

/// Turns each stretch from its first right-to-left letter to its last; numbers inside keep their order.
pub(super) fn to_reading_order(drawn: &str) -> String {
    let chars: Vec<char> = drawn.chars().collect();
    let mut read = String::with_capacity(drawn.len());
    let mut at = 0;
    while at < chars.len() {
        match next_rightward_stretch(&chars, at) {
            Some(range) => {
                read.extend(&chars[at..range.start]);
                at = range.end;
                turn(&chars[range], &mut read);
            }
            None => {
                read.extend(&chars[at..]);
                break;
            }
        }
    }
    read
}

/// The next stretch with nothing but right-to-left letters and neutral characters between them.
fn next_rightward_stretch(chars: &[char], from: usize) -> Option<Range<usize>> {
    let start = from + chars[from..].iter().position(|&c| is_rightward_letter(c))?;
    let mut end = start + 1;
    for (at, &c) in chars.iter().enumerate().skip(start) {
        if is_rightward_letter(c) {
            end = at + 1;
        } else if c.is_alphabetic() {
            break;
        }
    }
    Some(start..end)
}

fn turn(chars: &[char], read: &mut String) {
    let mut rest = chars;
    while let Some(&last) = rest.last() {
        let number = rest.iter().rev().take_while(|c| c.is_numeric()).count();
        if number > 0 {
            read.extend(&rest[rest.len() - number..]);
            rest = &rest[..rest.len() - number];
        } else {
            read.push(mirror_bracket(last));
            rest = &rest[..rest.len() - 1];
        }
    }
}

/// A bracket that opens on one side closes on the other.
fn mirror_bracket(c: char) -> char {
    match c {
        '(' => ')',
        ')' => '(',
        '[' => ']',
        ']' => '[',
        '<' => '>',
        '>' => '<',
        '«' => '»',
        '»' => '«',
        _ => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_drawn_leftmost_first_are_read_rightmost_first() {
        let cases = [
            (
                "\u{5dd}\u{5dc}\u{5d5}\u{5e2} \u{5dd}\u{5d5}\u{5dc}\u{5e9}",
                "\u{5e9}\u{5dc}\u{5d5}\u{5dd} \u{5e2}\u{5d5}\u{5dc}\u{5dd}",
            ),
            ("a \u{5d1}\u{5d0}, b", "a \u{5d0}\u{5d1}, b"),
            ("\u{5d1} 123 \u{5d0}", "\u{5d0} 123 \u{5d1}"),
            ("\u{5d2} (\u{5d1}) \u{5d0}.", "\u{5d0} (\u{5d1}) \u{5d2}."),
            ("plain", "plain"),
            ("", ""),
        ];
        for (drawn, read) in cases {
            assert_eq!(to_reading_order(drawn), read, "{drawn}");
        }
    }
}
