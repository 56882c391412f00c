//! What slip of the hand makes one word of another: what was typed and what may have been meant in, its kind out.

/// The slip between two words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Slip {
    /// More than one letter is wrong.
    pub two_edits: bool,
    /// Two neighbouring letters are swapped.
    pub swapped: bool,
    /// A letter was left out.
    pub missing: bool,
    /// A letter is too many.
    pub extra: bool,
    /// The letter that is missing or too many stands beside its like.
    pub doubled: bool,
    /// The wrong letter lies beside the right one on the keyboard.
    pub near_key: bool,
    /// The first letter is wrong.
    pub first_letter: bool,
    /// The last letter is wrong: often another form of the same word.
    pub last_letter: bool,
}

impl Slip {
    /// The slip that made `typed` of `meant`, which differ in `edits` letters.
    pub fn between(typed: &[char], meant: &[char], edits: usize) -> Self {
        let same_start = typed.iter().zip(meant).take_while(|(a, b)| a == b).count();
        let ends = typed.iter().rev().zip(meant.iter().rev());
        let same_end = ends.take_while(|(a, b)| a == b).count();
        let slip = Self {
            first_letter: same_start == 0,
            last_letter: same_end == 0,
            two_edits: edits > 1,
            ..Self::default()
        };
        if edits != 1 {
            return slip;
        }
        let beside = |word: &[char], at: usize| {
            let like = |other: Option<&char>| other.is_some_and(|&other| other == word[at]);
            like(at.checked_sub(1).and_then(|before| word.get(before))) || like(word.get(at + 1))
        };
        match typed.len().cmp(&meant.len()) {
            std::cmp::Ordering::Less => {
                Self { missing: true, doubled: beside(meant, same_start.min(meant.len() - 1)), ..slip }
            }
            std::cmp::Ordering::Greater => {
                let at = same_start.min(typed.len() - 1);
                let neighbours = [at.checked_sub(1), Some(at + 1)];
                let near = |other: &char| are_near(*other, typed[at]);
                let near_key = neighbours.into_iter().flatten().filter_map(|n| typed.get(n)).any(near);
                Self { extra: true, doubled: beside(typed, at), near_key, ..slip }
            }
            std::cmp::Ordering::Equal => {
                let swapped = same_start + same_end + 2 == typed.len();
                let pair = typed.get(same_start).zip(meant.get(same_start));
                let near_key = !swapped && pair.is_some_and(|(a, b)| are_near(*a, *b));
                // Two letters that changed places are both there: the word has no other end.
                let (first_letter, last_letter) =
                    (slip.first_letter && !swapped, slip.last_letter && !swapped);
                Self { swapped, near_key, first_letter, last_letter, ..slip }
            }
        }
    }
}

/// Whether two letters lie side by side on an English keyboard.
fn are_near(a: char, b: char) -> bool {
    const ROWS: [&str; 3] = ["qwertyuiop", "asdfghjkl", "zxcvbnm"];
    let place = |c: char| ROWS.iter().enumerate().find_map(|(row, keys)| Some((row, keys.find(c)?)));
    match (place(a), place(b)) {
        (Some((row, column)), Some((other_row, other_column))) => {
            a != b && row.abs_diff(other_row) <= 1 && column.abs_diff(other_column) <= 1
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn between(typed: &str, meant: &str, edits: usize) -> Slip {
        let chars = |word: &str| word.chars().collect::<Vec<_>>();
        Slip::between(&chars(typed), &chars(meant), edits)
    }

    #[test]
    fn slips_are_told_apart() {
        let none = Slip::default();
        assert_eq!(between("compnaies", "companies", 1), Slip { swapped: true, ..none });
        assert_eq!(between("wehn", "when", 1), Slip { swapped: true, ..none });
        assert_eq!(between("aldhma", "aldham", 1), Slip { swapped: true, ..none }, "both letters are there");
        assert_eq!(between("mesage", "message", 1), Slip { missing: true, doubled: true, ..none });
        assert_eq!(between("wat", "what", 1), Slip { missing: true, ..none });
        assert_eq!(between("whqat", "what", 1), Slip { extra: true, near_key: true, ..none });
        assert_eq!(between("wjen", "when", 1), Slip { near_key: true, ..none });
        assert_eq!(between("xhen", "when", 1), Slip { first_letter: true, ..none });
        assert_eq!(between("when", "whens", 1), Slip { missing: true, last_letter: true, ..none });
        assert_eq!(
            between("ambasador", "embassador", 2),
            Slip { two_edits: true, first_letter: true, ..none }
        );
    }
}
