//! What travels: a chat completion as everybody's servers understand it, and the answer, read with patience: servers
//! leave out what they do not know.

use findall::chat::{LikelyToken, Reply, Role, Turn, Usage};
use serde::Deserialize;

use crate::http::{CallFailure, first_words};

/// Letters of a token, where nobody counted.
const LETTERS_A_TOKEN: usize = 4;

/// The body of a request. Temperature 0, and a seed for those who sample all the same.
pub(crate) fn request(model: &str, turns: &[Turn], most: u32, with_likelihoods: bool) -> String {
    let messages: Vec<serde_json::Value> = (turns.iter())
        .map(|turn| {
            let role = match turn.role {
                Role::System => "system",
                Role::User => "user",
                Role::Assistant => "assistant",
            };
            serde_json::json!({"role": role, "content": turn.text})
        })
        .collect();
    let mut body = serde_json::json!({
        "model": model, "messages": messages, "temperature": 0, "seed": 7, "max_tokens": most, "stream": false,
    });
    if with_likelihoods {
        body["logprobs"] = true.into();
    }
    body.to_string()
}

#[derive(Deserialize)]
struct Answer {
    #[serde(default)]
    choices: Vec<Choice>,
    usage: Option<TokenCounts>,
}

#[derive(Deserialize)]
struct Choice {
    message: Message,
    finish_reason: Option<String>,
    logprobs: Option<serde_json::Value>,
}

#[derive(Deserialize)]
struct Message {
    content: Option<String>,
}

#[derive(Deserialize)]
struct TokenCounts {
    prompt_tokens: Option<u64>,
    completion_tokens: Option<u64>,
}

/// The reply in an answer's body.
pub(crate) fn reply(body: &str, turns: &[Turn]) -> Result<Reply, CallFailure> {
    let start = body.trim_start();
    if start.starts_with('<') {
        return Err(CallFailure::Strange("answered with a page of HTML and not with JSON".into()));
    }
    let answer: Answer = serde_json::from_str(start).map_err(|error| {
        CallFailure::Strange(format!(
            "answered with something that is no completion ({})",
            first_words(&error.to_string())
        ))
    })?;
    let Some(choice) = answer.choices.into_iter().next() else {
        return Err(CallFailure::Strange(format!("answered without a choice: {}", first_words(body))));
    };
    let text = choice.message.content.unwrap_or_default();
    let sent: usize = turns.iter().map(|turn| turn.text.len()).sum();
    let counted = answer.usage.as_ref();
    let (tokens_in, tokens_out) =
        (counted.and_then(|usage| usage.prompt_tokens), counted.and_then(|usage| usage.completion_tokens));
    let usage = Usage {
        calls: 1,
        tokens_in: tokens_in.unwrap_or((sent / LETTERS_A_TOKEN) as u64),
        tokens_out: tokens_out.unwrap_or((text.len() / LETTERS_A_TOKEN) as u64),
        guessed: tokens_in.is_none() || tokens_out.is_none(),
        ..Usage::default()
    };
    let cut = choice.finish_reason.as_deref() == Some("length");
    Ok(Reply { tokens: read_likelihoods(choice.logprobs.as_ref(), &text), text, cut, usage })
}

/// The likelihoods of the text's pieces: today's shape (`content`: a list of tokens), or that of older servers (`tokens`
/// beside `token_logprobs`). Pieces that do not spell the text are worth nothing.
fn read_likelihoods(offered: Option<&serde_json::Value>, text: &str) -> Vec<LikelyToken> {
    let Some(offered) = offered else { return Vec::new() };
    let likely = |token: Option<&str>, value: Option<f64>| {
        let log_probability = value.filter(|value| value.is_finite())?.min(0.0) as f32;
        Some(LikelyToken { text: token?.to_owned(), log_probability })
    };
    let tokens: Option<Vec<LikelyToken>> = if let Some(content) = offered["content"].as_array() {
        content.iter().map(|token| likely(token["token"].as_str(), token["logprob"].as_f64())).collect()
    } else if let (Some(tokens), Some(values)) =
        (offered["tokens"].as_array(), offered["token_logprobs"].as_array())
    {
        tokens.iter().zip(values).map(|(token, value)| likely(token.as_str(), value.as_f64())).collect()
    } else {
        None
    };
    let tokens = tokens.unwrap_or_default();
    let spelled: String = tokens.iter().map(|token| token.text.as_str()).collect();
    match spelled.trim() == text.trim() {
        true => tokens,
        false => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_of_both_shapes_give_likelihoods() {
        let new = r#"{"choices":[{"message":{"content":"Jo, Meg"},"finish_reason":"stop","logprobs":{"content":
            [{"token":"Jo","logprob":-0.5},{"token":", ","logprob":-0.1},{"token":"Meg","logprob":0.2}]}}],
            "usage":{"prompt_tokens":12,"completion_tokens":3}}"#;
        let reply = reply(new, &[]).unwrap();
        assert_eq!((reply.tokens.len(), reply.tokens[2].log_probability), (3, 0.0));
        assert_eq!((reply.usage.tokens_in, reply.usage.tokens_out, reply.usage.guessed), (12, 3, false));
        let old = serde_json::json!({"tokens": ["Jo", ", Meg"], "token_logprobs": [-1.0, -2.0]});
        assert_eq!(read_likelihoods(Some(&old), "Jo, Meg").len(), 2);
        assert!(read_likelihoods(Some(&old), "Beth").is_empty());
        assert!(
            read_likelihoods(Some(&serde_json::json!({"tokens": ["Jo"], "token_logprobs": [null]})), "Jo")
                .is_empty()
        );
    }

    #[test]
    fn what_is_no_completion_is_said_in_one_line() {
        let failed = |body: &str| reply(body, &[]).unwrap_err().to_string();
        assert!(failed("<!doctype html><h1>Welcome</h1>").contains("HTML"));
        assert!(failed("{\"choices\": [").contains("no completion"));
        assert!(failed("{\"error\": {\"message\":\n \"no memory\"}}").contains("no memory"));
        assert_eq!(reply(r#"{"choices":[{"message":{"content":null}}]}"#, &[]).unwrap().text, "");
    }

    #[test]
    fn tokens_that_nobody_counted_are_guessed_and_said_to_be() {
        let turns = [Turn::user("12345678")];
        let usage = reply(r#"{"choices":[{"message":{"content":"abcd"}}]}"#, &turns).unwrap().usage;
        assert_eq!((usage.tokens_in, usage.tokens_out, usage.guessed), (2, 1, true));
    }
}
