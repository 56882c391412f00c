/** Accessibility by axe-core, in every state that the bar, its panel and the settings can be in. */

import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Frame, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import type { Bar } from "./harness";
import { withStandIn } from "./setup";

const axe = await readFile(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

const its = withStandIn();

interface Violation {
  id: string;
  nodes: { target: string[]; failureSummary: string }[];
}

async function violations(where: Frame | Page): Promise<string[]> {
  await where.evaluate(axe);
  const found = await where.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run: () => Promise<{ violations: Violation[] }> } };
    return (await axe.run()).violations;
  });
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target.join(" ")} ${failureSummary}`),
  );
}

async function meaning(): Promise<Bar> {
  const page = await its.harness.visit("blog.html");
  await page.setViewportSize({ width: 1000, height: 640 });
  const bar = await its.harness.open(page);
  await bar.status("Ready");
  await bar.find("social networks of china");
  await bar.waitPainted("meaning", 11);
  return bar;
}

describe.each(["light", "dark"] as const)("%s", (colorScheme) => {
  test("bar and panel", async () => {
    const bar = await meaning();
    await bar.page.emulateMedia({ colorScheme });
    expect(await violations(bar.frame)).toEqual([]);
    await bar.openList();
    await bar.frame.locator(".group").first().waitFor();
    expect(await violations(bar.frame)).toEqual([]);
  });

  test("questions and chips", async () => {
    const bar = await meaning();
    await bar.page.emulateMedia({ colorScheme });
    await bar.find("Who runs WeChat?");
    await bar.query.press("Enter");
    await bar.frame.locator(".questions li").first().waitFor();
    expect(await violations(bar.frame)).toEqual([]);
    await bar.page.evaluate(() => {
      const node = [...document.querySelectorAll("p")].find((p) =>
        p.textContent.includes("Tencent runs"),
      )?.firstChild;
      const at = node?.nodeValue?.indexOf("Tencent") ?? 0;
      if (node) document.getSelection()?.setBaseAndExtent(node, at, node, at + 7);
    });
    await bar.frame.getByRole("button", { name: "Find more like" }).click();
    await bar.frame.getByRole("slider", { name: "runs" }).press("3");
    expect(await violations(bar.frame)).toEqual([]);
  });

  test("settings", async () => {
    const page = await its.harness.optionsPage();
    await page.setViewportSize({ width: 900, height: 860 });
    await page.emulateMedia({ colorScheme });
    await page.locator("#unpair").waitFor();
    expect(await violations(page)).toEqual([]);
  });
});

test("the settings before pairing", async () => {
  const page = await its.harness.optionsPage();
  await page.setViewportSize({ width: 900, height: 860 });
  await page.locator("#unpair").click();
  await page.locator("#code").fill(its.server.code);
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: "Pair", exact: true }).click();
  await page.getByText("Connected and paired").waitFor();
});

test("at 200 % zoom and in forced colours everything can be reached", async () => {
  const page = await its.harness.visit("blog.html");
  await page.setViewportSize({ width: 400, height: 500 });
  await page.emulateMedia({ forcedColors: "active" });
  const bar = await its.harness.open(page);
  await bar.status("Ready");
  await bar.find("wechat");
  await bar.counts("1 of 3");
  const cover = await (await bar.frame.frameElement()).boundingBox();
  const width = await page.evaluate(() => document.documentElement.clientWidth);
  expect(cover?.x).toBeGreaterThanOrEqual(0);
  expect((cover?.x ?? 0) + (cover?.width ?? 0)).toBeLessThanOrEqual(width);
  const outside = await bar.frame.evaluate(
    () =>
      [...document.querySelectorAll("button, input")].filter((each) => {
        const box = each.getBoundingClientRect();
        return box.width > 0 && (box.left < 0 || box.right > innerWidth + 1);
      }).length,
  );
  expect(outside).toBe(0);
  expect(await violations(bar.frame)).toEqual([]);
});

test("no server: the bar says so and helps", async () => {
  await its.server.stop();
  const page = await its.harness.visit("docs.html");
  const bar = await its.harness.open(page);
  await bar.find("scheduler");
  await bar.status("Letters only");
  await bar.frame.locator("#status").click();
  expect(await violations(bar.frame)).toEqual([]);
  await its.server.start();
});

/** What can be clicked and is smaller than 24 pixels. */
function tooSmall(where: Frame | Page): Promise<string[]> {
  return where.evaluate(() =>
    [...document.querySelectorAll("button, input, textarea, a, [role=slider], [role=option]")]
      // A tick box is clicked by its words.
      .map((each) => ({ each: each.closest("label.check") ?? each, name: each.id || each.className }))
      .map(({ each, name }) => ({ box: each.getBoundingClientRect(), name }))
      .filter(({ box }) => box.width > 0 && (box.width < 24 || box.height < 24))
      .map(({ box, name }) => `${name} ${Math.round(box.width)}x${Math.round(box.height)}`),
  );
}

test("everything that is clicked is at least 24 pixels wide and high", async () => {
  const bar = await meaning();
  await bar.openList();
  await bar.frame.locator(".group").first().waitFor();
  expect(await tooSmall(bar.frame)).toEqual([]);
  await bar.find("Who runs WeChat?");
  await bar.query.press("Enter");
  await bar.frame.locator(".questions li a").first().waitFor();
  expect(await tooSmall(bar.frame)).toEqual([]);
  await bar.select("Tencent");
  await bar.frame.getByRole("button", { name: "Find more like" }).click();
  await bar.frame.getByRole("slider", { name: "runs" }).waitFor();
  expect(await tooSmall(bar.frame)).toEqual([]);
  await bar.find("wechta");
  await bar.frame.locator(".correction .link").waitFor();
  expect(await tooSmall(bar.frame)).toEqual([]);
  await bar.find("a");
  await bar.frame.locator(".link.more").first().waitFor();
  expect(await tooSmall(bar.frame)).toEqual([]);
  expect(await tooSmall(await its.harness.optionsPage())).toEqual([]);
});

test("360 pixels wide, one scrollbar scrolls it all", async () => {
  const bar = await meaning();
  await bar.page.setViewportSize({ width: 360, height: 640 });
  await bar.openList();
  await bar.frame.locator(".group").first().waitFor();
  const scrollers = (): Promise<string[]> =>
    bar.frame.evaluate(() =>
      [...document.querySelectorAll("*")]
        .filter((each) => {
          const scrolls =
            each === document.documentElement || /auto|scroll/.test(getComputedStyle(each).overflowY);
          return scrolls && each.scrollHeight > each.clientHeight + 1;
        })
        .map((each) => each.id || each.localName),
    );
  await expect.poll(scrollers).toEqual(["html"]);
});

test("the count is spoken after a pause, not at every key", async () => {
  const bar = await its.harness.open(await its.harness.visit("article.html"));
  await bar.status("Ready");
  await bar.frame.evaluate(() => {
    const spoken = document.querySelector("#spoken");
    const said: string[] = [];
    Object.assign(window, { said });
    new MutationObserver(() => said.push(spoken?.textContent ?? "")).observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
    });
  });
  await bar.query.pressSequentially("light");
  await bar.settled();
  const count = await bar.counter.innerText();
  await bar.frame.locator("#spoken", { hasText: count }).waitFor({ state: "attached" });
  const said = await bar.frame.evaluate(() => (window as unknown as { said: string[] }).said);
  expect([...new Set(said)].filter((words) => words !== "")).toEqual([count]);
});
