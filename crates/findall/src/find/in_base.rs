//! Find in the knowledge base itself: a query enters, the entities that satisfy it leave, likeliest first.
//!
//! ```text
//! query ─▶ words of the whole base ─▶ records ─▶ encoder ─▶ words of the likeliest ─▶ encoder ─▶ judge ─▶ decision
//!          (WordIndex)                                      (another look)                       (the best)
//! ```
//! The first stage is by words because that needs no vector of a million texts: its index is made in seconds and no model
//! has to be read for it. What it misses by wording ("car makers", "automobile manufacturer") the second look brings. Words
//! stay evidence beside encoder and judge: what shares all words of a query is likelier than its likes.

use std::collections::{HashMap, HashSet};

use super::base_effort::BaseEffort;
use super::candidate::{CandidateText, knowledge_of};
use super::gender::{PersonEvidence, asks_for_one};
use super::judging::CachedJudge;
use super::query::ParsedQuery;
use super::region::Region;
use super::{FindError, KeepRule, Speed};
use crate::encode::{Encoder, ModelError, TextKind, probability};
use crate::index::Embeddings;
use crate::knowledge::words::{WordIndex, query_terms};
use crate::knowledge::{EntityId, EntityKind, KnowledgeBase, Record, fold};
use crate::lexical::{Finder, LexicalOptions};
use crate::mentions::MentionType;
use crate::retrieval::terms_of;
use crate::tuning::tuning;

/// Entities that are ranked by words, so that those which another look brings have their place among them.
const MAX_RANKED_BY_WORDS: usize = 1000;
/// Corrected entities that are looked at beside those that the index knows.
const MAX_CORRECTED: usize = 64;
/// How often a name must mean an entity for a query of that name to ask for it.
const MIN_PRIOR_TO_BE_ASKED_FOR: f32 = 0.1;

/// How to search a base.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BaseOptions {
    /// Which entities count as answers.
    pub keep: KeepRule,
    /// At most so many are given.
    pub most: usize,
    /// Whether the judge is asked, where the engine has one.
    pub speed: Speed,
    /// How much is looked at, and what it weighs.
    pub effort: BaseEffort,
}

impl Default for BaseOptions {
    fn default() -> Self {
        Self { keep: KeepRule::Decided, most: 20, speed: Speed::Judged, effort: BaseEffort::default() }
    }
}

/// An entity of the base that satisfies a query.
#[derive(Clone, Debug, PartialEq)]
pub struct BaseFinding {
    /// What is known about it.
    pub record: Record,
    /// How likely it is what was meant, as log-odds.
    pub log_odds: f32,
    /// How much of the query's words it shares, as a share of the most that any entity shares.
    pub words: f32,
    /// What the encoder said.
    pub encoder: f32,
    /// What the judge said, where it read it.
    pub judge: Option<f32>,
    /// True when it is what the query names and nothing else.
    pub is_the_query: bool,
}

impl BaseFinding {
    /// How likely it is what was meant, 0 to 1.
    pub fn probability(&self) -> f32 {
        probability(self.log_odds)
    }
}

/// What a search of a base found.
#[derive(Clone, Debug, PartialEq)]
pub struct BaseFindings {
    /// Likeliest first.
    pub found: Vec<BaseFinding>,
    /// Entities that were looked at by meaning.
    pub considered: usize,
    /// True when a judge decided.
    pub judged: bool,
}

/// What a search of a base works with.
pub(crate) struct BaseSearcher<'e> {
    pub encoder: &'e dyn Encoder,
    pub knowledge: &'e KnowledgeBase,
    pub words: &'e WordIndex,
    pub embeddings: Embeddings<'e>,
    pub cached_judge: Option<CachedJudge<'e>>,
}

/// Entities by the words that they share with a query.
struct WordRanking {
    ids: Vec<EntityId>,
    shares: HashMap<EntityId, f32>,
    /// The share of an entity that is not among them.
    least: f32,
}

impl WordRanking {
    fn of(words: &WordIndex, terms: &[(String, f32)]) -> Self {
        let ranked = words.rank_weighed(terms, MAX_RANKED_BY_WORDS);
        let best = ranked.first().map_or(1.0, |first| first.score.max(f32::MIN_POSITIVE));
        let last = ranked.last().filter(|_| ranked.len() == MAX_RANKED_BY_WORDS);
        Self {
            ids: ranked.iter().map(|it| it.id).collect(),
            shares: ranked.iter().map(|it| (it.id, it.score / best)).collect(),
            least: last.map_or(0.0, |last| last.score / best),
        }
    }

