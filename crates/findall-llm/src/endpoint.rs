//! An endpoint: a conversation enters, a reply leaves, after as many tries as its options allow. Calls keep a pace where
//! one is set, and a wait that the endpoint asks for is kept too.

use std::net::IpAddr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use findall::chat::{ChatError, ChatModel, Reply, Turn};

use crate::http::{CallFailure, Client};
use crate::wire;

/// The variable that holds the key; a flag would show it to everybody who lists processes.
pub const KEY_VARIABLE: &str = "FINDALL_LLM_KEY";

/// The first wait before a try is made again; each next one doubles it.
const MIN_WAIT: Duration = Duration::from_millis(500);

/// An endpoint that asks to wait longer than this is given up.
const MAX_WAIT: Duration = Duration::from_secs(60);

/// How an endpoint is reached.
#[derive(Clone)]
pub struct EndpointOptions {
    /// `https://HOST/v1`, as services and servers of local models print it.
    pub url: String,
    /// Name of the model.
    pub model: String,
    /// The key, where the endpoint wants one.
    pub key: Option<String>,
    /// How long one try may take.
    pub timeout: Duration,
    /// Tries after the first.
    pub retries: u32,
    /// Calls a minute at most; 0 for as many as come.
    pub per_minute: u32,
}

impl EndpointOptions {
    /// The defaults, with the key from [`KEY_VARIABLE`] where it is set.
    pub fn new(url: &str, model: &str) -> Self {
        Self {
            url: url.to_owned(),
            model: model.to_owned(),
            key: std::env::var(KEY_VARIABLE).ok().filter(|key| !key.trim().is_empty()),
            timeout: Duration::from_secs(120),
            retries: 2,
            per_minute: 0,
        }
    }
}

/// A model behind an address.
pub struct Endpoint {
    options: EndpointOptions,
    id: String,
    /// The address as it is shown: no user, no password, no query.
    shown: String,
    client: Client,
    /// When the next call may be made.
    next: Mutex<Instant>,
    /// False once the endpoint refused to give log-probabilities: some do, and answer without.
    offers_likelihoods: AtomicBool,
}

impl Endpoint {
    /// Checks the address; speaks to nobody yet.
    pub fn new(options: EndpointOptions) -> Result<Self, ChatError> {
        let refused = |message: &str| ChatError {
            endpoint: without_secrets(&options.url),
            message: message.to_owned(),
        };
        let rest = ["http://", "https://"].iter().find_map(|scheme| options.url.strip_prefix(scheme));
        let host = rest.map(|rest| rest.split(['/', '?', '#']).next().unwrap_or_default());
        match host {
            None => {
                return Err(refused("no address of a model; give one like http://127.0.0.1:8080/v1"));
            }
            Some(host) if host.is_empty() || options.url.contains('@') => {
                return Err(refused(&format!(
                    "the address needs a host and no password in it; the key belongs into {KEY_VARIABLE}"
                )));
            }
            _ => {}
        }
        if options.model.trim().is_empty() {
            return Err(refused("no model is named; give the name that the endpoint knows it by"));
        }
        let base = strip_query(&options.url).trim_end_matches('/');
        let base = base.strip_suffix("/chat/completions").unwrap_or(base).to_owned();
        let client = Client::new(format!("{base}/chat/completions"), options.key.clone(), options.timeout)
            .map_err(|message| refused(&message))?;
        Ok(Self {
            id: format!("{base} {}", options.model),
            shown: base,
            client,
            next: Mutex::new(Instant::now()),
            offers_likelihoods: AtomicBool::new(true),
            options,
        })
    }

    /// True when key and text go over a network that others may listen to.
    pub fn sends_in_clear(&self) -> bool {
        let Some(rest) = self.shown.strip_prefix("http://") else { return false };
        let authority = rest.split('/').next().unwrap_or_default();
        let host = match authority.strip_prefix('[') {
            Some(rest) => rest.split(']').next().unwrap_or_default(),
            None => authority.split(':').next().unwrap_or_default(),
        };
        let is_loopback = host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
        !is_loopback && !host.eq_ignore_ascii_case("localhost")
    }

