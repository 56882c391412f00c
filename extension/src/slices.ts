/** Long work in short pieces: a pause after every few milliseconds, so that typing and painting go on. */

const SLICE_MS = 8;

/** Gives a function to call often: it lets others run when the slice is used up, and throws when the work is no longer wanted. */
export function breathe(signal?: AbortSignal, slice = SLICE_MS): () => Promise<void> {
  let until = performance.now() + slice;
  return async () => {
    if (performance.now() < until) return;
    await nextTask();
    signal?.throwIfAborted();
    until = performance.now() + slice;
  };
}

interface Yields {
  scheduler?: { yield?: () => Promise<void> };
}

/** A new task, without the four milliseconds that nested timers cost. */
export function nextTask(): Promise<void> {
  const { scheduler } = globalThis as Yields;
  if (scheduler?.yield) return scheduler.yield();
  return new Promise((resolve) => setTimeout(resolve, 0));
}
