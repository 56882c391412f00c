/** The threads of the engine: started with the first call, one that holds pages and one a core that works. */

import type { FromThread } from "./engine";
import { EnginePool, type Thread } from "./pool";
import { EngineError } from "./wasm";

/** More threads than this cost memory and bring little: pages are short. */
const MAX_THREADS = 4;

class EngineThread implements Thread {
  private readonly worker = new Worker("engine.js", { type: "module" });
  private readonly pendingCalls = new Map<
    number,
    { resolve: (value: Record<string, unknown>) => void; reject: (error: unknown) => void }
  >();
  private last = 0;

  constructor(
    readonly role: "lead" | "hand",
    private readonly onStop: () => void,
  ) {
    this.worker.addEventListener("message", ({ data }: MessageEvent<FromThread>) => {
      const waiting = this.pendingCalls.get(data.id);
      this.pendingCalls.delete(data.id);
      if ("answer" in data) return waiting?.resolve(data.answer);
      waiting?.reject(new EngineError(data.error.code, data.error.message));
      // A trap leaves an engine in no state to go on.
      if (data.error.code === "internal") this.onStop();
    });
  }

  call(request: Record<string, unknown>): Promise<Record<string, unknown>> {
    return new Promise((resolve, reject) => {
      const id = ++this.last;
      this.pendingCalls.set(id, { resolve, reject });
      this.worker.postMessage({ id, role: this.role, request });
    });
  }

  /** Gives it the compiled engine; without one it compiles for itself. */
  give(module: WebAssembly.Module | undefined): void {
    this.worker.postMessage({ module });
  }

  end(): void {
    this.worker.terminate();
    for (const { reject } of this.pendingCalls.values())
      reject(new EngineError("internal", "the engine stopped"));
    this.pendingCalls.clear();
  }
}

export class EngineThreads {
  private startedPool: { pool: EnginePool; threads: EngineThread[] } | undefined;

  get pool(): EnginePool {
    this.startedPool ??= this.start();
    return this.startedPool.pool;
  }

  /** The next call starts other ones. */
  end(): void {
    const { startedPool } = this;
    this.startedPool = undefined;
    for (const thread of startedPool?.threads ?? []) thread.end();
  }

  private start(): { pool: EnginePool; threads: EngineThread[] } {
    const cores = Math.min(MAX_THREADS, Math.max(1, navigator.hardwareConcurrency));
    const lead = new EngineThread("lead", () => this.end());
    const hands = Array.from({ length: cores }, () => new EngineThread("hand", () => this.end()));
    const threads = [lead, ...hands];
    void compile().then((module) => threads.forEach((thread) => thread.give(module)));
    // Models load while the page is still on its way.
    for (const thread of threads) void thread.call({ call: "ready" }).catch(() => undefined);
    return { pool: new EnginePool(lead, hands), threads };
  }
}

/** The engine, compiled while it is fetched; nothing where the browser does not do that. */
function compile(): Promise<WebAssembly.Module | undefined> {
  return WebAssembly.compileStreaming(fetch("edge/engine.wasm")).catch(() => undefined);
}
