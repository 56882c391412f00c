//! Looking things up.

use findall_store::{Origin, Page, Question, QuestionRecord, Reading, SimilarQuestionSearch, Store, Vector};

use super::*;

pub fn exact(store: &dyn Store) {
    share_all(store);
    let page = page("https://example.org/lamp");
    assert_eq!(recall_texts(store, page, "Who lit it?"), None);
    let id = ask(store, page.key, "Who lit it?", &["Ada", "Ben"], None);
    let known = store.recall_exact(&page, "who lit it", Some(READER)).unwrap().unwrap();
    assert_eq!((known.question, known.text.as_str()), (id, "Who lit it?"));
    assert_eq!(quotes(&known.answers), ["Ada", "Ben"]);
    assert_eq!(known.answers[0].selector, place("Ada"));
    assert_eq!(
        (known.answers[0].confidence, known.answers[0].origin, known.answers[0].at),
        (0.75, Origin::Reader, 1000)
    );
    assert!((known.no_answer - 0.1).abs() < 1e-6);
    assert_eq!(store.recall_exact(&page, "who lit", Some(READER)).unwrap(), None);
    let edited = Page { content: [2; 32], ..page };
    assert_eq!(store.recall_exact(&edited, "who lit it", Some(READER)).unwrap(), None, "other content");
}

pub fn not_here(store: &dyn Store) {
    share_all(store);
    ask(store, "https://example.org/", "Why?", &[], None);
    let known = store.recall_exact(&page("https://example.org/"), "why", Some(READER)).unwrap().unwrap();
    assert!(known.answers.is_empty() && known.no_answer > 0.8);
}

pub fn guess(store: &dyn Store) {
    share_all(store);
    let here = page("https://example.org/");
    let question = Question { text: "Who?", normalised: "who" };
    let values = vector(10);
    let read = |guessed, at| {
        let answers = vec![(place("Ada"), 0.25)];
        let reading =
            Reading { answers, no_answer: 0.75, model: READER.into(), guessed, ..Reading::default() };
        let vector = Some(Vector { encoder: "encoder-1", values: &values });
        store.record(&QuestionRecord { page: here, question, vector, reading: Some(reading), at }).unwrap();
    };
    let known = || {
        let known = store.recall_exact(&here, "who", Some(READER)).unwrap().unwrap();
        (known.answers.len(), known.guessed)
    };
    let elsewhere = || store.find_similar_questions(&wanted(&values, 0.5, 10)).unwrap().len();
    let top = || store.top_questions(here.key, 1).unwrap()[0].answers.len();
    read(true, 1000);
    assert_eq!((known(), top(), elsewhere()), ((1, true), 0, 0), "shown here when asked, nowhere else");
    read(false, 2000);
    assert_eq!((known(), top(), elsewhere()), ((1, false), 1, 1), "now it is sure");
    read(true, 3000);
    say(store, here, "Who?", Verdict::Wrong(place("Ada")), 4000);
    assert_eq!(known(), (0, false), "a rejected guess leaves that the page does not answer");
    say(store, here, "Who?", Verdict::Right(place("Ben")), 5000);
    assert_eq!((known(), top(), elsewhere()), ((1, false), 1, 1), "a person's word is none");
}

pub fn copy(store: &dyn Store) {
    share_all(store);
    ask(store, "https://example.org/a", "Who?", &["Ada"], None);
    assert_eq!(recall_texts(store, page("https://mirror.example/a"), "Who?"), Some(vec!["Ada".into()]));
    say(store, page("https://mirror.example/a"), "Who?", Verdict::Wrong(place("Ada")), 2000);
    assert_eq!(recall_texts(store, page("https://mirror.example/a"), "Who?"), None, "rejected here");
    assert_eq!(
        recall_texts(store, page("https://example.org/a"), "Who?"),
        Some(vec!["Ada".into()]),
        "not there"
    );
}

pub fn other_words(store: &dyn Store) {
    share_all(store);
    let here = page("https://example.org/");
    let (asked, near, far) = (vector(10), vector(384 + 10), vector(200));
    ask(store, here.key, "Who lit the lamp?", &["Ada"], Some(&asked));
    ask(store, here.key, "How old is it?", &["nine"], Some(&far));
    ask(store, "https://example.org/other", "Who lights lamps?", &["Ben"], Some(&near));
    let find = |values: &[f32], encoder, threshold, page: Page<'_>| {
        store.recall_same_question(&page, Vector { encoder, values }, threshold, Some(READER)).unwrap()
    };
    let found = find(&near, "encoder-1", 0.9, here);
    assert_eq!(found.len(), 1, "not the other page's, not the far one");
    assert_eq!(found[0].remembered.text, "Who lit the lamp?");
    assert!((0.9..0.999).contains(&found[0].likeness), "{}", found[0].likeness);
    assert!(find(&near, "encoder-1", 0.99, here).is_empty(), "the caller's threshold");
    assert!(find(&near, "encoder-2", 0.9, here).is_empty(), "another encoder");
    assert!(find(&near, "encoder-1", 0.9, Page { content: [2; 32], ..here }).is_empty(), "other content");
    assert_eq!(find(&near, "encoder-1", -1.0, here).len(), 2);
    assert!(find(&near, "encoder-1", 0.9, page("https://unknown.example/")).is_empty());
}

