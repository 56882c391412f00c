//! A gate that stand-ins for models wait at, so that tests decide when work goes on, and how to wait for what must come.

use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use findall_server::App;
use findall_server::workers::Lane;

/// How long a test waits for what must come; never reached unless something is wrong, however busy the machine is.
pub const MAX_WAIT: Duration = Duration::from_secs(600);

/// Counts who arrives, and lets through as many as it was told to.
#[derive(Default)]
pub struct Gate {
    state: Mutex<GateState>,
    changed: Condvar,
}

#[derive(Default)]
struct GateState {
    arrived: usize,
    /// So many may pass in all.
    may_pass: usize,
    passed: usize,
}

impl Gate {
    /// Waits for leave, on a thread of the work's own.
    pub fn pass(&self) {
        let mut state = self.state.lock().unwrap();
        state.arrived += 1;
        let mut state = self.changed.wait_while(state, |state| state.passed >= state.may_pass).unwrap();
        state.passed += 1;
    }

    /// Lets so many more through.
    pub fn let_through(&self, more: usize) {
        let mut state = self.state.lock().unwrap();
        state.may_pass = state.may_pass.saturating_add(more);
        self.changed.notify_all();
    }

    /// Lets everybody through from now on.
    pub fn open(&self) {
        self.let_through(usize::MAX);
    }

    /// Everybody who came here so far, whether they got through or not.
    pub fn arrived(&self) -> usize {
        self.state.lock().unwrap().arrived
    }

    /// Waits until so many have come here.
    pub async fn until_arrived(&self, count: usize) {
        until(|| self.arrived() >= count).await;
    }
}

/// A test's hold on a gate: whichever way the test ends, nobody is left waiting.
pub struct GateKeeper(pub Arc<Gate>);

impl std::ops::Deref for GateKeeper {
    type Target = Gate;

    fn deref(&self) -> &Gate {
        &self.0
    }
}

impl Drop for GateKeeper {
    fn drop(&mut self) {
        self.0.open();
    }
}

/// Waits until something is so.
pub async fn until(is_so: impl Fn() -> bool) {
    let wait = async {
        while !is_so() {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    };
    in_time(wait).await;
}

/// Waits until nobody reads any more.
pub async fn until_idle(app: &App) {
    until(|| app.workers.load(Lane::Long) == (0, 0)).await;
}

/// What comes of it, which must not wait for anything that this test holds back.
pub async fn in_time<T>(work: impl Future<Output = T>) -> T {
    tokio::time::timeout(MAX_WAIT, work).await.expect("it waits for something that does not come")
}
