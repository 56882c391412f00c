//! Lists of a small story: what is asked, what is refused, who takes which list, and when it stops.

use std::ops::ControlFlow;
use std::sync::Arc;

use findall::encode::ModelError;
use findall::list::{ListOptions, Listing, Relation, Scrutiny, Stage};
use findall::mentions::{Mention, MentionTagger, MentionType};
use findall::names::Cast;
use findall::testing::{small_encoder, small_knowledge, small_reader};
use findall::{Document, Engine, Span};
use findall_service::list::{
    DEFAULT_PASSAGES_FOR_LARGER, DEFAULT_READ_PASSAGES, ListChoices, ListError, ListLimit, ListRequest,
    ListSink, ListSource, ListTask,
};

const STORY: &str = "Mr. Ware had two daughters, Anna Ware and Jane Ware.\n\n\
    Anna Ware loved her sister Jane Ware, and Jane Ware loved her sister Anna Ware.\n\n\
    Anna Ware's best friend was Tom Hale. Tom Hale laughed with Anna Ware at the fair in Holt.\n";

/// A tagger that knows the names of the story.
struct StoryTagger;

impl MentionTagger for StoryTagger {
    fn id(&self) -> &str {
        "story-1"
    }

    fn tag(&self, texts: &[&str]) -> Result<Vec<Vec<Mention>>, ModelError> {
        let names = [
            ("Mr. Ware", MentionType::Person),
            ("Anna Ware", MentionType::Person),
            ("Jane Ware", MentionType::Person),
            ("Tom Hale", MentionType::Person),
            ("Holt", MentionType::Place),
        ];
        let tag = |text: &&str| {
            let places = names.iter().flat_map(|(name, kind)| {
                let places = text.match_indices(name);
                places.map(|(start, _)| Mention {
                    span: Span::new(start, start + name.len()),
                    kind: *kind,
                    confidence: 0.9,
                })
            });
            let mut mentions: Vec<Mention> = places.collect();
            mentions.sort_by_key(|mention| mention.span.start);
            mentions
        };
        Ok(texts.iter().map(tag).collect())
    }
}

/// Notes who stands in which list.
#[derive(Default)]
struct NotingSink {
    /// Subject and relation of lists that are kept from before.
    kept: Vec<(&'static str, Relation)>,
    made: Vec<(String, Relation, Vec<String>)>,
    /// Breaks at such a stage.
    stop_at: Option<fn(Stage) -> bool>,
}

impl ListSink for NotingSink {
    fn take_kept(&mut self, task: &ListTask<'_>) -> bool {
        self.kept.iter().any(|(subject, relation)| *subject == task.subject && *relation == task.relation)
    }

    fn take_made(&mut self, task: &ListTask<'_>, listing: Listing, cast: &Cast) {
        let names = listing.objects.iter().map(|object| cast.members[object.member].name.clone());
        self.made.push((task.subject.to_owned(), task.relation.clone(), names.collect()));
    }

