/**
 * Who does what inside the browser: one thread holds the pages and answers queries, the others have the models, one a
 * core. What the first wants read is handed to the others, the most urgent first, and what comes out is handed back. A
 * query never waits for a page that is being read.
 */

import type { components } from "../engine/edge/contract";
import { isRecord } from "../messages";

/** A thread with an engine: requests in, answers out, one after the other. */
export interface Thread {
  call(request: Record<string, unknown>): Promise<Record<string, unknown>>;
}

/** A piece of work for a model. */
type ModelTask = components["schemas"]["ModelTask"];

/** Characters given to a thread at a time: a fraction of a second of work. */
const MAX_BATCH_UNITS = 1000;
/** The page is looked at again no sooner than after so many times what the last look took. */
const LOOK_PAUSE_FACTOR = 3;

/** Somebody waits for verdicts; vectors make what was read findable; then comes what is not read yet. */
const TURNS = ["judge", "vector", "tag"] as const;
type Turn = (typeof TURNS)[number];

function turnOf({ task }: ModelTask): Turn {
  return task === "judge" || task === "tag" ? task : "vector";
}

interface QueuedTask {
  task: ModelTask;
  isWanted: () => boolean;
  done: (outcome: unknown) => void;
  failed: (error: unknown) => void;
}

/** The threads that work, and the tasks that wait for one. */
class WorkerThreads {
  private readonly queues: Readonly<Record<Turn, QueuedTask[]>> = { judge: [], vector: [], tag: [] };
  private readonly idle: Thread[];

  constructor(threads: readonly Thread[]) {
    this.idle = [...threads];
  }

  /** What comes out of a task; nothing when it is no longer wanted by the time it has its turn. */
  do(task: ModelTask, isWanted: () => boolean): Promise<unknown> {
    return new Promise((done, failed) => {
      this.queues[turnOf(task)].push({ task, isWanted, done, failed });
      this.start();
    });
  }

  private start(): void {
    while (this.idle.length > 0) {
      const batch = this.nextBatch();
      const thread = batch.length > 0 ? this.idle.pop() : undefined;
      if (!thread) return;
      void this.run(thread, batch);
    }
  }

  /** The next tasks of one sort, together not too long. */
  private nextBatch(): QueuedTask[] {
    const batch: QueuedTask[] = [];
    let chars = 0;
    for (const turn of TURNS) {
      const queue = this.queues[turn];
      for (let next = queue[0]; next; next = queue[0]) {
        if (batch.length > 0 && chars + next.task.text.length > MAX_BATCH_UNITS) return batch;
        queue.shift();
        if (!next.isWanted()) next.done(undefined);
        else {
          batch.push(next);
          chars += next.task.text.length;
        }
      }
      if (batch.length > 0) return batch;
    }
    return batch;
  }

  private async run(thread: Thread, batch: readonly QueuedTask[]): Promise<void> {
    try {
      const { done } = await thread.call({ call: "work", tasks: batch.map(({ task }) => task) });
      const outcomes = Array.isArray(done) ? done : [];
      for (const [index, waiting] of batch.entries()) waiting.done(outcomes[index]);
    } catch (error) {
      for (const { failed } of batch) failed(error);
    }
    this.idle.push(thread);
    this.start();
  }
}

function readWantedTasks({ wanted }: Record<string, unknown>): ModelTask[] {
  return Array.isArray(wanted) ? (wanted.filter(isRecord) as ModelTask[]) : [];
}

export interface PageParams {
  text: unknown;
  /** What is seen of the text. */
  seen: unknown;
}

export interface FindParams {
  document: unknown;
  query: unknown;
  fast: boolean;
}

export class EnginePool {
  private readonly hands: WorkerThreads;
  /** Tasks that run or wait, by what they are: two pages may want the same. */
  private readonly runningTasks = new Map<string, Promise<void>>();
  /** Milliseconds of work between two looks at a page. */
  private patience = 0;

  constructor(
    private readonly lead: Thread,
    threads: readonly Thread[],
  ) {
    this.hands = new WorkerThreads(threads);
  }

  /** Reads a page to its end or until it is no longer wanted, what is seen first; each step is told. */
  async read(
    { text, seen }: PageParams,
    isWanted: () => boolean,
    step: (state: Record<string, unknown>) => void,
  ): Promise<{ document: unknown } | undefined> {
    let state = await this.lead.call({ call: "document", text, seen });
    while (state["whole"] !== true) {
      const { document, read, total } = state;
      step({ document, read, total });
      await this.work(readWantedTasks(state), isWanted);
      if (!isWanted()) return undefined;
      const begun = performance.now();
      state = await this.lead.call({ call: "read", document });
      this.patience = (performance.now() - begun) * LOOK_PAUSE_FACTOR;
    }
    return { document: state["document"] };
  }

  /** What was found, judged unless it is to be fast; undefined when it is no longer wanted. */
  async find(params: FindParams, isWanted: () => boolean): Promise<Record<string, unknown> | undefined> {
    let answer = await this.lead.call({ call: "find", ...params });
    for (let tasks = readWantedTasks(answer); tasks.length > 0; tasks = readWantedTasks(answer)) {
      await Promise.all(tasks.map((task) => this.doOnce(task, isWanted)));
      if (!isWanted()) return undefined;
      answer = await this.lead.call({ call: "find", ...params });
    }
    return answer;
  }

  /** Has tasks done until it is worth looking at the page again: all vectors are there, or more has been read. */
  private async work(tasks: readonly ModelTask[], isWanted: () => boolean): Promise<void> {
    const all = tasks.map((task) => ({ turn: turnOf(task), done: this.doOnce(task, isWanted) }));
    // Whoever leaves early leaves promises behind.
    for (const { done } of all) done.catch(() => undefined);
    const vectors = all.filter(({ turn }) => turn === "vector");
    if (vectors.length > 0) {
      await Promise.all(vectors.map(({ done }) => done));
      return;
    }
    const until = performance.now() + this.patience;
    for (const { done } of all) {
      await done;
      if (performance.now() >= until) return;
    }
  }

  /** Has a task done and what comes out of it learned, once however often it is asked for meanwhile. */
  private doOnce(task: ModelTask, isWanted: () => boolean): Promise<void> {
    const key = JSON.stringify(task);
    const running = this.runningTasks.get(key);
    if (running) return running;
    const done = this.hands
      .do(task, isWanted)
      .then(async (outcome) => {
        if (outcome !== undefined) await this.lead.call({ call: "learn", done: [outcome] });
      })
      .finally(() => this.runningTasks.delete(key));
    this.runningTasks.set(key, done);
    return done;
  }
}
