//! Small stand-ins for the models and the knowledge base, for tests and examples: texts are bags of words, names are
//! capitalised words, a handful of entities is known.

use std::path::Path;
use std::sync::Arc;

use crate::ask::{Answer, Reader, Reading};
use crate::encode::{Calibration, DecisionRule, Embedding, Encoder, ModelError, TextKind};
use crate::knowledge::KnowledgeBase;
use crate::mentions::{Mention, MentionTagger, MentionType};
use crate::span::Span;

const DIMS: usize = 4096;

/// An encoder whose vectors are bags of hashed words: texts that share words are near.
#[derive(Debug)]
pub struct BagOfWords;

impl Encoder for BagOfWords {
    fn id(&self) -> &str {
        "bag-of-words-1"
    }

    fn dims(&self) -> usize {
        DIMS
    }

    fn encode(&self, texts: &[&str], _: TextKind) -> Result<Vec<Embedding>, ModelError> {
        Ok(texts.iter().map(|text| bag(text)).collect())
    }

    fn calibration(&self) -> Calibration {
        Calibration { scale: 20.0, bias: -5.0, late: None }
    }

    fn words(&self) -> Vec<&str> {
        TEST_WORDS.to_vec()
    }

    fn knows_word(&self, word: &str) -> bool {
        TEST_WORDS.contains(&word)
    }

    fn decision(&self) -> DecisionRule {
        DecisionRule { sure: 1.0, far: 6.0, margin: 1.0, possible: -2.5, per_word: 0.0 }
    }
}

const TEST_WORDS: &[&str] = &[
    "the",
    "of",
    "in",
    "who",
    "are",
    "not",
    "city",
    "cities",
    "country",
    "companies",
    "messaging",
    "app",
    "apps",
    "search",
    "engine",
    "player",
    "players",
];

fn bag(text: &str) -> Embedding {
    let mut vector = vec![0.0; DIMS];
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 2) {
        let word = word.to_lowercase();
        let word = word.strip_suffix('s').unwrap_or(&word);
        let hash = blake3::hash(word.as_bytes());
        let place = u16::from_le_bytes([hash.as_bytes()[0], hash.as_bytes()[1]]);
        vector[usize::from(place) % DIMS] += 1.0;
    }
    let length = vector.iter().map(|v| v * v).sum::<f32>().sqrt();
    if length > 0.0 {
        vector.iter_mut().for_each(|v| *v /= length);
    }
    Embedding { pooled: vector, tokens: Vec::new() }
}

/// A tagger that marks runs of capitalised words, except at the start of a sentence where a small word stands.
#[derive(Debug)]
pub struct Capitals;

impl MentionTagger for Capitals {
    fn id(&self) -> &str {
        "capitals-1"
    }

    fn tag(&self, texts: &[&str]) -> Result<Vec<Vec<Mention>>, ModelError> {
        Ok(texts.iter().map(|text| capitals(text)).collect())
    }
}

fn capitals(text: &str) -> Vec<Mention> {
    const TEST_OPENERS: &[&str] = &["A", "An", "He", "In", "It", "On", "People", "She", "The", "They", "We"];
    let mut mentions: Vec<Mention> = Vec::new();
    let mut at = 0;
    for word in text.split(|c: char| !c.is_alphanumeric()) {
        let span = Span::new(at, at + word.len());
        at += word.len() + text[at + word.len()..].chars().next().map_or(0, char::len_utf8);
        if !word.starts_with(char::is_uppercase) || TEST_OPENERS.contains(&word) {
            continue;
        }
        match mentions.last_mut() {
            Some(last) if &text[last.span.end..span.start] == " " => last.span.end = span.end,
            _ => mentions.push(Mention { span, kind: MentionType::Other, confidence: 0.9 }),
        }
    }
    mentions
}

/// A reader that answers with the first name or number, not in the question, of the sentence that shares the most words
/// with it; as sure as that share.
#[derive(Debug)]
pub struct SharedWordsReader;

impl Reader for SharedWordsReader {
    fn id(&self) -> &str {
        "shared-words-1"
    }

    fn read(&self, question: &str, passages: &[&str]) -> Result<Vec<Reading>, ModelError> {
        let mut readings = self.read_all(question, passages)?;
        readings.iter_mut().for_each(|reading| reading.answers.retain(|answer| answer.confidence > 0.3));
        Ok(readings)
    }

