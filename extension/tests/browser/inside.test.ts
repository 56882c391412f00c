/** With no server at all: the engine inside the browser finds by meaning. */

import { describe, expect, test } from "vitest";
import { hasEngine } from "../engine/wasm";
import { picture, withoutServer } from "./setup";

describe.skipIf(!hasEngine)("without a server", () => {
  const its = withoutServer({ inside: true });

  test("finds by meaning, every match anchored; two tabs share one engine", async () => {
    const page = await its.harness.visit("blog.html");
    await page.setViewportSize({ width: 1440, height: 800 });
    const bar = await its.harness.open(page);
    await bar.find("social networks of China");
    await bar.status("In the browser");
    await expect.poll(() => bar.count("meaning")).toBeGreaterThan(2);
    const painted = await bar.waitAllPainted("meaning");
    expect(painted).toContain("WeChat");
    await bar.openList();
    await bar.frame.getByText("by meaning and letters").waitFor();
    await picture(page, "inside");
    // Letters answer as before, and a question is not asked of what cannot answer.
    await bar.find("wechat");
    await bar.waitPainted("exact", 3);
    const other = await its.harness.open(await its.harness.visit("tables.html"));
    await other.find("rivers");
    await other.status("In the browser");
    await expect.poll(() => other.count("meaning")).toBeGreaterThan(0);
  });

  test("can be switched off", async () => {
    await its.harness.connect("http://127.0.0.1:9");
    const bar = await its.harness.open(await its.harness.visit("news.html"));
    await bar.find("bridge");
    await bar.counts("1 of 4");
    await bar.status("Letters only");
  });
});
