//! Find by meaning, with small stand-ins for the models: what is found, how it is labelled, and what bad input does.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use findall::encode::{Calibration, DecisionRule, Embedding, Encoder, ModelError, TextKind};
use findall::find::{EvidenceSource, FindError, KeepRule, MatchKind, Mix, Order, Speed};
use findall::index::{PrepareOptions, SkippedPart};
use findall::judge::{Judge, VerdictRule};
use findall::mentions::{Mention, MentionTagger};
use findall::testing::{BagOfWords, Capitals, small_encoder, small_knowledge, small_tagger};
use findall::{Cache, Document, Engine, FindOptions, Findings};

const TEXT: &str = "People in China talk on WeChat. Weibo is an open network site. \
    They search with Baidu, and Lyon is far away. Weibo grows. The value was $5 million in 2019.";

fn engine() -> Engine {
    // What ships is fitted to another encoder.
    let mix = Mix {
        knowledge: 0.75,
        context: 0.25,
        bias: 0.0,
        context_alone: 1.0,
        bias_alone: -0.5,
        named: 1.5,
        ..Mix::default()
    };
    Engine::new(small_encoder(), small_tagger(), small_knowledge()).with_mix(mix)
}

fn find(text: &str, query: &str, options: &FindOptions) -> Findings {
    let document = Document::from_text(text);
    let engine = engine();
    let prepared = engine.prepare(&document).unwrap();
    engine.find(&document, &prepared, query, options).unwrap()
}

fn show_findings<'t>(text: &'t str, findings: &Findings) -> Vec<(&'t str, MatchKind)> {
    findings.matches.iter().map(|found| (found.span.slice(text).unwrap(), found.kind)).collect()
}

#[test]
fn what_the_page_does_not_say_is_found_and_explained() {
    let findings = find(TEXT, "messaging app", &FindOptions::default());
    assert_eq!(show_findings(TEXT, &findings), [("WeChat", MatchKind::Meaning)]);
    let why = findings.matches[0].why.to_string();
    assert!(why.starts_with("WeChat: Chinese messaging and payment app by Tencent"), "{why}");
}

#[test]
fn every_occurrence_is_found_and_descriptions_only_where_asked_for() {
    let found = |descriptions| {
        let options = FindOptions { descriptions, ..FindOptions::default() };
        let findings = find(TEXT, "microblogging platform", &options);
        show_findings(TEXT, &findings).iter().map(|(word, _)| *word).collect::<Vec<_>>()
    };
    assert_eq!(found(false), ["Weibo", "Weibo"], "what only describes it is not shown to people");
    assert_eq!(found(true), ["Weibo", "site", "Weibo"], "KTRL+F counts it");
}

/// A judge that believes in cities alone, and counts the candidates it was shown.
#[derive(Debug, Default)]
struct CityJudge {
    read: AtomicUsize,
}

impl Judge for CityJudge {
    fn id(&self) -> &str {
        "city-judge-1"
    }

    fn judge(&self, _: &str, texts: &[&str]) -> Result<Vec<f32>, ModelError> {
        self.read.fetch_add(texts.len(), Ordering::Relaxed);
        Ok(texts.iter().map(|text| if text.contains("city in") { 3.0 } else { -3.0 }).collect())
    }

    fn verdict(&self) -> VerdictRule {
        VerdictRule::default()
    }
}

#[test]
fn the_judge_decides_unless_find_is_to_be_fast_and_its_verdicts_are_remembered() {
    let judge = Arc::new(CityJudge::default());
    let engine = engine().with_judge(judge.clone());
    let document = Document::from_text(TEXT);
    let prepared = engine.prepare(&document).unwrap();
    let find = |query: &str, speed| {
        let options = FindOptions { speed, ..FindOptions::default() };
        engine.find(&document, &prepared, query, &options).unwrap()
    };
    let first = find("messaging app", Speed::Fast);
    assert_eq!((show_findings(TEXT, &first), first.judged), (vec![("WeChat", MatchKind::Meaning)], false));
    assert_eq!(judge.read.load(Ordering::Relaxed), 0, "who is fast asks no judge");
    let judged = find("messaging app", Speed::Judged);
    assert_eq!((show_findings(TEXT, &judged), judged.judged), (vec![("Lyon", MatchKind::Meaning)], true));
    assert!(judged.matches[0].why.to_string().contains("judge +3.0"), "{}", judged.matches[0].why);
    let read = judge.read.load(Ordering::Relaxed);
    assert_eq!(find("messaging app", Speed::Judged), judged);
    assert_eq!(judge.read.load(Ordering::Relaxed), read, "asked again, nothing is read again");
    // Who types a name wants what bears it, whatever a judge thinks.
    assert_eq!(show_findings(TEXT, &find("WeChat", Speed::Judged))[0], ("WeChat", MatchKind::Exact));
}

