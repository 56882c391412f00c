//! A running `findall serve` and the smallest HTTP client that can talk to it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

/// How long a test waits for what must come; never reached unless something is wrong, however busy the machine is.
pub const MAX_WAIT: Duration = Duration::from_secs(600);

/// The real program, serving.
pub struct Server {
    pub child: Child,
    pub address: String,
    /// The code that it printed, if nothing was paired.
    pub code: Option<String>,
}

pub struct Reply {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Reply {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }
}

/// `findall` with everything it keeps under this folder.
pub fn findall(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_findall"));
    command
        .env("XDG_CONFIG_HOME", "/nonexistent")
        .env("XDG_DATA_HOME", folder.join("data"))
        .env("XDG_CACHE_HOME", folder.join("cache"))
        .env_remove("FINDALL_MEANING")
        .current_dir(folder);
    command
}

impl Server {
    /// Starts on a free port, and waits until it can answer.
    pub fn start(folder: &Path, args: &[&str]) -> Self {
        let mut child = findall(folder)
            .args(["serve", "--port", "0", "--timeout"])
            .arg(MAX_WAIT.as_secs().to_string())
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let first = lines.next().unwrap().unwrap();
        let address = first.strip_prefix("findall listens on http://").unwrap().to_owned();
        let has_tokens = folder.join("data/findall/server/access.json").exists()
            && std::fs::read_to_string(folder.join("data/findall/server/access.json"))
                .unwrap()
                .contains("\"created\"");
        let code = (!has_tokens).then(|| {
            let line = lines.next().unwrap().unwrap();
            line.strip_prefix("pairing code: ").unwrap().split(' ').next().unwrap().to_owned()
        });
        let server = Self { child, address, code };
        let deadline = Instant::now() + MAX_WAIT;
        while server.call("GET", "/ready", None, "").status != 200 {
            assert!(Instant::now() < deadline, "models take too long");
            std::thread::sleep(Duration::from_millis(20));
        }
        server
    }

    /// One request on a connection of its own.
    pub fn call(&self, method: &str, path: &str, token: Option<&str>, body: &str) -> Reply {
        self.call_with(method, path, token, body, "")
    }

    pub fn call_with(
        &self,
        method: &str,
        path: &str,
        token: Option<&str>,
        body: &str,
        headers: &str,
    ) -> Reply {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let authorization =
            token.map(|token| format!("Authorization: Bearer {token}\r\n")).unwrap_or_default();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n{authorization}{headers}\r\n{body}",
            self.address,
            body.len()
        )
        .unwrap();
        let mut reply = String::new();
        stream.read_to_string(&mut reply).unwrap();
        let (head, body) = reply.split_once("\r\n\r\n").unwrap_or_else(|| panic!("{reply}"));
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Reply { status, head: head.to_owned(), body: body.to_owned() }
    }

    pub fn post(&self, path: &str, token: &str, body: Value) -> Value {
        let reply = self.call("POST", path, Some(token), &body.to_string());
        assert_eq!(reply.status, 200, "{}", reply.body);
        reply.json()
    }

    /// A token for the code that was printed.
    pub fn pair(&self, code: &str) -> String {
        let body = serde_json::json!({"code": code, "name": "test"}).to_string();
        let reply = self.call("POST", "/v1/pair", None, &body);
        assert_eq!(reply.status, 200, "{}", reply.body);
        reply.json()["token"].as_str().unwrap().to_owned()
    }

    /// Sends a signal and waits for the end.
    pub fn end(mut self, signal: &str) -> Option<i32> {
        let sent = Command::new("kill").args([signal, &self.child.id().to_string()]).status().unwrap();
        assert!(sent.success());
        self.child.wait().unwrap().code()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
