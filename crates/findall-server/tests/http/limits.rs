//! Too much: bodies, texts, time, memory, concurrency; and clients that go away.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::body::Body;
use findall::encode::ModelError;
use findall::mentions::{Mention, MentionTagger};
use findall_server::workers::Lane;
use findall_server::{Limits, ServerConfig};
use serde_json::json;
use tower::ServiceExt;

use crate::gate::{Gate, GateKeeper, MAX_WAIT, in_time, until, until_idle};
use crate::support::Service;

/// A tagger that finds nothing, and waits at a gate before every batch.
#[derive(Default)]
struct GatedTagger {
    gate: Arc<Gate>,
    texts: AtomicUsize,
}

impl MentionTagger for GatedTagger {
    fn id(&self) -> &str {
        "gated"
    }

    fn tag(&self, texts: &[&str]) -> Result<Vec<Vec<Mention>>, ModelError> {
        self.gate.pass();
        self.texts.fetch_add(texts.len(), Ordering::SeqCst);
        Ok(texts.iter().map(|_| Vec::new()).collect())
    }
}

fn gated(limits: Limits) -> (Service, GateKeeper) {
    let tagger = Arc::new(GatedTagger::default());
    let gate = GateKeeper(tagger.gate.clone());
    (Service::tagged_by(ServerConfig { limits, ..Default::default() }, tagger), gate)
}

/// Long enough for many batches.
fn long_text() -> String {
    "It is a sentence of about sixty letters, which is not short. ".repeat(4000)
}

#[tokio::test]
async fn a_large_body_is_refused_announced_or_not() {
    let service = Service::limited(Limits { body_bytes: 1000, ..Limits::default() });
    let body = json!({"text": "x".repeat(2000)}).to_string();
    let announced = service.request("POST", "/v1/documents").header("content-length", body.len());
    service.send(announced.body(body.clone().into()).unwrap()).await.refused(413, "too_large");
    let pieces: Vec<Result<String, std::io::Error>> =
        body.as_bytes().chunks(100).map(|piece| Ok(String::from_utf8_lossy(piece).into_owned())).collect();
    let streamed = Body::from_stream(tokio_stream::iter(pieces));
    let unannounced = service.request("POST", "/v1/documents").body(streamed).unwrap();
    service.send(unannounced).await.refused(413, "too_large");
}

#[tokio::test]
async fn a_long_text_and_a_full_memory_are_refused() {
    let service = Service::limited(Limits { text_bytes: 100, ..Limits::default() });
    service.post("/v1/documents", json!({"text": "x".repeat(101)})).await.refused(413, "too_large");
    let service = Service::limited(Limits { documents_bytes: 50, ..Limits::default() });
    service.post("/v1/documents", json!({"text": "x".repeat(100)})).await.refused(413, "too_large");
}

#[tokio::test]
async fn what_takes_too_long_is_stopped() {
    let time = Duration::from_millis(200);
    let (service, gate) = gated(Limits { time, ..Limits::default() });
    // Nobody lets the first batch through.
    service.post("/v1/documents", json!({"text": long_text()})).await.refused(408, "timeout");
    gate.open();
    until_idle(&service.app).await;
    assert!(gate.arrived() <= 1, "no batch is read after the time is up");

    let (service, gate) = gated(Limits { time, ..Limits::default() });
    let request = service.request("POST", "/v1/documents").header("accept", "application/x-ndjson");
    let request = request.body(Body::from(json!({"text": long_text()}).to_string())).unwrap();
    let response = service.router.clone().oneshot(request).await.unwrap();
    // It counts since before the answer began: when as much time has passed again it is over, however far the reading came.
    tokio::time::sleep(time).await;
    gate.open();
    let body = axum::body::to_bytes(response.into_body(), usize::MAX).await.unwrap();
    let last = body.trim_ascii().rsplit(|byte| *byte == b'\n').next().unwrap();
    let last: serde_json::Value = serde_json::from_slice(last).unwrap();
    assert_eq!(last["error"]["code"], "timeout");
    until_idle(&service.app).await;
    assert!(gate.arrived() <= 1, "no batch is read after the time is up");
}

#[tokio::test]
async fn who_goes_away_stops_the_work() {
    for accept in ["application/json", "application/x-ndjson"] {
        let (service, gate) = gated(Limits::default());
        let request = service.request("POST", "/v1/documents").header("accept", accept);
        let request = request.body(Body::from(json!({"text": long_text()}).to_string())).unwrap();
        let call = service.router.clone().oneshot(request);
        // The client drops the connection, and with it the answer, while the first batch is read.
        let waiting = async {
            let _answer = call.await;
            std::future::pending::<()>().await
        };
        tokio::select! { () = waiting => {}, () = gate.until_arrived(1) => {} }
        gate.open();
        until_idle(&service.app).await;
        assert_eq!(gate.arrived(), 1, "{accept}: it reads on");
        assert!(service.app.documents.load().0 == 0);
    }
}

