/** The engine as the extension packs it, run by Node: what a browser would fetch is read from `dist/edge`. */

import { existsSync } from "node:fs";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { FILES, WasmEngine } from "../../src/offscreen/wasm";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = join(root, "dist/edge");

export const knowledge = join(folder, "edge.kb");

/** Whether it was built. The gate builds it and says so, so that there nothing is passed over. */
export const hasEngine = process.env["FINDALL_EDGE"] !== undefined || existsSync(join(folder, "engine.wasm"));

/** One engine that holds pages and does all the work itself. */
export function openEngine(): Promise<WasmEngine> {
  const files = new Set([...FILES.lead, ...FILES.hand, ...FILES.judge]);
  return WasmEngine.open(async (name) => new Uint8Array(await readFile(join(folder, name))), [...files]);
}

/** Reads a page to its end; gives its id. */
export function readPage(engine: WasmEngine, text: string): unknown {
  let state = engine.call({ call: "document", text });
  while (state["whole"] !== true) {
    work(engine, state);
    state = engine.call({ call: "read", document: state["document"] });
  }
  return state["document"];
}

/** Does what an answer wants, and learns it. */
export function work(engine: WasmEngine, { wanted: tasks }: Record<string, unknown>): void {
  const { done } = engine.call({ call: "work", tasks });
  engine.call({ call: "learn", done });
}

/** The test pages as plain text, by name. */
export async function pageTexts(): Promise<[string, string][]> {
  const pages = join(root, "tests/pages");
  const names = (await readdir(pages)).filter((name) => name.endsWith(".html")).sort();
  return Promise.all(names.map(async (name) => [name, plain(await readFile(join(pages, name), "utf8"))]));
}

function plain(html: string): string {
  return html
    .replace(/<(script|style|head)\b[\s\S]*?<\/\1>/g, "")
    .replace(/<\/(p|h\d|li|tr|div|section|article)>/g, "\n")
    .replace(/<[^>]*>/g, " ")
    .replace(/&[a-z]+;/g, " ")
    .replace(/[ \t]+/g, " ")
    .replace(/\s*\n\s*/g, "\n\n")
    .trim();
}
