//! What happens beside the clients while they are measured: the server's memory is noted every minute, and its database,
//! where it is one of ours, is frozen, let go on, killed and started again.

use std::time::{Duration, Instant};

use findall_store::{Pattern, PatternUse};

use super::server::Server;
use crate::EvalError;
use crate::store::DatabaseServer;

/// Time between two looks at the memory.
const MARK_TIME: Duration = Duration::from_secs(60);

/// A database whose pages may be remembered.
pub fn start_database() -> Result<DatabaseServer, EvalError> {
    let failed = |error: findall_store::StoreError| EvalError::Program {
        program: "PostgreSQL".into(),
        message: error.to_string(),
    };
    let database = DatabaseServer::start("")?;
    let store = findall_store::open(&database.url).map_err(failed)?;
    store.add_pattern(PatternUse::Share, &Pattern::new("example.org").map_err(failed)?).map_err(failed)?;
    Ok(database)
}

/// What is done to the database.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Disturbance {
    Freeze,
    Thaw,
    Crash,
    Start,
}

/// When, in shares of the whole time: frozen for a twentieth after a third, away for a fortieth after two thirds.
const DISTURBANCES: [(f64, Disturbance); 4] = [
    (20.0 / 60.0, Disturbance::Freeze),
    (23.0 / 60.0, Disturbance::Thaw),
    (40.0 / 60.0, Disturbance::Crash),
    (41.5 / 60.0, Disturbance::Start),
];

/// Looks on for so long; bytes of memory at every minute.
pub fn watch(
    server: &Server,
    database: Option<&DatabaseServer>,
    time: Duration,
) -> Result<Vec<f64>, EvalError> {
    let started = Instant::now();
    let wait_for = |moment: Duration| std::thread::sleep(moment.saturating_sub(started.elapsed()));
    let mut disturbances = DISTURBANCES.iter().filter(|_| database.is_some()).peekable();
    let mut marks = Vec::new();
    loop {
        let mark = MARK_TIME * (marks.len() as u32 + 1);
        match (disturbances.peek(), database) {
            (Some((share, blow)), Some(database)) if time.mul_f64(*share) < mark => {
                wait_for(time.mul_f64(*share));
                match blow {
                    Disturbance::Freeze => database.freeze()?,
                    Disturbance::Thaw => database.thaw()?,
                    Disturbance::Crash => database.crash()?,
                    Disturbance::Start => database.start_again()?,
                }
                disturbances.next();
            }
            _ if mark <= time => {
                wait_for(mark);
                marks.push(server.resident());
            }
            _ => return Ok(marks),
        }
    }
}
