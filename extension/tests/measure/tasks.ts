/**
 * The tasks of a page's thread and of the bar's, from the browser's own trace: how long each took, and how long scripts
 * ran in it. In pages without scripts of their own, those are ours; the rest is what the browser does by itself: style,
 * layout, paint.
 */

import type { Browser, Frame, Page } from "playwright-core";

export interface Task {
  phase: string;
  thread: "page" | "bar";
  /** Milliseconds on the clock, and of the processor: what others do on the machine is not in these. */
  ms: number;
  cpu: number;
  /** Milliseconds that scripts ran, with all that they made the browser do, garbage collection among it. */
  script: number;
  scriptCpu: number;
}

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  ts: number;
  dur?: number;
  tdur?: number;
}

const CATEGORIES = ["toplevel", "devtools.timeline", "v8", "blink.user_timing"];
const TASK = "ThreadControllerImpl::RunTask";
const SCRIPT = new Set(["RunMicrotasks", "FunctionCall", "EvaluateScript", "v8.callFunction"]);

export class Tracing {
  private constructor(
    private readonly browser: Browser,
    private readonly page: Page,
  ) {}

  static async start(browser: Browser, page: Page): Promise<Tracing> {
    await browser.startTracing(page, { categories: CATEGORIES });
    return new Tracing(browser, page);
  }

  /** What follows belongs to this phase. */
  async phase(name: string): Promise<void> {
    await this.page.evaluate((name) => performance.mark(`page ${name}`), name);
  }

  /** Says which thread is the bar's. */
  async bar(frame: Frame): Promise<void> {
    await frame.evaluate(() => performance.mark("bar"));
  }

  async stop(): Promise<Task[]> {
    const trace = JSON.parse((await this.browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
    const events = trace.traceEvents.sort((a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0));
    const marks = events.filter(({ name }) => name.startsWith("page "));
    const of = (mark: TraceEvent | undefined, thread: Task["thread"]): Task[] =>
      mark
        ? tasksOf(events.filter(({ pid, tid }) => pid === mark.pid && tid === mark.tid)).map(at(thread))
        : [];
    const at =
      (thread: Task["thread"]) =>
      ({ start, ...task }: Timed): Task => ({
        ...task,
        thread,
        phase: marks.findLast(({ ts }) => ts <= start)?.name.slice("page ".length) ?? "",
      });
    const bar = events.find(({ name }) => name === "bar");
    return [...of(marks[0], "page"), ...of(bar, "bar")];
  }
}

type Timed = Omit<Task, "phase" | "thread"> & { start: number };

/** The tasks of one thread, whose events come in order. */
function tasksOf(events: readonly TraceEvent[]): Timed[] {
  const tasks: Timed[] = [];
  let taskEnd = 0;
  let scriptEnd = 0;
  for (const { name, ph, ts, dur = 0, tdur = 0 } of events) {
    if (ph !== "X") continue;
    // Tasks can hold tasks, and scripts scripts: the outermost count.
    if (name === TASK && ts >= taskEnd) {
      taskEnd = ts + dur;
      tasks.push({ start: ts, ms: dur / 1000, cpu: tdur / 1000, script: 0, scriptCpu: 0 });
    }
    const task = tasks.at(-1);
    if (task && SCRIPT.has(name) && ts < taskEnd && ts >= scriptEnd) {
      scriptEnd = ts + dur;
      task.script += dur / 1000;
      task.scriptCpu += tdur / 1000;
    }
  }
  return tasks;
}
