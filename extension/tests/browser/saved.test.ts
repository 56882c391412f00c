/**
 * Real pages as they were saved from the web, which lie outside the repository: `FINDALL_PAGES` names their folder, or
 * they are unpacked from `../shared` where that is present. On each the bar opens at once, says nothing to the console,
 * paints what it counts and brings every place that it steps to into view.
 */

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Bar, Made } from "./harness";
import { withStandIn } from "./setup";

const ARCHIVE = fileURLToPath(new URL("../../../../shared/data/pages/html.tar.xz", import.meta.url));
const unpacked = process.env["FINDALL_PAGES"] === undefined && existsSync(ARCHIVE);
const folder = unpacked ? unpack() : process.env["FINDALL_PAGES"];
const names = folder === undefined ? [] : readdirSync(folder).filter((name) => name.endsWith(".html"));
const pages: Made = Object.fromEntries(
  names.map((name) => [`/${name}`, () => ({ body: readFileSync(join(folder ?? "", name)) })]),
);
/** How long opening may take, where it is to be measured: `FINDALL_OPEN_MS=500` on an idle machine. */
const OPEN_MS = Number(process.env["FINDALL_OPEN_MS"] ?? Infinity);
const STEPS = 6;

function unpack(): string {
  const to = mkdtempSync(join(tmpdir(), "findall-pages-"));
  execFileSync("tar", ["-xf", ARCHIVE, "-C", to]);
  return to;
}

/** The web that saved pages would load the rest of themselves from. */
const ELSEWHERE = /^(?:https?|wss?):\/\/(?!(?:[^/]*\.test|127\.0\.0\.1)[:/])/;

describe.skipIf(names.length === 0)("saved pages", () => {
  const its = withStandIn(pages);
  // Nothing waits for hosts that cannot be reached. A page that leaves for another stays: what drives the browser may wait for
  // the end of a journey that was begun, so it is not even begun where the page's own scripts would.
  beforeAll(async () => {
    await its.harness.context.addInitScript(stayHere);
    await its.harness.context.route(ELSEWHERE, (route) =>
      route.request().isNavigationRequest() ? route.fulfill({ status: 204 }) : route.abort(),
    );
  });
  const opened: number[] = [];
  afterAll(() => {
    if (unpacked && folder !== undefined) rmSync(folder, { recursive: true, force: true });
    const slowest = opened.sort((a, b) => b - a);
    console.log(
      `opened on ${opened.length} pages: median ${slowest[slowest.length >> 1]} ms, slowest ${slowest[0]} ms`,
    );
  });

  test.each(names)("%s", async (name) => {
    const page = await its.harness.visit(name, undefined, "commit");
    await page.waitForFunction(() => document.readyState !== "loading" && document.body.innerText !== "");
    const complaints: string[] = [];
    page.on("console", (message) => {
      const ours = message.location().url.startsWith("chrome-extension://");
      if (ours && message.type() === "error") complaints.push(message.text());
    });
    const began = Date.now();
    const bar = await its.harness.open(page);
    const took = Date.now() - began;
    opened.push(took);
    await bar.status("Ready");
    const word = await page.evaluate(commonWord);
    await bar.find(word);
    await bar.counts(/^\d+ of \d+$/);
    await bar.settled();
    const count = await counted(bar);
    if (count <= 1000) await expect.poll(() => painted(bar), { message: word }).toBe(count);
    for (let step = 0; step < Math.min(STEPS, count); step++) {
      await bar.query.press("Enter");
      await expect
        .poll(() => page.evaluate(currentInView), { message: `${word}, step ${step + 1}` })
        .toBe("");
    }
    expect(complaints).toEqual([]);
    expect(took).toBeLessThan(OPEN_MS);
  });
});

/** The page's own journeys, which TypeScript's types do not know yet. */
declare const navigation: EventTarget;
type JourneyEvent = Event & { destination: { url: string } };

/** Keeps a page from leaving for another site. */
function stayHere(): void {
  navigation.addEventListener("navigate", (event) => {
    const { destination } = event as JourneyEvent;
    if (event.cancelable && new URL(destination.url).origin !== location.origin) event.preventDefault();
  });
}

async function counted(bar: Bar): Promise<number> {
  return Number(/of ([\d,]+)/.exec(await bar.counter.innerText())?.[1]?.replace(",", "") ?? 0);
}

async function painted(bar: Bar): Promise<number> {
  const kinds = await Promise.all(["exact", "fuzzy", "meaning"].map((kind) => bar.painted(kind)));
  return kinds.flat().length;
}

/** The long word that the page's paragraphs, headings and links say most often. */
function commonWord(): string {
  const counts = new Map<string, number>();
  for (const element of document.querySelectorAll<HTMLElement>("p, h1, h2, h3, li, a")) {
    if (element.querySelector("select") !== null) continue;
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    for (const [word] of element.innerText.toLowerCase().matchAll(/\b[a-z]{5,}\b/g))
      counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? "page";
}

/** Empty when the current place is in view; else where it is. */
function currentInView(): string {
  const [current] = [...(CSS.highlights.get("findall-current") ?? [])];
  if (!current) return "no current place";
  const range = document.createRange();
  range.setStart(current.startContainer, current.startOffset);
  range.setEnd(current.endContainer, current.endOffset);
  const { top, bottom, left, right, width } = range.getBoundingClientRect();
  const seen = top >= -1 && bottom <= innerHeight + 1 && left < innerWidth && right > 0 && width > 0;
  return seen
    ? ""
    : `at ${left},${top} in ${innerWidth}x${innerHeight}: ${range.startContainer.parentElement?.outerHTML.slice(0, 200)}`;
}
