//! One request in, one bounded answer out. No redirect is followed: a key goes where it was sent and nowhere else.

use std::fmt;
use std::time::Duration;

/// Longest answer read.
const MAX_ANSWER_BYTES: u64 = 8 << 20;

/// Characters of a refusal that are shown.
const MAX_REFUSAL_CHARS: usize = 160;

/// Time to reach an address at all.
const MAX_CONNECT_TIME: Duration = Duration::from_secs(10);

/// Why there was no usable answer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum CallFailure {
    /// Nobody answers there.
    Unreachable(String),
    /// Nothing came in time.
    Silent(Duration),
    /// The connection broke in the middle of the answer.
    Broken(String),
    /// A status that says no.
    Refused { status: u16, said: String, wait: Option<Duration> },
    /// An answer, but not one of a model.
    Strange(String),
}

impl CallFailure {
    /// Whether another try may do better.
    pub fn may_pass(&self) -> bool {
        match self {
            CallFailure::Unreachable(_) | CallFailure::Silent(_) | CallFailure::Broken(_) => true,
            CallFailure::Refused { status, .. } => matches!(status, 408 | 409 | 425 | 429 | 500..=599),
            CallFailure::Strange(_) => true,
        }
    }

    /// How long the endpoint asks to be left alone.
    pub fn requested_wait(&self) -> Option<Duration> {
        match self {
            CallFailure::Refused { wait, .. } => *wait,
            _ => None,
        }
    }

    /// What a person can do.
    pub fn advice(&self) -> &'static str {
        match self {
            CallFailure::Unreachable(_) => "start the model, or correct the address",
            CallFailure::Silent(_) => "give it more time with --llm-timeout, or a smaller model",
            CallFailure::Broken(_) => "run the same command again: what was answered so far is kept",
            CallFailure::Refused { status: 401 | 403, .. } => "put the right key into FINDALL_LLM_KEY",
            CallFailure::Refused { status: 404, .. } => {
                "check the address, which usually ends in /v1, and the model"
            }
            CallFailure::Refused { status: 429, .. } => {
                "wait, or ask for fewer calls a minute with --llm-rate"
            }
            CallFailure::Refused { .. } => {
                "run the same command again later: what was answered so far is kept"
            }
            CallFailure::Strange(_) => "check that the address is that of an OpenAI-compatible model",
        }
    }
}

impl fmt::Display for CallFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CallFailure::Unreachable(why) => write!(f, "cannot be reached ({why})"),
            CallFailure::Silent(time) => write!(f, "no answer within {} s", time.as_secs()),
            CallFailure::Broken(why) => write!(f, "the answer broke off ({why})"),
            CallFailure::Refused { status, said, .. } if said.is_empty() => write!(f, "answered {status}"),
            CallFailure::Refused { status, said, .. } => write!(f, "answered {status}: {said}"),
            CallFailure::Strange(what) => f.write_str(what),
        }
    }
}

/// A connection pool to one address.
pub(crate) struct Client {
    agent: ureq::Agent,
    url: String,
    key: Option<String>,
    timeout: Duration,
}

impl Client {
    /// Reads the system's certificates where the address needs any.
    pub fn new(url: String, key: Option<String>, timeout: Duration) -> Result<Self, String> {
        let mut config = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .timeout_connect(Some(MAX_CONNECT_TIME.min(timeout)))
            .timeout_global(Some(timeout))
            .user_agent(concat!("findall/", env!("CARGO_PKG_VERSION")));
        if is_loopback(&url) {
            config = config.proxy(None);
        }
        if url.starts_with("https://") {
            config = with_tls(config)?;
        }
        Ok(Self { agent: config.build().new_agent(), url, key, timeout })
    }