    fn share(&self, id: EntityId) -> f32 {
        self.shares.get(&id).copied().unwrap_or(self.least)
    }
}

/// A query on its way: what it asks, what shares its words, and who may answer.
struct BaseQuery {
    asked: ParsedQuery,
    terms: Vec<(String, f32)>,
    named: HashSet<EntityId>,
    ranking: WordRanking,
    candidates: Vec<BaseFinding>,
}

impl BaseSearcher<'_> {
    /// The entities that the query means.
    pub fn find(mut self, query: &str, options: &BaseOptions) -> Result<BaseFindings, FindError> {
        // Checks the query's length before any model sees it.
        Finder::new(query, LexicalOptions::default())?;
        let effort = &options.effort;
        let asked = ParsedQuery::read(query);
        let terms = query_terms(&asked.wanted);
        let ranking = WordRanking::of(self.words, &terms);
        let mut search =
            BaseQuery { asked, terms, named: self.find_named(query), ranking, candidates: Vec::new() };
        let first = self.first_candidates(&search, effort);
        self.weigh(first, &mut search, effort)?;
        let further = self.further_candidates(&search, effort);
        self.weigh(further, &mut search, effort)?;
        let BaseQuery { asked, mut candidates, .. } = search;
        candidates.retain(|candidate| !is_mentioned(&candidate.record, &asked));
        sort(&mut candidates);
        let considered = candidates.len();
        let cached_judge = self.cached_judge.take().filter(|_| options.speed == Speed::Judged);
        if let Some(cached_judge) = &cached_judge {
            judge(cached_judge, &asked, &mut candidates, effort)?;
        }
        for candidate in candidates.iter_mut().filter(|candidate| candidate.is_the_query) {
            candidate.log_odds = candidate.log_odds.max(tuning().find.is_the_query);
        }
        let log_odds: Vec<f32> = candidates.iter().map(|candidate| candidate.log_odds).collect();
        let kept = match (options.keep, &cached_judge) {
            (KeepRule::All | KeepRule::Best(_), _) => vec![true; considered],
            (KeepRule::AtLeast(least), _) => {
                log_odds.iter().map(|log_odds| probability(*log_odds) >= least).collect()
            }
            (KeepRule::Decided, Some(cached_judge)) => cached_judge.judge.verdict().decide(query, &log_odds),
            (KeepRule::Decided, None) => self.encoder.decision().keep(query, &log_odds),
            (KeepRule::Expected, Some(cached_judge)) => {
                cached_judge.judge.verdict().decide_expected(&log_odds)
            }
            (KeepRule::Expected, None) => self.encoder.decision().keep_expected(&log_odds),
        };
        let each = candidates.into_iter().zip(kept);
        let mut found: Vec<BaseFinding> =
            each.filter(|(_, kept)| *kept).map(|(candidate, _)| candidate).collect();
        sort(&mut found);
        found.truncate(if let KeepRule::Best(best) = options.keep {
            best.min(options.most)
        } else {
            options.most
        });
        Ok(BaseFindings { found, considered, judged: cached_judge.is_some() })
    }

    /// What the query names when it is a name and nothing else. A plural asks for members: "Grand Slam tournaments" is
    /// another name of the Grand Slam.
    fn find_named(&self, query: &str) -> HashSet<EntityId> {
        let folded = fold(query);
        let plural = folded.rsplit(' ').next().filter(|last| last.ends_with('s') && !last.ends_with("ss"));
        let meant = self.knowledge.candidates(query).into_iter();
        meant
            .filter(|it| it.prior >= MIN_PRIOR_TO_BE_ASKED_FOR)
            .filter(|it| {
                let title = self.knowledge.record(it.id).map(|record| fold(&record.title));
                plural.is_none_or(|plural| title.is_ok_and(|it| it.split(' ').any(|word| word == plural)))
            })
            .map(|it| it.id)
            .collect()
    }

    fn first_candidates(&self, search: &BaseQuery, effort: &BaseEffort) -> Vec<EntityId> {
        let mut ids: Vec<EntityId> = search.named.iter().copied().collect();
        ids.sort_unstable();
        let shares_a_word = |id: &EntityId| {
            let text = self.knowledge.record(*id).map(|record| record.knowledge_text()).unwrap_or_default();
            terms_of(&text).any(|term| search.terms.iter().any(|(asked, _)| *asked == term))
        };
        ids.extend(self.knowledge.corrected_entities().into_iter().filter(shares_a_word).take(MAX_CORRECTED));
        ids.extend(search.ranking.ids.iter().take(effort.first_candidates));
        ids
    }

    /// What the words of the likeliest candidates bring.
    fn further_candidates(&self, search: &BaseQuery, effort: &BaseEffort) -> Vec<EntityId> {
        let BaseQuery { terms, candidates, .. } = search;
        if effort.further_candidates == 0 {
            return Vec::new();
        }
        let mut likeliest: Vec<&BaseFinding> = candidates.iter().collect();
        likeliest.sort_by(|a, b| b.log_odds.total_cmp(&a.log_odds));
        likeliest.truncate(effort.feedback_entities);
        let mut having: HashMap<String, usize> = HashMap::new();
        for candidate in &likeliest {
            let own: HashSet<String> = terms_of(&candidate.record.description).collect();
            own.into_iter().for_each(|term| *having.entry(term).or_default() += 1);
        }
        let mut telling: Vec<(String, f32)> = having
            .into_iter()
            .filter(|(term, count)| *count > 1 && terms.iter().all(|(asked, _)| asked != term))
            .filter_map(|(term, count)| {
                let rarity = self.words.rarity(&term)?;
                Some((term, count as f32 * rarity))
            })
            .collect();
        telling.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        telling.truncate(effort.feedback_terms);
        if telling.is_empty() {
            return Vec::new();
        }
        let added = telling.into_iter().map(|(term, _)| (term, effort.feedback_weight));
        let all: Vec<(String, f32)> = terms.iter().cloned().chain(added).collect();
        let known: HashSet<EntityId> = candidates.iter().map(|candidate| candidate.record.id).collect();
        let most = known.len() + effort.further_candidates;
        let ranked = self.words.rank_weighed(&all, most).into_iter();
        ranked.map(|it| it.id).filter(|id| !known.contains(id)).take(effort.further_candidates).collect()
    }

    /// Adds entities with what words and encoder say of them.
    fn weigh(
        &mut self,
        ids: Vec<EntityId>,
        search: &mut BaseQuery,
        effort: &BaseEffort,
    ) -> Result<(), FindError> {
        let BaseQuery { asked, named, ranking, candidates, .. } = search;
        let mut known: HashSet<EntityId> = candidates.iter().map(|candidate| candidate.record.id).collect();
        let ids = ids.into_iter().filter(|id| known.insert(*id));
        // A damaged record is passed over; `kb verify` tells of it.
        let records: Vec<Record> = ids.filter_map(|id| self.knowledge.record(id).ok()).collect();
        if records.is_empty() {
            return Ok(());
        }
        let texts: Vec<String> = records.iter().map(Record::knowledge_text).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let queries: Vec<&str> =
            std::iter::once(asked.wanted.as_str()).chain(asked.unwanted.as_deref()).collect();
        self.embeddings.learn(&queries, TextKind::Query)?;
        self.embeddings.learn(&texts, TextKind::Knowledge)?;
        let query = |text: &str| self.embeddings.get(text, TextKind::Query).ok_or_else(missing_vector_error);
        let wanted = query(&asked.wanted)?;
        let unwanted = asked.unwanted.as_deref().map(query).transpose()?;
        let calibration = self.encoder.calibration();
        for (record, text) in records.into_iter().zip(texts) {
            let embedding =
                self.embeddings.get(text, TextKind::Knowledge).ok_or_else(missing_vector_error)?;
            let mut encoder = calibration.log_odds(wanted, embedding);
            if let Some(unwanted) = unwanted {
                encoder = encoder.min(-calibration.log_odds(unwanted, embedding));
            }
            let (words, is_the_query) = (ranking.share(record.id), named.contains(&record.id));
            let log_odds = effort.unread.log_odds(0.0, encoder, words);
            candidates.push(BaseFinding { record, log_odds, words, encoder, judge: None, is_the_query });
        }
        Ok(())
    }
}

