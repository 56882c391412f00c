/** Opening: at once on every page, whatever its frames and scripts still wait for; a word where no bar can be. */

import { afterAll, expect, test } from "vitest";
import { pdfOf } from "../pages/pdf";
import { Bar } from "./harness";
import { withoutServer } from "./setup";

let release: () => void = () => undefined;
const released = new Promise<void>((resolve) => (release = resolve));
afterAll(() => release());

const words = "<!doctype html><title>Otters</title><p>The otter swims. Another otter sleeps.</p>";
const its = withoutServer({
  pages: {
    "/script-frame.html": () =>
      `${words}<iframe src="javascript:void(0)"></iframe><iframe src="javascript:'<p>an otter inside</p>'"></iframe>`,
    "/slow-frame.html": () => `${words}<iframe src="/slow.html"></iframe><iframe src="/quick.html"></iframe>`,
    "/slow-script.html": () => `${words}<script src="/slow.js"></script><p>The last otter.</p>`,
    "/quick.html": () => "<!doctype html><p>an otter in a frame</p>",
    "/long.html": () => words.replace("Another otter", "violin ".repeat(20_000)),
    "/slow.html": () => ({ body: "<!doctype html><p>an otter that comes late</p>", after: released }),
    "/slow.js": () => ({ body: "", after: released }),
    "/otters.pdf": () => ({
      body: pdfOf("The otter swims; another otter sleeps."),
      headers: { "Content-Type": "application/pdf" },
    }),
    "/sandbox.html": () => ({ body: words, headers: { "Content-Security-Policy": "sandbox" } }),
    "/sandbox-origin.html": () => ({
      body: words,
      headers: { "Content-Security-Policy": "sandbox allow-same-origin" },
    }),
  },
});

test.each([
  ["script-frame.html", 3],
  ["slow-frame.html", 3],
  ["slow-script.html", 2],
])("%s: the bar opens at once and finds what is there", async (path, count) => {
  const page = await its.harness.visit(path, undefined, "commit");
  await page.locator("p").first().waitFor();
  const bar = await its.harness.open(page);
  // What the page waits for comes after the last test: a bar that waited for it, too, would never open.
  await bar.find("otter");
  await bar.counts(`of ${count}`);
  expect(await page.evaluate(() => CSS.highlights.get("findall-exact")?.size)).toBe(2);
});

test.each([
  ["quick.html", 0],
  ["long.html", 1],
])("%s: what finds by letters is there before the first key, which starts nothing", async (path, threads) => {
  const page = await its.harness.visit(path);
  const fetched: string[] = [];
  page.on("request", (request) => fetched.push(request.url().replace(/.*\//, "")));
  const modules = (): number => fetched.filter((name) => name === "lexical.wasm").length;
  const bar = await its.harness.open(page);
  await expect.poll(() => [modules(), page.workers().length]).toEqual([1, threads]);
  await bar.find("otter");
  await bar.counts("of 1");
  await bar.settled();
  expect([modules(), page.workers().length]).toEqual([1, threads]);
});

test("frames are styled as each of them answers", async () => {
  const page = await its.harness.visit("slow-frame.html", undefined, "commit");
  await page.locator("p").first().waitFor();
  const bar = await its.harness.open(page);
  await bar.find("otter");
  await bar.counts("of 3");
  const quick = page.frames().find((frame) => frame.url().endsWith("/quick.html"));
  const line = (): Promise<string> | undefined =>
    quick?.evaluate(
      () => getComputedStyle(document.documentElement, "::highlight(findall-current)").textDecorationLine,
    );
  await expect.poll(line).toBe("underline");
});

test.each(["sandbox.html", "sandbox-origin.html"])(
  "%s: a page in a sandbox gets a bar in a window of its own",
  async (path) => {
    const page = await its.harness.visit(path);
    const window = its.harness.context.waitForEvent("page");
    await its.harness.press(page);
    const bar = await Bar.inWindow(await window, page);
    expect(await page.locator("div[popover] iframe").count()).toBe(0);
    await bar.find("otter");
    await bar.counts("1 of 2");
    await bar.query.press("Enter");
    await bar.counts("2 of 2");
    await bar.query.press("Escape").catch(() => undefined);
    await bar.closed();
    await expect.poll(() => its.harness.context.pages().length).toBe(2);
  },
);

test("a PDF in the browser's viewer is searched, and its places are listed", async () => {
  const page = await its.harness.visit("otters.pdf", undefined, "commit");
  await page.waitForFunction(() => document.contentType === "application/pdf");
  const bar = await its.harness.open(page);
  // The viewer may still be loading when the bar is there: what is typed then can be lost with the frame.
  const counted = async (): Promise<string> => {
    if ((await bar.query.inputValue()) !== "otter") await bar.find("otter");
    return bar.counter.innerText();
  };
  await expect.poll(counted, { interval: 100 }).toContain("of 2");
  await bar.frame.getByText("they are listed here").waitFor();
  expect(await bar.frame.locator(".place mark").allInnerTexts()).toEqual(["otter", "otter"]);
  await bar.query.press("Enter");
  await bar.counts("of 2");
});

test("where no extension may go, the toolbar button says so", async () => {
  const page = await its.harness.context.newPage();
  await page.goto("chrome://version");
  await its.harness.press(page);
  const said = (): Promise<string> =>
    its.harness.worker.evaluate(async () => {
      const [tab] = await chrome.tabs.query({ active: true, lastFocusedWindow: true });
      const tabId = tab?.id ?? 0;
      return `${await chrome.action.getBadgeText({ tabId })} ${await chrome.action.getTitle({ tabId })}`;
    });
  await expect.poll(said).toBe("! findall cannot look into this page: the browser keeps it closed");
  const notice = (): Promise<string> =>
    its.harness.worker.evaluate(async () => {
      const [popup] = await chrome.runtime.getContexts({ contextTypes: [chrome.runtime.ContextType.POPUP] });
      return popup?.documentUrl ?? "";
    });
  await expect.poll(notice).toContain("/closed.html");
});