    fn read_all(&self, question: &str, passages: &[&str]) -> Result<Vec<Reading>, ModelError> {
        Ok(passages.iter().map(|passage| shared_words(question, passage)).collect())
    }
}

fn shared_words(question: &str, passage: &str) -> Reading {
    let words = |text: &str| -> Vec<String> {
        text.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase).filter(|w| w.len() > 3).collect()
    };
    let asked = words(question);
    let mut best: Option<Answer> = None;
    let mut at = 0;
    for sentence in passage.split_inclusive('.') {
        let here = words(sentence);
        let shared =
            asked.iter().filter(|word| here.contains(word)).count() as f32 / asked.len().max(1) as f32;
        let mut from = at;
        for word in sentence.split(' ') {
            let plain = word.trim_matches(|c: char| !c.is_alphanumeric());
            let names = plain.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit());
            let confidence = (0.98 * shared).max(0.02);
            if names
                && plain.len() > 3
                && !question.contains(plain)
                && best.is_none_or(|b| b.confidence < confidence)
            {
                let start = from + word.find(plain).unwrap_or_default();
                best = Some(Answer { span: Span::new(start, start + plain.len()), confidence });
            }
            from += word.len() + 1;
        }
        at += sentence.len();
    }
    Reading { no_answer: best.map_or(1.0, |best| 1.0 - best.confidence), answers: best.into_iter().collect() }
}

/// A knowledge base of a few entities; `findall-kb` builds it, and a test there says of what.
const SMALL_BASE: &[u8] = include_bytes!("testing/small.kb");

/// A few entities, as a file in `folder`.
pub fn build_knowledge(folder: &Path) -> KnowledgeBase {
    let path = folder.join("small.kb");
    std::fs::write(&path, SMALL_BASE).expect("the folder can be written");
    KnowledgeBase::open(&path).expect("the small base is whole")
}

/// The small encoder, shared.
pub fn small_encoder() -> Arc<dyn Encoder> {
    Arc::new(BagOfWords)
}

/// The small tagger, shared.
pub fn small_tagger() -> Arc<dyn MentionTagger> {
    Arc::new(Capitals)
}

/// The small reader, shared.
pub fn small_reader() -> Arc<dyn Reader> {
    Arc::new(SharedWordsReader)
}

/// The small knowledge base, shared.
pub fn small_knowledge() -> Arc<KnowledgeBase> {
    Arc::new(KnowledgeBase::from_bytes(SMALL_BASE.to_vec()).expect("the small base is whole"))
}

/// Fails when a file of word lists (every `.txt` of the sources but the counts of `spelling`) is not in order.
pub fn check_word_lists(folder: impl AsRef<Path>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            check_word_lists(&path);
        } else if path.extension().is_some_and(|end| end == "txt") && !path.ends_with("asked_words.txt") {
            let lists = std::fs::read_to_string(&path).unwrap();
            assert_eq!(find_word_list_offence(&lists), None, "{}", path.display());
        }
    }
}

/// What is wrong with a file of word lists: a list that is empty or stands twice, entries that are out of order or stand twice,
/// blanks that nobody sees.
pub fn find_word_list_offence(lists: &str) -> Option<String> {
    let mut names: Vec<&str> = Vec::new();
    let mut last: Option<&str> = Some("");
    for line in lists.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        if line.trim() != line || line.contains('\t') {
            return Some(format!("blanks around {line:?}"));
        }
        if let Some((name, _)) = line.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            if last.is_none() || names.contains(&name.trim_start_matches('[')) {
                return Some(format!("a list before {name} is empty, or {name} stands twice"));
            }
            names.push(name.trim_start_matches('['));
            last = None;
            continue;
        }
        let Some(name) = names.last() else { return Some(format!("{line} stands before any list")) };
        let entries = match lists.contains(&format!("[[{name}]]")) {
            true => vec![line],
            false => line.split(' ').collect(),
        };
        for key in entries.into_iter().map(|entry| entry.split('=').next().unwrap_or(entry)) {
            if last.is_some_and(|last| last >= key) {
                return Some(format!("{key} does not stand behind {}", last.unwrap_or_default()));
            }
            last = Some(key);
        }
    }
    last.is_none().then(|| format!("the list {} is empty", names.last().copied().unwrap_or_default()))
}
