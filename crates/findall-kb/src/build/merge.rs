//! Several sources' drafts of one entity become one: the higher authority names and describes it, lists are united.

use std::collections::HashSet;
use std::io;

use super::draft::{Draft, Name};
use super::sorter::SortedPair;
use findall::knowledge::KnowledgeError;
use findall::knowledge::fold;
use findall::knowledge::{Phrase, PhraseKind};

/// What can stop a merge.
pub(super) enum MergeError {
    Io(io::Error),
    Knowledge(KnowledgeError),
}

impl From<KnowledgeError> for MergeError {
    fn from(error: KnowledgeError) -> Self {
        Self::Knowledge(error)
    }
}

/// Drafts kept for one title; a dump that repeats itself more often is not worth more memory.
const MAX_DRAFTS: usize = 4096;

/// Hands each entity to `each` once, merged from the drafts that share its key.
pub(super) fn merge_drafts(
    sorted: impl Iterator<Item = io::Result<SortedPair>>,
    mut each: impl FnMut(Draft) -> Result<(), KnowledgeError>,
) -> Result<(), MergeError> {
    let mut current: Option<Vec<u8>> = None;
    let mut group: Vec<Draft> = Vec::new();
    for pair in sorted {
        let (key, value) = pair.map_err(MergeError::Io)?;
        if current.as_ref() != Some(&key) {
            if let Some(draft) = unite(std::mem::take(&mut group)) {
                each(draft)?;
            }
            current = Some(key);
        }
        if group.len() < MAX_DRAFTS {
            group.push(Draft::decode(&value).ok_or(KnowledgeError::Damaged("draft"))?);
        }
    }
    if let Some(draft) = unite(group) {
        each(draft)?;
    }
    Ok(())
}

/// One draft out of many; none when all of them only attach to others.
fn unite(mut drafts: Vec<Draft>) -> Option<Draft> {
    if drafts.iter().all(|draft| draft.attaches_only) {
        return None;
    }
    // The sort is stable: among equals the first source wins.
    drafts.sort_by_key(|draft| (draft.attaches_only, std::cmp::Reverse(draft.authority)));
    let mut drafts = drafts.into_iter();
    let mut out = drafts.next()?;
    for draft in drafts {
        out.kind = out.kind.or(draft.kind);
        if out.key.is_empty() {
            out.key = draft.key;
        }
        if out.description.is_empty() {
            out.description = draft.description;
        } else if !draft.description.is_empty() && !contains(&out.description, &draft.description) {
            out.phrases.insert(0, Phrase { kind: PhraseKind::What, text: draft.description });
        }
        out.phrases.extend(draft.phrases);
        out.names.extend(draft.names);
        out.popularity += draft.popularity;
    }
    Some(out)
}

fn contains(text: &str, part: &str) -> bool {
    text.to_lowercase().contains(&part.to_lowercase())
}

/// Drops repeated names and phrases, and bounds what one record may hold.
pub(super) fn trim(draft: &mut Draft, phrase_words: usize, longest: usize) {
    cut(&mut draft.description, longest);
    let mut said = draft.description.to_lowercase();
    let mut words = 0;
    draft.phrases.retain_mut(|phrase| {
        cut(&mut phrase.text, longest);
        let lower = phrase.text.to_lowercase();
        let length = lower.split_whitespace().count();
        if length == 0 || words + length > phrase_words || said.contains(&lower) {
            return false;
        }
        words += length;
        said.push(';');
        said.push_str(&lower);
        true
    });
    let mut seen: HashSet<String> = HashSet::new();
    draft.names.sort_by_key(|name| name.origin);
    draft.names.retain(|Name { text, .. }| text.len() <= longest && seen.insert(fold(text)));
    draft.names.truncate(400);
}

fn cut(text: &mut String, longest: usize) {
    text.truncate(text.floor_char_boundary(longest));
}
