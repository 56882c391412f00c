//! An endpoint: a conversation enters, a reply leaves, after as many tries as its options allow. Calls keep a pace where
//! one is set, and a wait that the endpoint asks for is kept too.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use findall::chat::{ChatError, ChatModel, Reply, Turn};

use crate::http::{Client, Failed};
use crate::wire;

/// The variable that holds the key; a flag would show it to everybody who lists processes.
pub const KEY_VARIABLE: &str = "FINDALL_LLM_KEY";

/// The first wait before a try is made again; each next one doubles it.
const FIRST_WAIT: Duration = Duration::from_millis(500);

/// An endpoint that asks to wait longer than this is given up.
const LONGEST_WAIT: Duration = Duration::from_secs(60);

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
            endpoint: options.url.chars().take(100).collect(),
            message: message.to_owned(),
        };
        let rest = ["http://", "https://"].iter().find_map(|scheme| options.url.strip_prefix(scheme));
        let host = rest.map(|rest| rest.split(['/', '?', '#']).next().unwrap_or_default());
        match host {
            None => {
                return Err(refused("no address of a model; give one like http://127.0.0.1:8080/v1"));
            }
            Some(host) if host.is_empty() || host.contains('@') => {
                return Err(refused(&format!(
                    "the address needs a host and no password in it; the key belongs into {KEY_VARIABLE}"
                )));
            }
            _ => {}
        }
        if options.model.trim().is_empty() {
            return Err(refused("no model is named; give the name that the endpoint knows it by"));
        }
        let base = options.url.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/');
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

    fn once(&self, turns: &[Turn], most: u32) -> Result<Reply, Failed> {
        let with_likelihoods = self.offers_likelihoods.load(Ordering::Relaxed);
        let body = wire::request(&self.options.model, turns, most, with_likelihoods);
        match self.client.post(&body) {
            Err(Failed::Refused { status: 400 | 422, .. }) if with_likelihoods => {
                // Perhaps only the wish for likelihoods was too much.
                let reply = self.client.post(&wire::request(&self.options.model, turns, most, false))?;
                self.offers_likelihoods.store(false, Ordering::Relaxed);
                wire::reply(&reply, turns)
            }
            answer => wire::reply(&answer?, turns),
        }
    }
}

impl ChatModel for Endpoint {
    fn id(&self) -> &str {
        &self.id
    }

    fn chat(&self, turns: &[Turn], most: u32) -> Result<Reply, ChatError> {
        let (mut wait, mut attempt) = (FIRST_WAIT, 0);
        loop {
            self.keep_pace();
            let failed = match self.once(turns, most) {
                Ok(mut reply) => {
                    reply.usage.retries = u64::from(attempt);
                    return Ok(reply);
                }
                Err(failed) => failed,
            };
            let asked = failed.wait_asked();
            if !failed.may_pass() || attempt >= self.options.retries || asked > Some(LONGEST_WAIT) {
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