    /// Sends a body of JSON; the answer's body when the status is good.
    pub fn post(&self, body: &str) -> Result<String, CallFailure> {
        let mut request = self.agent.post(&self.url).header("content-type", "application/json");
        if let Some(key) = &self.key {
            request = request.header("authorization", format!("Bearer {key}"));
        }
        let mut answer = request.send(body).map_err(|error| self.to_failure(error, false))?;
        let status = answer.status().as_u16();
        let wait =
            answer.headers().get("retry-after").and_then(|value| value.to_str().ok()?.trim().parse().ok());
        let read = answer.body_mut().with_config().limit(MAX_ANSWER_BYTES).lossy_utf8(true).read_to_string();
        match status {
            200..=299 => read.map_err(|error| self.to_failure(error, true)),
            _ => {
                let said = first_words(&read.unwrap_or_default());
                Err(CallFailure::Refused { status, said, wait: wait.map(Duration::from_secs) })
            }
        }
    }

    fn to_failure(&self, error: ureq::Error, begun: bool) -> CallFailure {
        match error {
            ureq::Error::Timeout(ureq::Timeout::Connect | ureq::Timeout::Resolve) => {
                CallFailure::Unreachable("no connection in time".into())
            }
            ureq::Error::Timeout(_) => CallFailure::Silent(self.timeout),
            ureq::Error::BodyExceedsLimit(limit) => {
                CallFailure::Strange(format!("answered with more than {} MiB", limit >> 20))
            }
            error if begun => CallFailure::Broken(first_words(&error.to_string())),
            ureq::Error::Io(error) if error.kind() != std::io::ErrorKind::ConnectionRefused => {
                CallFailure::Broken(first_words(&error.to_string()))
            }
            ureq::Error::Protocol(error) => {
                CallFailure::Strange(format!("does not speak HTTP ({})", first_words(&error.to_string())))
            }
            error => CallFailure::Unreachable(first_words(&error.to_string())),
        }
    }
}

/// What an agent is made of.
type Settings = ureq::config::ConfigBuilder<ureq::typestate::AgentScope>;

/// The system's certificates, and the cipher code that checks with them.
#[cfg(feature = "tls")]
fn with_tls(config: Settings) -> Result<Settings, String> {
    use std::sync::Arc;

    use ureq::tls::{Certificate, RootCerts, TlsConfig};

    let found = rustls_native_certs::load_native_certs().certs;
    if found.is_empty() {
        return Err("this system has no certificates to check it with; install ca-certificates".into());
    }
    let trusted = found.iter().map(|certificate| Certificate::from_der(certificate).to_owned());
    let tls = TlsConfig::builder()
        .root_certs(RootCerts::Specific(Arc::new(trusted.collect())))
        .unversioned_rustls_crypto_provider(Arc::new(rustls::crypto::ring::default_provider()));
    Ok(config.tls_config(tls.build()))
}

#[cfg(not(feature = "tls"))]
fn with_tls(_: Settings) -> Result<Settings, String> {
    Err("this findall was built without https; build all of it: cargo install --path crates/findall-cli"
        .into())
}

/// The beginning of what was said, as one line that cannot drive a terminal.
pub(crate) fn first_words(said: &str) -> String {
    let line = said.split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars().filter(|c| !c.is_control()).take(MAX_REFUSAL_CHARS).collect()
}

fn is_loopback(url: &str) -> bool {
    let host = url.split("://").nth(1).unwrap_or_default().split('/').next().unwrap_or_default();
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name).trim_matches(['[', ']']);
    name == "localhost" || name.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_this_machine_are_told() {
        for url in ["http://127.0.0.1:8080/v1", "http://localhost/v1", "http://[::1]:80/v1"] {
            assert!(is_loopback(url), "{url}");
        }
        assert!(!is_loopback("https://example.org/v1"));
    }

    #[test]
    fn what_passes_is_tried_again_and_what_does_not_is_not() {
        let refused = |status| CallFailure::Refused { status, said: String::new(), wait: None };
        assert!([429, 500, 503, 408].into_iter().all(|status| refused(status).may_pass()));
        assert!(![400, 401, 403, 404].into_iter().any(|status| refused(status).may_pass()));
    }
}
