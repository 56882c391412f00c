/** All open tabs, by an extension that a person has given the right to read them. */

import { expect, test } from "vitest";
import { Bar } from "./harness";
import { withStandIn } from "./setup";

const its = withStandIn(undefined, { granted: ["<all_urls>"] });

test("finds in all open tabs, and leads to the one that is chosen", async () => {
  const news = await its.harness.visit("news.html");
  // What was looked for there before gives way.
  await (await its.harness.open(news)).find("mayor");
  await its.harness.visit("recipe.html");
  const page = await its.harness.visit("blog.html");
  const bar = await its.harness.open(page);
  await bar.status("Ready");
  await bar.find("bridge");
  await bar.openList();
  await bar.frame.locator("#tabs").click();
  await bar.frame.getByText("Found in 1 of 2 other tabs").waitFor();
  const group = bar.frame.locator(".group.tab");
  expect(await group.locator(".name").allInnerTexts()).toEqual([await news.title()]);
  expect(await group.locator("mark").first().innerText()).toMatch(/bridge/i);
  await group.locator(".place").first().click();
  const there = await Bar.of(news);
  await there.counts("of 4");
  expect(await there.query.inputValue()).toBe("bridge");
  expect(await news.evaluate(() => document.visibilityState)).toBe("visible");
});
