//! The judge's turn: candidates that the encoder does not think hopeless are read together with the query, best first,
//! and its verdict replaces the encoder's. What was judged once is remembered.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard};

use super::FindOptions;
use super::candidate::{CandidateText, QueryTerms};
use super::query::ParsedQuery;
use super::score::{EntityEvidence, EvidenceSource};
use crate::cache::{Key, Shards, key_of};
use crate::document::Document;
use crate::encode::ModelError;
use crate::index::PreparedDocument;
use crate::judge::{Judge, VerdictRule};

/// Candidates read for one query at most: a page has fewer; in a book the others are decided by the encoder alone.
pub(super) const MAX_JUDGED_CANDIDATES: usize = 192;

/// Verdicts remembered in memory; then the memory begins anew.
const MAX_REMEMBERED_VERDICTS: usize = 200_000;

/// Log-odds at most of a candidate that the judge was not shown because it is hopeless.
const MAX_HOPELESS_LOG_ODDS: f32 = -6.0;

/// Verdicts by what was read: in memory and, where the engine keeps things, on disk. Nothing in it can be stale.
#[derive(Default)]
pub(crate) struct Verdicts {
    known: Mutex<HashMap<Key, f32>>,
}

impl Verdicts {
    pub fn forget(&self) {
        self.lock().clear();
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Key, f32>> {
        self.known.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn get(&self, key: &Key, disk: Option<&Shards>) -> Option<f32> {
        if let Some(known) = self.lock().get(key) {
            return Some(*known);
        }
        let bytes: [u8; 4] = disk?.get(key)?.try_into().ok()?;
        Some(f32::from_le_bytes(bytes)).filter(|log_odds| log_odds.is_finite())
    }

    fn put(&self, key: Key, log_odds: f32, disk: Option<&Shards>) {
        let mut known = self.lock();
        if known.len() >= MAX_REMEMBERED_VERDICTS {
            known.clear();
        }
        known.insert(key, log_odds);
        if let Some(disk) = disk {
            disk.put(key, log_odds.to_le_bytes().to_vec());
        }
    }
}

/// A judge with its memory.
pub(crate) struct CachedJudge<'e> {
    pub judge: &'e dyn Judge,
    pub verdicts: &'e Verdicts,
    pub disk: Option<&'e Shards>,
}

impl CachedJudge<'_> {
    /// Replaces the log-odds of the candidates that the judge reads; gives the rule by which they are kept, and which
    /// candidates it was.
    pub(super) fn judge(
        &self,
        document: &Document,
        prepared: &PreparedDocument,
        asked: &ParsedQuery,
        evidence: &mut [EntityEvidence],
        options: &FindOptions,
    ) -> Result<Judgement, ModelError> {
        let rule = self.judge.verdict();
        let mut chosen: Vec<usize> =
            (0..evidence.len()).filter(|&at| evidence[at].log_odds >= rule.hopeless).collect();
        let crowded = chosen.len() > options.max_judged;
        if crowded {
            chosen.sort_by(|&a, &b| evidence[b].log_odds.total_cmp(&evidence[a].log_odds).then(a.cmp(&b)));
            chosen.truncate(options.max_judged);
        }
        let terms = QueryTerms::of(&asked.wanted);
        let texts: Vec<String> = chosen
            .iter()
            .map(|&at| {
                let mut text =
                    CandidateText::gather(document, &prepared.entities[evidence[at].entity], &terms);
                match options.without {
                    Some(EvidenceSource::External) => text.knowledge.clear(),
                    Some(EvidenceSource::Internal) => {
                        text.sentences.clear();
                        text.here.clear();
                    }
                    None => {}
                }
                if !options.page_words {
                    text.here.clear();
                }
                text.to_string()
            })
            .collect();
        let mut opinions = self.judge_texts(&asked.wanted, &texts)?;
        if let Some(unwanted) = &asked.unwanted {
            for (own, other) in opinions.iter_mut().zip(self.judge_texts(unwanted, &texts)?) {
                *own = own.min(-other);
            }
        }
        let mut read = vec![false; evidence.len()];
        for (&at, opinion) in chosen.iter().zip(opinions) {
            let own = &mut evidence[at];
            read[at] = true;
            own.judge = Some(opinion);
            if !own.is_the_query {
                own.log_odds = rule.calibrate(opinion, own.log_odds);
            }
        }
        for (own, read) in evidence.iter_mut().zip(&read) {
            if !read && own.log_odds < rule.hopeless {
                own.log_odds = own.log_odds.min(MAX_HOPELESS_LOG_ODDS);
            }
        }
        Ok(Judgement { rule, read: crowded.then_some(read) })
    }

    /// What the judge thinks of each text, from memory where it was asked before.
    pub(super) fn judge_texts(&self, query: &str, texts: &[String]) -> Result<Vec<f32>, ModelError> {
        let keys: Vec<Key> = texts.iter().map(|text| key_of(0, &format!("{query}\n{text}"))).collect();
        let mut opinions: Vec<Option<f32>> =
            keys.iter().map(|key| self.verdicts.get(key, self.disk)).collect();
        let missing: Vec<usize> = (0..texts.len()).filter(|&at| opinions[at].is_none()).collect();
        if !missing.is_empty() {
            let unread: Vec<&str> = missing.iter().map(|&at| texts[at].as_str()).collect();
            for (&at, opinion) in missing.iter().zip(self.judge.judge(query, &unread)?) {
                self.verdicts.put(keys[at], opinion, self.disk);
                opinions[at] = Some(opinion);
            }
            if let Some(disk) = self.disk {
                disk.flush();
            }
        }
        Ok(opinions.into_iter().map(|opinion| opinion.unwrap_or(MAX_HOPELESS_LOG_ODDS)).collect())
    }
}

/// How a judged search is decided.
pub(super) struct Judgement {
    rule: VerdictRule,
    /// Which candidates were read, where not all could be.
    read: Option<Vec<bool>>,
}

impl Judgement {
    /// Which candidates are kept, with or without knowing that something answers; `by_encoder` decides those that were
    /// not read.
    pub fn decide(
        &self,
        query: &str,
        log_odds: &[f32],
        expected: bool,
        by_encoder: impl FnOnce() -> Vec<bool>,
    ) -> Vec<bool> {
        let kept =
            if expected { self.rule.decide_expected(log_odds) } else { self.rule.decide(query, log_odds) };
        match &self.read {
            None => kept,
            Some(read) => {
                let other = by_encoder();
                let each = kept.into_iter().enumerate();
                each.map(|(at, kept)| if read.get(at) == Some(&false) { other[at] } else { kept }).collect()
            }
        }
    }
}
