//! Which near spellings are typing errors and which are other words: "from" is no slip of "form", and a spelling that a
//! text uses again and again is what its author meant.

use std::collections::HashMap;

use super::fold;
use super::{LexicalKind, LexicalMatch, Reason};
use crate::word_list::WordList;

const TYPO_WORD_LISTS: &str = include_str!("common_words.txt");

/// A spelling this much rarer than the query's own may be a slip of it: once, or one in so many.
const MIN_COMMON_TO_RARE_RATIO: usize = 20;

/// Keeps the plausible ones. `exact` is how often the query itself stands in the text as a whole word.
pub(super) fn keep_plausible(text: &str, exact: usize, found: Vec<LexicalMatch>) -> Vec<LexicalMatch> {
    // A text writes few spellings in few ways: each is folded and looked up once.
    let mut written: HashMap<&str, usize> = HashMap::new();
    let mut folded: HashMap<Vec<char>, usize> = HashMap::new();
    let mut spellings: Vec<NearSpelling> = Vec::new();
    let mut fewest = u8::MAX;
    for typo in &found {
        let (LexicalKind::Fuzzy(Reason::Typo { edits }), Some(slice)) = (typo.kind, typo.span.slice(text))
        else {
            continue;
        };
        let id = *written.entry(slice).or_insert_with(|| {
            *folded.entry(fold::fold_str(slice)).or_insert_with_key(|spelling| {
                spellings.push(NearSpelling { count: 0, common: is_common(spelling) });
                spellings.len() - 1
            })
        });
        spellings[id].count += 1;
        fewest = fewest.min(edits);
    }
    let keeps = |found: &LexicalMatch| {
        let LexicalKind::Fuzzy(Reason::Typo { edits }) = found.kind else { return true };
        let id = found.span.slice(text).and_then(|slice| written.get(slice));
        let Some(spelling) = id.map(|&id| &spellings[id]).filter(|spelling| !spelling.common) else {
            return false;
        };
        if exact == 0 {
            // The slip is the query's: what lies nearest was meant.
            edits == fewest
        } else {
            spelling.count <= (exact / MIN_COMMON_TO_RARE_RATIO).max(1)
        }
    };
    found.into_iter().filter(keeps).collect()
}

/// A spelling near the query's, in a text.
struct NearSpelling {
    count: usize,
    common: bool,
}

fn is_common(spelling: &[char]) -> bool {
    EVERYDAY_WORDS.contains(&spelling.iter().collect::<String>())
}

/// Everyday words that lie one letter from others; people who type a query do not mean them.
static EVERYDAY_WORDS: WordList = WordList::new(TYPO_WORD_LISTS, "common");
