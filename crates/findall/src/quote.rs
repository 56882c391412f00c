//! Text-quote selectors: a place as the words that stand there and around it, so that it is found again after the text
//! was edited. A quote and an edited text in; the place, or nothing, out. As W3C's Web Annotation model has it.

use memchr::memmem;

use crate::span::Span;

/// A place in a text, kept as words.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Quote {
    /// What stands there.
    pub exact: String,
    /// What stands before it, up to [`MAX_CONTEXT_CHARS`] characters.
    pub prefix: String,
    /// What stands after it, up to [`MAX_CONTEXT_CHARS`] characters.
    pub suffix: String,
}

/// A quote found again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AnchoredQuote {
    /// Where it stands now.
    pub span: Span,
    /// True when its words are still the same, letter by letter.
    pub verbatim: bool,
    /// How much of what stood around it still does, 0 to 1.
    pub context: f32,
}

/// Characters kept on each side.
pub const MAX_CONTEXT_CHARS: usize = 32;
/// From this many characters on, words are their own context.
const MIN_DISTINCTIVE_CHARS: usize = 32;
/// Less context than this, and short words are taken for others that look the same.
const MIN_CONTEXT_SHARE: f32 = 0.2;
/// One edit is forgiven for so many characters.
const CHARS_AN_EDIT: usize = 8;
/// Quotes longer than this are found verbatim or not at all.
const MAX_EDITED_CHARS: usize = 1000;
/// Places that are looked at, at most.
const MAX_QUOTE_PLACES: usize = 2000;
/// Places that are aligned letter by letter, at most.
const MAX_ALIGNED_PLACES: usize = 64;

impl Quote {
    /// The quote of a place; `None` when nothing readable stands there.
    pub fn of(text: &str, span: Span) -> Option<Quote> {
        let exact = span.slice(text).filter(|slice| !slice.trim().is_empty())?;
        let (before, after) = (&text[..span.start], &text[span.end..]);
        let from =
            before.char_indices().rev().take(MAX_CONTEXT_CHARS).last().map_or(before.len(), |(at, _)| at);
        let to = after.char_indices().nth(MAX_CONTEXT_CHARS).map_or(after.len(), |(at, _)| at);
        Some(Quote { exact: exact.into(), prefix: before[from..].into(), suffix: after[..to].into() })
    }

    /// Where the quote stands in a text that may have been edited: its words as they were where the most of their
    /// context is left, nearest to `expected` where that does not decide; else its words slightly changed. Numbers
    /// never change: an answer with another number is another answer.
    pub fn find(&self, text: &str, expected: Option<usize>) -> Option<AnchoredQuote> {
        if self.exact.trim().is_empty() {
            return None;
        }
        let verbatim = places(text, &self.exact)
            .map(|start| self.anchor_at(text, Span::new(start, start + self.exact.len()), true));
        self.best(verbatim, expected).or_else(|| {
            let edited = self.find_edited(text, expected).into_iter();
            self.best(edited.map(|span| self.anchor_at(text, span, false)), expected)
        })
    }

    fn anchor_at(&self, text: &str, span: Span, verbatim: bool) -> AnchoredQuote {
        let around = self.prefix.len() + self.suffix.len();
        if around == 0 {
            return AnchoredQuote { span, verbatim, context: 1.0 };
        }
        let before = agreement(self.prefix.chars().rev(), text[..span.start].chars().rev());
        let after = agreement(self.suffix.chars(), text[span.end..].chars());
        let sides = before * self.prefix.len() as f32 + after * self.suffix.len() as f32;
        AnchoredQuote { span, verbatim, context: sides / around as f32 }
    }

    fn best(
        &self,
        found: impl Iterator<Item = AnchoredQuote>,
        expected: Option<usize>,
    ) -> Option<AnchoredQuote> {
        let distance = |anchored: &AnchoredQuote| anchored.span.start.abs_diff(expected.unwrap_or(0));
        let distinctive = self.exact.chars().count() >= MIN_DISTINCTIVE_CHARS;
        found
            .filter(|anchored| distinctive || anchored.context >= MIN_CONTEXT_SHARE)
            .max_by(|a, b| a.context.total_cmp(&b.context).then_with(|| distance(b).cmp(&distance(a))))
    }

