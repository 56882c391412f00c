/** Long work in short pieces: a pause after every few milliseconds, so that typing and painting go on. */

const MAX_SLICE_MS = 8;

/** Gives a function to call often: it lets others run when the slice is used up, and throws when the work is no longer wanted. */
export function breathe(signal?: AbortSignal, slice = MAX_SLICE_MS): () => Promise<void> {
  let until = performance.now() + slice;
  return async () => {
    if (performance.now() < until) return;
    await nextTask();
    signal?.throwIfAborted();
    until = performance.now() + slice;
  };
}

interface SchedulerHost {
  scheduler?: { postTask?: (work: () => void) => Promise<void> };
}

/**
 * A new task, without the four milliseconds that nested timers cost. Not `scheduler.yield`: its continuations go before
 * whatever else waits, so that messages would be held up until all the work is done.
 */
export function nextTask(): Promise<void> {
  const { scheduler } = globalThis as SchedulerHost;
  if (scheduler?.postTask) return scheduler.postTask(() => undefined);
  return new Promise((resolve) => setTimeout(resolve, 0));
}
