//! Like on five small texts: what is like an example, by the paper's methods and by ours, and how words are weighed.

use std::sync::Arc;

use super::*;
use crate::document::Document;
use crate::engine::Engine;
use crate::testing::{small_encoder, small_knowledge, small_tagger};

const TEXTS: [&str; 5] = [
    "Ada Reed taught music at a school in Lyon. Ada Reed was born in spring.",
    "Bert Moss taught drawing at a school near the river. The school was small.",
    "Cara Holt sold fish on the market. Cara Holt taught nobody.",
    "Dora Lind taught music in a large school. Dora Lind taught singing at another school.",
    "It rained for three days.",
];

fn engine() -> Engine {
    Engine::new(small_encoder(), small_tagger(), small_knowledge())
}

fn corpus(engine: &Engine) -> Corpus {
    let documents: Vec<Document> = TEXTS.into_iter().map(Document::from_text).collect();
    let analysed = engine.analyser().analyse(&documents.iter().collect::<Vec<_>>()).unwrap();
    let texts = TEXTS.into_iter().map(str::to_owned);
    Corpus::in_memory(&texts.zip(analysed).collect::<Vec<_>>())
}

fn example(terms: &[(&str, u8)]) -> Example {
    Example {
        entity: "Ada Reed".into(),
        sentence: "Ada Reed taught music at a school in Lyon.".into(),
        terms: terms.iter().map(|(word, weight)| Term { word: (*word).into(), weight: *weight }).collect(),
    }
}

fn names(method: Method, terms: &[(&str, u8)]) -> Vec<String> {
    let engine = engine();
    let options = LikeOptions { method, ..LikeOptions::default() };
    let alike = engine.like(&corpus(&engine), &example(terms), &options).unwrap();
    alike.entities.into_iter().map(|entity| entity.name).collect()
}

#[test]
fn every_entity_stands_once_and_the_example_never() {
    for method in Method::ALL {
        let found = names(method, &[("school", 3)]);
        assert!(!found.contains(&"Ada Reed".to_owned()), "{method:?}: {found:?}");
        let mut distinct = found.clone();
        distinct.sort();
        distinct.dedup();
        assert_eq!(distinct.len(), found.len(), "{method:?}: {found:?}");
        assert!(found.contains(&"Dora Lind".to_owned()), "{method:?}: {found:?}");
    }
}

#[test]
fn the_example_is_left_out_whatever_its_own_sentence_takes_it_for() {
    let engine = engine();
    let texts = [TEXTS[0], TEXTS[3]];
    let documents = texts.map(Document::from_text);
    let mut analysed = engine.analyser().analyse(&[&documents[0], &documents[1]]).unwrap();
    let ada = analysed[0].entities.iter_mut().find(|entity| entity.name == "Ada Reed").unwrap();
    ada.name = "The Teacher's Book".into();
    let texts = texts.into_iter().map(str::to_owned);
    let corpus = Corpus::in_memory(&texts.zip(analysed).collect::<Vec<_>>());
    for method in Method::ALL {
        let options = LikeOptions { method, ..LikeOptions::default() };
        let alike = engine.like(&corpus, &example(&[("school", 3)]), &options).unwrap();
        let names: Vec<&str> = alike.entities.iter().map(|entity| entity.name.as_str()).collect();
        assert_eq!(names, ["Dora Lind"], "{method:?}");
    }
}

#[test]
fn weights_decide_the_order() {
    let music = names(Method::Findall, &[("music", 5)]);
    assert_eq!(music[0], "Dora Lind", "{music:?}");
    let market = names(Method::Findall, &[("market", 9), ("fish", 9)]);
    assert_eq!(market[0], "Cara Holt", "{market:?}");
}

