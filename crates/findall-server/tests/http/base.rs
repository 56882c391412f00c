//! The knowledge base over HTTP: list queries over all of it, and reports that count from the next request on.

use serde_json::{Value, json};

use crate::support::Service;

fn titles(answer: &Value) -> Vec<&str> {
    answer["entities"].as_array().unwrap().iter().map(|one| one["title"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn entities_of_the_base_answer_a_list_query() {
    let service = Service::new();
    let answer = service.post("/v1/kb/find", json!({"query": "city in France"})).await.json();
    let first = &answer["entities"][0];
    assert_eq!((&first["title"], &first["kind"]), (&json!("Lyon"), &json!("place")), "{answer}");
    assert_eq!(first["text"], "city in France on the Rhône");
    assert!(first["probability"].as_f64().unwrap() > 0.5);
    let two = json!({"query": "Chinese company app platform", "top": 2, "threshold": 0.0});
    assert_eq!(titles(&service.post("/v1/kb/find", two).await.json()).len(), 2);
    let nothing = service.post("/v1/kb/find", json!({"query": "zebras"})).await.json();
    assert_eq!(titles(&nothing), [""; 0]);
    assert!(service.folder.path().join("cache/base-words").read_dir().unwrap().count() > 0);
}

#[tokio::test]
async fn what_makes_no_sense_is_refused() {
    let service = Service::new();
    let find = |body: Value| service.post("/v1/kb/find", body);
    find(json!({})).await.refused(400, "bad_request");
    find(json!({"query": "app", "top": 0})).await.refused(400, "bad_request");
    find(json!({"query": "app", "top": 201})).await.refused(400, "bad_request");
    find(json!({"query": "app", "threshold": 1.5})).await.refused(400, "bad_request");
    find(json!({"query": " "})).await.refused(422, "unprocessable");
    find(json!({"query": "x".repeat(100_000)})).await.refused(422, "unprocessable");
    let report = |body: Value| service.post("/v1/kb/report", body);
    report(json!({"title": "Lyon"})).await.refused(400, "bad_request");
    report(json!({"title": "Lyon", "about": "mood", "words": "?"})).await.refused(400, "bad_request");
    let said = report(json!({"title": "Atlantis", "about": "text", "words": "sunk"})).await;
    assert_eq!(said.refused(422, "unprocessable"), "nothing is known by this name");
    report(json!({"title": "Lyon", "about": "text", "words": " "})).await.refused(422, "unprocessable");
    assert!(!service.corrections().exists(), "nothing was kept");
}

#[tokio::test]
async fn a_report_counts_from_the_next_request_on() {
    let service = Service::new();
    let held = service.hold("We sent it by Weixin. Then we went to Lyon.").await;
    let find = |document: &str, query: &str| {
        service.post("/v1/find", json!({"document": document, "query": query, "kinds": ["meaning"]}))
    };
    let found = |reply: Value| reply["matches"].as_array().unwrap().len();
    assert_eq!(found(find(&held, "messaging app").await.json()), 1);
    assert_eq!(found(find(&held, "city in France").await.json()), 1);

    let link = json!({"title": "WeChat", "about": "link", "name": "Weixin", "words": "another one"});
    assert_eq!(service.post("/v1/kb/report", link).await.json(), json!({"ok": true}));
    let text = json!({"title": "Lyon", "about": "text", "words": "not that Lyon"});
    assert_eq!(service.post("/v1/kb/report", text).await.json(), json!({"ok": true}));

    find(&held, "messaging app").await.refused(404, "unknown_document");
    let again = service.hold("We sent it by Weixin. Then we went to Lyon.").await;
    assert_eq!(found(find(&again, "messaging app").await.json()), 0, "the link is not made");
    assert_eq!(found(find(&again, "city in France").await.json()), 0, "the text is not used");
    let base = service.post("/v1/kb/find", json!({"query": "city in France"})).await.json();
    assert!(!titles(&base).contains(&"Lyon"), "{base}");

    // What another program writes counts as well.
    std::fs::write(service.corrections(), "add\tOslo\tplace\tcity in France\n").unwrap();
    let base = service.post("/v1/kb/find", json!({"query": "city in France"})).await.json();
    assert!(titles(&base).contains(&"Oslo") && titles(&base).contains(&"Lyon"), "{base}");
}

#[tokio::test]
async fn a_read_only_layer_is_told_and_stays() {
    let service = Service::new();
    std::fs::write(service.corrections(), "text\tBaidu\told\nbroken line\n").unwrap();
    let mut locked = service.corrections().metadata().unwrap().permissions();
    locked.set_readonly(true);
    std::fs::set_permissions(service.corrections(), locked).unwrap();
    let report = json!({"title": "Lyon", "about": "text", "words": "wrong"});
    let said = service.post("/v1/kb/report", report).await.refused(422, "unprocessable");
    assert!(said.contains("read-only; nothing was changed"), "{said}");
    let kept = std::fs::read_to_string(service.corrections()).unwrap();
    assert_eq!(kept, "text\tBaidu\told\nbroken line\n");
}