#[tokio::test]
async fn who_comes_again_goes_on_from_there() {
    let texts_read = async |is_stopped: bool| {
        let tagger = Arc::new(GatedTagger::default());
        let gate = GateKeeper(tagger.gate.clone());
        let service = Service::tagged_by(ServerConfig::default(), tagger.clone());
        // In private, so that nothing of it is on disk.
        let page = json!({"text": long_text(), "private": true});
        if is_stopped {
            let waiting = service.post("/v1/documents", page.clone());
            tokio::select! { _ = waiting => {}, () = gate.until_arrived(1) => {} }
            gate.let_through(1);
            until_idle(&service.app).await;
        }
        gate.open();
        assert!(service.post("/v1/documents", page).await.status.is_success());
        tagger.texts.load(Ordering::SeqCst)
    };
    assert_eq!(texts_read(true).await, texts_read(false).await, "no passage is read twice");
}

#[tokio::test]
async fn more_than_may_wait_is_refused_at_once() {
    let (service, gate) = gated(Limits { long_jobs: 1, waiting: 1, ..Limits::default() });
    let send = |text: &str| service.post("/v1/documents", json!({"text": text}));
    let others = async {
        until(|| service.app.workers.load(Lane::Long) == (1, 1)).await;
        for text in ["three.", "four."] {
            let reply = in_time(send(text)).await;
            reply.refused(503, "busy");
            assert_eq!(reply.headers["retry-after"], "1");
        }
        gate.open();
    };
    let (one, two, ()) = tokio::join!(send("one."), send("two."), others);
    assert!(one.status.is_success() && two.status.is_success(), "one ran, one waited: {one:?} {two:?}");
    assert!(send("five.").await.status.is_success(), "afterwards there is room");
}

#[tokio::test]
async fn a_look_up_does_not_wait_for_a_book() {
    let (service, gate) = gated(Limits { long_jobs: 1, ..Limits::default() });
    gate.let_through(1);
    let document = service.hold("WeChat.").await;
    let look_up = async {
        gate.until_arrived(2).await;
        let asked = service.post("/v1/find", json!({"document": document, "query": "wechat"}));
        let found = in_time(asked).await.json();
        gate.open();
        found
    };
    let (book, found) = tokio::join!(service.post("/v1/documents", json!({"text": "A book."})), look_up);
    assert_eq!(found["matches"].as_array().unwrap().len(), 1, "{found}");
    assert!(book.status.is_success(), "{}", book.text);
}

#[tokio::test]
async fn one_client_cannot_take_every_place() {
    let (service, gate) = gated(Limits { per_client: 2, long_jobs: 2, ..Limits::default() });
    let send = |text: &str| service.post("/v1/documents", json!({"text": text}));
    let third = async {
        gate.until_arrived(2).await;
        let refused = in_time(send("three.")).await;
        gate.open();
        refused
    };
    let (one, two, refused) = tokio::join!(send("one."), send("two."), third);
    assert!(one.status.is_success() && two.status.is_success(), "{one:?} {two:?}");
    refused.refused(429, "too_many_requests");
    assert!(refused.headers.contains_key("retry-after"));
    assert!(send("four.").await.status.is_success());
}

#[tokio::test]
async fn an_answer_holds_so_many_matches_and_counts_the_rest() {
    let service = Service::limited(Limits { matches: 10, ..Limits::default() });
    let reply = service.post("/v1/find", json!({"text": "lamp ".repeat(50), "query": "lamp"})).await.json();
    assert_eq!(reply["matches"].as_array().unwrap().len(), 10);
    assert_eq!(reply["left_out"], 40);
}

#[tokio::test]
async fn a_panic_is_an_answer_and_not_the_end() {
    struct BrokenTagger;
    impl MentionTagger for BrokenTagger {
        fn id(&self) -> &str {
            "broken"
        }
        fn tag(&self, texts: &[&str]) -> Result<Vec<Vec<Mention>>, ModelError> {
            match texts.iter().any(|text| text.contains("poison")) {
                true => panic!("as the test wants"),
                false => Ok(texts.iter().map(|_| Vec::new()).collect()),
            }
        }
    }
    let service = Service::tagged_by(ServerConfig::default(), Arc::new(BrokenTagger));
    for _ in 0..8 {
        service.post("/v1/documents", json!({"text": "poison"})).await.refused(500, "internal");
    }
    service.hold("bread").await;
}

