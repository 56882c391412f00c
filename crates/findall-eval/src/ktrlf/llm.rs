//! The paper's generative baseline: a text, a query and an instruction go to a model behind an OpenAI-compatible
//! endpoint, and what it says is looked up in the text.

use findall::Span;
use findall::chat::{ChatModel, Turn};
use findall_llm::EndpointOptions;

use crate::EvalError;

/// Tokens of an answer at most.
const LONGEST_ANSWER: u32 = 4096;

const TASK: &str = "Find every target in the document that satisfies the query, using what you know beyond the \
    document. Answer with a JSON list of strings only: each target exactly as it is written in the document, once for \
    every time it occurs. Answer [] if there is none.";

/// Where the model answers.
pub struct Endpoint(findall_llm::Endpoint);

impl Endpoint {
    /// `http://HOST:PORT/v1`, as servers of local models print it.
    pub fn new(url: &str, model: &str) -> Result<Self, EvalError> {
        findall_llm::Endpoint::new(EndpointOptions::new(url, model)).map(Self).map_err(failed)
    }

    /// Where in the text the model's answers stand.
    pub fn find(&self, text: &str, query: &str) -> Result<Vec<Span>, EvalError> {
        let turns = [Turn::system(TASK), Turn::user(format!("Query: {query}\n\nDocument:\n{text}"))];
        let reply = self.0.chat(&turns, LONGEST_ANSWER).map_err(failed)?;
        Ok(locate(text, &strings_in(&reply.text)))
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

fn failed(error: findall::chat::ChatError) -> EvalError {
    EvalError::Program { program: "llm".into(), message: error.to_string() }
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
}