    /// Waits for its turn, so that no more calls are made in a minute than was said.
    fn keep_pace(&self) {
        let Some(gap) = Duration::from_secs(60).checked_div(self.options.per_minute) else { return };
        let mut next = self.next.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let now = Instant::now();
        let mine = (*next).max(now);
        *next = mine + gap;
        drop(next);
        std::thread::sleep(mine - now);
    }

    fn send_turns(&self, turns: &[Turn], most: u32) -> Result<Reply, CallFailure> {
        let with_likelihoods = self.offers_likelihoods.load(Ordering::Relaxed);
        let body = wire::request(&self.options.model, turns, most, with_likelihoods);
        match self.client.post(&body) {
            Err(CallFailure::Refused { status: 400 | 422, .. }) if with_likelihoods => {
                // Perhaps only the wish for likelihoods was too much.
                let reply = self.client.post(&wire::request(&self.options.model, turns, most, false))?;
                self.offers_likelihoods.store(false, Ordering::Relaxed);
                wire::reply(&reply, turns)
            }
            answer => wire::reply(&answer?, turns),
        }
    }
}

/// An address without what may hold a key.
fn strip_query(url: &str) -> &str {
    url.split(['?', '#']).next().unwrap_or_default()
}

/// An address as it may be shown: nothing that stands before an @, wherever that is, and no query.
fn without_secrets(url: &str) -> String {
    let shown = match url.rsplit_once('@') {
        Some((_, rest)) => format!("…@{}", strip_query(rest)),
        None => strip_query(url).to_owned(),
    };
    shown.chars().take(100).collect()
}

impl ChatModel for Endpoint {
    fn id(&self) -> &str {
        &self.id
    }

    fn chat(&self, turns: &[Turn], most: u32) -> Result<Reply, ChatError> {
        let (mut wait, mut attempt) = (MIN_WAIT, 0);
        loop {
            self.keep_pace();
            let failed = match self.send_turns(turns, most) {
                Ok(mut reply) => {
                    reply.usage.retries = u64::from(attempt);
                    return Ok(reply);
                }
                Err(failed) => failed,
            };
            let asked = failed.requested_wait();
            if !failed.may_pass() || attempt >= self.options.retries || asked > Some(MAX_WAIT) {
                let tries = match attempt {
                    0 => String::new(),
                    more => format!(", {} times", more + 1),
                };
                let message = format!("{failed}{tries}; {}", failed.advice());
                return Err(ChatError { endpoint: self.shown.clone(), message });
            }
            std::thread::sleep(asked.unwrap_or(wait));
            wait *= 2;
            attempt += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn endpoint(url: &str) -> Result<Endpoint, ChatError> {
        Endpoint::new(EndpointOptions { key: None, ..EndpointOptions::new(url, "model") })
    }

    #[test]
    fn a_refused_address_does_not_tell_its_password() {
        for url in [
            "http://me:secret@models.example/v1",
            "https://me:se/secret@models.example/v1?a=secret",
            "https://me:?secret@models.example/v1",
            "me:secret@models.example",
            "ftp://models.example/?key=secret",
        ] {
            let error = endpoint(url).err().unwrap_or_else(|| panic!("{url} is accepted"));
            assert!(!error.to_string().contains("secret"), "{error}");
        }
    }

    #[test]
    fn only_another_machine_without_tls_is_worth_a_warning() {
        for (url, clear) in [
            ("http://models.example/v1", true),
            ("http://192.168.1.5:8080/v1", true),
            ("http://localhost.example:80/v1", true),
            ("https://models.example/v1", false),
            ("http://127.0.0.1:8080/v1", false),
            ("http://localhost:8080", false),
            ("http://[::1]:8080/v1", false),
        ] {
            assert_eq!(endpoint(url).unwrap().sends_in_clear(), clear, "{url}");
        }
    }
}
