//! Plain queries ("people", "Asian companies") on short texts, through the models and the knowledge base that ship: nearly
//! all expected names are found, and hardly a wrong one.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use findall::find::MatchKind;
use findall::index::PreparedDocument;
use findall::knowledge::KnowledgeBase;
use findall::{Document, Engine, FindOptions};
use findall_models::Models;
use serde::Deserialize;

/// Shares that must hold over all texts and queries.
const MIN_FOUND_SHARE: f64 = 0.95;
const MAX_WRONG_SHARE: f64 = 0.03;

#[derive(Deserialize)]
struct PlainText {
    text: String,
    /// Queries with the names that answer them.
    queries: BTreeMap<String, BTreeSet<String>>,
}

/// The engine with everything that ships.
fn load_engine() -> Engine {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let models = Models::load(&root.join("models")).expect("the models are in the repository");
    let knowledge = KnowledgeBase::open(root.join("kb/default.kb")).expect("and so is the knowledge base");
    let judge = models.judge().expect("the judge loads").expect("and is there");
    let engine = Engine::new(models.encoder().unwrap(), models.tagger().unwrap(), Arc::new(knowledge));
    engine.with_judge(judge)
}

/// What a query finds in a text by meaning.
fn find_names(
    engine: &Engine,
    document: &Document,
    prepared: &PreparedDocument,
    query: &str,
) -> BTreeSet<String> {
    let findings = engine.find(document, prepared, query, &FindOptions::default()).unwrap();
    let by_meaning = findings.matches.iter().filter(|one| one.kind == MatchKind::Meaning);
    by_meaning.filter_map(|one| one.span.slice(document.text())).map(str::to_owned).collect()
}

#[test]
fn women_and_men_are_told_apart_by_their_names() {
    let engine = load_engine();
    let document = Document::from_text(
        "Angela Merkel and Tim Cook waited. Indira Gandhi, who came with Lars Winther, was tired.",
    );
    let prepared = engine.prepare(&document).unwrap();
    let find = |query| find_names(&engine, &document, &prepared, query);
    assert_eq!(find("women"), ["Angela Merkel", "Indira Gandhi"].map(str::to_owned).into());
    assert_eq!(find("men"), ["Lars Winther", "Tim Cook"].map(str::to_owned).into());
}

#[test]
fn plain_queries_find_what_they_name() {
    let engine = load_engine();
    let texts: Vec<PlainText> = serde_json::from_str(include_str!("fixtures/plain_queries.json")).unwrap();
    let (mut expected, mut found, mut wrong, mut shown) = (0, 0, 0, 0);
    let mut faults = String::new();
    for PlainText { text, queries } in &texts {
        let document = Document::from_text(text);
        let prepared = engine.prepare(&document).unwrap();
        for (query, names) in queries {
            let named = find_names(&engine, &document, &prepared, query);
            expected += names.len();
            shown += named.len();
            found += names.intersection(&named).count();
            wrong += named.difference(names).count();
            for missing in names.difference(&named) {
                faults += &format!("\n{query}: {missing} is missing");
            }
            for other in named.difference(names) {
                faults += &format!("\n{query}: {other} is wrong");
            }
        }
    }
    let (found, wrong) = (
        f64::from(found as u32) / f64::from(expected as u32),
        f64::from(wrong as u32) / f64::from(shown as u32),
    );
    assert!(
        found >= MIN_FOUND_SHARE && wrong <= MAX_WRONG_SHARE,
        "found {found:.3}, wrong {wrong:.3}:{faults}"
    );
}
