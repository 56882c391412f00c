/**
 * The types of what travels, made from descriptions that are made from findall-wire:
 *
 *   node scripts/contract.mjs FINDALL            writes src/engine/contract.ts, from the server's `/openapi.json`
 *   node scripts/contract.mjs --browser          writes src/engine/edge/contract.ts, from crates/findall-wire/browser.json;
 *                                                what is the same in src/engine/contract.ts is taken from there
 *   node scripts/contract.mjs … --check          ends with 1 when the file is not current
 */

import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import openapi, { astToString } from "openapi-typescript";

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

/** What the engine inside the browser says and hears; it has no addresses. */
async function describedForBrowser() {
  const schema = await readFile(new URL("../../crates/findall-wire/browser.json", import.meta.url), "utf8");
  return { openapi: "3.1.0", info: { title: "findall", version: "" }, ...JSON.parse(schema) };
}

const SERVER_FILE = "src/engine/contract.ts";
const SERVER_IMPORT = 'import type { components as server } from "../contract";\n\n';
/** A schema as it is printed: its comment, its name, and all until a line of its own depth ends it. */
const SCHEMA = /(?:^ {8}\/\*\*[^]*?\*\/\n)?^ {8}(\w+): (?:.*;$|[^]*?^ {8}\S.*;$)/gm;
const REFERENCE = /\["schemas"\]\["(\w+)"\]/g;

function schemasOf(printed) {
  return new Map(Array.from(printed.matchAll(SCHEMA), ([text, name]) => [name, text]));
}

/** The browser's schemas with those taken from the server's that are the same there, with all that they refer to. */
function shareSchemas(printed, serverPrinted) {
  const own = schemasOf(printed);
  const servers = schemasOf(serverPrinted);
  const shared = new Set([...own.keys()].filter((name) => servers.get(name) === own.get(name)));
  const refersToOwn = (name) =>
    Array.from(own.get(name).matchAll(REFERENCE)).some(([, other]) => !shared.has(other));
  for (let size = -1; size !== shared.size;) {
    size = shared.size;
    for (const name of shared) if (refersToOwn(name)) shared.delete(name);
  }
  return printed.replace(SCHEMA, (text, name) =>
    shared.has(name) ? `        ${name}: server["schemas"]["${name}"];` : text,
  );
}

/** A file of the extension. */
function fileOf(name) {
  return fileURLToPath(new URL(`../${name}`, import.meta.url));
}

const [source, check] = process.argv.slice(2);
if (!source) throw new Error("name the findall program, or --browser");
const browser = source === "--browser";
const name = browser ? "src/engine/edge/contract.ts" : SERVER_FILE;
const file = fileOf(name);
// Addresses are the server's to list; what travels is what the extension reads.
const description = { ...(browser ? await describedForBrowser() : await described(source)), paths: {} };
// Requests to the engine inside are written by hand: what has a default can be left out.
const printed = astToString(await openapi(description, { defaultNonNullable: !browser }));
const made = browser
  ? HEAD + SERVER_IMPORT + shareSchemas(printed, await readFile(fileOf(SERVER_FILE), "utf8"))
  : HEAD + printed;
if (check !== "--check") await writeFile(file, made);
else if ((await readFile(file, "utf8").catch(() => "")) !== made) {
  console.error(
    `${name} is not current: node scripts/contract.mjs ${browser ? source : "FINDALL"} writes it anew`,
  );
  process.exitCode = 1;
}
