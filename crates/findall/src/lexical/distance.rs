//! Edit distance with a budget: how many letters were missed, added, changed or swapped with their neighbour.

/// Words longer than this are not compared; no one misspells them by a letter or two.
pub(crate) const MAX_WORD_CHARS: usize = 48;

/// The optimal-string-alignment distance of two words if it is at most `budget`. Rows are on the stack, and the work
/// stops once a whole row is over budget.
pub(crate) fn bounded_distance(left: &[char], right: &[char], budget: usize) -> Option<usize> {
    if left.len().abs_diff(right.len()) > budget
        || left.len() > MAX_WORD_CHARS
        || right.len() > MAX_WORD_CHARS
    {
        return None;
    }
    let width = right.len() + 1;
    let mut rows = [[0u8; MAX_WORD_CHARS + 1]; 3];
    for (column, cell) in rows[0][..width].iter_mut().enumerate() {
        *cell = column as u8;
    }
    for row in 1..=left.len() {
        let (current, previous, before) = (row % 3, (row + 2) % 3, (row + 1) % 3);
        rows[current][0] = row as u8;
        let mut best = row as u8;
        for column in 1..width {
            let same = left[row - 1] == right[column - 1];
            let mut cost = (rows[previous][column - 1] + u8::from(!same))
                .min(rows[previous][column] + 1)
                .min(rows[current][column - 1] + 1);
            let swapped = row > 1
                && column > 1
                && left[row - 1] == right[column - 2]
                && left[row - 2] == right[column - 1];
            if swapped {
                cost = cost.min(rows[before][column - 2] + 1);
            }
            rows[current][column] = cost;
            best = best.min(cost);
        }
        if usize::from(best) > budget {
            return None;
        }
    }
    let distance = usize::from(rows[left.len() % 3][right.len()]);
    (distance <= budget).then_some(distance)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_edits() {
        let cases = [
            ("recieve", "receive", 2, Some(1)),
            ("seperate", "separate", 2, Some(1)),
            ("acomodate", "accommodate", 2, Some(2)),
            ("house", "mouse", 1, Some(1)),
            ("house", "horses", 1, None),
            ("", "ab", 2, Some(2)),
            ("same", "same", 0, Some(0)),
            ("abcd", "badc", 2, Some(2)),
        ];
        for (left, right, budget, expected) in cases {
            let chars = |word: &str| word.chars().collect::<Vec<_>>();
            assert_eq!(bounded_distance(&chars(left), &chars(right), budget), expected, "{left} {right}");
        }
    }
}
