//! All occurrences: once a name is known to be one, every other place where it stands is found too, whether or not
//! the tagger marked it there.

use std::collections::HashMap;

use aho_corasick::{AhoCorasick, MatchKind};

use super::entities::EntityDraft;
use super::{Occurrence, OccurrenceOrigin};
use crate::span::Span;

/// Shorter names ("It", "US" in "bus") would match by chance.
const MIN_NAME_CHARS: usize = 3;

/// Adds the unmarked occurrences of every name that was marked, as whole words with the same capitals. A name that
/// was marked for two entities goes to the one named nearest before it.
pub(super) fn complete(text: &str, entities: &mut [EntityDraft]) {
    let mut names: HashMap<&str, Vec<usize>> = HashMap::new();
    let mut taken: Vec<Span> = Vec::new();
    for (number, entity) in entities.iter().enumerate() {
        for mention in &entity.mentions {
            taken.push(mention.span);
            let Some(name) = mention.span.slice(text) else { continue };
            let named = name.chars().count() >= MIN_NAME_CHARS && name.chars().any(char::is_uppercase);
            if named && mention.found == OccurrenceOrigin::Tagged {
                let owners = names.entry(name).or_default();
                if owners.last() != Some(&number) {
                    owners.push(number);
                }
            }
        }
    }
    taken.sort_unstable();
    let (patterns, owners): (Vec<&str>, Vec<Vec<usize>>) = names.into_iter().unzip();
    // Building fails only for more patterns than a document can hold; then what the tagger found stands alone.
    let Ok(automaton) = AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(&patterns) else {
        return;
    };
    let mut found: Vec<(usize, Span)> = Vec::new();
    let mut next = 0;
    for hit in automaton.find_iter(text) {
        let span = Span::new(hit.start(), hit.end());
        while taken.get(next).is_some_and(|other| other.end <= span.start) {
            next += 1;
        }
        let free = taken.get(next).is_none_or(|other| !other.overlaps(&span));
        if free && is_whole(text, span) {
            found.push((nearest_owner(entities, &owners[hit.pattern().as_usize()], span), span));
        }
    }
    for (number, span) in found {
        entities[number].mentions.push(Occurrence { span, found: OccurrenceOrigin::SameName });
    }
    for entity in entities {
        entity.mentions.sort_unstable();
    }
}

fn nearest_owner(entities: &[EntityDraft], owners: &[usize], span: Span) -> usize {
    let distance = |number: &&usize| {
        let mentions = &entities[**number].mentions;
        let before = mentions.partition_point(|mention| mention.span.end <= span.start);
        before.checked_sub(1).map_or(usize::MAX, |last| span.start - mentions[last].span.end)
    };
    owners.iter().min_by_key(distance).copied().unwrap_or_default()
}

fn is_whole(text: &str, span: Span) -> bool {
    let joins = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    !joins(text[..span.start].chars().next_back()) && !joins(text[span.end..].chars().next())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mentions::MentionType;

    #[test]
    fn unmarked_occurrences_join_the_entity_that_bears_the_name() {
        let text = "Weibo grew. WeiboX did not. People use Weibo. weibo";
        let mut entities = vec![EntityDraft {
            name: "Weibo".into(),
            id: None,
            confidence: 0.0,
            kind: MentionType::Product,
            mentions: vec![Occurrence { span: Span::new(0, 5), found: OccurrenceOrigin::Tagged }],
        }];
        complete(text, &mut entities);
        let found: Vec<(&str, OccurrenceOrigin)> =
            entities[0].mentions.iter().map(|m| (m.span.slice(text).unwrap(), m.found)).collect();
        assert_eq!(found, [("Weibo", OccurrenceOrigin::Tagged), ("Weibo", OccurrenceOrigin::SameName)]);
        assert_eq!(entities[0].mentions[1].span.start, 39);
    }
}
