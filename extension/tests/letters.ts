/** The search by letters as the extension packs it, run by Node: `scripts/build-edge.sh` builds it. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { EdgeEngine } from "../src/engine/edge/edge";
import { LocalLetters } from "../src/engine/edge/letters";

const repository = fileURLToPath(new URL("../..", import.meta.url));
const built = join(process.env["CARGO_TARGET_DIR"] ?? join(repository, "target"), "edge/lexical.wasm");

export async function loadLexical(): Promise<WebAssembly.Module> {
  return WebAssembly.compile(new Uint8Array(await readFile(built)));
}

export function lettersEngine(): EdgeEngine {
  return new EdgeEngine(new LocalLetters(loadLexical));
}
