//! A PostgreSQL server for one test process, by `scripts/postgres.sh`.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs until dropped; should the process be killed, the script's watcher ends it.
pub struct Server {
    folder: PathBuf,
    /// Its database.
    pub url: String,
}

fn script(arguments: &[&str]) -> Result<String, String> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/postgres.sh");
    let output = Command::new(script).args(arguments).output().map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

impl Server {
    /// Starts one, unless these tests are left out.
    pub fn start() -> Option<Self> {
        if std::env::var("FINDALL_TEST_POSTGRES").is_ok_and(|value| value == "off") {
            return None;
        }
        let folder = std::env::temp_dir().join(format!("findall-postgres-{}", std::process::id()));
        let url = script(&["start", folder.to_str()?, &std::process::id().to_string()]);
        let url =
            url.unwrap_or_else(|error| panic!("{error}; FINDALL_TEST_POSTGRES=off leaves these tests out"));
        Some(Self { folder, url })
    }

    /// The address of a database without a store in it. It need not survive the server: its writes are not waited for.
    pub fn fresh_database(&self) -> String {
        let mut client = postgres::Client::connect(&self.url, postgres::NoTls).unwrap();
        client.batch_execute("DROP SCHEMA IF EXISTS findall CASCADE").unwrap();
        format!("{}?options=-c%20synchronous_commit%3Doff", self.url)
    }

    /// kill -9 to all of it.
    pub fn crash(&self) {
        script(&["kill", self.folder.to_str().unwrap()]).unwrap();
    }

    /// Stops all its processes where they are: connections stay open, nobody answers.
    pub fn freeze(&self) {
        script(&["freeze", self.folder.to_str().unwrap()]).unwrap();
    }

    /// Lets them go on.
    pub fn thaw(&self) {
        script(&["thaw", self.folder.to_str().unwrap()]).unwrap();
    }

    /// Starts it on the same port, with the same data.
    pub fn start_again(&self) {
        script(&["start", self.folder.to_str().unwrap(), "", port_of(&self.url)]).unwrap();
    }
}

fn port_of(url: &str) -> &str {
    url.rsplit(':').next().and_then(|rest| rest.split('/').next()).unwrap_or_default()
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = script(&["remove", self.folder.to_str().unwrap_or_default()]);
    }
}