#[test]
fn verdicts_outlive_the_engine_in_its_cache() {
    let folder = tempfile::tempdir().unwrap();
    let document = Document::from_text(TEXT);
    let read = || {
        let judge = Arc::new(CityJudge::default());
        let engine = engine().with_cache(Cache::new(folder.path())).with_judge(judge.clone());
        let prepared = engine.prepare(&document).unwrap();
        let found = engine.find(&document, &prepared, "cities", &FindOptions::default()).unwrap();
        assert_eq!(show_findings(TEXT, &found), [("Lyon", MatchKind::Meaning)]);
        judge.read.load(Ordering::Relaxed)
    };
    assert!(read() > 0);
    assert_eq!(read(), 0);
}

#[test]
fn nothing_is_an_answer() {
    assert!(find(TEXT, "volcanoes", &FindOptions::default()).matches.is_empty());
    assert!(find("no names here at all", "search engine", &FindOptions::default()).matches.is_empty());
}

#[test]
fn something_is_found_where_something_is_expected() {
    let expected = FindOptions { keep: KeepRule::Expected, ..FindOptions::default() };
    assert!(!find(TEXT, "volcanoes", &expected).matches.is_empty(), "the encoder's likeliest");
    assert!(
        find("no names here at all", "volcanoes", &expected).matches.is_empty(),
        "there is nothing to guess"
    );
    let document = Document::from_text("Baidu and WeChat met.");
    let engine = engine().with_judge(Arc::new(CityJudge::default()));
    let prepared = engine.prepare(&document).unwrap();
    let count = |options| engine.find(&document, &prepared, "cities", &options).unwrap().matches.len();
    assert_eq!(count(FindOptions::default()), 0, "the judge believes in none");
    assert!(count(expected) > 0);
}

/// [`BagOfWords`] that keeps nothing of what the document has a say in.
#[derive(Debug)]
struct StrictWhenMixed;

impl Encoder for StrictWhenMixed {
    fn id(&self) -> &str {
        "strict-when-mixed"
    }

    fn dims(&self) -> usize {
        BagOfWords.dims()
    }

    fn encode(&self, texts: &[&str], kind: TextKind) -> Result<Vec<Embedding>, ModelError> {
        BagOfWords.encode(texts, kind)
    }

    fn calibration(&self) -> Calibration {
        BagOfWords.calibration()
    }

    fn decision(&self) -> DecisionRule {
        BagOfWords.decision()
    }

    fn mixed_decision(&self) -> DecisionRule {
        DecisionRule { possible: 1e6, ..self.decision() }
    }
}

#[test]
fn where_the_document_is_weighed_in_its_own_rule_decides() {
    let engine = Engine::new(Arc::new(StrictWhenMixed), small_tagger(), small_knowledge());
    let document = Document::from_text(TEXT);
    let prepared = engine.prepare(&document).unwrap();
    let found = |without| {
        let options = FindOptions { without, ..FindOptions::default() };
        engine.find(&document, &prepared, "messaging app", &options).unwrap().matches.len()
    };
    assert_eq!(found(Some(EvidenceSource::Internal)), 1);
    assert_eq!(found(None), 0);
}

#[test]
fn letters_and_meaning_come_in_one_list() {
    let findings = find(TEXT, "China", &FindOptions::default());
    assert_eq!(show_findings(TEXT, &findings), [("China", MatchKind::Exact)]);
    assert!(findings.matches[0].entity.is_some(), "the exact match is also the entity");
}

