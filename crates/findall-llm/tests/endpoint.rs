//! The client against a scripted endpoint: faults are told in one line, what may pass is tried again, nothing said is
//! lost.

use std::time::{Duration, Instant};

use findall::chat::{ChatModel, Turn};
use findall_llm::testing::{ScriptedAct, ScriptedEndpoint};
use findall_llm::{CachedModel, Endpoint, EndpointOptions};

fn endpoint(script: &ScriptedEndpoint, change: impl FnOnce(&mut EndpointOptions)) -> Endpoint {
    let mut options = EndpointOptions::new(&script.url, "tiny");
    change(&mut options);
    Endpoint::new(options).unwrap()
}

fn says(text: &str) -> ScriptedAct {
    ScriptedAct::Says(text.into())
}

fn failure(act: ScriptedAct) -> String {
    // Only who never answers is waited for in vain.
    let timeout = Duration::from_millis(if matches!(act, ScriptedAct::Hangs) { 300 } else { 60_000 });
    let script = ScriptedEndpoint::start(vec![act]).unwrap();
    let endpoint = endpoint(&script, |options| {
        options.retries = 0;
        options.timeout = timeout;
    });
    endpoint.chat(&[Turn::user("Who?")], 10).unwrap_err().to_string()
}

#[test]
fn a_reply_is_read_and_counted() {
    let script = ScriptedEndpoint::start(vec![ScriptedAct::SaysLikely(vec![
        ("Anna".into(), -0.1),
        (", Jo".into(), -0.4),
    ])])
    .unwrap();
    let reply = endpoint(&script, |options| options.key = Some("secret".into()))
        .chat(&[Turn::system("List."), Turn::user("Who?")], 10)
        .unwrap();
    assert_eq!((reply.text.as_str(), reply.tokens.len()), ("Anna, Jo", 2));
    assert_eq!((reply.usage.calls, reply.usage.tokens_in, reply.usage.tokens_out), (1, 100, 10));
    let asked = script.asked.lock().unwrap();
    assert!(asked[0].contains("\"logprobs\":true") && asked[0].contains("\"max_tokens\":10"), "{}", asked[0]);
}

#[test]
fn faults_name_the_endpoint_and_say_what_to_do() {
    let cases = [
        (ScriptedAct::Hangs, "no answer within"),
        (
            ScriptedAct::Answers(200, "content-type: text/html\r\n", "<html>Welcome</html>".into()),
            "a page of HTML",
        ),
        (ScriptedAct::Answers(200, "", "{\"choices\": [{".into()), "no completion"),
        (ScriptedAct::Answers(200, "", "{\"choices\": []}".into()), "without a choice"),
        (ScriptedAct::Answers(401, "", "{\"error\": \"bad key\"}".into()), "FINDALL_LLM_KEY"),
        (ScriptedAct::Answers(404, "", String::new()), "usually ends in /v1"),
        (ScriptedAct::Answers(302, "location: http://example.org/\r\n", String::new()), "answered 302"),
        (ScriptedAct::Dies, "broke off"),
    ];
    for (act, expected) in cases {
        let message = failure(act.clone());
        assert!(message.contains(expected), "{act:?}: {message}");
        assert!(message.starts_with("http://127.0.0.1") && !message.contains('\n'), "{message}");
    }
}

#[test]
fn nobody_there_is_said_at_once() {
    let mut options = EndpointOptions::new("http://127.0.0.1:9/v1", "tiny");
    options.retries = 0;
    let error = Endpoint::new(options).unwrap().chat(&[Turn::user("Who?")], 10).unwrap_err().to_string();
    assert!(error.contains("cannot be reached") && error.contains("start the model"), "{error}");
}

#[test]
fn what_may_pass_is_tried_again_after_the_wait_asked_for() {
    let busy = ScriptedAct::Answers(429, "retry-after: 1\r\n", String::new());
    let script =
        ScriptedEndpoint::start(vec![busy, ScriptedAct::Answers(503, "", String::new()), says("yes")])
            .unwrap();
    let begun = Instant::now();
    let reply = endpoint(&script, |_| {}).chat(&[Turn::user("Who?")], 10).unwrap();
    assert_eq!((reply.text.as_str(), reply.usage.retries, script.calls()), ("yes", 2, 3));
    assert!(begun.elapsed() >= Duration::from_secs(1));
}

#[test]
fn an_endpoint_that_refuses_likelihoods_is_asked_without() {
    let script =
        ScriptedEndpoint::start(vec![ScriptedAct::Answers(400, "", "logprobs?".into()), says("yes")])
            .unwrap();
    let endpoint = endpoint(&script, |_| {});
    assert_eq!(endpoint.chat(&[Turn::user("Who?")], 10).unwrap().text, "yes");
    endpoint.chat(&[Turn::user("Who else?")], 10).unwrap();
    let asked = script.asked.lock().unwrap();
    assert_eq!(asked.iter().map(|body| body.contains("logprobs")).collect::<Vec<_>>(), [true, false, false]);
}

#[test]
fn the_pace_is_kept() {
    let script = ScriptedEndpoint::start(vec![says("yes")]).unwrap();
    let endpoint = endpoint(&script, |options| options.per_minute = 240);
    let begun = Instant::now();
    for _ in 0..3 {
        endpoint.chat(&[Turn::user("Who?")], 10).unwrap();
    }
    assert!(begun.elapsed() >= Duration::from_millis(480), "{:?}", begun.elapsed());
}

#[test]
fn addresses_without_sense_are_refused_before_anything_is_sent() {
    for url in ["", "ftp://example.org", "127.0.0.1:8080", "http://", "http://user:word@example.org/v1"] {
        assert!(Endpoint::new(EndpointOptions::new(url, "tiny")).is_err(), "{url}");
    }
    assert!(Endpoint::new(EndpointOptions::new("http://127.0.0.1/v1", " ")).is_err());
}

#[test]
fn replies_are_kept_and_a_dead_endpoint_loses_none() {
    let folder = tempfile::tempdir().unwrap();
    let script = ScriptedEndpoint::start(vec![
        ScriptedAct::SaysLikely(vec![("Anna".into(), -0.5)]),
        ScriptedAct::Dies,
    ])
    .unwrap();
    let model = |script: &ScriptedEndpoint| {
        CachedModel::new(endpoint(script, |options| options.retries = 0), Some(folder.path().join("llm")))
    };
    let first = model(&script);
    let reply = first.chat(&[Turn::user("Who?")], 10).unwrap();
    assert!(first.chat(&[Turn::user("Who else?")], 10).is_err());
    assert_eq!(first.usage(), reply.usage);
    let again = model(&script).chat(&[Turn::user("Who?")], 10).unwrap();
    assert_eq!((again.text, again.tokens), (reply.text, reply.tokens));
    assert_eq!((again.usage.kept, again.usage.calls, script.calls()), (1, 0, 2));
    assert!(model(&script).chat(&[Turn::user("Who?")], 11).is_err(), "another limit is another question");
}