fn missing_vector_error() -> ModelError {
    let message = "gave no vector for a text; check the model folder with `findall doctor`".into();
    ModelError { model: "encoder".into(), message }
}

fn sort(candidates: &mut [BaseFinding]) {
    let order = |it: &BaseFinding| (it.judge.is_some() || it.is_the_query, it.log_odds);
    candidates.sort_by(|a, b| {
        let ((a_read, a_odds), (b_read, b_odds)) = (order(a), order(b));
        b_read.cmp(&a_read).then(b_odds.total_cmp(&a_odds)).then(a.record.id.cmp(&b.record.id))
    });
}

/// An entity that the query mentions among other words is what the answers are related to, not an answer.
fn is_mentioned(record: &Record, asked: &ParsedQuery) -> bool {
    asked.mentions(&fold(&record.title))
}

/// The judge reads the best candidates; its verdict is weighed with what words and encoder say.
fn judge(
    cached_judge: &CachedJudge<'_>,
    asked: &ParsedQuery,
    candidates: &mut [BaseFinding],
    effort: &BaseEffort,
) -> Result<(), FindError> {
    let rule = cached_judge.judge.verdict();
    let hopeful = |it: &&BaseFinding| it.encoder >= rule.hopeless || it.is_the_query;
    let read = candidates.iter().take(effort.max_judged).take_while(hopeful).count();
    let (region, gender) = (Region::named_in(&asked.wanted), asks_for_one(&asked.wanted));
    let read_text = |it: &BaseFinding| text_to_judge(&it.record, region, gender);
    let texts: Vec<String> = candidates[..read].iter().map(read_text).collect();
    let mut opinions = cached_judge.judge_texts(&asked.wanted, &texts)?;
    if let Some(unwanted) = &asked.unwanted {
        for (own, other) in opinions.iter_mut().zip(cached_judge.judge_texts(unwanted, &texts)?) {
            *own = own.min(-other);
        }
    }
    for (candidate, opinion) in candidates.iter_mut().zip(opinions) {
        candidate.judge = Some(opinion);
        let verdict = rule.calibrate(opinion, candidate.encoder);
        candidate.log_odds = effort.read.log_odds(verdict, candidate.encoder, candidate.words);
    }
    // What the judge did not read is not likelier than the unlikeliest that it did.
    let least = candidates[..read].iter().map(|it| it.log_odds).fold(f32::INFINITY, f32::min).min(rule.keep);
    for candidate in &mut candidates[read..] {
        candidate.log_odds = candidate.log_odds.min(least) - rule.margin - 1.0;
    }
    Ok(())
}