    /// Places whose words are a few edits from the quote's. With so many edits forgiven, one of as many pieces and one
    /// more stands unchanged: each place of a piece is aligned with the quote.
    fn find_edited(&self, text: &str, expected: Option<usize>) -> Vec<Span> {
        let pattern: Vec<char> = self.exact.chars().collect();
        let budget = pattern.len() / CHARS_AN_EDIT;
        if budget == 0 || pattern.len() > MAX_EDITED_CHARS {
            return Vec::new();
        }
        let mut starts: Vec<usize> = Vec::new();
        let length = pattern.len().div_ceil(budget + 1);
        let mut offset = 0;
        for piece in pattern.chunks(length) {
            let piece: String = piece.iter().collect();
            starts.extend(places(text, &piece).map(|at| text.floor_char_boundary(at.saturating_sub(offset))));
            offset += piece.len();
        }
        starts.sort_unstable();
        // Neighbouring guesses see the same text.
        starts.dedup_by(|next, kept| next.abs_diff(*kept) <= budget);
        starts.sort_by_key(|start| start.abs_diff(expected.unwrap_or(0)));
        let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
        let wanted = digits(&self.exact);
        let aligned = starts.into_iter().take(MAX_ALIGNED_PLACES);
        aligned
            .filter_map(|start| align(&pattern, text, start, budget))
            .filter(|span| span.slice(text).is_some_and(|slice| digits(slice) == wanted))
            .collect()
    }
}

/// Where `words` begins in the text; places may overlap.
fn places<'t>(text: &'t str, words: &str) -> impl Iterator<Item = usize> + use<'t> {
    let finder = memmem::Finder::new(words).into_owned();
    let mut from = 0;
    let next = move || {
        let found = from + finder.find(text.as_bytes().get(from..)?)?;
        from = found + 1;
        Some(found)
    };
    std::iter::from_fn(next).take(MAX_QUOTE_PLACES)
}

/// How much of a context is left, reading away from the quote: half for the letters up to the first change, half for
/// words that still stand near.
fn agreement(kept: impl Iterator<Item = char> + Clone, now: impl Iterator<Item = char>) -> f32 {
    let squeeze = |c: char| if c.is_whitespace() { ' ' } else { c };
    let kept: Vec<char> = kept.map(squeeze).collect();
    let now: Vec<char> = now.take(2 * MAX_CONTEXT_CHARS).map(squeeze).collect();
    if kept.is_empty() {
        return 1.0;
    }
    let same = kept.iter().zip(&now).take_while(|(a, b)| a == b).count();
    if same == kept.len() {
        return 1.0;
    }
    let words = |chars: &[char]| -> Vec<String> {
        let words = chars.split(|c| !c.is_alphanumeric()).filter(|word| word.len() > 2);
        words.map(|word| word.iter().collect()).collect()
    };
    let (kept_words, now_words) = (words(&kept), words(&now));
    let still = kept_words.iter().filter(|word| now_words.contains(word)).count();
    let words = if kept_words.is_empty() { 0.0 } else { still as f32 / kept_words.len() as f32 };
    (same as f32 / kept.len() as f32 + words) / 2.0
}

