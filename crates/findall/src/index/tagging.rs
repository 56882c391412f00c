//! What texts name, each tagged once and remembered by its letters: an edited document pays only for the passages that
//! changed, and who reads a document after another one read it pays nothing.

use crate::cache::{Shards, key_of};
use crate::encode::ModelError;
use crate::mentions::{Mention, MentionTagger, MentionType};
use crate::names::is_honorific;
use crate::span::Span;

/// The tagger, and where what it said is kept.
#[derive(Clone, Copy)]
pub(crate) struct CachedTagger<'e> {
    pub tagger: &'e dyn MentionTagger,
    pub kept: Option<&'e Shards>,
}

impl CachedTagger<'_> {
    /// The mentions of every text, in order.
    pub fn tag(&self, texts: &[&str]) -> Result<Vec<Vec<Mention>>, ModelError> {
        let kept = |text: &&str| unpack(&self.kept?.get(&key_of(0, text))?, text);
        let mut tagged: Vec<Option<Vec<Mention>>> = texts.iter().map(kept).collect();
        let missing: Vec<usize> = (0..texts.len()).filter(|&at| tagged[at].is_none()).collect();
        if !missing.is_empty() {
            let new: Vec<&str> = missing.iter().map(|&at| texts[at]).collect();
            for (at, mut mentions) in missing.into_iter().zip(self.tagger.tag(&new)?) {
                drop_impossible(&mut mentions, texts[at]);
                if let Some(kept) = self.kept {
                    kept.put(key_of(0, texts[at]), pack(&mentions));
                }
                tagged[at] = Some(mentions);
            }
        }
        let whole = |(mentions, text): (Option<Vec<Mention>>, &&str)| {
            with_whole_names(mentions.unwrap_or_default(), text)
        };
        Ok(tagged.into_iter().zip(texts).map(whole).collect())
    }
}

/// The mentions of a text as another thread's tagger gave them, as [`CachedTagger::tag`] gives them.
pub(super) fn clean_mentions(mut mentions: Vec<Mention>, text: &str) -> Vec<Mention> {
    drop_impossible(&mut mentions, text);
    with_whole_names(mentions, text)
}

/// Nothing is believed about a span that cannot be shown.
fn drop_impossible(mentions: &mut Vec<Mention>, text: &str) {
    mentions.retain(|mention| !mention.span.is_empty() && mention.span.slice(text).is_some());
}

/// Words after "Mr." that are taken for the name.
const MAX_TITLED_NAME_WORDS: usize = 3;

/// A title names nobody: where the tagger stopped after "Mr.", the name behind it joins it, and without one the mention
/// goes.
fn with_whole_names(mentions: Vec<Mention>, text: &str) -> Vec<Mention> {
    let starts: Vec<usize> = mentions.iter().map(|mention| mention.span.start).collect();
    let mut next = starts.iter().skip(1).copied().chain([text.len()]);
    let whole = |mention: Mention| {
        let next = next.next().unwrap_or(text.len());
        let words = mention.span.slice(text)?;
        if !words.split_whitespace().all(|word| word == "and" || is_honorific(word.trim_end_matches('.'))) {
            return Some(mention);
        }
        let end = name_end(text, mention.span.end, next)?;
        Some(Mention { span: Span::new(mention.span.start, end), ..mention })
    };
    mentions.into_iter().filter_map(whole).collect()
}

/// Where the name ends that starts behind a title, if one does before `until`.
fn name_end(text: &str, title_end: usize, until: usize) -> Option<usize> {
    let mut end = None;
    let mut rest = text.get(title_end..until)?.trim_start_matches('.');
    for _ in 0..MAX_TITLED_NAME_WORDS {
        let start = rest.trim_start_matches([' ', '\u{a0}', '\n']);
        // More than a space or a line break ends a paragraph.
        let gap = rest[..rest.len() - start.len()].chars().count();
        if gap != 1 || !start.starts_with(char::is_uppercase) {
            break;
        }
        let inside = |c: char| c.is_alphanumeric() || matches!(c, '-' | '\'' | '’');
        let length = start.find(|c: char| !inside(c)).unwrap_or(start.len());
        let word = &start[..length];
        let word = word.strip_suffix("'s").or(word.strip_suffix("’s")).unwrap_or(word);
        end = Some(title_end + (text[title_end..until].len() - start.len()) + word.len());
        rest = &start[word.len()..];
        // "Mr. J. Smith": an initial has its dot.
        if word.chars().count() == 1 {
            rest = rest.strip_prefix('.').unwrap_or(rest);
        }
    }
    end
}

