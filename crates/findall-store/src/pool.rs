//! A small pool: connections are made when needed, lent one at a time, and at most so many are out at once.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Things that are costly to make.
pub struct Pool<T> {
    state: Mutex<State<T>>,
    returned: Condvar,
    most: usize,
}

struct State<T> {
    idle: Vec<T>,
    out: usize,
}

impl<T> Pool<T> {
    /// Lends at most `most` at once; who comes later waits.
    pub fn new(most: usize) -> Self {
        Self { state: Mutex::new(State { idle: Vec::new(), out: 0 }), returned: Condvar::new(), most }
    }

    /// One that lay idle, or a new one. Given back when `work` says that it is still good.
    pub fn lend<R, E>(
        &self,
        make: impl FnOnce() -> Result<T, E>,
        work: impl FnOnce(&mut T) -> (Result<R, E>, bool),
    ) -> Result<R, E> {
        // Without a deadline a place comes free in the end.
        let thing = self.take(None).flatten();
        PoolLoan { pool: self, thing }.run(make, work)
    }

    /// The same; when none comes back before the deadline, the error is `late`.
    #[cfg_attr(not(feature = "postgres"), expect(dead_code))]
    pub fn lend_before<R, E>(
        &self,
        deadline: Option<Instant>,
        late: impl FnOnce() -> E,
        make: impl FnOnce() -> Result<T, E>,
        work: impl FnOnce(&mut T) -> (Result<R, E>, bool),
    ) -> Result<R, E> {
        let thing = self.take(deadline).ok_or_else(late)?;
        PoolLoan { pool: self, thing }.run(make, work)
    }

    /// Lets go of all that lie idle.
    #[cfg_attr(not(feature = "postgres"), expect(dead_code))]
    pub fn clear(&self) {
        self.lock().idle.clear();
    }

    /// A place, with the one that lies idle if there is one; `None` when none came free before the deadline.
    fn take(&self, deadline: Option<Instant>) -> Option<Option<T>> {
        let mut state = self.lock();
        while state.out >= self.most {
            state = match deadline {
                None => self.returned.wait(state).unwrap_or_else(PoisonError::into_inner),
                Some(deadline) => {
                    let left = deadline.checked_duration_since(Instant::now())?;
                    self.returned.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
        state.out += 1;
        Some(state.idle.pop())
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        // Nothing here can be left half done by a thread that died.
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

/// Gives back in every case, a panic included; what was in use while a panic went through is dropped.
struct PoolLoan<'p, T> {
    pool: &'p Pool<T>,
    thing: Option<T>,
}

impl<T> PoolLoan<'_, T> {
    fn run<R, E>(
        mut self,
        make: impl FnOnce() -> Result<T, E>,
        work: impl FnOnce(&mut T) -> (Result<R, E>, bool),
    ) -> Result<R, E> {
        let thing = match &mut self.thing {
            Some(thing) => thing,
            empty => empty.insert(make()?),
        };
        let (result, good) = work(thing);
        if !good {
            self.thing = None;
        }
        result
    }
}

impl<T> Drop for PoolLoan<'_, T> {
    fn drop(&mut self) {
        let mut state = self.pool.lock();
        state.out -= 1;
        if let Some(thing) = self.thing.take().filter(|_| !std::thread::panicking()) {
            state.idle.push(thing);
        }
        self.pool.returned.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn never_more_than_so_many_and_good_ones_come_back() {
        let pool = Pool::new(2);
        let made = AtomicUsize::new(0);
        let make = || Ok::<_, ()>(made.fetch_add(1, Ordering::SeqCst));
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..50 {
                        pool.lend(make, |_| (Ok(()), true)).unwrap();
                    }
                });
            }
        });
        assert!(made.load(Ordering::SeqCst) <= 2);
        pool.lend(make, |_| (Ok(()), false)).unwrap();
        pool.lend(make, |_| (Ok(()), false)).unwrap();
        let before = made.load(Ordering::SeqCst);
        pool.lend(make, |_| (Ok(()), true)).unwrap();
        assert_eq!(made.load(Ordering::SeqCst), before + 1, "bad ones are not lent again");
        assert_eq!(pool.lend(|| Err(()), |_: &mut usize| (Ok(()), true)), Ok(()));
    }

    #[test]
    fn who_waits_too_long_is_told() {
        let pool = Pool::new(1);
        let held = pool.lend(
            || Ok(1),
            |_| {
                let late = pool.lend_before(Some(Instant::now()), || "late", || Ok(2), |_| (Ok(()), true));
                (late, true)
            },
        );
        assert_eq!(held, Err("late"));
        let soon = Some(Instant::now());
        assert_eq!(pool.lend_before(soon, || "late", || Ok(2), |thing| (Ok(*thing), true)), Ok(1));
    }

    #[test]
    fn a_panic_does_not_use_up_a_place() {
        let pool = Pool::new(1);
        let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            pool.lend(|| Ok::<_, ()>(1), |_| -> (Result<(), ()>, bool) { panic!("in use") })
        }));
        assert!(panicked.is_err());
        assert_eq!(pool.lend(|| Ok::<_, ()>(2), |thing| (Ok(*thing), true)), Ok(2));
    }
}
