/**
 * The engine as WebAssembly: files in once, then requests and answers as JSON. `crates/findall-wasm/src/memory.rs`
 * stands on the other side of the door.
 */

import { isRecord } from "../messages";

interface EngineExports {
  memory: WebAssembly.Memory;
  reserve_input(bytes: number): number;
  file(name: number): void;
  call(): number;
  answer(): number;
}

const TOKENIZER = "tokenizer.json";
const modelFiles = (kind: string): string[] =>
  ["model.json", "model.onnx", "model.data"].map((name) => `${kind}/${name}`);

/** What an engine is given before it opens, by what it is to do; `judge` is added to one that works. */
export const FILES = {
  /** Holds pages and reads queries: knowledge, the encoder, and the judge's rule. */
  lead: [TOKENIZER, ...modelFiles("encoder"), "judge/model.json", "edge.kb"],
  hand: [TOKENIZER, ...modelFiles("encoder"), ...modelFiles("tagger")],
  judge: [TOKENIZER, ...modelFiles("judge")],
} as const;

type FileLoader = (name: string) => Promise<Uint8Array<ArrayBuffer>>;

export class EngineError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

export class WasmEngine {
  private readonly encoder = new TextEncoder();
  private readonly decoder = new TextDecoder();

  private constructor(private readonly door: EngineExports) {}

  /** Loads these files with `load`, which is given names of files, and the engine unless it comes compiled. */
  static async open(
    load: FileLoader,
    files: readonly string[],
    compiled?: WebAssembly.Module,
  ): Promise<WasmEngine> {
    const module = compiled ?? (await WebAssembly.compile(await load("engine.wasm")));
    const { exports } = await WebAssembly.instantiate(module, imports(module));
    const engine = new WasmEngine(exports as unknown as EngineExports);
    await engine.add(load, files);
    return engine;
  }

  /** Loads more files, and opens what they are enough for. */
  async add(load: FileLoader, files: readonly string[]): Promise<void> {
    // Fetched side by side, put in one after the other.
    const loading = files.map((name) => ({ name, bytes: load(name) }));
    for (const { bytes } of loading) bytes.catch(() => undefined);
    for (const { name, bytes } of loading) this.file(name, await bytes);
    this.call({ call: "open" });
  }

  call(request: Record<string, unknown>): Record<string, unknown> {
    this.put(this.encoder.encode(JSON.stringify(request)));
    const length = this.door.call();
    const bytes = new Uint8Array(this.door.memory.buffer, this.door.answer(), length);
    const value: unknown = JSON.parse(this.decoder.decode(bytes));
    if (!isRecord(value)) throw new EngineError("internal", "the engine gave no answer");
    const { error } = value;
    if (isRecord(error)) throw new EngineError(String(error["code"]), String(error["message"]));
    return value;
  }

  private file(name: string, bytes: Uint8Array): void {
    const tail = this.encoder.encode(name);
    this.put(bytes, tail);
    this.door.file(tail.length);
  }

  private put(...parts: Uint8Array[]): void {
    let at = this.door.reserve_input(parts.reduce((sum, { length }) => sum + length, 0));
    for (const part of parts) {
      new Uint8Array(this.door.memory.buffer).set(part, at);
      at += part.length;
    }
  }
}

/** A library under the engine declares functions of the browser that it never calls. */
function imports(module: WebAssembly.Module): WebAssembly.Imports {
  const all: Record<string, Record<string, () => never>> = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    (all[from] ??= {})[name] = () => {
      throw new EngineError("internal", `the engine called ${from}.${name}`);
    };
  }
  return all;
}
