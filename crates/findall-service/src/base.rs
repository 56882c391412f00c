//! The knowledge base itself, as every face asks and corrects it: a list query enters, entities leave; a person's word that
//! something is wrong enters, a correction leaves. [`Base`] is what a process keeps beside the base: the index of its words,
//! made when it is first asked for, and the corrections, which count from the next query on, whoever wrote them.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::{Mutex, OnceLock, PoisonError};

use findall::Engine;
use findall::find::{BaseFinding, BaseOptions, FindError, Speed};
use findall::knowledge::corrections::{Correction, CorrectionError, CorrectionsFile, Stamp, UnclearName};
use findall::knowledge::words::{WordIndex, WordIndexError};
use findall::knowledge::{Candidate, EntityId, KnowledgeBase, KnowledgeError};

use crate::find::{choose_keep_rule, is_probability};

/// Entities given when nobody says how many.
pub const DEFAULT_BASE_ENTITIES: usize = 20;
/// Most entities that are given.
pub const MAX_BASE_ENTITIES: usize = 200;

/// What is asked of the base.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BaseQuery {
    /// What to find, such as "Japanese car makers".
    pub query: String,
    /// At most so many entities, the likeliest.
    pub most: Option<usize>,
    /// Lowest probability; findall decides without it.
    pub threshold: Option<f32>,
    /// Whether the encoder's answer will do, so that no judge is asked.
    pub fast: bool,
}

/// A limit that a query does not keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BaseLimit {
    /// Too many entities, or none.
    #[error("must be 1 to {MAX_BASE_ENTITIES}")]
    Most,
    /// The threshold is no probability.
    #[error("must lie between 0 and 1")]
    Threshold,
}

impl BaseQuery {
    /// How the engine is to search, or which limit the query does not keep.
    pub fn options(&self) -> Result<BaseOptions, BaseLimit> {
        let most = self.most.unwrap_or(DEFAULT_BASE_ENTITIES);
        if !(1..=MAX_BASE_ENTITIES).contains(&most) {
            return Err(BaseLimit::Most);
        }
        if self.threshold.is_some_and(|threshold| !is_probability(threshold)) {
            return Err(BaseLimit::Threshold);
        }
        Ok(BaseOptions {
            keep: choose_keep_rule(self.threshold, false),
            most,
            speed: if self.fast { Speed::Fast } else { Speed::Judged },
            ..BaseOptions::default()
        })
    }

    /// What was found, likeliest first, with options that [`options`](Self::options) gave.
    pub fn find(
        &self,
        engine: &Engine,
        words: &WordIndex,
        options: &BaseOptions,
    ) -> Result<Vec<BaseFinding>, FindError> {
        Ok(engine.find_in_base(words, &self.query, options)?.found)
    }
}

/// One entity that a name may mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NameMeaning {
    /// The entity.
    pub entity: EntityId,
    /// How often the name means it; `None` where it is only its title.
    pub prior: Option<f32>,
}

/// What a name may mean: the entity that has it as its title first, then the likeliest.
pub fn meanings_of(knowledge: &KnowledgeBase, name: &str) -> Vec<NameMeaning> {
    let titled = knowledge.find_title(name).map(|entity| NameMeaning { entity, prior: None });
    let mut meanings = Vec::from_iter(titled);
    for Candidate { id: entity, prior, .. } in knowledge.candidates(name) {
        match meanings.iter_mut().find(|meaning| meaning.entity == entity) {
            Some(meaning) => meaning.prior = Some(prior),
            None => meanings.push(NameMeaning { entity, prior: Some(prior) }),
        }
    }
    meanings
}

/// What is wrong about an entity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BaseFault {
    /// What is said about it.
    Text,
    /// It is not what this name means, or what any name means.
    Link {
        /// The name that does not mean it.
        name: Option<String>,
    },
}

/// Why a report is about nothing.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// Its name does not say which entity is meant.
    #[error(transparent)]
    Unclear(#[from] UnclearName),
    /// The entity cannot be read.
    #[error(transparent)]
    Base(#[from] KnowledgeError),
}

/// The correction that a person's report amounts to; `entity` is a title, or a name that means no other.
pub fn correction_of(
    knowledge: &KnowledgeBase,
    entity: &str,
    fault: BaseFault,
    words: String,
) -> Result<Correction, ReportError> {
    let title = knowledge.record(knowledge.entity_meant(entity)?)?.title;
    Ok(match fault {
        BaseFault::Text => Correction::WrongText { title, words },
        BaseFault::Link { name } => {
            let name = name.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty());
            Correction::WrongLink { title, name, words }
        }
    })
}

/// What a process keeps beside the base itself.
#[derive(Debug, Default)]
pub struct Base {
    /// Where the index of words lies; in memory without a place.
    words_path: Option<PathBuf>,
    words: OnceLock<WordIndex>,
    building: Mutex<()>,
    /// Where corrections are kept; without a place none are taken.
    corrections: Option<CorrectionsFile>,
    applied: Mutex<Stamp>,
}

/// What came of looking at the corrections again.
#[derive(Debug, Default)]
pub struct RefreshOutcome {
    /// True when the base says other things than before.
    pub changed: bool,
    /// Lines that could not be read.
    pub broken_lines: usize,
    /// Why nothing could be read; what was read before stays.
    pub error: Option<CorrectionError>,
}

