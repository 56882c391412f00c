/** The reader: a PDF as plain text by page, with the bar on it; with a server, without one, and by a chosen file. */

import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { pdfOf } from "../pages/pdf";
import { hasRealServer } from "../server/real";
import { Bar } from "./harness";
import { withRealServer, withStandIn, withoutServer } from "./setup";

const axe = await readFile(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");
const FILE = pdfOf("WeChat is an app of Tencent.", "The otter in Lyon saw another otter.");
const PAGES = {
  "/river.pdf": () => ({ body: FILE, headers: { "Content-Type": "application/pdf" } }),
};

async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run: () => Promise<{ violations: { id: string }[] }> } };
    return (await axe.run()).violations.map(({ id }) => id);
  });
}

function numbers(page: Page): Promise<(string | null)[]> {
  return page.locator(".page").evaluateAll((all) => all.map((each) => each.getAttribute("aria-label")));
}

/** Opens the bar in the viewer, and from it the reader. */
async function readerFrom(its: ReturnType<typeof withoutServer>): Promise<Page> {
  const viewer = await its.harness.visit("river.pdf", undefined, "commit");
  await viewer.waitForFunction(() => document.contentType === "application/pdf");
  const bar = await its.harness.open(viewer);
  const opened = its.harness.context.waitForEvent("page");
  await bar.frame.getByRole("button", { name: "Read it as plain text" }).click();
  return opened;
}

describe.skipIf(!hasRealServer)("with findall serve", () => {
  const its = withRealServer(PAGES);

  test("the viewer's file is read by page, and the bar paints on its words", async () => {
    const page = await readerFrom(its);
    const bar = await Bar.of(page);
    expect(await numbers(page)).toEqual(["Page 1", "Page 2"]);
    expect(await page.locator("h1").innerText()).toBe("river.pdf");
    await bar.find("otter");
    await bar.counts("of 2");
    expect(await bar.waitPainted("exact", 2)).toEqual(["otter", "otter"]);
    await bar.status("Ready");
    await bar.find("messaging apps");
    expect(await bar.waitPainted("meaning", 1)).toEqual(["WeChat"]);
    expect(await violations(page)).toEqual([]);
    // The address is the file's, so that what is asked of it is remembered with it.
    const sent = its.server.relay.last("/v1/documents");
    expect(sent?.body["url"]).toBe(its.harness.address("river.pdf"));
  });

  test("closed, it comes back with the button", async () => {
    const page = await readerFrom(its);
    const bar = await Bar.of(page);
    await bar.query.press("Escape");
    await bar.closed();
    const again = await its.harness.open(page);
    await again.find("Tencent");
    await again.waitPainted("exact", 1);
  });
});

describe("a chosen file", () => {
  const its = withStandIn(PAGES);

  test("is read; what cannot be read is said", async () => {
    const page = await its.harness.context.newPage();
    await page.goto(`chrome-extension://${its.harness.extensionId}/reader.html`);
    expect(await violations(page)).toEqual([]);
    its.server.behaviour.fail = { path: "/v1/read", status: 422, code: "unprocessable" };
    await page.locator("#file").setInputFiles({ name: "a.pdf", mimeType: "application/pdf", buffer: FILE });
    await page.locator("[role=alert]").filter({ hasText: "This test wants a failure." }).waitFor();
    its.server.behaviour.fail = undefined;
    await page.locator("#file").setInputFiles({ name: "b.pdf", mimeType: "application/pdf", buffer: FILE });
    const bar = await Bar.of(page);
    await bar.find("lantern");
    expect(await bar.waitPainted("exact", 1)).toEqual(["lantern"]);
    expect(await page.title()).toBe("b.pdf");
    const sent = its.server.calls.find(({ path }) => path === "/v1/read")?.body["file"];
    expect(Buffer.from(String(sent), "base64").equals(FILE)).toBe(true);
    expect(await page.locator("[role=note]").count()).toBe(0);
  });

  test("that was read in part says how much is missing", async () => {
    its.server.behaviour.missing = "2 of 3 pages are scanned, pictures without text; recognise the text";
    const page = await its.harness.context.newPage();
    await page.goto(`chrome-extension://${its.harness.extensionId}/reader.html`);
    await page.locator("#file").setInputFiles({ name: "a.pdf", mimeType: "application/pdf", buffer: FILE });
    await Bar.of(page);
    expect(await page.locator("[role=note]").allInnerTexts()).toEqual([its.server.behaviour.missing]);
  });
});

describe("without a server", () => {
  const its = withoutServer({ pages: PAGES });

  test("what the viewer says is shown and painted", async () => {
    const page = await readerFrom(its);
    const bar = await Bar.of(page);
    await page.getByText("As the browser's viewer gives it").waitFor();
    await bar.find("otter");
    expect(await bar.waitPainted("exact", 2)).toEqual(["otter", "otter"]);
  });
});
