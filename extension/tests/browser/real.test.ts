/** The same extension with the real server: run with FINDALL_SERVER=path/to/findall. */

import { readdir } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { RealServer, hasRealServer } from "../server/real";
import { Harness } from "./harness";
import { picture } from "./setup";

const PAGES = (await readdir(new URL("../pages", import.meta.url))).filter(
  (name) => name.endsWith(".html") && name !== "hostile.html",
);

describe.skipIf(!hasRealServer)("with findall serve", () => {
  let harness: Harness;
  let server: RealServer;
  beforeAll(async () => {
    server = await RealServer.start();
    harness = await Harness.start();
    await harness.connect(server.base, server.code);
  }, 120_000);
  afterAll(async () => {
    await harness.stop();
    await server.kill();
  });

  test("finds by meaning, every match anchored, and survives a kill", { timeout: 120_000 }, async () => {
    const bar = await harness.open(await harness.visit("blog.html"));
    await bar.status("Ready");
    await bar.find("social networks of China");
    await expect.poll(() => bar.count("meaning"), { timeout: 20_000 }).toBeGreaterThan(2);
    const painted = await bar.waitPainted("meaning", await bar.count("meaning"));
    expect(painted).toContain("WeChat");
    await bar.page.setViewportSize({ width: 1000, height: 640 });
    await bar.frame.locator("#list").click();
    await picture(bar.page, "panel-light");
    await bar.page.emulateMedia({ colorScheme: "dark" });
    await picture(bar.page, "panel-dark");
    await server.kill();
    await bar.find("wechat");
    await bar.waitPainted("exact", 3);
    await server.restart();
    await bar.status("Ready");
  });

  test("every match on every page stands where the server says", { timeout: 300_000 }, async () => {
    await harness.closePages();
    let meaning = 0;
    for (const path of PAGES) {
      const page = await harness.visit(path);
      const bar = await harness.open(page);
      await bar.status("Ready", 60_000);
      for (const query of ["companies", "places in Europe", "people"]) {
        await bar.find(query);
        await bar.settled();
        for (const kind of ["meaning", "exact", "fuzzy"] as const) {
          const count = await bar.count(kind);
          const painted = await bar.waitPainted(kind, count);
          expect(painted.every((text) => text.trim() !== "")).toBe(true);
          if (kind === "meaning") meaning += count;
        }
      }
      await harness.closePages();
    }
    expect(meaning).toBeGreaterThan(5);
  });

  test("asks", { timeout: 120_000 }, async () => {
    await harness.closePages();
    const bar = await harness.open(await harness.visit("blog.html"));
    await bar.status("Ready");
    await bar.find("Who runs WeChat?");
    await bar.query.press("Enter");
    const verdict = bar.frame.locator(".verdict").filter({ hasNotText: "Reading" });
    await bar.frame.locator("li.answer").or(verdict).first().waitFor({ timeout: 60_000 });
    await bar.page.setViewportSize({ width: 1000, height: 640 });
    await picture(bar.page, "answer");
  });
});
