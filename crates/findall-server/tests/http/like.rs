//! Like over HTTP: on a page that is held, and what cannot be asked.

use serde_json::{Value, json};

use crate::support::Service;

const PAGE: &str = "Ada Reed taught music at a school in Lyon. Dora Lind taught music in a large school. \
    Cara Holt sold fish on the market. Dora Lind left.";

fn request(document: &str, terms: Value) -> Value {
    let sentence = PAGE.find('.').unwrap() + 1;
    json!({
        "document": document,
        "selection": {"start": 0, "end": 8},
        "sentence": {"start": 0, "end": sentence},
        "terms": terms,
        "top": 5,
        "offsets": "utf16",
    })
}

#[tokio::test]
async fn entities_of_a_page_come_with_their_places_and_suggested_weights() {
    let service = Service::new();
    let document = service.hold(PAGE).await;
    let answer = service.post("/v1/like", request(&document, json!([{"word": "school", "weight": 3}]))).await;
    let answer = answer.json();
    let first = &answer["entities"][0];
    assert_eq!(first["name"], "Dora Lind", "{answer}");
    assert_eq!(first["best"]["text"], "Dora Lind taught music in a large school.");
    for mention in first["mentions"].as_array().unwrap() {
        let (start, end) = (mention["start"].as_u64().unwrap() as usize, mention["end"].as_u64().unwrap());
        assert_eq!(&PAGE[start..end as usize], "Dora Lind");
    }
    let suggested = answer["suggested"].as_array().unwrap();
    assert!(suggested.iter().any(|one| one["word"] == "school"), "{answer}");
    assert!(suggested.iter().all(|one| one["word"] != "ada"), "{answer}");
    let contract = service.get("/openapi.json").await.json();
    assert!(contract["components"]["schemas"]["LikeResponse"].is_object());
}

#[tokio::test]
async fn what_cannot_be_asked_is_refused() {
    let service = Service::new();
    let document = service.hold(PAGE).await;
    let post = |body: Value| service.post("/v1/like", body);
    post(json!({"document": document})).await.refused(400, "bad_request");
    post(json!({"entity": "Ada"})).await.refused(400, "bad_request");
    post(request("0", json!([]))).await.refused(404, "unknown_document");
    post(request(&document, json!([{"word": "a", "weight": 10}]))).await.refused(400, "bad_request");
    let mut outside = request(&document, json!([]));
    outside["sentence"]["end"] = json!(100_000);
    post(outside).await.refused(400, "bad_request");
    post(json!({"entity": "Ada", "text": "Ada taught."})).await.refused(501, "not_built");
    let mut many = request(&document, json!([]));
    many["top"] = json!(0);
    post(many).await.refused(400, "bad_request");
}