#[test]
fn a_query_that_is_a_name_means_that_name_alone() {
    // Nothing is known of Orlan but that the text names it: the query is a name because a mention reads so.
    let text = "People in China talk on WeChat. They row with Orlan. They search with Baidu.";
    for query in ["weibo", "orlan"] {
        let findings = find(&format!("{text} {TEXT}"), query, &FindOptions::default());
        let best = &findings.ranking[0];
        let next = findings.ranking.iter().find(|score| !score.named).unwrap();
        assert!(best.named && best.log_odds >= next.log_odds + 6.0, "{query}: {best:?} {next:?}");
    }
}

#[test]
fn an_entity_that_the_query_names_is_no_answer() {
    let findings = find(TEXT, "search engine of China", &FindOptions::default());
    let words: Vec<&str> = show_findings(TEXT, &findings).iter().map(|(word, _)| *word).collect();
    assert_eq!(words, ["Baidu"]);
}

#[test]
fn what_must_not_be_is_left_out() {
    let text = "Google and Baidu compete.";
    let both = find(text, "search engine", &FindOptions::default());
    assert_eq!(both.matches.len(), 2);
    let one = find(text, "search engine but not Chinese", &FindOptions::default());
    assert_eq!(show_findings(text, &one), [("Google", MatchKind::Meaning)]);
}

#[test]
fn values_are_found_when_asked_for() {
    let findings = find(TEXT, "all amounts of money", &FindOptions::default());
    assert_eq!(show_findings(TEXT, &findings), [("$5 million", MatchKind::Value)]);
}

#[test]
fn typing_errors_are_corrected_unless_the_word_occurs() {
    let findings = find(TEXT, "mesaging app", &FindOptions::default());
    assert_eq!(findings.query, "messaging app");
    assert_eq!(findings.corrections[0].from, "mesaging");
    assert_eq!(show_findings(TEXT, &findings), [("WeChat", MatchKind::Meaning)]);
    let kept = find("A mesaging system at Lyon.", "mesaging", &FindOptions::default());
    assert!(kept.corrections.is_empty(), "{:?}", kept.corrections);
    let off = find(TEXT, "mesaging app", &FindOptions { correct_typos: false, ..FindOptions::default() });
    assert!(off.corrections.is_empty());
}

#[test]
fn what_was_corrected_is_not_called_exact() {
    let text = "The messaging service is old, and messaging is new.";
    let shown_as = |query| {
        let findings = find(text, query, &FindOptions::default());
        show_findings(text, &findings).iter().map(|(_, kind)| *kind).collect::<Vec<_>>()
    };
    assert_eq!(shown_as("messaging"), [MatchKind::Exact, MatchKind::Exact]);
    assert_eq!(shown_as("mesaging"), [MatchKind::Fuzzy, MatchKind::Fuzzy]);
    let findings = find(text, "mesaging", &FindOptions::default());
    assert_eq!(findings.matches[0].why.to_string(), "a typing error in the query was corrected");
}

#[test]
fn evidence_can_be_left_out_and_the_cut_moved() {
    let with = find(TEXT, "search engine", &FindOptions::default());
    let without = find(
        TEXT,
        "search engine",
        &FindOptions { without: Some(EvidenceSource::External), ..FindOptions::default() },
    );
    assert!(with.ranking[0].log_odds > without.ranking[0].log_odds);
    assert!(without.ranking.iter().all(|score| score.knowledge.is_none()));
    let all = find(
        TEXT,
        "search engine",
        &FindOptions { keep: KeepRule::All, order: Order::Score, ..FindOptions::default() },
    );
    assert!(all.matches.len() > 5 && all.matches.is_sorted_by(|a, b| a.score >= b.score));
    let none = find(
        TEXT,
        "search engine",
        &FindOptions { keep: KeepRule::AtLeast(0.9999), ..FindOptions::default() },
    );
    assert!(none.matches.is_empty());
    let best =
        find(TEXT, "search engine", &FindOptions { keep: KeepRule::Best(1), ..FindOptions::default() });
    assert_eq!(show_findings(TEXT, &best), [("Baidu", MatchKind::Meaning)]);
}

