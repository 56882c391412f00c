/**
 * How long a person waits: from a key press to the first highlight on a page of two thousand characters, prepared or
 * never seen before, with the real server where FINDALL_SERVER names one.
 */

import { afterAll, beforeAll, expect, test } from "vitest";
import { Harness } from "../browser/harness";
import { ContractServer } from "../server/contract";
import { RealServer, hasRealServer } from "../server/real";
import { KeyClock } from "./clock";
import { percentile, percentiles, record } from "./record";

const RUNS = 20;
const PREPARED_RUNS = 30;

const PLACES = "Lyon Munich Seville Prague Tallinn Porto Ghent Turin Bergen Zagreb Dresden Utrecht".split(
  " ",
);
const FIRMS = "Siemens Toyota Nestlé Samsung Airbus Nokia Philips Sony Volvo Bosch".split(" ");
const WORDS = "harbour lantern orchard copper violin meadow station glacier window anchor".split(" ");

/** Not a word of these is on the page, and each means some of its firms: what is painted is found by meaning. */
const MEANT = [
  "car makers",
  "aircraft makers",
  "food companies",
  "phone companies",
  "japanese companies",
  "german companies",
  "swedish companies",
  "finnish companies",
  "dutch companies",
  "korean companies",
];

/** Two thousand characters that no server has seen: every visit gets other ones. */
let visits = 0;
function fresh(): string {
  const visit = ++visits;
  const sentences = Array.from({ length: 30 }, (_, n) => {
    const pick = (from: readonly string[], step: number): string =>
      from[(n * step + visit) % from.length] ?? "";
    return `In ${1900 + ((visit * 31 + n * 7) % 120)} a ${pick(WORDS, 3)} near ${pick(PLACES, 5)} was sold to ${pick(FIRMS, 7)}.`;
  });
  const text = sentences.join(" ").slice(0, 2000);
  return `<!doctype html><html lang="en"><head><title>Page ${visit}</title><link rel="icon" href="data:,"></head><body><p>${text}</p></body></html>`;
}

let harness: Harness;
let server: RealServer | ContractServer;
const by = hasRealServer ? "extension with findall serve" : "extension with a stand-in";
beforeAll(async () => {
  server = hasRealServer ? await RealServer.start() : await new ContractServer().start();
  harness = await Harness.start({ "/fresh.html": fresh }, { shipped: true });
  // Nothing stands between the two here.
  await harness.connect(server instanceof RealServer ? server.own : server.base, server.code);
}, 120_000);
afterAll(async () => {
  await harness.stop();
  await server.stop();
});

test("first query ever, and keys on a prepared page", { timeout: 600_000 }, async () => {
  const opened: number[] = [];
  const letters: number[] = [];
  const meaning: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    opened.push((await firstQuery("lantern", "exact", letters)).opened);
    if (hasRealServer) await firstQuery(MEANT[run % MEANT.length] ?? "", "meaning", meaning);
  }
  const prepared = await onPreparedPage("exact", (round) => WORDS[round % WORDS.length] ?? "lantern");
  const meant = hasRealServer
    ? await onPreparedPage("meaning", (round) => MEANT[round % MEANT.length] ?? "")
    : [];
  await record("extension-latency", [
    ...percentiles("button to bar with focus", by, opened),
    ...percentiles("first key to first highlight, page never seen, by letters", by, letters),
    ...(hasRealServer
      ? [
          ...percentiles("first key to first highlight, page never seen, by meaning alone", by, meaning),
          ...percentiles(
            "key to first highlight, prepared page of 2,000 characters, by meaning alone",
            by,
            meant,
          ),
        ]
      : []),
    ...percentiles("key to first highlight, prepared page of 2,000 characters, by letters", by, prepared),
  ]);
  expect(percentile(letters, 50)).toBeLessThan(600);
  if (hasRealServer) {
    expect(percentile(meaning, 50)).toBeLessThan(600);
    expect(percentile(meant, 50)).toBeLessThan(60);
  }
  expect(percentile(prepared, 50)).toBeLessThan(60);
});

/** Opens the bar on a page that nobody has seen and types the whole query as soon as the bar is there. */
async function firstQuery(query: string, kind: string, times: number[]): Promise<{ opened: number }> {
  const page = await harness.visit("fresh.html");
  const begun = performance.now();
  const bar = await harness.open(page);
  const opened = performance.now() - begun;
  const clock = await KeyClock.install(bar, kind);
  times.push(await clock.time(() => page.keyboard.type(query)));
  await harness.closePages();
  return { opened };
}

/** One more key of a query on a page that the server has read. */
async function onPreparedPage(kind: string, query: (round: number) => string): Promise<number[]> {
  const page = await harness.visit("fresh.html");
  const bar = await harness.open(page);
  await bar.status("Ready");
  const clock = await KeyClock.install(bar, kind);
  const times: number[] = [];
  for (let round = 0; round < PREPARED_RUNS; round++) {
    const word = query(round);
    await bar.query.fill(word.slice(0, -1));
    await page.waitForTimeout(300);
    await bar.query.focus();
    await page.keyboard.press("End");
    times.push(await clock.time(() => page.keyboard.press(word.slice(-1))));
  }
  await harness.closePages();
  return times;
}
