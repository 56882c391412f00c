//! Whether a server that gave no answer is asked again yet. One caller finds out that it is silent and pays for it with
//! seconds; the others, and the same one's next calls, are told at once for a while.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::error::StoreError;

/// How long a silent server is left alone.
const MIN_REST_TIME: Duration = Duration::from_secs(5);

/// What the last calls met.
#[derive(Debug, Default)]
pub struct Breaker(Mutex<Option<Silence>>);

#[derive(Debug)]
struct Silence {
    until: Instant,
    seconds: u64,
}

impl Breaker {
    /// Refuses while the server is left alone.
    pub fn check(&self, place: &str) -> Result<(), StoreError> {
        match &*self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(silence) if Instant::now() < silence.until => {
                Err(StoreError::Silent { place: place.to_owned(), seconds: silence.seconds })
            }
            _ => Ok(()),
        }
    }

    /// Notes how a call ended: an answer ends the rest. An error may be anyone's, and changes nothing.
    pub fn note<T>(&self, result: &Result<T, StoreError>) {
        let silence = match result {
            Ok(_) => None,
            Err(StoreError::Silent { seconds, .. }) => {
                Some(Silence { until: Instant::now() + MIN_REST_TIME, seconds: *seconds })
            }
            Err(_) => return,
        };
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = silence;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn silence_is_told_at_once_until_an_answer_comes() {
        let breaker = Breaker::default();
        assert!(breaker.check("here").is_ok());
        breaker.note::<()>(&Err(StoreError::Silent { place: "here".into(), seconds: 3 }));
        let refused = breaker.check("here").unwrap_err();
        assert!(matches!(refused, StoreError::Silent { seconds: 3, .. }), "{refused}");
        breaker.note::<()>(&Err(StoreError::Busy { place: "here".into(), seconds: 3 }));
        assert!(breaker.check("here").is_err(), "who waited for a connection heard nothing either");
        breaker.note(&Ok(1));
        assert!(breaker.check("here").is_ok());
    }
}
