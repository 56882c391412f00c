/**
 * One thread of the engine: requests in, answers out. Its role says which files it loads before the first: the one that
 * holds pages needs knowledge and the encoder, for queries; one that works needs the models, the judge when it is first
 * asked for a verdict.
 */

import { type Failure, isRecord } from "../messages";
import { EngineError, FILES, WasmEngine } from "./wasm";

export type FromThread = { id: number; answer: Record<string, unknown> } | { id: number; error: Failure };

/** The compiled engine comes from who started the threads: it is compiled once for all of them. */
let takeModule: (module: WebAssembly.Module | undefined) => void;
const module = new Promise<WebAssembly.Module | undefined>((resolve) => (takeModule = resolve));
let opened: Promise<WasmEngine> | undefined;
let judge: Promise<void> | undefined;

async function load(name: string): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(`edge/${name}`);
  return new Uint8Array(await response.arrayBuffer());
}

self.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
  if (isRecord(data) && "module" in data)
    return takeModule(data["module"] instanceof WebAssembly.Module ? data["module"] : undefined);
  if (!isRecord(data) || typeof data["id"] !== "number" || !isRecord(data["request"])) return;
  const { id, request } = data;
  const role = data["role"] === "lead" ? "lead" : "hand";
  const say = (message: FromThread): void => self.postMessage(message);
  answer(role, request).then(
    (answer) => say({ id, answer }),
    (error: unknown) => say({ id, error: failureOf(error) }),
  );
});

async function answer(
  role: "lead" | "hand",
  request: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  opened ??= module.then((compiled) => WasmEngine.open(load, FILES[role], compiled));
  const engine = await opened;
  if (request["call"] === "ready") return {};
  const tasks = Array.isArray(request["tasks"]) ? request["tasks"] : [];
  if (tasks.some((task) => isRecord(task) && task["task"] === "judge")) {
    judge ??= engine.add(load, FILES.judge);
    await judge;
  }
  return engine.call(request);
}

function failureOf(error: unknown): Failure {
  if (error instanceof EngineError) return { code: error.code, message: error.message };
  return { code: "internal", message: error instanceof Error ? error.message : "the engine stopped" };
}