/// What a judge reads of an entity of which no document says anything.
fn text_to_judge(record: &Record, region: Option<Region>, gender: bool) -> String {
    let known = record.knowledge_text();
    let known = known.strip_prefix(record.title.as_str()).unwrap_or(&known).trim_start_matches(['.', ' ']);
    let kind = mention_type(record.kind);
    let gender = (gender && kind == Some(MentionType::Person))
        .then(|| PersonEvidence { known, names: [&record.title; 2] })
        .and_then(|person| person.describe(None, &[]));
    let region = region.and_then(|region| region.describe(&record.title, known));
    let text = CandidateText {
        name: record.title.clone(),
        kind,
        knowledge: knowledge_of(gender, region, known),
        here: String::new(),
        sentences: Vec::new(),
    };
    text.to_string()
}

/// The kind as a tagger would have named it.
fn mention_type(kind: EntityKind) -> Option<MentionType> {
    match kind {
        EntityKind::Person | EntityKind::Character => Some(MentionType::Person),
        EntityKind::Organization | EntityKind::Team => Some(MentionType::Organization),
        EntityKind::Place => Some(MentionType::Place),
        EntityKind::Group => Some(MentionType::Group),
        EntityKind::Work => Some(MentionType::Work),
        EntityKind::Product => Some(MentionType::Product),
        EntityKind::Event => Some(MentionType::Event),
        EntityKind::Species | EntityKind::Substance | EntityKind::Concept | EntityKind::Other => None,
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;
    use std::sync::Arc;

    use super::*;
    use crate::engine::Engine;
    use crate::find::BaseMix;
    use crate::judge::{Judge, VerdictRule};
    use crate::knowledge::corrections::{Addition, Correction};
    use crate::testing::{small_encoder, small_knowledge, small_tagger};

    /// Thinks that everything whose text has the word "search" satisfies every query, and nothing else.
    struct SearchJudge;

    impl Judge for SearchJudge {
        fn id(&self) -> &str {
            "search-1"
        }

        fn judge(&self, _: &str, texts: &[&str]) -> Result<Vec<f32>, ModelError> {
            Ok(texts.iter().map(|text| if text.contains("search") { 3.0 } else { -3.0 }).collect())
        }

        fn verdict(&self) -> VerdictRule {
            VerdictRule { hopeless: -20.0, possible: 0.0, ..VerdictRule::default() }
        }
    }

    /// By meaning alone: what ships is fitted to other models.
    fn by_meaning() -> BaseOptions {
        let nothing = BaseMix { judge: 0.0, encoder: 0.0, words: 0.0, bias: 0.0 };
        let effort = BaseEffort {
            unread: BaseMix { encoder: 1.0, ..nothing },
            read: BaseMix { judge: 1.0, ..nothing },
            ..BaseEffort::default()
        };
        BaseOptions { effort, ..BaseOptions::default() }
    }

    fn engine() -> (Engine, WordIndex) {
        let engine = Engine::new(small_encoder(), small_tagger(), small_knowledge());
        let words =
            WordIndex::build_in_memory(engine.knowledge(), &mut |_| ControlFlow::Continue(())).unwrap();
        (engine, words)
    }

    fn titles(engine: &Engine, words: &WordIndex, query: &str, options: &BaseOptions) -> Vec<String> {
        let findings = engine.find_in_base(words, query, options).unwrap();
        findings.found.into_iter().map(|found| found.record.title).collect()
    }

    #[test]
    fn the_encoder_decides_and_the_likeliest_come_first() {
        let (engine, words) = engine();
        let options = by_meaning();
        assert_eq!(titles(&engine, &words, "city in France", &options), ["Lyon"]);
        assert_eq!(titles(&engine, &words, "Chinese search engine", &options)[0], "Baidu");
        assert_eq!(titles(&engine, &words, "zebras", &options), [""; 0]);
        let all = BaseOptions { keep: KeepRule::All, most: 2, ..options };
        assert_eq!(titles(&engine, &words, "Chinese company", &all).len(), 2);
        assert!(engine.find_in_base(&words, " ", &options).is_err());
    }

    #[test]
    fn a_name_asks_for_its_entity_and_a_mentioned_one_is_no_answer() {
        let (engine, words) = engine();
        let options = by_meaning();
        let findings = engine.find_in_base(&words, "Weixin", &options).unwrap();
        assert_eq!(findings.found[0].record.title, "WeChat");
        assert!(findings.found[0].probability() > 0.99);
        let all = BaseOptions { keep: KeepRule::All, ..options };
        assert!(!titles(&engine, &words, "platforms like Baidu", &all).contains(&"Baidu".to_owned()));
    }

    #[test]
    fn the_judge_has_the_last_word_unless_it_is_to_be_fast() {
        let (engine, words) = engine();
        let engine = engine.with_judge(Arc::new(SearchJudge));
        let mut found = titles(&engine, &words, "Chinese technology", &by_meaning());
        found.sort_unstable();
        assert_eq!(found, ["Baidu", "Google"]);
        let fast = BaseOptions { speed: Speed::Fast, keep: KeepRule::All, ..by_meaning() };
        let findings = engine.find_in_base(&words, "Chinese technology", &fast).unwrap();
        assert!(!findings.judged && findings.found.iter().all(|found| found.judge.is_none()));
    }

    #[test]
    fn shared_words_are_evidence_beside_the_judge_and_few_are_judged() {
        let (engine, words) = engine();
        let engine = engine.with_judge(Arc::new(SearchJudge));
        let mut options = BaseOptions { keep: KeepRule::All, ..by_meaning() };
        let found = engine.find_in_base(&words, "Chinese messaging and payment app", &options).unwrap().found;
        assert!(
            found.iter().all(|it| (0.0..=1.0).contains(&it.words)),
            "a share of the most that any shares"
        );
        assert_ne!(found[0].record.title, "WeChat", "the judge believes in search");
        options.effort.read.words = 50.0;
        assert_eq!(titles(&engine, &words, "Chinese messaging and payment app", &options)[0], "WeChat");
        options.effort.max_judged = 1;
        let found = engine.find_in_base(&words, "Chinese messaging and payment app", &options).unwrap().found;
        assert_eq!(found.iter().filter(|it| it.judge.is_some()).count(), 1);
        assert!(found[0].judge.is_some() && found[1].log_odds < found[0].log_odds);
    }

    #[test]
    fn what_a_person_added_is_found_at_once_and_what_is_wrong_no_more() {
        let (engine, words) = engine();
        let oslo = Addition { title: "Oslo".into(), text: "city in France".into(), ..Addition::default() };
        engine.knowledge().correct(&[
            Correction::Add(oslo),
            Correction::WrongText { title: "Lyon".into(), words: "another one".into() },
        ]);
        assert_eq!(titles(&engine, &words, "city in France", &by_meaning()), ["Oslo"]);
    }
}
