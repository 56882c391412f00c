//! What is remembered, as requests name it and as clients are told that it failed.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use findall_store::StoreError;

use crate::error::ApiError;

/// A question's id: the question itself, in letters that an address can hold. So it means the same after a restart, in
/// any store, and on any server.
pub fn question_id(question: &str) -> String {
    URL_SAFE_NO_PAD.encode(question)
}

/// The question with this id.
pub fn question_of(id: &str) -> Result<String, ApiError> {
    let bytes = URL_SAFE_NO_PAD.decode(id).ok();
    let question = bytes.and_then(|bytes| String::from_utf8(bytes).ok()).filter(|it| !it.trim().is_empty());
    question.ok_or_else(|| ApiError::BadRequest("\"question_id\" is none that this server gave".into()))
}

/// A store that failed: logged, and worded for the client.
pub fn explain_store_failure(error: StoreError) -> ApiError {
    match error {
        StoreError::Pattern { .. } => ApiError::BadRequest(error.to_string()),
        error => {
            tracing::error!(%error, "the store failed");
            ApiError::Internal("what is remembered cannot be reached; the server's log says why".into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_questions_and_nothing_else_is() {
        let question = "Who lit the lamp? 😀";
        assert_eq!(question_of(&question_id(question)).unwrap(), question);
        for wrong in ["", "!", "a", "IA", "_w"] {
            assert!(question_of(wrong).is_err(), "{wrong}");
        }
    }
}