#[test]
fn mentions_of_an_entity_are_grouped_under_its_best_sentence() {
    let engine = engine();
    let corpus = corpus(&engine);
    let alike = engine.like(&corpus, &example(&[("school", 3)]), &LikeOptions::default()).unwrap();
    let dora = alike.entities.iter().find(|entity| entity.name == "Dora Lind").unwrap();
    assert_eq!(dora.mentions.len(), 2);
    let (document, _) = corpus.place(dora.best_sentence()).unwrap();
    assert!(dora.mentions.iter().all(|mention| mention.span.slice(TEXTS[document]) == Some("Dora Lind")));
}

#[test]
fn an_analysed_document_survives_its_bytes() {
    let engine = engine();
    let document = Document::from_text(TEXTS[0]);
    let analysed = engine.analyser().analyse(&[&document]).unwrap().remove(0);
    let bytes = analysed.to_bytes();
    let view = analysed::AnalysedView::of(&bytes).unwrap();
    let names = view.names().unwrap();
    assert_eq!(names.sentences, analysed.sentences);
    let read = names.entities.iter().map(|one| (one.name, one.known, one.kind));
    assert!(read.eq(analysed.entities.iter().map(|one| (one.name.as_str(), one.known, one.kind))));
    assert_eq!(names.mentions, analysed.mentions);
    for length in 0..bytes.len() {
        // Torn bytes give nothing, or what is whole of them, and never panic.
        if let Some(view) = analysed::AnalysedView::of(&bytes[..length]) {
            assert!(view.names().is_none());
        }
    }
}

#[test]
fn word_vectors_survive_their_bytes() {
    let encoder = small_encoder();
    let words = WordVectors::build(&*encoder).unwrap();
    let back = WordVectors::from_bytes(&words.to_bytes(), words.dims()).unwrap();
    assert_eq!(back.word("city"), words.word("city"));
    assert!(back.word("city").is_some() && back.word("zebra").is_none());
    assert!(WordVectors::from_bytes(&words.to_bytes()[1..], words.dims()).is_none());
    assert!(WordVectors::from_bytes(&words.to_bytes(), 3).is_none());
}

#[test]
fn an_average_is_as_long_as_its_words_agree() {
    let words = WordVectors::build(&*small_encoder()).unwrap();
    let length = |text: &str| {
        let average = words.average(text).unwrap();
        average.iter().map(|v| v * v).sum::<f32>().sqrt()
    };
    assert!((length("city") - 1.0).abs() < 1e-3 && (length("city city") - 1.0).abs() < 1e-3);
    assert!(length("city engine") < 0.99, "{}", length("city engine"));
    assert!(words.average("zebra").is_none());
}

#[test]
fn suggestions_never_weigh_the_name_or_common_words() {
    let words = sentence_words("Ada Reed", "Ada Reed taught music at the school, and music again, in 1990.");
    assert_eq!(words, ["taught", "music", "school", "again"]);
    let suggested =
        engine().suggest_terms("Ada Reed", &example(&[]).sentence, Suggestions::Knowledge).unwrap();
    assert!(suggested.iter().all(|one| one.word != "ada" && one.weight <= MAX_WORD_WEIGHT));
    let mut weights: Vec<u8> = suggested.iter().map(|one| one.weight).collect();
    weights.sort_unstable();
    assert_eq!(weights, [1, 2, 2, 2], "the nearest weigh more");
}

#[test]
fn a_corpus_without_analysis_answers_nothing_and_does_not_panic() {
    let words = MemoryWords::new(vec!["Dora Lind taught music.".into()]);
    let corpus = Corpus::new(vec![Part { sentences: 1, analysed: None }], Box::new(words));
    let alike = engine().like(&corpus, &example(&[("music", 3)]), &LikeOptions::default()).unwrap();
    assert!(alike.entities.is_empty());
    let torn: Bytes = Arc::new(vec![1_u8, 0, 0, 0, 255, 255, 255, 255]);
    let corpus = Corpus::new(
        vec![Part { sentences: 1, analysed: Some((torn, 0..8)) }],
        Box::new(MemoryWords::new(vec!["Dora Lind taught music.".into()])),
    );
    assert!(engine().like(&corpus, &example(&[]), &LikeOptions::default()).unwrap().entities.is_empty());
}