#[tokio::test]
async fn until_it_is_loaded_it_says_so() {
    let service = Service::loading(ServerConfig::default());
    assert_eq!(service.get("/health").await.json()["state"], "alive");
    let ready = service.get("/ready").await;
    assert_eq!((ready.status.as_u16(), ready.json()["state"].as_str()), (503, Some("loading")));
    service.post("/v1/documents", json!({"text": "a"})).await.refused(503, "busy");
    assert_eq!(Service::new().get("/ready").await.json()["state"], "ready");
}

#[tokio::test]
async fn whoever_has_no_token_may_send_four_kilobytes() {
    let service = Service::new();
    let body = json!({"code": "x".repeat(5000)}).to_string();
    let pieces: Vec<Result<String, std::io::Error>> =
        body.as_bytes().chunks(100).map(|piece| Ok(String::from_utf8_lossy(piece).into_owned())).collect();
    let streamed = Body::from_stream(tokio_stream::iter(pieces));
    let unannounced = service.request("POST", "/v1/pair").body(streamed).unwrap();
    service.send(unannounced).await.refused(413, "too_large");
    service.post("/v1/pair", json!({"code": "x".repeat(5000)})).await.refused(413, "too_large");
}

#[tokio::test]
async fn whoever_has_no_token_may_take_five_seconds() {
    // Everybody else's time is longer than this test waits.
    let service = Service::limited(Limits { time: 2 * MAX_WAIT, ..Limits::default() });
    let never = Body::from_stream(tokio_stream::pending::<Result<String, std::io::Error>>());
    let request = service.request("POST", "/v1/pair").body(never).unwrap();
    let message = in_time(service.send(request)).await.refused(408, "timeout");
    assert!(message.contains("after 5 seconds"), "{message}");
}

#[tokio::test]
async fn all_bodies_together_fit_into_a_budget() {
    let service = Service::limited(Limits { body_bytes: 1000, bodies_bytes: 1000, ..Limits::default() });
    let (pieces, body) = tokio::sync::mpsc::channel::<Result<String, std::io::Error>>(1);
    let body = Body::from_stream(tokio_stream::wrappers::ReceiverStream::new(body));
    let slow = service.request("POST", "/v1/documents").body(body).unwrap();
    let others = async {
        // Most of a body; when the third piece is taken in, the first has been read.
        for piece in [format!("{{\"text\": \"{}", "a".repeat(700)), String::new(), String::new()] {
            pieces.send(Ok(piece)).await.unwrap();
        }
        let refused = service.post("/v1/documents", json!({"text": "b".repeat(500)})).await;
        refused.refused(503, "busy");
        service.post("/mcp", json!({"text": "b".repeat(500)})).await.refused(503, "busy");
        assert!(service.post("/v1/documents", json!({"text": "c".repeat(100)})).await.status.is_success());
        pieces.send(Ok("\"}".into())).await.unwrap();
        drop(pieces);
    };
    let (first, ()) = tokio::join!(service.send(slow), others);
    assert!(first.status.is_success(), "{}", first.text);
    let after = service.post("/v1/documents", json!({"text": "b".repeat(500)})).await;
    assert!(after.status.is_success(), "what was taken is given back: {}", after.text);
}

#[tokio::test]
async fn a_query_that_is_too_long_is_refused_before_a_page_is_read_for_it() {
    let (service, gate) = gated(Limits::default());
    gate.open();
    let (text, long) = ("A page.", "many words ".repeat(2000));
    service.post("/v1/find", json!({"text": text, "query": long})).await.refused(422, "unprocessable");
    service.post("/v1/ask", json!({"text": text, "question": long})).await.refused(422, "unprocessable");
    assert_eq!(gate.arrived(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn silent_connections_keep_nobody_out() {
    use std::io::{Read, Write};
    use std::net::TcpStream;
    let service = Service::limited(Limits { connections: 4, ..Limits::default() });
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (end, ended) = tokio::sync::oneshot::channel::<()>();
    let served =
        findall_server::serve::serve(listener, service.app.clone(), async move { drop(ended.await) });
    let server = tokio::spawn(served);
    let client = tokio::task::spawn_blocking(move || {
        let silent = |_| {
            let mut stream = TcpStream::connect(address).unwrap();
            stream.write_all(b"GET /health HTTP/1.1\r\nHost: 127").unwrap();
            stream
        };
        let silent: Vec<TcpStream> = (0..20).map(silent).collect();
        let mut stream = TcpStream::connect(address).unwrap();
        let request = b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n";
        stream.write_all(request).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
        // The server gives up who dawdles over headers: it has not come to that.
        let is_open = |mut stream: &TcpStream| {
            stream.set_nonblocking(true).unwrap();
            stream.read(&mut [0]).is_err_and(|error| error.kind() == std::io::ErrorKind::WouldBlock)
        };
        assert!(silent.iter().any(is_open), "it waits for the others to be given up");
    });
    client.await.unwrap();
    end.send(()).unwrap();
    server.await.unwrap();
}
