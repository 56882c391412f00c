/**
 * The engine's thread. It answers the two calls that finding needs as the server does: `documents` reads a page batch
 * by batch, `find` gets its turn between two batches. The models are loaded by the first call.
 */

import { type Failure, type FromWorker, isRecord, parseToWorker } from "../messages";
import { EngineError, WasmEngine } from "./wasm";

let opened: Promise<WasmEngine> | undefined;
/** Calls that run, by line and number; what is taken out is no longer wanted. */
const running = new Set<string>();

function engine(): Promise<WasmEngine> {
  opened ??= WasmEngine.open(async (name) => {
    const response = await fetch(`edge/${name}`);
    return new Uint8Array(await response.arrayBuffer());
  });
  return opened;
}

self.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
  if (!isRecord(data) || typeof data["line"] !== "number") return;
  const { line } = data;
  if (data["closed"] === true) {
    for (const key of running) if (key.startsWith(`${line} `)) running.delete(key);
    return;
  }
  const message = parseToWorker(data["message"]);
  if (!message) return;
  const key = `${line} ${message.id}`;
  if ("cancel" in message) return void running.delete(key);
  running.add(key);
  const say = (answer: FromWorker): void => {
    if (running.has(key)) self.postMessage({ line, message: answer });
  };
  const { id } = message;
  const params = isRecord(message.params) ? message.params : {};
  answer(
    message.call,
    params,
    () => running.has(key),
    (event) => say({ id, event }),
  )
    .then(
      (value) => say({ id, value }),
      (error: unknown) => say({ id, error: failureOf(error) }),
    )
    .finally(() => running.delete(key));
});

async function answer(
  call: string,
  params: Record<string, unknown>,
  wanted: () => boolean,
  event: (value: unknown) => void,
): Promise<unknown> {
  const wasm = await engine();
  const { text, document, query } = params;
  if (call === "find") return wasm.call({ call: "find", document, query });
  if (call !== "documents") throw new EngineError("not_built", "only the server can do that");
  let state = wasm.call({ call: "document", text });
  while (state["whole"] !== true) {
    event({ event: "progress", ...state });
    // Not `scheduler.yield`: waiting queries go first.
    await new Promise((resolve) => setTimeout(resolve));
    if (!wanted()) return undefined;
    state = wasm.call({ call: "read", document: state["document"] });
  }
  return { document: state["document"] };
}

function failureOf(error: unknown): Failure {
  if (error instanceof EngineError) return { code: error.code, message: error.message };
  // A trap leaves the engine in no state to go on: the next call starts another one.
  opened = undefined;
  return { code: "internal", message: error instanceof Error ? error.message : "the engine stopped" };
}
