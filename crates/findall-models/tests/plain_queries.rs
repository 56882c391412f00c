//! Plain queries ("people", "Asian companies") on short texts, through the models and the knowledge base that ship: nearly
//! all expected names are found, and hardly a wrong one.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use findall::find::MatchKind;
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

#[test]
fn plain_queries_find_what_they_name() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let models = Models::load(&root.join("models")).expect("the models are in the repository");
    let knowledge = KnowledgeBase::open(root.join("kb/default.kb")).expect("and so is the knowledge base");
    let judge = models.judge().expect("the judge loads").expect("and is there");
    let engine = Engine::new(models.encoder().unwrap(), models.tagger().unwrap(), Arc::new(knowledge));
    let engine = engine.with_judge(judge);

    let texts: Vec<PlainText> = serde_json::from_str(include_str!("fixtures/plain_queries.json")).unwrap();
    let (mut expected, mut found, mut wrong, mut shown) = (0, 0, 0, 0);
    let mut faults = String::new();
    for PlainText { text, queries } in &texts {
        let document = Document::from_text(text);
        let prepared = engine.prepare(&document).unwrap();
        for (query, names) in queries {
            let findings = engine.find(&document, &prepared, query, &FindOptions::default()).unwrap();
            let by_meaning = findings.matches.iter().filter(|one| one.kind == MatchKind::Meaning);
            let named: BTreeSet<String> =
                by_meaning.filter_map(|one| one.span.slice(text)).map(str::to_owned).collect();
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
