//! The paper's generative baseline: a text, a query and an instruction go to a model behind an OpenAI-compatible
//! endpoint, and what it says is looked up in the text.

use std::path::Path;

use findall::Span;
use findall::chat::{ChatModel, Turn};
use findall_llm::CachedModel;

use crate::EvalError;
use crate::larger;

/// Tokens of an answer at most: five times the longest gold list. A model that goes on repeats itself.
const MAX_ANSWER_TOKENS: u32 = 512;

/// Places tried for the end of a list, from the end of what was said.
const MAX_LIST_ENDS: usize = 8;

const TASK: &str = "Find every target in the document that satisfies the query, using what you know beyond the \
    document. Answer with a JSON list of strings only: each target exactly as it is written in the document, once for \
    every time it occurs. Answer [] if there is none.";

/// Where the model answers.
pub struct Endpoint(CachedModel<findall_llm::Endpoint>);

impl Endpoint {
    /// `http://HOST:PORT/v1`, as servers of local models print it; replies are kept in the folder, if one is given.
    pub fn new(url: &str, model: &str, cache: Option<&Path>) -> Result<Self, EvalError> {
        larger::open(url, model, cache).map(Self)
    }

    /// Where in the text the model's answers stand.
    pub fn find(&self, text: &str, query: &str) -> Result<Vec<Span>, EvalError> {
        // The document first: endpoints keep what they read of a prompt for the next one that begins alike.
        let turns = [Turn::system(TASK), Turn::user(format!("Document:\n{text}\n\nQuery: {query}"))];
        let reply = self.0.chat(&turns, MAX_ANSWER_TOKENS).map_err(larger::wrap_error)?;
        Ok(locate(text, &strings_in(&reply.text)))
    }
}

/// The strings of the JSON list in what the model said, also of one that was cut; its lines when it gave none.
fn strings_in(said: &str) -> Vec<String> {
    if let Some(from) = said.find('[') {
        let ends = said.rmatch_indices([']', '"']).map(|(at, _)| at).filter(|&at| at > from);
        let list =
            |at: usize| serde_json::from_str(&format!("{}]", said[from..=at].trim_end_matches(']'))).ok();
        if let Some(strings) = ends.take(MAX_LIST_ENDS).find_map(list) {
            return strings;
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read_and_located() {
        assert_eq!(strings_in("Here: [\"Weibo\", \"Weibo\"]"), ["Weibo", "Weibo"]);
        assert_eq!(strings_in("```json\n[\"Weibo\"]\n``` [1]"), ["Weibo"]);
        assert_eq!(strings_in("[\"Weibo\", \"Baidu\", \"Bai"), ["Weibo", "Baidu"], "cut");
        assert!(strings_in("[]").is_empty());
        assert_eq!(strings_in("- Weibo\n- Baidu"), ["Weibo", "Baidu"]);
        let strings = ["Weibo".to_owned(), "Weibo".into(), "Weibo".into(), "Orkut".into()];
        assert_eq!(locate("Weibo and Weibo", &strings), [Span::new(0, 5), Span::new(10, 15)]);
    }
}
