/**
 * How long a person waits for what is found by letters, without a server: from a key to the highlights, the first key on a
 * page never seen as soon as the bar has the focus, and each key after it, on pages of three sizes. FINDALL_BESIDE names
 * the folder of another build of the extension: it is measured in turn with this one, so that both meet the same machine.
 */

import { afterAll, beforeAll, expect, test } from "vitest";
import { Harness } from "../browser/harness";
import { bookOf } from "../pages/huge";
import { KeyClock } from "./clock";
import { type Figure, percentile, percentiles, record } from "./record";

const ROUNDS = Number(process.env["FINDALL_ROUNDS"] ?? 20);
const WORDS = "harbour window violin meadow station".split(" ");
/** Pause after a key, so that all that it brings about is over. */
const KEY_PAUSE_MS = 250;
/** No server is there, and the extension looks for one. */
const NO_SERVER = "http://127.0.0.1:9";

const PAGES: Record<string, number> = { "2 KB": 2000, "100 KB": 100_000, "5 MB": 5_000_000 };
const pathOf = (size: string): string => `book-${size.replace(" ", "-")}.html`;
const pages = Object.fromEntries(
  Object.entries(PAGES).map(([size, units]) => {
    const text = bookOf(units);
    return [`/${pathOf(size)}`, () => text];
  }),
);

type Times = Map<string, number[]>;

const beside = process.env["FINDALL_BESIDE"];
const measured: { system: string; dist: string | undefined; harness?: Harness; times: Times }[] = [
  { system: "extension", dist: undefined, times: new Map() },
  ...(beside ? [{ system: "extension beside it", dist: beside, times: new Map() }] : []),
];
beforeAll(async () => {
  for (const each of measured) {
    each.harness = await Harness.start(pages, { shipped: true, dist: each.dist });
    await each.harness.connect(NO_SERVER);
  }
}, 120_000);
afterAll(async () => {
  for (const { harness } of measured) await harness?.stop();
});

test("keys on pages of three sizes", { timeout: 3_600_000 }, async () => {
  for (let round = 0; round < ROUNDS; round++) {
    // Neither is always the first of the two.
    const order = round % 2 === 0 ? measured : [...measured].reverse();
    for (const size of Object.keys(PAGES))
      for (const { harness, times } of order) if (harness) await typeWord(harness, size, round, times);
  }
  const figures = measured.flatMap(({ system, times }): Figure[] =>
    [...times].flatMap(([definition, all]) => percentiles(definition, system, all)),
  );
  await record("extension-keys", figures);
  for (const [definition, all] of measured[0]?.times ?? [])
    if (definition.includes("2 KB")) expect(percentile(all, 50), definition).toBeLessThan(600);
});

/** Opens the bar on a page that it has never seen, and types a word as soon as it is there, key by key. */
async function typeWord(harness: Harness, size: string, round: number, times: Times): Promise<void> {
  const note = (what: string, ms: number): void => {
    const definition = `${what}, page of ${size}`;
    times.set(definition, [...(times.get(definition) ?? []), ms]);
  };
  // The last query of a page comes back with it: each visit has an address of its own.
  const page = await harness.visit(`${pathOf(size)}?${round}`);
  await page.waitForTimeout(KEY_PAUSE_MS);
  const begun = performance.now();
  const bar = await harness.open(page);
  note("button to bar with focus", performance.now() - begun);
  const clock = await KeyClock.install(bar, "exact");
  for (const [at, key] of Array.from(WORDS[round % WORDS.length] ?? "").entries()) {
    const took = await clock.time(() => page.keyboard.press(key));
    note(at === 0 ? "first key to highlight" : "later key to highlight", took);
    await page.waitForTimeout(KEY_PAUSE_MS);
  }
  await harness.closePages();
}
