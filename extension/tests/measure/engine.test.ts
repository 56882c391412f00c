/** How fast the engine inside the browser reads, beside the seed's 2.34 ms a token in a browser. */

import { expect, test } from "vitest";
import { hasEngine, openEngine, pageTexts, readPage } from "../engine/wasm";
import { record } from "./record";

/** Command-F, the paper: milliseconds a token in the browser. */
const SEED = 2.34;

/** Words and marks: fewer than the model's own pieces, so that the figure errs against us. */
function tokens(text: string): number {
  return text.match(/[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu)?.length ?? 0;
}

test.skipIf(!hasEngine)("milliseconds a token", { timeout: 300_000 }, async () => {
  const begun = performance.now();
  const engine = await openEngine();
  const open = performance.now() - begun;
  const rows = [];
  for (const [page, text] of await pageTexts()) {
    const started = performance.now();
    const document = readPage(engine, text);
    const read = performance.now() - started;
    const finds: number[] = [];
    for (let round = 0; round < 10; round++) {
      const asked = performance.now();
      engine.call({ call: "find", document, query: `companies of country ${round}` });
      finds.push(performance.now() - asked);
    }
    const count = tokens(text);
    rows.push({
      page,
      characters: text.length,
      tokens: count,
      read_ms: Math.round(read),
      ms_per_token: Number((read / count).toFixed(3)),
      tokens_per_second: Math.round((count / read) * 1000),
      seed_ms_per_token: SEED,
      find_ms: Number((finds.sort((a, b) => a - b)[5] ?? 0).toFixed(1)),
      open_ms: Math.round(open),
    });
  }
  await record("extension-engine", rows);
  const [all, ms] = rows.reduce(([n, t], { tokens, read_ms }) => [n + tokens, t + read_ms], [0, 0]);
  expect(ms / all).toBeLessThan(SEED);
});
