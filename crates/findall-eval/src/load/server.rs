//! A server of its own for the measurement, with everything it keeps in a temporary folder.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use super::client::Client;
use crate::{EvalError, process};

/// A running `findall serve`.
pub struct Server {
    pub address: String,
    pub token: String,
    child: Child,
    _folder: tempfile::TempDir,
}

impl Server {
    /// Starts, pairs, and waits until it can answer.
    pub fn start(program: Option<PathBuf>, store: Option<&str>) -> Result<Self, EvalError> {
        let failed = |message: String| EvalError::Program { program: "findall serve".into(), message };
        let folder = tempfile::tempdir()?;
        let program = process::findall_program(program.as_deref())?;
        let mut child = Command::new(program)
            .args(["serve", "--port", "0"])
            .args(store.into_iter().flat_map(|place| ["--store", place]))
            .env("XDG_DATA_HOME", folder.path().join("data"))
            .env("XDG_CACHE_HOME", folder.path().join("cache"))
            .stdout(Stdio::piped())
            .spawn()?;
        let mut said = child.stdout.take().map(BufReader::new).map(BufReader::lines).into_iter().flatten();
        let mut line = |start: &str| match said.next() {
            Some(Ok(line)) => Ok(line.strip_prefix(start).unwrap_or(&line).to_owned()),
            _ => Err(failed("did not start; run it by hand to see why".into())),
        };
        let address = line("findall listens on http://")?;
        let code = line("pairing code: ")?;
        let code = code.split(' ').next().unwrap_or_default().to_owned();
        let mut server = Self { address, token: String::new(), child, _folder: folder };
        let mut client = Client::new(&server.address, "");
        while !matches!(client.call("GET", "/ready", ""), Ok((200, _))) {
            if server.child.try_wait()?.is_some() {
                return Err(failed("ended while loading; run it by hand to see why".into()));
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        let paired = client.post("/v1/pair", &serde_json::json!({"code": code, "name": "load"}))?;
        server.token = paired.1["token"].as_str().unwrap_or_default().to_owned();
        Ok(server)
    }

    /// Bytes of memory that the server holds, by its own account.
    pub fn resident(&self) -> f64 {
        let metrics = Client::new(&self.address, "").call("GET", "/metrics", "");
        let metrics = metrics.map(|(_, text)| text).unwrap_or_default();
        let value = metrics.lines().find_map(|line| line.strip_prefix("findall_resident_bytes "));
        value.and_then(|value| value.parse().ok()).unwrap_or(f64::NAN)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
