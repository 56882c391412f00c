/** Pages that change and answers that settle: what was found stays until there is something better. */

import type { Page } from "playwright-core";
import { afterEach, expect, test } from "vitest";
import { USUAL } from "../server/contract";
import type { Bar } from "./harness";
import { withStandIn } from "./setup";

const its = withStandIn({
  "/clock.html": () => `<!doctype html><title>Clock</title><p id="clock">12:00:00</p>
    <p>The Elbe and the Danube flow; the Vltava joins the Elbe.</p>
    <p>Ticks: <span id="ticks">0</span></p>
    <script>
      let ticks = 0;
      window.tick = () => {
        ticks++;
        document.querySelector("#clock").textContent = "12:00:" + String(ticks).padStart(2, "0");
        document.querySelector("#ticks").textContent = ticks + " of many";
      };
    </script>`,
});
afterEach(() => {
  Object.assign(its.server.behaviour, USUAL);
});

/** Writes down everything that the counter says from now on. */
async function listen(bar: Bar): Promise<() => Promise<string[]>> {
  await bar.frame.evaluate(() => {
    const counter = document.querySelector("#counter");
    const said = new Set([counter?.textContent.trim() ?? ""]);
    Object.assign(window, { said });
    new MutationObserver(() => said.add(counter?.textContent.trim() ?? "")).observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
    });
  });
  return () => bar.frame.evaluate(() => [...(window as unknown as { said: Set<string> }).said]);
}

/** The page changes; waits until the server has been sent the changed text. */
async function tick(page: Page, second: number): Promise<void> {
  const sent = (): boolean =>
    its.server.calls.some(
      ({ path, body }) =>
        path === "/v1/documents" && String(body["text"]).includes(`12:00:${String(second).padStart(2, "0")}`),
    );
  await page.evaluate(() => (window as unknown as { tick: () => void }).tick());
  await expect.poll(sent).toBe(true);
}

test("a clock that ticks takes nothing away, and the count is never wrong", async () => {
  const page = await its.harness.visit("clock.html");
  const bar = await its.harness.open(page);
  await bar.status("Ready");
  await bar.find("rivers");
  await bar.counts("1 of 4");
  await bar.query.press("Enter");
  await bar.counts("2 of 4");
  const said = await listen(bar);
  its.server.behaviour.delayMs = 150;
  for (let second = 1; second <= 10; second++) {
    await tick(page, second);
    expect(await bar.painted("meaning")).toHaveLength(4);
    expect(await bar.painted("current")).toEqual(["Danube"]);
  }
  expect(await said()).toEqual(["2 of 4"]);
});

test("what a page adds joins what was found", async () => {
  const page = await its.harness.visit("clock.html");
  const bar = await its.harness.open(page);
  await bar.status("Ready");
  await bar.find("rivers");
  await bar.counts("1 of 4");
  const said = await listen(bar);
  await page.evaluate(() => {
    const added = document.createElement("p");
    added.textContent = "Much further down, the Danube again.";
    document.body.append(added);
    document.querySelector("#clock")?.replaceChildren("13:00:00");
  });
  await bar.counts("1 of 5");
  expect(await said()).toEqual(["1 of 4", "1 of 5"]);
});

test("nothing found is said when the page has been read, and not before", async () => {
  let release = (): void => undefined;
  its.server.behaviour.reading = new Promise((resolve) => (release = resolve));
  const bar = await its.harness.open(await its.harness.visit("clock.html"));
  await bar.find("unicorns");
  await bar.counts("Searching by meaning, 50 %");
  const said = await listen(bar);
  await bar.find("wombats");
  await bar.find("rivers of Asia");
  await bar.counts("Searching by meaning, 50 %");
  expect(await said()).not.toContain("Nothing found");
  await bar.find("wombats");
  release();
  await bar.counts("Nothing found");
});

test("the quick answer is shown at once and settles without losing the place", async () => {
  let release = (): void => undefined;
  its.server.behaviour.judging = new Promise((resolve) => (release = resolve));
  const bar = await its.harness.open(await its.harness.visit("blog.html"));
  await bar.status("Ready");
  await bar.find("social networks of china");
  expect(await bar.waitPainted("meaning", 14)).toContain("Baidu");
  await bar.frame.locator("#settling", { hasText: "still checking" }).waitFor();
  expect(await bar.counter.getAttribute("aria-busy")).toBe("true");
  await bar.query.press("Enter");
  await bar.query.press("Enter");
  const current = await bar.places("current");
  const said = await listen(bar);
  release();
  expect(await bar.waitPainted("meaning", 11)).not.toContain("Baidu");
  await bar.settled();
  await expect.poll(() => bar.places("current")).toEqual(current);
  await expect.poll(() => bar.frame.locator("#settling").isHidden()).toBe(true);
  expect((await said()).every((words) => /^\d+ of 1[14]$/.test(words))).toBe(true);
  const finds = its.server.calls.filter(({ path }) => path === "/v1/find").slice(-2);
  expect(finds.map(({ body }) => body["fast"])).toEqual([true, undefined]);
});

test("a server that has one answer is asked once", async () => {
  const bar = await its.harness.open(await its.harness.visit("tables.html"));
  await bar.status("Ready");
  const before = its.server.calls.filter(({ path }) => path === "/v1/find").length;
  await bar.find("rivers of Bohemia");
  await bar.counts(/^1 of/);
  await bar.settled();
  expect(its.server.calls.filter(({ path }) => path === "/v1/find")).toHaveLength(before + 1);
});