#[test]
fn bad_queries_and_documents_are_refused_or_empty() {
    let document = Document::from_text(TEXT);
    let engine = engine();
    let prepared = engine.prepare(&document).unwrap();
    let options = FindOptions::default();
    for query in ["", "  ", &"long ".repeat(2000)] {
        let refused = engine.find(&document, &prepared, query, &options);
        assert!(matches!(refused, Err(FindError::Query(_))), "{query:.20}");
    }
    let other = Document::from_text("another text");
    assert!(matches!(engine.find(&other, &prepared, "x", &options), Err(FindError::OtherDocument)));
    let empty = find("", "anything", &options);
    assert!(empty.matches.is_empty());
    assert_eq!(empty.coverage.bytes, 0);
}

#[test]
fn another_language_is_said_and_searched_by_its_letters() {
    let text =
        "Der Fluss entspringt in den Bergen bei der Stadt und mündet nach langem Lauf ins Meer. ".repeat(6);
    let findings = find(&text, "Fluss", &FindOptions::default());
    assert_eq!(findings.matches.len(), 6);
    assert_eq!(findings.coverage.skipped, [SkippedPart::OtherLanguage]);
    assert!(findings.coverage.to_string().contains("not look English"));
}

#[test]
fn a_hundred_thousand_mentions_are_bounded() {
    let mut text = String::new();
    for number in 0..50_000 {
        text.push_str(&format!("Na{number} met Weibo in it. "));
    }
    let document = Document::from_text(text);
    let engine = engine().with_options(PrepareOptions { most_entities: 100, ..PrepareOptions::default() });
    let prepared = engine.prepare(&document).unwrap();
    assert!(prepared.entities.len() <= 100);
    assert!(matches!(prepared.coverage.skipped[..], [SkippedPart::TooManyEntities { .. }]));
    let findings =
        engine.find(&document, &prepared, "microblogging platform", &FindOptions::default()).unwrap();
    assert!(findings.matches.len() >= 50_000);
}

#[test]
fn of_a_long_list_so_much_is_read_and_the_rest_is_said() {
    let text: String = (0..15_000).map(|number| format!("word{number}\n")).collect();
    let prepared = engine().prepare(&Document::from_text(text)).unwrap();
    let skipped = prepared.coverage.skipped.last();
    assert!(matches!(skipped, Some(SkippedPart::LongLists { bytes }) if *bytes > 50_000), "{skipped:?}");
    assert!((30_000..50_000).contains(&prepared.coverage.bytes) && prepared.coverage.is_whole());
    assert!(prepared.coverage.to_string().contains("long lists went by words"));
}

/// Counts the passages that are tagged.
struct Counting(AtomicUsize);

impl MentionTagger for Counting {
    fn id(&self) -> &str {
        "counting-1"
    }

    fn tag(&self, texts: &[&str]) -> Result<Vec<Vec<Mention>>, ModelError> {
        self.0.fetch_add(texts.len(), Ordering::SeqCst);
        Capitals.tag(texts)
    }
}

fn long_text(edited: usize) -> String {
    let mut text = String::new();
    for number in 0..60 {
        let word = if number == edited { "Lyon" } else { "Baidu" };
        text.push_str(&format!(
            "It was said in chapter {number} that {word} and Weibo were near the river for {} days. ",
            number * 7
        ));
        text.push_str(&"Nothing else happened in the long grey days that came after it and went. ".repeat(6));
        text.push('\n');
    }
    text
}

#[test]
fn only_what_changed_is_prepared_again() {
    let folder = tempfile::tempdir().unwrap();
    let tagger = Arc::new(Counting(AtomicUsize::new(0)));
    let engine = || {
        Engine::new(small_encoder(), tagger.clone(), small_knowledge()).with_cache(Cache::new(folder.path()))
    };
    let first = Document::from_text(long_text(usize::MAX));
    let prepared = engine().prepare(&first).unwrap();
    let passages = tagger.0.swap(0, Ordering::SeqCst);
    assert!(passages > 20);

    assert_eq!(engine().prepare(&first).unwrap().entities.len(), prepared.entities.len());
    assert_eq!(tagger.0.swap(0, Ordering::SeqCst), 0, "the saved document is read back");

    let edited = Document::from_text(long_text(30));
    engine().prepare(&edited).unwrap();
    let again = tagger.0.swap(0, Ordering::SeqCst);
    assert!((1..=3).contains(&again), "{again} of {passages} passages tagged again");
}