pub fn top(store: &dyn Store) {
    share_all(store);
    let here = page("https://example.org/");
    for (text, times) in [("Once?", 1), ("Thrice?", 3), ("Twice?", 2), ("Also twice?", 2)] {
        for time in 0..times {
            let quotes: &[&str] = if time == 0 { &["x"] } else { &["y"] };
            ask_at(store, here, text, quotes, None, 1000 + time);
        }
    }
    ask_at(store, here, "TWICE?", &["z"], None, 5000);
    ask(store, "https://example.org/other", "Elsewhere?", &["x"], None);
    let top = store.top_questions("https://EXAMPLE.org#part", 3).unwrap();
    let shown: Vec<_> = top.iter().map(|question| (question.text.as_str(), question.count)).collect();
    assert_eq!(
        shown,
        [("TWICE?", 3), ("Thrice?", 3), ("Also twice?", 2)],
        "as last asked; the later one first"
    );
    assert_eq!(quotes(&top[0].answers), ["z"]);
    assert_eq!(top[0].last_asked, 5000);
    let normalised = normalised("Once?");
    let question = Question { text: "Once?", normalised: &normalised };
    for _ in 0..4 {
        store
            .record(&QuestionRecord { page: here, question, vector: None, reading: None, at: 6000 })
            .unwrap();
    }
    let top = store.top_questions(here.key, 1).unwrap();
    assert_eq!((top[0].text.as_str(), top[0].count), ("Once?", 5), "asking alone counts");
    assert_eq!(quotes(&top[0].answers), ["x"], "and leaves the answers");
    assert!(store.top_questions("https://example.org/never", 3).unwrap().is_empty());
}

fn wanted(values: &[f32], threshold: f32, limit: usize) -> SimilarQuestionSearch<'_> {
    SimilarQuestionSearch {
        vector: Vector { encoder: "encoder-1", values },
        threshold,
        limit,
        except_page: None,
        answered: true,
    }
}

pub fn similar(store: &dyn Store) {
    share_all(store);
    ask(store, "https://a.example/", "Who made the model?", &["Ada"], Some(&vector(5)));
    ask(store, "https://b.example/", "Who built it?", &["Ben"], Some(&vector(384 + 5)));
    ask(store, "https://c.example/", "How deep is it?", &["deep"], Some(&vector(300)));
    ask(store, "https://d.example/", "Who wrote it?", &[], Some(&vector(5)));
    let near = vector(5);
    let found = store.find_similar_questions(&wanted(&near, 0.5, 10)).unwrap();
    let shown: Vec<_> = found.iter().map(|one| (one.question.text.as_str(), one.page_key.as_str())).collect();
    assert_eq!(
        shown,
        [("Who made the model?", "https://a.example/"), ("Who built it?", "https://b.example/")]
    );
    assert_eq!(quotes(&found[0].question.answers), ["Ada"]);
    assert_eq!((found[0].page_title.as_deref(), found[0].question.count), (Some("A page"), 1));
    assert!((found[0].likeness - 1.0).abs() < 1e-3 && found[1].likeness < 0.999);
    let elsewhere =
        SimilarQuestionSearch { except_page: Some("https://a.example/"), ..wanted(&near, 0.5, 10) };
    assert_eq!(store.find_similar_questions(&elsewhere).unwrap()[0].page_key, "https://b.example/");
    let unanswered = SimilarQuestionSearch { answered: false, ..wanted(&near, 0.5, 10) };
    assert_eq!(store.find_similar_questions(&unanswered).unwrap().len(), 3);
    assert_eq!(store.find_similar_questions(&wanted(&near, 0.5, 1)).unwrap().len(), 1);
    assert!(store.find_similar_questions(&wanted(&near, 0.5, 0)).unwrap().is_empty());
    let other = Vector { encoder: "encoder-2", values: &near };
    assert!(
        store
            .find_similar_questions(&SimilarQuestionSearch { vector: other, ..wanted(&near, -1.0, 9) })
            .unwrap()
            .is_empty()
    );
}

