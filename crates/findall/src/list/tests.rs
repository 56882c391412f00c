//! A small book, written for these tests, is read and asked.

use super::*;
use crate::document::Document;
use crate::encode::TextKind;
use crate::mentions::{Mention, MentionType};
use crate::names::Cast;
use crate::span::Span;
use crate::testing::small_encoder;

const STORY: &str = "\
Mr. Ware kept the mill at {Holt}, and Mrs. Ware kept the house. They had two daughters, Anna Ware and Jane Ware.

Anna loved her sister Jane, and Jane loved her sister Anna. Anna and Jane walked to {Holt} every day.

\"Mother, may I go?\" said Anna. \"You may, my child,\" said Mrs. Ware to her daughter Anna.

Their aunt, Mrs. Pell, lived in {York}. Anna went to {York} in May and stayed with her aunt Mrs. Pell.

Anna's best friend was Tom Hale. Tom Hale laughed with Anna and danced with Anna at the fair.

Old Mr. Crake was her enemy. Anna hated Mr. Crake, and Mr. Crake scolded Anna with cruel words.

Far away, in {Rome}, lived Count Orso, who never heard of any of them.
";

/// The story, with people tagged wherever they stand and places where they are in braces.
fn story() -> (Document, Vec<Mention>) {
    let text = STORY.replace(['{', '}'], "");
    let mut mentions = Vec::new();
    let mut tag = |name: &str, kind: MentionType| {
        for (start, _) in text.match_indices(name) {
            mentions.push(Mention { span: Span::new(start, start + name.len()), kind, confidence: 0.9 });
        }
    };
    for name in [
        "Mr. Ware",
        "Mrs. Ware",
        "Anna Ware",
        "Jane Ware",
        "Mrs. Pell",
        "Tom Hale",
        "Mr. Crake",
        "Count Orso",
    ] {
        tag(name, MentionType::Person);
    }
    for name in ["Holt", "York", "Rome"] {
        tag(name, MentionType::Place);
    }
    for name in ["Anna", "Jane"] {
        tag(name, MentionType::Person);
    }
    mentions.sort_by_key(|mention| (mention.span.start, std::cmp::Reverse(mention.span.end)));
    let mut end = 0;
    mentions.retain(|mention| {
        let free = mention.span.start >= end;
        end = if free { mention.span.end } else { end };
        free
    });
    (Document::from_text(text), mentions)
}

fn asked<T>(test: impl FnOnce(&Book<'_>, &Cast) -> T) -> T {
    let (document, mentions) = story();
    let cast = Cast::of(&document, &mentions);
    let encoder = small_encoder();
    let texts: Vec<&str> =
        document.passages(&STRETCH_OPTIONS).iter().map(|span| span.slice(document.text()).unwrap()).collect();
    let vectors = encoder.encode(&texts, TextKind::Passage).unwrap();
    let book = Book::of(&document, &cast, vectors, &*encoder);
    test(&book, &cast)
}

fn names(book: &Book<'_>, cast: &Cast, relation: Relation, options: &ListOptions) -> Vec<String> {
    let subject = cast.find("Anna Ware").unwrap();
    let listing = book.list(subject, &relation, options, &Helpers::default(), &mut |_| {}).unwrap();
    listing.objects.iter().map(|object| cast.members[object.member].name.clone()).collect()
}

#[test]
fn those_whom_the_book_calls_so_come_first() {
    asked(|book, cast| {
        let first = |relation, many: usize| {
            let mut found = names(book, cast, relation, &ListOptions::default());
            found.truncate(many);
            found.sort();
            found
        };
        assert_eq!(first(Relation::Sibling, 1), ["Jane Ware"]);
        assert_eq!(first(Relation::Parent, 2), ["Mr. Ware", "Mrs. Ware"]);
        assert_eq!(first(Relation::Opponent, 1), ["Mr. Crake"]);
        assert_eq!(first(Relation::Friend, 1), ["Tom Hale"]);
        assert_eq!(first(Relation::Place, 2), ["Holt", "York"]);
        assert!(first(Relation::Family, 4).contains(&"Mrs. Pell".to_owned()));
    });
}

#[test]
fn every_object_is_supported_by_text_that_names_it() {
    asked(|book, cast| {
        let subject = cast.find("Anna").unwrap();
        let text = STORY.replace(['{', '}'], "");
        for relation in Relation::KNOWN {
            let listing = book
                .list(subject, &relation, &ListOptions::default(), &Helpers::default(), &mut |_| {})
                .unwrap();
            for object in &listing.objects {
                assert!((0.0..=1.0).contains(&object.score));
                assert!(!object.support.is_empty(), "{relation:?}");
                for support in &object.support {
                    assert!(support.span.slice(&text).is_some());
                    let inside =
                        |span: &Span| support.span.start <= span.start && span.end <= support.span.end;
                    assert!(support.highlights.iter().all(inside));
                }
            }
        }
    });
}

#[test]
fn every_reranker_batching_and_test_gives_a_list() {
    asked(|book, cast| {
        let wanted = "Tom Hale".to_owned();
        for rerank in [RerankMethod::Plain, RerankMethod::Num, RerankMethod::Div, RerankMethod::Amp] {
            for batching in [Batching::Ranked, Batching::Neo, Batching::Sim] {
                let options = ListOptions { rerank, batching, ..ListOptions::default() };
                assert!(names(book, cast, Relation::Friend, &options).contains(&wanted), "{options:?}");
            }
        }
        for retriever in [Retriever::Words, Retriever::Dense] {
            let options = ListOptions { retriever, ..ListOptions::default() };
            assert!(names(book, cast, Relation::Friend, &options).contains(&wanted));
        }
        let subject = cast.find("Anna").unwrap();
        for scrutiny in [Scrutiny::Thr, Scrutiny::Pred, Scrutiny::Dis, Scrutiny::ThrPred, Scrutiny::ThrDis] {
            for masked in [false, true] {
                let options = ListOptions { scrutiny, masked, ..ListOptions::default() };
                let listing = book
                    .list(subject, &Relation::Friend, &options, &Helpers::default(), &mut |_| {})
                    .unwrap();
                assert!(listing.objects.iter().any(|object| object.accepted), "{scrutiny:?}");
            }
        }
        let conf = ListOptions { scrutiny: Scrutiny::Conf, ..ListOptions::default() };
        assert!(
            book.list(subject, &Relation::Friend, &conf, &Helpers::default(), &mut |_| {}).is_err(),
            "no reader"
        );
    });
}

#[test]
fn a_family_has_its_bearers_as_members() {
    asked(|book, cast| {
        let family = cast.find("Ware family").unwrap();
        let listing = book
            .list(family, &Relation::Member, &ListOptions::default(), &Helpers::default(), &mut |_| {})
            .unwrap();
        let mut first: Vec<&str> =
            listing.objects.iter().take(4).map(|object| cast.members[object.member].name.as_str()).collect();
        first.sort_unstable();
        assert_eq!(first, ["Anna Ware", "Jane Ware", "Mr. Ware", "Mrs. Ware"]);
    });
}

#[test]
fn free_words_are_a_relation_too_and_an_empty_book_gives_nothing() {
    asked(|book, cast| {
        let found =
            names(book, cast, Relation::Free("people who danced with".into()), &ListOptions::default());
        assert!(found.contains(&"Tom Hale".to_owned()));
    });
    let document = Document::from_text("");
    let cast = Cast::of(&document, &[]);
    let encoder = small_encoder();
    let book = Book::of(&document, &cast, Vec::new(), &*encoder);
    assert!(book.cast().members.is_empty());
}
