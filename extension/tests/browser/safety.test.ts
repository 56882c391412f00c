/** A page that does all it can against the bar: it must keep working, and nothing of it may leak. */

import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { Bar } from "./harness";
import { withStandIn } from "./setup";

const its = withStandIn();

/** Evaluates in the page's own world without touching the built-ins that the page has broken. */
async function inPage(page: Page, expression: string): Promise<string> {
  const session = await its.harness.context.newCDPSession(page);
  const { result } = await session.send("Runtime.evaluate", { expression: `String(${expression})` });
  await session.detach();
  return String(result.value);
}

test("a hostile page reads nothing, breaks nothing and covers nothing", async () => {
  const page = await its.harness.visit("hostile.html");
  const bar = await its.harness.open(page);
  await bar.status("Ready");
  await page.keyboard.type("otter");
  await bar.counts("1 of 2");
  await page.keyboard.press("Enter");
  await bar.counts("2 of 2");
  expect(await inPage(page, "CSS.highlights.get('findall-exact').size")).toBe("2");

  const token = [...its.server.tokens][0] ?? "";
  expect(token).not.toBe("");
  const seen =
    (await inPage(page, "window.tryToRead()")) +
    (await inPage(page, "JSON.stringify(window.stolen)")) +
    (await inPage(page, "new XMLSerializer().serializeToString(document.querySelector('div[popover]'))"));
  for (const secret of [token, "bar.html", "chrome.storage", "otter"]) expect(seen).not.toContain(secret);
  expect(await inPage(page, "window.stolen.keys + window.stolen.roots + window.stolen.messages")).toBe("00");

  // The bar is what a click at its place meets, whatever lies at the highest z-index.
  expect(await inPage(page, "document.elementFromPoint(innerWidth - 300, 40).hasAttribute('popover')")).toBe(
    "true",
  );
  const size = await bar.frame.evaluate(() => [innerWidth, innerHeight]);
  expect(size[0]).toBeGreaterThan(400);
  expect(size[1]).toBeGreaterThan(60);
});

test("a page cannot drive the bar with events of its own", async () => {
  const page = await its.harness.visit("news.html");
  const bar = await its.harness.open(page);
  await bar.find("bridge");
  await bar.counts("1 of 4");
  await page.evaluate(async () => {
    for (const key of ["Escape", "F3"])
      window.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    const arrived = new Promise((resolve) => window.addEventListener("message", resolve, { once: true }));
    window.postMessage({ type: "close" }, "*");
    await arrived;
  });
  // A person's step back comes after whatever the page has set off: from the second place it would lead to the first.
  await bar.query.press("Shift+Enter");
  await bar.counts("4 of 4");
});

test("a page that removes the bar gets it back, and wins in the end without harm", async () => {
  const page = await its.harness.visit("news.html");
  await its.harness.open(page);
  await page.evaluate(() => document.querySelector("div[popover]")?.remove());
  const again = await Bar.of(page);
  await again.find("bridge");
  await again.counts("1 of 4");
  const remover = await page.evaluate(() =>
    Number(setInterval(() => document.querySelector("div[popover]")?.remove(), 1)),
  );
  // A bar that gives up takes its colours along.
  await page.waitForFunction(
    () => document.querySelector("div[popover]") === null && !CSS.highlights.has("findall-exact"),
  );
  expect(await page.locator("h1").innerText()).toBe("Old bridge reopens after nine years");
  await page.evaluate((id) => clearInterval(id), remover);
  const last = await its.harness.open(page);
  await last.find("bridge");
  await last.counts("1 of 4");
});

test("a page cannot open the bar itself", async () => {
  const page = await its.harness.visit("news.html");
  const bar = await its.harness.open(page);
  await bar.find("bridge");
  await bar.counts("1 of 4");
  const before = page.frames().length;
  const id = its.harness.extensionId;
  // A frame has loaded, too, when the browser has put its word of refusal into it.
  await page.evaluate(async (src) => {
    const frame = document.createElement("iframe");
    const loaded = new Promise((resolve) => frame.addEventListener("load", resolve));
    frame.src = src;
    document.body.append(frame);
    await loaded;
  }, `chrome-extension://${id}/bar.html#guess`);
  const embedded = page.frames()[before];
  const text = await embedded?.evaluate(() => document.body.innerText).catch(() => "");
  expect(text ?? "").not.toContain("Meaning");
  await bar.query.press("Enter");
  await bar.counts("2 of 4");
});

test("content scripts cannot read what the extension keeps", async () => {
  const access = await its.harness.worker.evaluate(async () => {
    const kept = await chrome.storage.local.get("token");
    return typeof kept["token"];
  });
  expect(access).toBe("string");
  const page = await its.harness.visit("news.html");
  await its.harness.open(page);
  const [seen] = await its.harness.worker.evaluate(async () => {
    const [tab] = await chrome.tabs.query({ active: true });
    return chrome.scripting.executeScript({
      target: { tabId: tab?.id ?? 0 },
      func: async () => {
        try {
          return JSON.stringify(await chrome.storage.local.get());
        } catch (error) {
          return `refused: ${String(error)}`;
        }
      },
    });
  });
  expect(String(seen?.result)).toContain("refused");
});
