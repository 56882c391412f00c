//! Work in parallel, results in order: inputs go to a few threads, and what they make comes back in the order of
//! the inputs, each as soon as all before it are done.

use std::sync::Mutex;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

/// Results that may wait for a slow one before them; more would be memory spent on a file nobody waits for.
const MAX_WAITING_PER_THREAD: usize = 8;

/// Runs `work` on every input and `take` on every result in order. Stops at the first error of `take`.
pub fn run_in_order<I, O, E>(
    inputs: impl Iterator<Item = I> + Send,
    threads: usize,
    work: impl Fn(I) -> O + Sync,
    mut take: impl FnMut(O) -> Result<(), E>,
) -> Result<(), E>
where
    I: Send,
    O: Send,
{
    if threads <= 1 {
        return inputs.map(work).try_for_each(take);
    }
    // Each job carries the place where its result is awaited; `places` keeps those places in input order.
    type Job<I, O> = (I, SyncSender<O>);
    let (hand_out, jobs): (SyncSender<Job<I, O>>, _) = sync_channel(threads);
    let (promise, places) = sync_channel::<Receiver<O>>(threads * MAX_WAITING_PER_THREAD);
    let jobs = Mutex::new(jobs);
    std::thread::scope(|scope| {
        let (jobs, work) = (&jobs, &work);
        // Hanging up on either side ends the feeder, which ends the workers.
        let places = places;
        scope.spawn(move || {
            for input in inputs {
                let (done, place) = sync_channel(1);
                if promise.send(place).is_err() || hand_out.send((input, done)).is_err() {
                    return;
                }
            }
        });
        for _ in 0..threads {
            scope.spawn(move || {
                loop {
                    let job = jobs.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).recv();
                    let Ok((input, done)) = job else { return };
                    // Nobody waits any more when the reader of the output went away.
                    let _ = done.send(work(input));
                }
            });
        }
        // A place without a result belongs to a thread that panicked; the scope passes the panic on.
        places.iter().filter_map(|place| place.recv().ok()).try_for_each(&mut take)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn results_come_in_the_order_of_the_inputs() {
        for threads in [1, 2, 7] {
            let mut seen = Vec::new();
            let slow_first = |n: u64| {
                std::thread::sleep(Duration::from_micros(if n.is_multiple_of(10) { 900 } else { 10 }));
                n
            };
            let done: Result<(), ()> = run_in_order(0..200, threads, slow_first, |n| {
                seen.push(n);
                Ok(())
            });
            assert_eq!(done, Ok(()));
            assert_eq!(seen, (0..200).collect::<Vec<_>>());
        }
    }

    #[test]
    fn an_error_stops_an_endless_stream() {
        for threads in [1, 3] {
            let stopped = run_in_order(0.., threads, |n: u64| n, |n| if n < 50 { Ok(()) } else { Err(n) });
            assert_eq!(stopped, Err(50));
        }
    }
}
