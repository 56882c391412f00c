//! What was answered first, so that every later answer can be held against it.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use serde_json::{Value, json};

use super::Call;

/// First answers by what was asked.
#[derive(Default)]
pub struct FirstAnswers {
    first: Mutex<HashMap<String, Value>>,
}

impl FirstAnswers {
    /// Keeps the first answer to a call. A later one that says something else comes back, beside the first.
    pub fn find_difference(&self, call: Call, asked: &Value, answer: &Value) -> Option<String> {
        let (key, said) = (key(call, asked), substance(call, answer));
        let mut all = self.first.lock().unwrap_or_else(PoisonError::into_inner);
        let first = all.entry(key.clone()).or_insert_with(|| said.clone());
        (*first != said).then(|| format!("{key}: {first}, later {said}"))
    }
}

/// What was asked, of which page; not how.
fn key(call: Call, asked: &Value) -> String {
    let named = ["document", "url", "question", "query", "prefix"].map(|name| asked[name].as_str());
    let named: Vec<&str> = named.into_iter().flatten().collect();
    format!("{} {}", call.route(), named.join(" "))
}

/// What of an answer may not change, whether it is read, remembered, or given while the database is away.
fn substance(call: Call, answer: &Value) -> Value {
    let each = |list: &str, of: fn(&Value) -> Value| -> Value {
        answer[list].as_array().map(|all| all.iter().map(of).collect()).unwrap_or_default()
    };
    match call {
        Call::Documents => json!([answer["document"], answer["chars"]]),
        Call::Find => {
            each("matches", |one| json!([one["span"], one["text"], one["kind"], one["entity"]["id"]]))
        }
        Call::Ask => json!([answer["outcome"], each("answers", |one| json!([one["span"], one["text"]]))]),
        // Remembered questions come and go with the memory.
        Call::Suggest => {
            let all = answer["suggestions"].as_array().into_iter().flatten();
            all.filter(|one| one["kind"] != "question").cloned().collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_answer_is_noticed_and_another_way_to_it_is_not() {
        let first = FirstAnswers::default();
        let asked = json!({"document": "d", "question": "who", "fresh": false});
        let said = |text: &str, origin: &str| json!({"outcome": "answered", "answers": [{"span": [0, 3], "text": text, "origin": origin}], "took_ms": 1});
        assert_eq!(first.find_difference(Call::Ask, &asked, &said("Ida", "reader")), None);
        let anew = json!({"document": "d", "question": "who", "fresh": true});
        assert_eq!(first.find_difference(Call::Ask, &anew, &said("Ida", "remembered")), None);
        let wrong = first.find_difference(Call::Ask, &anew, &said("Otto", "reader")).unwrap();
        assert!(
            wrong.starts_with("ask d who: ") && wrong.contains("Ida") && wrong.contains("Otto"),
            "{wrong}"
        );
        let other = json!({"document": "e", "question": "who"});
        assert_eq!(first.find_difference(Call::Ask, &other, &said("Otto", "reader")), None);
    }

    #[test]
    fn remembered_questions_are_no_part_of_what_is_suggested() {
        let first = FirstAnswers::default();
        let asked = json!({"document": "d", "prefix": "ri"});
        let rhine = json!({"text": "Rhine", "kind": "entity"});
        let with = json!({"suggestions": [{"text": "Which river?", "kind": "question"}, rhine]});
        assert_eq!(first.find_difference(Call::Suggest, &asked, &with), None);
        assert_eq!(first.find_difference(Call::Suggest, &asked, &json!({"suggestions": [rhine]})), None);
        assert!(first.find_difference(Call::Suggest, &asked, &json!({"suggestions": []})).is_some());
    }
}
