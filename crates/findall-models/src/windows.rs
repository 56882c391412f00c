//! How a sequence longer than the network reads is cut into overlapping windows.

use std::ops::Range;

/// Windows of at most `size` over `count` items, each sharing `overlap` with the next; none over nothing.
///
/// The last one is as short as what is left.
pub fn cut_ragged(count: usize, size: usize, overlap: usize) -> Vec<Range<usize>> {
    let step = size.saturating_sub(overlap).max(1);
    let mut windows = Vec::new();
    let mut start = 0;
    while start < count {
        let end = (start + size).min(count);
        windows.push(start..end);
        if end == count {
            break;
        }
        start += step;
    }
    windows
}

/// As [`cut_ragged`], but the last window is moved back to full size, so that its first items have context too.
pub fn cut_full(count: usize, size: usize, overlap: usize) -> Vec<Range<usize>> {
    let mut windows = cut_ragged(count, size, overlap);
    if let Some(last) = windows.last_mut() {
        last.start = count.saturating_sub(size);
    }
    windows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_cover_everything_and_overlap() {
        assert!(cut_ragged(0, 10, 4).is_empty());
        assert_eq!(cut_ragged(10, 10, 4).len(), 1);
        assert_eq!(cut_ragged(11, 10, 4), [0..10, 6..11]);
        assert_eq!(cut_full(11, 10, 4), [0..10, 1..11]);
        assert_eq!(cut_full(17, 10, 4), [0..10, 6..16, 7..17]);
        // An overlap as large as the window must still move on.
        assert_eq!(cut_ragged(3, 2, 9), [0..2, 1..3]);
    }
}
