/**
 * How long a person waits without a server, on a page of fourteen thousand characters: until what is on the screen is
 * found by meaning, and until all of it has been read. Once with nothing loaded, once with the models in memory. And what the
 * browser's memory has grown by then.
 */

import { readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Harness } from "../browser/harness";
import { hasEngine } from "../engine/wasm";
import { type Figure, record } from "./record";

const SEEN_MS = 2000;
const WHOLE_MS = 8000;
const LENGTH = 14_000;

const FIRMS = "Siemens Toyota Nestlé Samsung Airbus Nokia Philips Sony Volvo Bosch".split(" ");
const PLACES = "Lyon Munich Seville Prague Tallinn Porto Ghent Turin Bergen Zagreb Dresden Utrecht".split(
  " ",
);

/** Another text at every visit, with firms in each paragraph. */
let visits = 0;
function long(): string {
  const visit = ++visits;
  const sentence = (n: number): string =>
    `In ${1900 + ((visit * 31 + n * 7) % 120)} the harbour of ${PLACES[(n * 5 + visit) % PLACES.length] ?? ""} sold its ` +
    `${n + visit} lanterns to ${FIRMS[(n * 7 + visit) % FIRMS.length] ?? ""}, and nobody wrote down why.`;
  let text = "";
  for (let n = 0; text.length < LENGTH; n++)
    text += n % 4 === 0 ? `</p><p>${sentence(n)}` : ` ${sentence(n)}`;
  return `<!doctype html><html lang="en"><title>Page ${visit}</title><link rel="icon" href="data:,"><body><p>${text}</p></body></html>`;
}

/** Megabytes of the browser and all of its processes, what they share counted once. */
function memory(profile: string): number {
  const read = (path: string): string => {
    try {
      return readFileSync(path, "utf8");
    } catch {
      return "";
    }
  };
  const all = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const parent = new Map(all.map((id) => [id, /^PPid:\s+(\d+)/m.exec(read(`/proc/${id}/status`))?.[1]]));
  const ours = new Set(all.filter((id) => read(`/proc/${id}/cmdline`).includes(profile)));
  for (let before = -1; before < ours.size;) {
    before = ours.size;
    for (const [id, of] of parent) if (of !== undefined && ours.has(of)) ours.add(id);
  }
  const kilobytes = [...ours].map((id) => /^Pss:\s+(\d+)/m.exec(read(`/proc/${id}/smaps_rollup`))?.[1]);
  return kilobytes.reduce((sum, own) => sum + Number(own ?? 0), 0) / 1000;
}

let harness: Harness;
beforeAll(async () => {
  harness = await Harness.start({ "/long.html": long }, { shipped: true });
  await harness.connect("http://127.0.0.1:9", undefined, true);
}, 120_000);
afterAll(() => harness.stop());

test.skipIf(!hasEngine)("what is seen, then all", { timeout: 300_000 }, async () => {
  const figures: Figure[] = [];
  const took: Record<string, number> = {};
  let grown = 0;
  for (const state of ["nothing loaded", "models loaded"]) {
    const page = await harness.visit("long.html");
    const bar = await harness.open(page);
    const before = memory(harness.profile);
    await bar.find("car makers");
    const begun = performance.now();
    // The browser itself looks, so that asking costs nothing.
    await page.waitForFunction(() => (CSS.highlights.get("findall-meaning")?.size ?? 0) > 0, undefined, {
      timeout: 120_000,
    });
    took[`${state}, seen`] = performance.now() - begun;
    await bar.status("In the browser");
    took[`${state}, whole`] = performance.now() - begun;
    if (state === "nothing loaded") grown = memory(harness.profile) - before;
    await page.close();
  }
  for (const [metric, value] of Object.entries(took))
    figures.push({
      definition: "page of 14,000 characters, no server",
      system: "extension by itself",
      metric,
      value: Math.round(value),
      unit: "ms",
    });
  figures.push({
    definition: "page of 14,000 characters, no server",
    system: "extension by itself",
    metric: "memory beyond the browser's with the page",
    value: Math.round(grown),
    unit: "MB",
  });
  await record("extension-inside", figures);
  expect(took["models loaded, seen"]).toBeLessThan(SEEN_MS);
  expect(took["models loaded, whole"]).toBeLessThan(WHOLE_MS);
});
