/** How fast the engine inside the browser reads, beside the seed's 2.34 ms a token in a browser. */

import { expect, test } from "vitest";
import { hasEngine, openEngine, pageTexts, readPage } from "../engine/wasm";
import { type Figure, percentile, record } from "./record";

/** Command-F, the paper: milliseconds a token in the browser. */
const SEED = 2.34;
const OURS = "engine as WebAssembly in Node.js";

/** Words and marks: fewer than the model's own pieces, so that the figure errs against us. */
function tokens(text: string): number {
  return text.match(/[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu)?.length ?? 0;
}

/** CPU time of this process, all threads: what others do on the machine is not in it. */
function cpu(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

test.skipIf(!hasEngine)("milliseconds a token", { timeout: 300_000 }, async () => {
  const figures: Figure[] = [];
  const note = (definition: string, metric: string, value: number, unit: string, system = OURS): void => {
    figures.push({ definition, system, metric, value: Number(value.toPrecision(4)), unit });
  };
  const pages = await pageTexts();
  const begun = performance.now();
  const engine = await openEngine();
  note("start", "open", performance.now() - begun, "ms");
  let [count, busy, passed] = [0, 0, 0];
  for (const [page, text] of pages) {
    const [started, worked] = [performance.now(), cpu()];
    const document = readPage(engine, text);
    const [ms, work] = [performance.now() - started, cpu() - worked];
    const finds: number[] = [];
    for (let round = 0; round < 10; round++) {
      const asked = performance.now();
      engine.call({ call: "find", document, query: `companies of country ${round}`, fast: true });
      finds.push(performance.now() - asked);
    }
    const here = tokens(text);
    [count, busy, passed] = [count + here, busy + work, passed + ms];
    note(page, "tokens", here, "count");
    if (here > 0) {
      note(page, "time a token", ms / here, "ms");
      note(page, "CPU a token", work / here, "ms");
    }
    note(page, "find p50", percentile(finds, 50), "ms");
  }
  note("all pages", "tokens", count, "count");
  note("all pages", "time a token", passed / count, "ms");
  note("all pages", "CPU a token", busy / count, "ms");
  note("all pages", "tokens a second", (1000 * count) / passed, "count");
  note("all pages", "time a token", SEED, "ms", "published: Command-F in a browser");
  await record("extension-engine", figures);
  expect(passed / count).toBeLessThan(SEED);
});
