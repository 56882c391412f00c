//! The paper's generative baseline: a text, a query and an instruction go to a model behind an OpenAI-compatible
//! endpoint, and what it says is looked up in the text.
//!
//! Plain HTTP to the address given, nothing else: the model is meant to run on this machine or beside it.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use findall::Span;
use serde::Deserialize;

use crate::EvalError;

/// Longest answer read.
const LONGEST_ANSWER: u64 = 4 << 20;

/// How long a model may think.
const PATIENCE: Duration = Duration::from_secs(120);

/// Where the model answers.
pub struct Endpoint {
    host: String,
    path: String,
    model: String,
}

#[derive(Deserialize)]
struct Reply {
    choices: Vec<Choice>,
}

#[derive(Deserialize)]
struct Choice {
    message: Message,
}

#[derive(Deserialize)]
struct Message {
    content: String,
}

impl Endpoint {
    /// `http://HOST:PORT/v1`, as servers of local models print it.
    pub fn new(url: &str, model: &str) -> Result<Self, EvalError> {
        let rest =
            url.strip_prefix("http://").ok_or_else(|| failed("only http:// addresses are supported"))?;
        let (host, path) = rest.split_once('/').unwrap_or((rest, "v1"));
        let host = if host.contains(':') { host.to_owned() } else { format!("{host}:80") };
        let path = format!("/{}/chat/completions", path.trim_matches('/'));
        Ok(Self { host, path, model: model.to_owned() })
    }

    /// Where in the text the model's answers stand.
    pub fn find(&self, text: &str, query: &str) -> Result<Vec<Span>, EvalError> {
        let instruction = "Find every target in the document that satisfies the query, using what you know beyond the \
            document. Answer with a JSON list of strings only: each target exactly as it is written in the document, \
            once for every time it occurs. Answer [] if there is none.";
        let body = serde_json::json!({
            "model": self.model,
            "temperature": 0,
            "messages": [
                { "role": "system", "content": instruction },
                { "role": "user", "content": format!("Query: {query}\n\nDocument:\n{text}") },
            ],
        });
        let reply = self.post(&body.to_string())?;
        let reply: Reply =
            serde_json::from_str(&reply).map_err(|error| failed(&format!("unexpected reply: {error}")))?;
        let said = reply.choices.first().map_or("", |choice| choice.message.content.as_str());
        Ok(locate(text, &strings_in(said)))
    }

    fn post(&self, body: &str) -> Result<String, EvalError> {
        let exchange = || -> std::io::Result<String> {
            let mut stream = TcpStream::connect(&self.host)?;
            stream.set_read_timeout(Some(PATIENCE))?;
            write!(
                stream,
                "POST {} HTTP/1.0\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
                self.path,
                self.host,
                body.len()
            )?;
            let mut reply = String::new();
            stream.take(LONGEST_ANSWER).read_to_string(&mut reply)?;
            Ok(reply)
        };
        let reply =
            exchange().map_err(|error| failed(&format!("{}: {error}; is the model running?", self.host)))?;
        let (head, content) = reply.split_once("\r\n\r\n").ok_or_else(|| failed("the reply is no HTTP"))?;
        match head.split(' ').nth(1) {
            Some("200") => Ok(content.to_owned()),
            status => Err(failed(&format!("answered {}: {}", status.unwrap_or("nothing"), content.trim()))),
        }
    }
}

/// The strings of the JSON list in what the model said; its lines when it gave none.
fn strings_in(said: &str) -> Vec<String> {
    let list = said.find('[').zip(said.rfind(']')).filter(|(from, to)| from < to);
    if let Some(strings) = list.and_then(|(from, to)| serde_json::from_str(&said[from..=to]).ok()) {
        return strings;
    }
    said.lines()
        .map(|line| line.trim_start_matches(['-', '*', ' ']).trim().to_owned())
        .filter(|line| !line.is_empty())
        .collect()
}

/// The next free occurrence of each string; what is not in the text is no answer.
fn locate(text: &str, strings: &[String]) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    for string in strings.iter().filter(|string| !string.is_empty()) {
        let free = text.match_indices(string.as_str()).map(|(at, found)| Span::new(at, at + found.len()));
        let free = free.into_iter().find(|span| !spans.iter().any(|other| other.overlaps(span)));
        spans.extend(free);
    }
    spans
}

fn failed(message: &str) -> EvalError {
    EvalError::Program { program: "llm".into(), message: message.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read_and_located() {
        assert_eq!(strings_in("Here: [\"Weibo\", \"Weibo\"]"), ["Weibo", "Weibo"]);
        assert_eq!(strings_in("- Weibo\n- Baidu"), ["Weibo", "Baidu"]);
        let strings = ["Weibo".to_owned(), "Weibo".into(), "Weibo".into(), "Orkut".into()];
        assert_eq!(locate("Weibo and Weibo", &strings), [Span::new(0, 5), Span::new(10, 15)]);
    }

    #[test]
    fn only_plain_http_is_spoken() {
        assert!(Endpoint::new("https://example.org/v1", "m").is_err());
        let endpoint = Endpoint::new("http://127.0.0.1:8080/v1/", "m").unwrap();
        assert_eq!(
            (endpoint.host.as_str(), endpoint.path.as_str()),
            ("127.0.0.1:8080", "/v1/chat/completions")
        );
    }
}