impl Base {
    /// Keeps its index and corrections at these places. The corrections are taken to be applied already.
    pub fn new(words_path: Option<PathBuf>, corrections: Option<CorrectionsFile>) -> Self {
        let applied = corrections.as_ref().map(CorrectionsFile::stamp).unwrap_or_default();
        Self { words_path, corrections, applied: Mutex::new(applied), ..Self::default() }
    }

    /// The index of words, made now if need be. Who waits for it while another makes it gets the same.
    pub fn words(
        &self,
        knowledge: &KnowledgeBase,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<&WordIndex, WordIndexError> {
        if let Some(words) = self.words.get() {
            return Ok(words);
        }
        let _building = self.building.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(words) = self.words.get() {
            return Ok(words);
        }
        let built =
            WordIndex::open_or_build(knowledge, self.words_path.as_deref(), &mut |_| match is_stopped() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            })?;
        Ok(self.words.get_or_init(|| built))
    }

    /// The file of corrections, where some are taken.
    pub fn corrections(&self) -> Option<&CorrectionsFile> {
        self.corrections.as_ref()
    }

    /// Applies what changed in the file of corrections since it was last read.
    pub fn refresh(&self, knowledge: &KnowledgeBase) -> RefreshOutcome {
        let Some(file) = &self.corrections else { return RefreshOutcome::default() };
        let mut applied = self.applied.lock().unwrap_or_else(PoisonError::into_inner);
        let stamp = file.stamp();
        if *applied == stamp {
            return RefreshOutcome::default();
        }
        *applied = stamp;
        let before = knowledge.id();
        let (broken_lines, error) = match file.read() {
            Ok(read) => {
                knowledge.correct(&read.corrections);
                (read.broken.len(), None)
            }
            Err(error) => (0, Some(error)),
        };
        RefreshOutcome { changed: knowledge.id() != before, broken_lines, error }
    }
}

#[cfg(test)]
mod tests {
    use findall::find::KeepRule;
    use findall::testing::{small_encoder, small_knowledge, small_tagger};

    use super::*;

    #[test]
    fn a_query_keeps_limits_and_finds() {
        let engine = Engine::new(small_encoder(), small_tagger(), small_knowledge());
        let base = Base::default();
        let words = base.words(engine.knowledge(), &|| false).unwrap();
        let query = BaseQuery { query: "Weixin".into(), ..BaseQuery::default() };
        let options = query.options().unwrap();
        assert_eq!((options.most, options.keep), (DEFAULT_BASE_ENTITIES, KeepRule::Decided));
        let found = query.find(&engine, words, &options).unwrap();
        assert_eq!(found[0].record.title, "WeChat");
        for most in [0, MAX_BASE_ENTITIES + 1] {
            let refused = BaseQuery { most: Some(most), ..query.clone() }.options().unwrap_err();
            assert_eq!(refused.to_string(), "must be 1 to 200");
        }
        for threshold in [-0.1, 1.5, f32::NAN] {
            let asked = BaseQuery { threshold: Some(threshold), ..query.clone() };
            assert_eq!(asked.options(), Err(BaseLimit::Threshold));
        }
    }

    #[test]
    fn a_name_means_what_has_it_as_its_title_and_what_it_is_used_for() {
        let knowledge = small_knowledge();
        let meant = |name| meanings_of(&knowledge, name);
        let titled = meant("WeChat");
        assert_eq!(Some(titled[0].entity), knowledge.find_title("WeChat"));
        assert!(titled[0].prior.is_some());
        assert_eq!(meant("weixin")[0].entity, titled[0].entity);
        assert_eq!(meant("zebra"), []);
        // A title stays findable where nobody means the entity by it.
        let fault = BaseFault::Link { name: None };
        knowledge.correct(&[correction_of(&knowledge, "WeChat", fault, "wrong".into()).unwrap()]);
        assert_eq!(meant("WeChat"), [NameMeaning { prior: None, ..titled[0] }]);
    }

    #[test]
    fn a_stopped_index_is_no_index_and_the_next_goes_on() {
        let knowledge = small_knowledge();
        let base = Base::default();
        assert!(matches!(base.words(&knowledge, &|| true), Err(WordIndexError::Stopped)));
        assert_eq!(base.words(&knowledge, &|| false).unwrap().len(), knowledge.len());
    }

    #[test]
    fn a_report_is_a_correction_of_the_entity_that_it_names() {
        let knowledge = small_knowledge();
        let of = |entity: &str, fault| correction_of(&knowledge, entity, fault, "wrong".into());
        let text = of("weixin", BaseFault::Text).unwrap();
        assert_eq!(text, Correction::WrongText { title: "WeChat".into(), words: "wrong".into() });
        let link = of("Lyon", BaseFault::Link { name: Some(" ".into()) }).unwrap();
        let nobody = Correction::WrongLink { title: "Lyon".into(), name: None, words: "wrong".into() };
        assert_eq!(link, nobody, "no name at all");
        assert!(matches!(of("zebra", BaseFault::Text), Err(ReportError::Unclear(UnclearName::Unknown))));
    }

    #[test]
    fn corrections_count_once_the_file_changed() {
        let folder = tempfile::tempdir().unwrap();
        let file = CorrectionsFile::new(folder.path().join("corrections.tsv"));
        let knowledge = small_knowledge();
        let base = Base::new(None, Some(file));
        assert!(!base.refresh(&knowledge).changed);
        let wrong = correction_of(&knowledge, "Lyon", BaseFault::Text, "another one".into()).unwrap();
        base.corrections().unwrap().append(&wrong).unwrap();
        assert!(base.refresh(&knowledge).changed);
        assert!(!base.refresh(&knowledge).changed);
    }
}
