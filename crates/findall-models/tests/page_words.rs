//! A name that the knowledge base does not know, through the models that ship: what the page says of it is found, reaches
//! the judge apart from the base's word, and is shown as the page's own.

use std::path::Path;
use std::sync::Arc;

use findall::find::{CandidateText, KeepRule, QueryTerms};
use findall::knowledge::KnowledgeBase;
use findall::{Document, Engine, FindOptions};
use findall_models::Models;

const TEXT: &str = "The vote on Tuesday was close. Mirela Tavorsky, director of a small hospital in the hills, spoke for an \
                    hour. Later Oskar Wendelin brought the coffee, and everybody went home.";

#[test]
fn an_apposition_is_known_of_a_name_that_the_base_lacks() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let models = Models::load(&root.join("models")).expect("the models are in the repository");
    let knowledge = KnowledgeBase::open(root.join("kb/default.kb")).expect("and so is the knowledge base");
    let judge = models.judge().expect("the judge loads").expect("and is there");
    let engine = Engine::new(models.encoder().unwrap(), models.tagger().unwrap(), Arc::new(knowledge));
    let engine = engine.with_judge(judge);
    let document = Document::from_text(TEXT);
    let prepared = engine.prepare(&document).unwrap();

    let named = prepared.entities.iter().find(|entity| entity.name == "Mirela Tavorsky");
    let entity = named.expect("the tagger finds her");
    assert!(entity.knowledge.is_empty(), "the base knows nobody of that name: {}", entity.knowledge);
    assert_eq!(entity.page_word.said, "director of a small hospital in the hills");
    let read = CandidateText::gather(&document, entity, &QueryTerms::of("hospital directors")).to_string();
    let expected = "Mirela Tavorsky (person). Here: director of a small hospital in the hills | ";
    assert!(read.starts_with(expected), "{read}");

    let options = FindOptions { keep: KeepRule::Best(1), ..FindOptions::default() };
    let found = engine.find(&document, &prepared, "people who run a hospital", &options).unwrap();
    let first = found.matches.iter().find(|one| one.entity.is_some()).expect("one is best");
    assert_eq!(first.span.slice(TEXT), Some("Mirela Tavorsky"));
    let why = first.why.to_string();
    assert!(
        why.starts_with("Mirela Tavorsky; the page: director of a small hospital in the hills ("),
        "{why}"
    );
}