/// The stretch around `start` that is nearest to the pattern (Sellers' algorithm: any start, any end), if it is within
/// the budget.
fn align(pattern: &[char], text: &str, start: usize, budget: usize) -> Option<Span> {
    let back = text[..start].char_indices().rev().take(budget).last().map_or(start, |(at, _)| at);
    let window = text[back..].char_indices().take(pattern.len() + 3 * budget);
    // Edits so far, and where the stretch began.
    let mut row: Vec<(usize, usize)> = (0..=pattern.len()).map(|edits| (edits, back)).collect();
    let mut best: Option<(usize, Span)> = None;
    for (at, c) in window {
        let (at, end) = (back + at, back + at + c.len_utf8());
        let mut diagonal = row[0];
        row[0] = (0, end);
        for (column, &wanted) in pattern.iter().enumerate() {
            let same = wanted == c || (wanted.is_whitespace() && c.is_whitespace());
            let from = if column == 0 { (0, at) } else { diagonal };
            let replaced = (from.0 + usize::from(!same), from.1);
            let (added, left_out) = (row[column + 1], row[column]);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min((added.0 + 1, added.1)).min((left_out.0 + 1, left_out.1));
        }
        let (edits, from) = row[pattern.len()];
        if edits <= budget && from < end && best.is_none_or(|(fewest, _)| edits < fewest) {
            best = Some((edits, Span::new(from, end)));
        }
    }
    best.map(|(_, span)| span)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const TEXT: &str = "The mill was sold in 1890. It burned down in 1902, and the miller's family moved to Aldham. \
        The bakery was sold in 1890 too.";

    fn quote(words: &str, nth: usize) -> Quote {
        let (start, found) = TEXT.match_indices(words).nth(nth).unwrap();
        Quote::of(TEXT, Span::new(start, start + found.len())).unwrap()
    }

    fn find_quote<'t>(quote: &Quote, text: &'t str) -> Option<(&'t str, usize)> {
        quote.find(text, None).map(|a| (a.span.slice(text).unwrap(), a.span.start))
    }

    #[test]
    fn context_tells_same_words_apart() {
        let second = TEXT.rfind("1890").unwrap();
        assert_eq!(find_quote(&quote("1890", 0), TEXT), Some(("1890", 21)));
        assert_eq!(find_quote(&quote("1890", 1), TEXT), Some(("1890", second)));
        let edited = format!("A new beginning. {}", TEXT.replace("burned down", "was lost to fire"));
        assert_eq!(find_quote(&quote("1890", 1), &edited), Some(("1890", edited.rfind("1890").unwrap())));
        assert_eq!(find_quote(&quote("1902", 0), &edited), Some(("1902", edited.find("1902").unwrap())));
    }

    #[test]
    fn small_changes_are_forgiven_and_numbers_are_not() {
        let family = quote("the miller's family", 0);
        let edited = TEXT.replace("miller's family", "miller’s  family");
        assert_eq!(find_quote(&family, &edited).map(|f| f.0), Some("the miller’s  family"));
        let sentence = quote("It burned down in 1902, and the miller's family moved", 0);
        assert!(find_quote(&sentence, &TEXT.replace("burned", "Burnt")).is_some());
        assert_eq!(find_quote(&sentence, &TEXT.replace("1902", "1903")), None, "another year, another fact");
        assert_eq!(find_quote(&quote("1902", 0), &TEXT.replace("1902", "1903")), None);
    }

    #[test]
    fn what_is_gone_is_not_found_elsewhere() {
        let elsewhere = "Room 1890 is on the third floor, beside the stairs.";
        assert_eq!(find_quote(&quote("1890", 0), elsewhere), None);
        assert_eq!(find_quote(&quote("Aldham", 0), ""), None);
        assert_eq!(Quote::of("  x", Span::new(0, 2)), None);
    }

    proptest! {
        #[test]
        fn any_place_is_found_in_its_own_text(text in "[a-d é日\n]{1,80}", a in 0usize..80, b in 0usize..80) {
            let (a, b) = (text.floor_char_boundary(a.min(b)), text.floor_char_boundary(a.max(b)));
            if let Some(quote) = Quote::of(&text, Span::new(a, b)) {
                let found = quote.find(&text, Some(a)).unwrap();
                prop_assert_eq!(found, AnchoredQuote { span: Span::new(a, b), verbatim: true, context: 1.0 });
            }
        }

        #[test]
        fn text_before_and_after_changes_nothing(
            before in "[a-z .]{0,60}", words in "[a-z]{3,9} [a-z]{3,9}", after in "[a-z .]{0,60}", more in "[A-Z0-9 ]{0,200}",
        ) {
            let text = format!("{before}{words}{after}");
            let span = Span::new(before.len(), before.len() + words.len());
            let quote = Quote::of(&text, span).unwrap();
            let longer = format!("{more}{text}{more}");
            let found = quote.find(&longer, Some(more.len() + before.len())).unwrap();
            prop_assert_eq!(found.span.slice(&longer).unwrap(), words.as_str());
        }

        #[test]
        fn whatever_is_found_is_a_place(
            exact in ".{1,60}", prefix in ".{0,32}", suffix in ".{0,32}", text in ".{0,300}", at in prop::option::of(0usize..400),
        ) {
            if let Some(found) = (Quote { exact, prefix, suffix }).find(&text, at) {
                prop_assert!(found.span.slice(&text).is_some_and(|slice| !slice.is_empty()));
                prop_assert!((0.0..=1.0).contains(&found.context));
            }
        }

        #[test]
        fn one_edit_in_a_long_quote_is_forgiven(words in "[a-z]{4,8}( [a-z]{4,8}){5,9}", at in 0usize..200, letter in "[a-z]") {
            let text = format!("First this. {words}. Then that.");
            let quote = Quote::of(&text, Span::new(12, 12 + words.len())).unwrap();
            let place = 13 + at % (words.len() - 2);
            let mut edited = text.clone();
            edited.replace_range(place..place + 1, &letter);
            let found = quote.find(&edited, None).unwrap();
            prop_assert!(found.span.start.abs_diff(12) <= 1 && found.span.end.abs_diff(12 + words.len()) <= 1);
        }
    }
}
