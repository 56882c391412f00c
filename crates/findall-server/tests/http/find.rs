//! Searching: kinds, offsets, explanations, streams, and what cannot be asked.

use serde_json::json;

use crate::support::Service;

const PAGE: &str = "😀 WeChat is everywhere. Lyon is not. People in China like Sina Weibo. We chat.";

#[tokio::test]
async fn by_meaning_with_the_fact_that_speaks_for_it() {
    let service = Service::new();
    let document = service.hold(PAGE).await;
    let reply =
        service.post("/v1/find", json!({"document": document, "query": "messaging app"})).await.json();
    assert_eq!(reply["nothing"], false);
    let found = &reply["matches"][0];
    assert_eq!(found["text"], "WeChat");
    assert_eq!(found["kind"], "meaning");
    assert_eq!(found["entity"]["name"], "WeChat");
    assert!(found["why"].as_str().unwrap().contains("messaging"), "{found}");
    assert!(found["entity"]["description"].as_str().unwrap().starts_with("Chinese messaging"), "{found}");
    assert!(reply.get("entities").is_none() && reply.get("correction").is_none());
}

#[tokio::test]
async fn offsets_in_every_unit() {
    let service = Service::new();
    let document = service.hold(PAGE).await;
    for (unit, start) in [("chars", 2), ("utf16", 3), ("bytes", 5)] {
        let sent = json!({"document": document, "query": "wechat", "offsets": unit});
        let reply = service.post("/v1/find", sent).await.json();
        assert_eq!(reply["matches"][0]["span"], json!({"start": start, "end": start + 6}), "{unit}");
    }
}

#[tokio::test]
async fn all_entities_with_their_scores() {
    let service = Service::new();
    let reply =
        service.post("/v1/find", json!({"text": PAGE, "query": "city in France", "all": true})).await.json();
    let entities = reply["entities"].as_array().unwrap();
    assert_eq!(entities[0]["name"], "Lyon");
    assert_eq!(entities[0]["accepted"], true);
    assert!(entities.iter().any(|entity| entity["accepted"] == false));
    assert!(entities.iter().all(|entity| !entity["mentions"].as_array().unwrap().is_empty()));
    let scores: Vec<f64> = entities.iter().map(|entity| entity["score"].as_f64().unwrap()).collect();
    assert!(scores.windows(2).all(|two| two[0] >= two[1]));
}

#[tokio::test]
async fn kinds_top_order_and_threshold_choose() {
    let service = Service::new();
    let document = service.hold(&format!("{PAGE} Baidu and Google are search engines.")).await;
    let find = |more: serde_json::Value| {
        let mut sent = json!({"document": document, "query": "search engine"});
        sent.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        service.post("/v1/find", sent)
    };
    let all = find(json!({})).await.json()["matches"].as_array().unwrap().clone();
    assert!(all.len() >= 3, "{all:?}");
    let of_kind = |kind: &str| find(json!({"query": "evrywhere", "kinds": [kind]}));
    let fuzzy = of_kind("fuzzy").await.json()["matches"].as_array().unwrap().clone();
    assert!(!fuzzy.is_empty() && fuzzy.iter().all(|one| one["kind"] == "fuzzy"), "{fuzzy:?}");
    assert_eq!(of_kind("exact").await.json()["nothing"], true);
    let best = find(json!({"top": 1, "order": "score"})).await.json();
    assert_eq!(best["matches"].as_array().unwrap().len(), 1);
    let none = find(json!({"threshold": 1.0, "kinds": ["meaning"]})).await.json();
    assert_eq!(none["nothing"], true);
    let (silent, guessed) = (json!({"query": "volcanoes"}), json!({"query": "volcanoes", "guess": true}));
    assert_eq!(find(silent).await.json()["nothing"], true);
    assert!(!find(guessed).await.json()["matches"].as_array().unwrap().is_empty());
    for wrong in [
        json!({"threshold": 1.5}),
        json!({"threshold": -0.1}),
        json!({"top": 0}),
        json!({"guess": true, "threshold": 0.5}),
        json!({"kinds": ["x"]}),
        json!({"offsets": "lines"}),
    ] {
        find(wrong).await.refused(400, "bad_request");
    }
}

