//! A PostgreSQL server of our own, by `scripts/postgres.sh`, gone when dropped.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::make_error;
use crate::EvalError;

/// A running server and its data.
pub struct DatabaseServer {
    script: PathBuf,
    folder: tempfile::TempDir,
    /// Address of its first database.
    pub url: String,
}

impl DatabaseServer {
    /// Starts one; `settings` are lines of postgresql.conf.
    pub fn start(settings: &str) -> Result<Self, EvalError> {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/postgres.sh");
        let folder = tempfile::Builder::new().prefix("findall-postgres-").tempdir()?;
        let mut server = Self { script, folder, url: String::new() };
        server.url = server.run("start", &[&std::process::id().to_string()])?;
        if !settings.is_empty() {
            server.run("stop", &[])?;
            let file = server.folder.path().join("data/postgresql.conf");
            let before = std::fs::read_to_string(&file)?;
            std::fs::write(&file, before + "\n" + settings + "\n")?;
            server.start_again()?;
        }
        Ok(server)
    }

    /// kill -9 to all of it.
    pub fn crash(&self) -> Result<(), EvalError> {
        self.run("kill", &[]).map(|_| ())
    }

    /// Starts it again on its data and its port.
    pub fn start_again(&self) -> Result<(), EvalError> {
        let port = self.url.rsplit(':').next().and_then(|rest| rest.split('/').next()).unwrap_or_default();
        self.run("start", &["", port]).map(|_| ())
    }

    /// Stops all of it where it is: it answers nobody and refuses nobody.
    pub fn freeze(&self) -> Result<(), EvalError> {
        self.run("freeze", &[]).map(|_| ())
    }

    /// Lets it go on.
    pub fn thaw(&self) -> Result<(), EvalError> {
        self.run("thaw", &[]).map(|_| ())
    }

    fn run(&self, verb: &str, more: &[&str]) -> Result<String, EvalError> {
        let output = Command::new(&self.script).arg(verb).arg(self.folder.path()).args(more).output();
        let output = output.map_err(|error| make_error(format!("{}: {error}", self.script.display())))?;
        if !output.status.success() {
            return Err(make_error(String::from_utf8_lossy(&output.stderr).trim().replace('\n', " ")));
        }
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }
}

impl Drop for DatabaseServer {
    fn drop(&mut self) {
        // What cannot be stopped now ends with this process.
        let _ = self.run("remove", &[]);
    }
}