#[test]
fn torn_or_foreign_files_are_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let document = Document::from_text(TEXT);
    let engine = engine().with_cache(Cache::new(folder.path()));
    let prepared = engine.prepare(&document).unwrap();
    let saved = engine.load_saved(&document).unwrap();
    assert_eq!(saved.coverage, prepared.coverage);
    assert_eq!(saved.values, prepared.values);

    let file = std::fs::read_dir(folder.path().join("prepared")).unwrap().next().unwrap().unwrap().path();
    let whole = std::fs::read(&file).unwrap();
    for torn in [&whole[..whole.len() / 2], &whole[1..], b"", b"findall\x01\xff\xff\xff\xff\xff\xff\xff"] {
        std::fs::write(&file, torn).unwrap();
        assert!(engine.load_saved(&document).is_none());
    }
    for at in (0..whole.len()).step_by(97) {
        let mut changed = whole.clone();
        changed[at] ^= 0x55;
        std::fs::write(&file, &changed).unwrap();
        assert!(engine.load_saved(&document).is_none(), "byte {at}");
    }
    assert_eq!(engine.prepare(&document).unwrap().coverage, prepared.coverage, "made again");
    assert!(engine.load_saved(&document).is_some(), "and saved again");
}

#[test]
fn two_at_once_prepare_the_same_document() {
    let folder = tempfile::tempdir().unwrap();
    let text = long_text(3);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let document = Document::from_text(text.as_str());
                let engine = engine().with_cache(Cache::new(folder.path()));
                let prepared = engine.prepare(&document).unwrap();
                let found = engine
                    .find(&document, &prepared, "microblogging platform", &FindOptions::default())
                    .unwrap();
                assert_eq!(found.matches.len(), 60);
            });
        }
    });
    let left: Vec<_> = std::fs::read_dir(folder.path().join("prepared")).unwrap().collect();
    assert_eq!(left.len(), 1, "no file half written stays behind");
}

#[test]
fn the_first_hits_come_before_the_end_and_the_end_is_the_same() {
    let document = Document::from_text(long_text(usize::MAX));
    let engine = engine();
    let options = FindOptions::default();
    let mut early = Vec::new();
    let mut batches = 0;
    let streamed = engine
        .prepare_streaming(&document, &mut |progress| {
            batches += 1;
            let found = engine.find(&document, progress.ready, "microblogging platform", &options).unwrap();
            early.extend(found.matches.iter().map(|found| found.span));
            if batches == 1 {
                assert!(!early.is_empty() && progress.bytes < progress.total / 4);
            }
            ControlFlow::Continue(())
        })
        .unwrap();
    assert!(batches > 2);
    let whole = engine.prepare(&document).unwrap();
    assert_eq!(streamed, whole);
    let found = engine.find(&document, &whole, "microblogging platform", &options).unwrap();
    assert_eq!(early, found.matches.iter().map(|found| found.span).collect::<Vec<_>>());

    let stopped = engine.prepare_streaming(&document, &mut |_| ControlFlow::Break(())).unwrap();
    assert!(!stopped.coverage.is_whole());
}

#[test]
fn many_queries_at_once() {
    fn shared<T: Send + Sync>(value: T) -> T {
        value
    }
    let engine = shared(Engine::new(Arc::new(BagOfWords), Arc::new(Capitals), small_knowledge()));
    let document = Document::from_text(TEXT);
    let prepared = engine.prepare(&document).unwrap();
    std::thread::scope(|scope| {
        for query in ["search engine", "messaging app", "China"] {
            let (engine, document, prepared) = (&engine, &document, &prepared);
            scope.spawn(move || {
                for _ in 0..50 {
                    assert_eq!(
                        engine
                            .find(document, prepared, query, &FindOptions::default())
                            .unwrap()
                            .matches
                            .len(),
                        1
                    );
                }
            });
        }
    });
}