pub(crate) fn kind_number(kind: MentionType) -> u8 {
    kind.number() as u8
}

pub(crate) fn kind_of(number: u8) -> Option<MentionType> {
    MentionType::ALL.get(usize::from(number)).copied()
}

const PACKED_MENTION_BYTES: usize = 4 + 4 + 1 + 4;

fn pack(mentions: &[Mention]) -> Vec<u8> {
    let mut out = Vec::with_capacity(mentions.len() * PACKED_MENTION_BYTES);
    for mention in mentions {
        out.extend_from_slice(&(mention.span.start as u32).to_le_bytes());
        out.extend_from_slice(&(mention.span.end as u32).to_le_bytes());
        out.push(kind_number(mention.kind));
        out.extend_from_slice(&mention.confidence.to_le_bytes());
    }
    out
}

fn unpack(bytes: &[u8], text: &str) -> Option<Vec<Mention>> {
    if !bytes.len().is_multiple_of(PACKED_MENTION_BYTES) {
        return None;
    }
    let number = |part: &[u8]| part.try_into().ok().map(u32::from_le_bytes);
    bytes
        .chunks_exact(PACKED_MENTION_BYTES)
        .map(|part| {
            let (start, end) = (number(&part[..4])? as usize, number(&part[4..8])? as usize);
            text.get(start..end)?;
            let confidence = f32::from_le_bytes(part[9..13].try_into().ok()?);
            Some(Mention { span: Span::new(start, end), kind: kind_of(part[8])?, confidence })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The mentions of a text in which these pieces were tagged.
    fn find_named<'t>(text: &'t str, pieces: &[&str]) -> Vec<&'t str> {
        let mut at = 0;
        let mention = |piece: &&str| {
            let start = at + text[at..].find(piece).unwrap();
            at = start + piece.len();
            Mention { span: Span::new(start, at), kind: MentionType::Person, confidence: 0.9 }
        };
        let mentions = pieces.iter().map(mention).collect();
        with_whole_names(mentions, text).iter().map(|mention| mention.span.slice(text).unwrap()).collect()
    }

    #[test]
    fn a_title_alone_is_no_mention() {
        let cases: &[(&str, &[&str], &[&str])] = &[
            ("Then Mr. Trump spoke.", &["Mr"], &["Mr. Trump"]),
            ("Then Mr. Trump spoke.", &["Mr."], &["Mr. Trump"]),
            ("Then Mr Trump's lawyer spoke.", &["Mr"], &["Mr Trump"]),
            ("Then Dr\u{a0}J. K. Rowling-Smith left.", &["Dr"], &["Dr\u{a0}J. K. Rowling-Smith"]),
            ("Then Mr. Trump spoke.", &["Mr", "Trump"], &["Trump"]),
            ("Then Mr. Donald Trump spoke.", &["Mr. Donald Trump"], &["Mr. Donald Trump"]),
            ("Mr. and Mrs. Ames came.", &["Mr. and Mrs"], &["Mr. and Mrs. Ames"]),
            ("Dear Sir, we regret", &["Sir"], &[]),
            ("Say Mr. or nothing.", &["Mr"], &[]),
            ("Ask Mr.\n\nNext chapter", &["Mr"], &[]),
            ("Mr Bean is a film.", &["Mr Bean"], &["Mr Bean"]),
            ("The King spoke.", &["King"], &["King"]),
        ];
        for (text, tagged, expected) in cases {
            assert_eq!(find_named(text, tagged), *expected, "{text}");
        }
    }
}