#[tokio::test]
async fn no_match_lies_below_the_threshold_however_it_came_about() {
    let service = Service::new();
    let text = "Everyone writes by WeChta.";
    let find = |threshold: f32| json!({"text": text, "query": "wechat", "threshold": threshold});
    let least = 0.8;
    let fuzzy = service.post("/v1/find", find(0.6)).await.json()["matches"].clone();
    assert_eq!((&fuzzy[0]["text"], &fuzzy[0]["kind"]), (&json!("WeChta"), &json!("fuzzy")), "{fuzzy}");
    assert!(fuzzy[0]["score"].as_f64() < Some(least.into()), "{fuzzy}");
    let none = service.post("/v1/find", find(least)).await.json();
    assert_eq!((&none["matches"], &none["nothing"]), (&json!([]), &json!(true)));
    let fresh = Service::new();
    let lines = fresh.post_for_lines("/v1/find", find(least)).await.lines();
    assert_eq!(lines.len(), 1, "nothing is sent while the text is read, either: {lines:?}");
    assert_eq!((&lines[0]["event"], &lines[0]["matches"]), (&json!("end"), &json!([])));
}

#[tokio::test]
async fn a_typing_error_is_mended_and_told() {
    let service = Service::new();
    let reply = service.post("/v1/find", json!({"text": PAGE, "query": "mesaging app"})).await.json();
    assert_eq!(reply["correction"], json!({"from": "mesaging app", "to": "messaging app"}));
}

#[tokio::test]
async fn matches_stream_while_a_long_text_is_read() {
    let service = Service::new();
    let long = format!("{PAGE} ").repeat(300);
    let lines =
        service.post_for_lines("/v1/find", json!({"text": long, "query": "messaging app"})).await.lines();
    let (last, matches) = lines.split_last().unwrap();
    assert_eq!(last["event"], "end");
    assert_eq!(last["matches"].as_array().unwrap().len(), 300);
    assert_eq!(matches.len(), 300);
    assert!(matches.iter().all(|one| one["event"] == "match" && one["text"] == "WeChat"));
    let again =
        service.post_for_lines("/v1/find", json!({"text": long, "query": "messaging app"})).await.lines();
    assert_eq!(again.len(), 301, "from memory, the same lines");
}

#[tokio::test]
async fn what_cannot_be_searched_for() {
    let service = Service::new();
    service.post("/v1/find", json!({"text": PAGE, "query": " "})).await.refused(422, "unprocessable");
    service
        .post("/v1/find", json!({"text": PAGE, "query": "x".repeat(100_000)}))
        .await
        .refused(422, "unprocessable");
    service.post("/v1/find", json!({"query": "x"})).await.refused(400, "bad_request");
    service.post("/v1/find", json!({"text": PAGE})).await.refused(400, "bad_request");
    service
        .post("/v1/find", json!({"document": "0", "text": "a", "query": "x"}))
        .await
        .refused(400, "bad_request");
    service.post("/v1/find", json!({"document": "0", "query": "x"})).await.refused(404, "unknown_document");
}

#[tokio::test]
async fn suggestions_come_from_the_page() {
    let service = Service::new();
    let document = service.hold(&format!("Chat in China\n\n{PAGE}\n")).await;
    let suggest = |prefix: &str| service.post("/v1/suggest", json!({"document": document, "prefix": prefix}));
    assert_eq!(suggest("wec").await.json()["suggestions"], json!([{"text": "WeChat", "kind": "entity"}]));
    assert_eq!(suggest("chat in").await.json()["suggestions"][0]["kind"], "heading");
    assert_eq!(
        suggest("compnaies").await.json()["suggestions"],
        json!([{"text": "companies", "kind": "correction"}])
    );
    assert_eq!(suggest("").await.json()["suggestions"], json!([]));
    service
        .post("/v1/suggest", json!({"document": "0", "prefix": "w"}))
        .await
        .refused(404, "unknown_document");
    service.post("/v1/suggest", json!({"prefix": "w", "limit": 0})).await.refused(400, "bad_request");
}
