/** Size and speed, on a quiet machine: a page of five megabytes stays responsive, and a key press is seen at once. */

import { writeFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ContractServer } from "../server/contract";
import { type Bar, Harness } from "../browser/harness";

const WORDS =
  "harbour lantern winter orchard copper violin meadow station glacier window pepper anchor timber saddle".split(
    " ",
  );

/** Five megabytes of paragraphs, tables and lists. */
function huge(): string {
  const parts: string[] = [];
  let length = 0;
  for (let i = 0; length < 5_000_000; i++) {
    const words = Array.from({ length: 60 }, (_, n) => WORDS[(i * 7 + n * n + n) % WORDS.length]).join(" ");
    const part =
      i % 10 === 0
        ? `<h2>Section ${i}</h2><ul><li>${words.slice(0, 80)}</li><li>${words.slice(80, 160)}</li></ul>`
        : `<p>${words}, and <b>number ${i}</b> stands <i>here</i>.</p>`;
    parts.push(part);
    length += part.length;
  }
  return `<!doctype html><html lang="en"><head><title>Huge</title><link rel="icon" href="data:,"></head><body>${parts.join("\n")}<p>The needle lies at the very end.</p></body></html>`;
}

/** A page of two thousand characters. */
function short(): string {
  const text = Array.from({ length: 290 }, (_, i) => WORDS[(i * 3 + Math.floor(i / 14)) % WORDS.length])
    .join(" ")
    .slice(0, 2000);
  return `<!doctype html><html lang="en"><head><title>Short</title><link rel="icon" href="data:,"></head><body><p>${text}</p></body></html>`;
}

let harness: Harness;
let server: ContractServer;
beforeAll(async () => {
  server = await new ContractServer().start();
  harness = await Harness.start({ "/huge.html": huge, "/short.html": short });
  await harness.connect(server.base, server.code);
});
afterAll(async () => {
  await harness.stop();
  await server.stop();
});

test("from key press to first highlight", { timeout: 60_000 }, async () => {
  const page = await harness.visit("short.html");
  const first = await firstQuery(page);
  const bar = first.bar;
  await bar.status("Ready");
  await installClock(page, bar);
  const times: number[] = [];
  for (let round = 0; round < 30; round++) {
    const word = WORDS[round % WORDS.length] ?? "lantern";
    await bar.query.fill(word.slice(0, -1));
    await page.waitForTimeout(150);
    await bar.query.focus();
    await page.keyboard.press("End");
    const before = await page.evaluate(() => (window as unknown as Clock).paints.length);
    await page.keyboard.press(word.slice(-1));
    await page.waitForFunction((n) => (window as unknown as Clock).paints.length > n, before, { polling: 5 });
    const pressed = await bar.frame.evaluate(() => (window as unknown as Clock).pressed);
    const painted = await page.evaluate((n) => (window as unknown as Clock).paints[n] ?? 0, before);
    times.push(painted - pressed);
  }
  times.sort((a, b) => a - b);
  const at = (part: number): number =>
    Math.round(times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0);
  const row = {
    runs: times.length,
    p50: at(0.5),
    p90: at(0.9),
    p99: at(0.99),
    first_query_ms: Math.round(first.ms),
  };
  console.log("key press to first highlight, ms:", JSON.stringify(row));
  if (process.env["FINDALL_RECORD"])
    await writeFile(process.env["FINDALL_RECORD"], `${JSON.stringify(row)}\n`);
  expect(row.p50).toBeLessThan(60);
  expect(row.first_query_ms).toBeLessThan(600);
  await harness.closePages();
});

test("five megabytes: everything is found, and no task of ours is long", { timeout: 180_000 }, async () => {
  await harness.connect("http://127.0.0.1:9");
  const page = await harness.visit("huge.html");
  await page.waitForTimeout(500);
  await page.evaluate(() => {
    const seen: number[] = ((window as unknown as { long: number[] }).long = []);
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.push(Math.round(entry.duration));
    }).observe({ type: "longtask" });
  });
  const begun = performance.now();
  const log = (what: string): void =>
    console.log(`huge: ${what} after ${Math.round(performance.now() - begun)} ms:`);
  const bar = await harness.open(page);
  log("bar");
  await bar.find("needle");
  await bar.counts("1 of 1");
  log("needle");
  const long = await page.evaluate(() => (window as unknown as { long: number[] }).long);
  await bar.find("violin");
  await bar.counts("1 of 10,000+");
  log("violin");
  console.log("long tasks in the page while it is read, ms:", long.join(" ") || "none");
  await page.waitForFunction(() => scrollY > 1000 || CSS.highlights.has("findall-current"));
  // A busy machine stretches tasks without limit; only an idle one is held to the figure.
  expect(Math.max(0, ...long)).toBeLessThan(50);
});

interface Clock {
  paints: number[];
  pressed: number;
}

/** Notes when a key goes down in the bar and when highlights change in the page, both on the wall clock. */
async function installClock(page: Bar["page"], bar: Bar): Promise<void> {
  await bar.frame.evaluate(() => {
    addEventListener(
      "keydown",
      (event) => {
        (window as unknown as Clock).pressed = performance.timeOrigin + event.timeStamp;
      },
      true,
    );
  });
  await page.evaluate(() => {
    const clock = window as unknown as Clock;
    clock.paints = [];
    let last: Highlight | undefined;
    const look = (): void => {
      const now = CSS.highlights.get("findall-exact");
      if (now !== last) {
        last = now;
        if (now) clock.paints.push(performance.timeOrigin + performance.now());
      }
      requestAnimationFrame(look);
    };
    look();
  });
}

/** From the press of the button, through reading the page, to the first highlight of a query typed at once. */
async function firstQuery(page: Bar["page"]): Promise<{ bar: Bar; ms: number }> {
  const begun = performance.now();
  const bar = await harness.open(page);
  const opened = performance.now();
  await bar.query.fill("lantern");
  await page.waitForFunction(() => CSS.highlights.has("findall-exact"), undefined, { polling: 5 });
  console.log("button to bar, ms:", Math.round(opened - begun));
  return { bar, ms: performance.now() - opened };
}