/// A spread of directions that no two share.
fn scattered(number: u64) -> Vec<f32> {
    let mut state = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % 2001) as f32 / 1000.0 - 1.0
    };
    (0..384).map(|_| next()).collect()
}

fn cosine(a: &[f32], b: &[f32]) -> f32 {
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
    dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
}

pub fn similar_among_many(store: &dyn Store) {
    share_all(store);
    let all: Vec<Vec<f32>> = (0..300).map(scattered).collect();
    for (number, values) in all.iter().enumerate() {
        let key = format!("https://example.org/{}", number % 20);
        ask(store, &key, &format!("Question {number}?"), &["x"], Some(values));
    }
    for number in [1000, 2000, 3000] {
        let asked = scattered(number);
        let mut expected: Vec<(usize, f32)> =
            all.iter().enumerate().map(|(at, values)| (at, cosine(values, &asked))).collect();
        expected.sort_by(|a, b| b.1.total_cmp(&a.1));
        let found = store.find_similar_questions(&wanted(&asked, -1.0, 10)).unwrap();
        let texts: Vec<_> = found.iter().map(|one| one.question.text.clone()).collect();
        let expected_texts: Vec<_> = expected[..10].iter().map(|(at, _)| format!("Question {at}?")).collect();
        assert_eq!(texts, expected_texts);
        for (one, (_, likeness)) in found.iter().zip(&expected) {
            assert!((one.likeness - likeness).abs() < 1e-4);
        }
    }
}

/// The nearest two hundred are all excluded; what is left must still come.
pub fn similar_filtered(store: &dyn Store) {
    share_all(store);
    let asked = vector(0);
    let mut near = asked.clone();
    for number in 0..200 {
        near[1 + number % 300] += 0.001;
        ask(store, "https://here.example/", &format!("Near {number}?"), &["x"], Some(&near));
    }
    for number in 0..6 {
        let mut values = scattered(number);
        values[0] = 3.0;
        ask(store, "https://far.example/", &format!("Far {number}?"), &["x"], Some(&values));
    }
    let elsewhere =
        SimilarQuestionSearch { except_page: Some("https://here.example/"), ..wanted(&asked, -1.0, 6) };
    let found = store.find_similar_questions(&elsewhere).unwrap();
    assert_eq!(found.len(), 6);
    assert!(found.iter().all(|one| one.page_key == "https://far.example/"));
}

pub fn readings(store: &dyn Store) {
    share_all(store);
    let here = page("https://example.org/");
    let read = |quote: &str, model: &str, larger, at| {
        let reading =
            Reading { answers: vec![(place(quote), 0.5)], model: model.into(), larger, ..Reading::default() };
        let question = Question { text: "Who?", normalised: "who" };
        store
            .record(&QuestionRecord { page: here, question, vector: None, reading: Some(reading), at })
            .unwrap();
    };
    let latest_of = |model| {
        let known = store.recall_exact(&here, "who", model).unwrap();
        known.map(|known| (known.answers[0].selector.quote.clone(), known.answers[0].origin))
    };
    read("first", READER, false, 1000);
    read("second", READER, false, 2000);
    read("stale", READER, false, 1500);
    assert_eq!(latest_of(Some(READER)), Some(("second".into(), Origin::Reader)), "the newest of one model");
    assert_eq!(latest_of(Some("reader-2")), None, "another model's reading is not this one's");
    read("other", "reader-2", false, 1800);
    assert_eq!(latest_of(Some("reader-2")), Some(("other".into(), Origin::Reader)));
    assert_eq!(latest_of(None), Some(("second".into(), Origin::Reader)), "any model: the newest");
    read("better", "large", true, 1000);
    assert_eq!(
        latest_of(Some(READER)),
        Some(("better".into(), Origin::Larger)),
        "a larger model comes first"
    );
}

pub fn keys(store: &dyn Store) {
    share_all(store);
    ask(store, "HTTPS://me:secret@Example.org:443/a#b", "Who?", &["Ada"], None);
    assert_eq!(recall_texts(store, page("https://example.org/a"), "Who?"), Some(vec!["Ada".into()]));
    let mut keys = Vec::new();
    let mut sink = |line| {
        if let findall_store::exchange::Line::Page(page) = line {
            keys.push(page.key);
        }
        Ok(())
    };
    store.export(findall_store::exchange::Scope::Everything, &mut sink).unwrap();
    assert_eq!(keys, ["https://example.org/a"], "no password is kept");
}
