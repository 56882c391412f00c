//! From `postgres://…` to a connection: what the address asks for, TLS by rustls, and messages without the password.

use std::sync::Arc;
use std::time::{Duration, Instant};

use rustls::{ClientConfig, RootCertStore};
use tokio_postgres::config::{Host, SslMode};
use tokio_postgres::{Config, NoTls};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::client::{CallLimit, Client};
use super::nearest;
use crate::error::StoreError;

/// Longest wait for a server that does not answer, unless the address says otherwise (`connect_timeout`).
const DEFAULT_CONNECT_TIME: Duration = Duration::from_secs(3);

/// Our tables are found without their schema, and no statement is worth compiling.
const CONNECTION_SETTINGS: &str =
    "SET search_path = findall, public; SET client_min_messages = warning; SET jit = off";

/// What the server may take for a call that a person waits for: a little less than is waited for here.
pub const PERSON_TIMEOUTS: &str = "SET statement_timeout = '2300ms'; SET lock_timeout = '2s'";
/// And for what goes through all of a store: nothing waits for ever.
pub const BULK_TIMEOUTS: &str = "SET statement_timeout = '10min'; SET lock_timeout = '10s'";

/// Where the server is.
pub struct Address {
    config: Config,
    /// How to name it to a person: no password, no options.
    pub place: String,
}

impl Address {
    /// Reads an address. `sslmode` is `disable`, `prefer` (the default) or `require`.
    pub fn read(url: &str) -> Result<Self, StoreError> {
        // A parser's message may quote the address, and the address may hold a password.
        let mut config: Config = url.parse().map_err(|_| StoreError::Unreachable {
            place: "postgres://…".into(),
            reason:
                "the address cannot be read; write it like postgres://name@host:5432/database?sslmode=require"
                    .into(),
        })?;
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(DEFAULT_CONNECT_TIME);
        }
        config.application_name("findall");
        config.keepalives_idle(Duration::from_secs(30));
        let hosts = config.get_hosts().iter().map(|host| match host {
            Host::Tcp(name) => name.clone(),
            #[cfg(unix)]
            Host::Unix(path) => path.display().to_string(),
        });
        let hosts = hosts.collect::<Vec<_>>().join(",");
        let ports = config.get_ports().iter().map(|port| format!(":{port}")).collect::<String>();
        let database = config.get_dbname().or(config.get_user()).unwrap_or_default();
        let place = format!("postgres://{hosts}{ports}/{database}");
        Ok(Self { config, place })
    }

    /// How long a first connection may take: the socket alone has a limit in the client, the conversation after it none.
    pub fn connect_limit(&self) -> CallLimit {
        let time = self.config.get_connect_timeout().copied().unwrap_or(DEFAULT_CONNECT_TIME);
        CallLimit::Until(Instant::now() + time)
    }

    /// A new connection that sees our tables.
    pub fn connect(&self, limit: CallLimit) -> Result<Client, StoreError> {
        let place = &self.place;
        let connected = match self.config.get_ssl_mode() {
            SslMode::Disable => Client::connect(&self.config, NoTls, place, limit),
            _ => Client::connect(&self.config, MakeRustlsConnect::new(self.tls()?), place, limit),
        };
        let unreachable = |error: StoreError| match error {
            StoreError::Lost { place, reason } | StoreError::Failed { place, reason } => {
                StoreError::Unreachable {
                    place,
                    reason: format!("{reason}; is the server running, and may you log in?"),
                }
            }
            other => other,
        };
        let mut client = connected.map_err(unreachable)?;
        client.batch_execute(&format!(
            "{CONNECTION_SETTINGS}; {PERSON_TIMEOUTS}; {}",
            nearest::NEAREST_SETTINGS
        ))?;
        Ok(client)
    }

    /// The system's certificates, or those that `SSL_CERT_FILE` names: for a server with an authority of its own.
    fn tls(&self) -> Result<ClientConfig, StoreError> {
        let mut roots = RootCertStore::empty();
        roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let builder = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
        let builder = builder.map_err(|error| StoreError::Unreachable {
            place: self.place.clone(),
            reason: error.to_string(),
        })?;
        Ok(builder.with_root_certificates(roots).with_no_client_auth())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_never_told() {
        let address = Address::read("postgres://me:secret@db.example:5433/team?sslmode=require").unwrap();
        assert_eq!(address.place, "postgres://db.example:5433/team");
        for wrong in ["postgres://me:secret@db.example:port/x", "postgres://me:secret@h/x?nonsense=1"] {
            let error = Address::read(wrong).err().unwrap().to_string();
            assert!(!error.contains("secret"), "{error}");
        }
    }

    #[test]
    fn a_server_that_is_not_there_is_named() {
        let address = Address::read("postgres://me:secret@127.0.0.1:1/team").unwrap();
        let error = address.connect(address.connect_limit()).err().unwrap().to_string();
        assert!(error.starts_with("postgres://127.0.0.1:1/team: cannot be opened"), "{error}");
        assert!(!error.contains("secret") && error.lines().count() == 1, "{error}");
    }
}
