/** In a private window, which the extension was let into: it works, and nothing is kept, neither by it nor by the server. */

import type { Worker } from "playwright-core";
import { describe, expect, test } from "vitest";
import { hasRealServer } from "../server/real";
import { withRealServer } from "./setup";

const PATH = "news.html?private";
const QUESTION = "When was the bridge finished?";

describe.skipIf(!hasRealServer)("a private window", () => {
  const its = withRealServer();

  test("finds and answers, and leaves no trace", async () => {
    // The same in an ordinary window leaves traces, so that the test would notice.
    const usual = await its.harness.open(await its.harness.visit("blog.html"));
    await usual.status("Ready");
    await usual.find("Who runs WeChat?");
    await usual.query.press("Enter");
    await usual.frame.locator("li.answer").first().waitFor();
    await expect.poll(() => kept(its.harness.worker)).toContain("Who runs WeChat?");
    await expect.poll(() => its.server.keeps("Who runs WeChat?")).toBe(true);
    await its.harness.closePages();
    const before = await kept(its.harness.worker);
    const from = its.server.relay.said.length;

    const window = await its.harness.privateWindow();
    const page = await its.harness.visit(PATH, window);
    // A private window has a worker of its own, and hears of presses once that has begun.
    const worker = window.serviceWorkers()[0] ?? (await window.waitForEvent("serviceworker"));
    expect(await worker.evaluate(() => chrome.extension.inIncognitoContext)).toBe(true);
    let bar = await its.harness.open(page);
    await bar.status("Ready · private");
    await bar.find(QUESTION);
    await bar.query.press("Enter");
    await bar.frame.locator("li.answer", { hasText: "1887" }).waitFor();
    // What comes first is shown before all is read; the next query would end the reading.
    const asked = () => its.server.relay.said.slice(from).some(({ path }) => path === "/v1/ask");
    await expect.poll(asked).toBe(true);
    await bar.find("rivets");
    await bar.counts("1 of 1");
    await bar.escape();
    bar = await its.harness.open(page);
    await bar.status("Ready · private");
    expect(await bar.query.inputValue()).toBe("");
    await bar.openList();
    expect(await bar.frame.getByText(QUESTION).count()).toBe(0);

    const said = its.server.relay.said.slice(from);
    for (const { path, body } of said) {
      expect(JSON.stringify([path, body])).not.toContain("pages.test");
      if (path === "/v1/documents") expect(body["private"]).toBe(true);
    }
    expect(await kept(its.harness.worker)).toBe(before);
    expect(await kept(worker)).not.toMatch(/rivets|bridge|news\.html/);
    await window.close();
    for (const trace of [QUESTION, "rivets", "news.html", "Mara Ellison"])
      expect(its.server.keeps(trace), trace).toBe(false);
  });
});

/** Everything that the extension keeps, as one text. */
function kept(worker: Worker): Promise<string> {
  return worker.evaluate(async () =>
    JSON.stringify([await chrome.storage.local.get(), await chrome.storage.session.get()]),
  );
}