    fn watch(&mut self, stage: Stage) -> ControlFlow<()> {
        let is_stopped = self.stop_at.is_some_and(|is_there| is_there(stage));
        if is_stopped { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

fn engine() -> Engine {
    Engine::new(small_encoder(), Arc::new(StoryTagger), small_knowledge())
}

fn make(engine: &Engine, request: &ListRequest, sink: &mut NotingSink) -> Result<(), ListError> {
    let document = Document::from_text(STORY);
    request.make_lists(&ListSource { engine, document: &document, larger: None }, sink)
}

fn request(subjects: &[&str], relations: &[Relation]) -> ListRequest {
    ListRequest {
        subjects: subjects.iter().map(|&name| name.to_owned()).collect(),
        relations: relations.to_vec(),
        choices: ListChoices::default(),
    }
}

#[test]
fn what_was_left_open_depends_on_the_relation_and_the_generator() {
    let free = Relation::Free("employers".into());
    let options = |choices: &ListChoices, relation| choices.options(relation).unwrap();
    let usual = ListChoices::default();
    assert_eq!(options(&usual, &Relation::Friend), ListOptions::default());
    let read = ListOptions { read: DEFAULT_READ_PASSAGES, ..ListOptions::default() };
    assert_eq!(options(&usual, &free), read);
    let larger = options(&ListChoices { by_larger: true, ..usual.clone() }, &Relation::Friend);
    assert_eq!((larger.top, larger.scrutiny), (DEFAULT_PASSAGES_FOR_LARGER, Scrutiny::Thr));
    let chosen =
        ListChoices { top: Some(7), scrutiny: Some(Scrutiny::Dis), read: Some(3), by_larger: true, ..usual };
    let chosen = options(&chosen, &free);
    assert_eq!((chosen.top, chosen.scrutiny, chosen.read), (7, Scrutiny::Dis, 3));
}

#[test]
fn choices_that_no_list_can_be_made_with_are_refused_with_their_reason() {
    let refused = |choices: ListChoices| choices.options(&Relation::Friend).unwrap_err();
    for threshold in [-0.1, 1.5, f32::NAN] {
        let options = ListOptions { threshold, ..ListOptions::default() };
        let refused = refused(ListChoices { options, ..ListChoices::default() });
        assert_eq!(
            (refused, refused.to_string().as_str()),
            (ListLimit::Threshold, "must lie between 0 and 1")
        );
    }
    let none = [
        ListOptions { pool: 0, ..ListOptions::default() },
        ListOptions { top: 0, ..ListOptions::default() },
        ListOptions { batch: 0, ..ListOptions::default() },
    ];
    for options in none {
        assert_eq!(refused(ListChoices { options, ..ListChoices::default() }), ListLimit::Passages);
    }
    assert_eq!(refused(ListChoices { top: Some(0), ..ListChoices::default() }), ListLimit::Passages);
}

#[test]
fn every_subject_has_the_relations_that_were_named_or_all_that_fit_it() {
    let engine = engine();
    let mut sink = NotingSink::default();
    make(&engine, &request(&["anna ware", "Tom Hale"], &[Relation::Sibling, Relation::Friend]), &mut sink)
        .unwrap();
    let lists: Vec<(&str, &Relation)> = sink.made.iter().map(|(who, what, _)| (who.as_str(), what)).collect();
    assert_eq!(
        lists,
        [
            ("anna ware", &Relation::Sibling),
            ("anna ware", &Relation::Friend),
            ("Tom Hale", &Relation::Sibling),
            ("Tom Hale", &Relation::Friend)
        ]
    );
    assert_eq!(sink.made[0].2[0], "Jane Ware", "the likeliest first");
    assert_eq!(sink.made[1].2[0], "Tom Hale");

    let mut sink = NotingSink::default();
    make(&engine, &request(&["Anna Ware", "Holt"], &[]), &mut sink).unwrap();
    let of = |name: &str| sink.made.iter().filter(|(who, ..)| who == name).count();
    assert_eq!((of("Anna Ware"), of("Holt")), (7, 1));
    assert_eq!(sink.made.last().unwrap().1, Relation::Member, "a place is no person");
}

#[test]
fn a_list_that_is_kept_is_not_made_again() {
    let mut sink = NotingSink { kept: vec![("Anna Ware", Relation::Sibling)], ..NotingSink::default() };
    let request = request(&["Anna Ware"], &[Relation::Sibling, Relation::Friend]);
    let tasks = request.named_tasks().unwrap();
    assert!(sink.take_kept(&tasks[0]) && !sink.take_kept(&tasks[1]), "known before the book is read");
    make(&engine(), &request, &mut sink).unwrap();
    assert_eq!(sink.made.iter().map(|(_, what, _)| what).collect::<Vec<_>>(), [&Relation::Friend]);
}

#[test]
fn a_name_that_the_book_does_not_have_is_refused_before_the_first_list() {
    let unknown = |name: &str| {
        let mut sink = NotingSink::default();
        let refused = make(&engine(), &request(&["Anna Ware", name], &[Relation::Friend]), &mut sink);
        assert!(sink.made.is_empty());
        match refused.unwrap_err() {
            ListError::UnknownSubject(unknown) => unknown,
            other => panic!("{other}"),
        }
    };
    let near = unknown("Tom Hake").describe("in it", "look again");
    assert!(
        near.starts_with("nobody and nothing called \"Tom Hake\" is named in it; did you mean "),
        "{near}"
    );
    assert!(near.contains("Tom Hale"), "{near}");
    let far = unknown("Xqzwv").describe("in it", "look again");
    assert_eq!(far, "nobody and nothing called \"Xqzwv\" is named in it; look again");
}

#[test]
fn whoever_watches_may_stop_it_at_every_stage() {
    let stages: [fn(Stage) -> bool; 5] = [
        |stage| matches!(stage, Stage::Tagging(_)),
        |stage| stage == Stage::Reading,
        |stage| matches!(stage, Stage::Encoding(_)),
        |stage| stage == Stage::Recall,
        |stage| stage == Stage::Scrutiny,
    ];
    for (number, stop_at) in stages.into_iter().enumerate() {
        let mut sink = NotingSink { stop_at: Some(stop_at), ..NotingSink::default() };
        let stopped = make(&engine(), &request(&["Anna Ware"], &[Relation::Friend]), &mut sink);
        assert!(matches!(stopped, Err(ListError::Stopped)), "stage {number}: {stopped:?}");
        assert!(sink.made.is_empty(), "stage {number}");
    }
}

#[test]
fn the_reader_is_needed_where_a_relation_or_a_test_asks_it() {
    let asks = |relation: &[Relation], choices: ListChoices| {
        ListRequest { choices, ..request(&["Anna Ware"], relation) }.asks_reader()
    };
    let usual = ListChoices::default;
    let free = Relation::Free("employers".into());
    assert!(!asks(&[], usual()) && !asks(&[Relation::Friend], usual()));
    assert!(asks(&[Relation::Friend, free.clone()], usual()));
    let by_reader = ListChoices { scrutiny: Some(Scrutiny::Conf), ..usual() };
    assert!(asks(&[], by_reader.clone()));
    assert!(asks(&[Relation::Friend], ListChoices { read: Some(1), ..usual() }));
    assert!(
        !asks(&[free], ListChoices { by_larger: true, ..usual() }),
        "the larger model is asked in its place"
    );

    let request = ListRequest { choices: by_reader, ..request(&["Anna Ware"], &[Relation::Friend]) };
    let without = make(&engine(), &request, &mut NotingSink::default()).unwrap_err();
    assert!(matches!(&without, ListError::Model(error) if error.model == "reader"), "{without}");
    let mut sink = NotingSink::default();
    make(&engine().with_reader(small_reader()), &request, &mut sink).unwrap();
    assert_eq!(sink.made.len(), 1);
}
