/** Bars' calls to the engine inside the browser, and its answers: `documents` and `find`, as the server answers them. */

import { ENGINE_PORT, type Failure, type FromWorker, isOurPage, isRecord, parseToWorker } from "../messages";
import { EngineThreads } from "./threads";
import { EngineError } from "./wasm";

/** Takes calls from now on; `idle` is told when the last bar has gone, and `busy` when one comes. */
export function takeEngineCalls(idle: (threads: EngineThreads) => void, busy: () => void): void {
  const threads = new EngineThreads();
  let bars = 0;
  chrome.runtime.onConnect.addListener((port) => {
    if (port.name !== ENGINE_PORT || !isOurPage(port.sender)) return;
    bars++;
    busy();
    const running = new Set<number>();
    port.onMessage.addListener((raw: unknown) => {
      const message = parseToWorker(raw);
      if (!message) return;
      const { id } = message;
      if ("cancel" in message) return void running.delete(id);
      running.add(id);
      const say = (message: FromWorker): void => {
        if (running.has(id)) port.postMessage(message);
      };
      const params = isRecord(message.params) ? message.params : {};
      answer(
        threads,
        message.call,
        params,
        () => running.has(id),
        (event) => say({ id, event }),
      )
        .then(
          (value) => say({ id, value }),
          (error: unknown) => say({ id, error: failureOf(error) }),
        )
        .finally(() => running.delete(id));
    });
    port.onDisconnect.addListener(() => {
      running.clear();
      if (--bars === 0) idle(threads);
    });
  });
}

async function answer(
  { pool }: EngineThreads,
  call: string,
  params: Record<string, unknown>,
  isWanted: () => boolean,
  event: (value: unknown) => void,
): Promise<unknown> {
  const { text, seen, document, query, fast } = params;
  switch (call) {
    case "find":
      return pool.find({ document, query, fast: fast === true }, isWanted);
    case "documents":
      return pool.read({ text, seen }, isWanted, (state) => event({ event: "progress", ...state }));
    default:
      throw new EngineError("not_built", "only the server can do that");
  }
}

function failureOf(error: unknown): Failure {
  if (error instanceof EngineError) return { code: error.code, message: error.message };
  return { code: "internal", message: error instanceof Error ? error.message : "the engine stopped" };
}
