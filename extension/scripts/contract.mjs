/**
 * The types of what the server says, made from its own description (`/openapi.json`, which is made from findall-wire):
 *
 *   node scripts/contract.mjs FINDALL            writes src/engine/contract.ts
 *   node scripts/contract.mjs FINDALL --check    ends with 1 when the file is not current
 */

import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import openapi, { astToString } from "openapi-typescript";

const FILE = fileURLToPath(new URL("../src/engine/contract.ts", import.meta.url));
const HEAD =
  "/** What travels between the extension and findall. Made by scripts/contract.mjs: change findall-wire. */\n\n";

/** The server's description of itself. */
async function described(program) {
  const state = await mkdtemp(join(tmpdir(), "findall-contract-"));
  const store = join(state, "store.db");
  const server = spawn(program, ["serve", "--port", "0", "--state", state, "--store", store], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const address = await new Promise((resolve, reject) => {
      let said = "";
      server.stdout.on("data", (bytes) => {
        said += String(bytes);
        const found = /listens on (\S+)/.exec(said);
        if (found) resolve(found[1]);
      });
      server.once("error", reject);
      server.once("exit", (code) => reject(new Error(`${program} ended with ${code}`)));
    });
    return await (await fetch(`${address}/openapi.json`)).json();
  } finally {
    server.removeAllListeners("exit");
    server.kill();
    await rm(state, { recursive: true, force: true });
  }
}

const [program, check] = process.argv.slice(2);
if (!program) throw new Error("name the findall program");
// Addresses are the server's to list; what travels is what the extension reads.
const made = HEAD + astToString(await openapi({ ...(await described(program)), paths: {} }));
if (check !== "--check") await writeFile(FILE, made);
else if ((await readFile(FILE, "utf8").catch(() => "")) !== made) {
  console.error("src/engine/contract.ts is not current: node scripts/contract.mjs FINDALL writes it anew");
  process.exitCode = 1;
}
