/** Where the bar lies, what the page's menu calls it for, and the other tabs. */

import { expect, test } from "vitest";
import type { Bar } from "./harness";
import { withStandIn } from "./setup";

const its = withStandIn();

/** Where the bar's frame lies in the page's window. */
async function boxOf(bar: Bar): Promise<{ x: number; y: number; width: number; height: number }> {
  const box = await (await bar.frame.frameElement()).boundingBox();
  if (!box) throw new Error("the bar is not seen");
  return box;
}

/** How far the bar lies from where it was, to the right and down. */
async function movedBy(bar: Bar, before: { x: number; y: number }): Promise<number[]> {
  const now = await boxOf(bar);
  return [Math.round(now.x - before.x), Math.round(now.y - before.y)];
}

/** Waits, on a busy machine too, until something is as it should be. */
function reaches<T>(value: () => Promise<T>, wanted: T): Promise<void> {
  return expect.poll(value).toEqual(wanted);
}

test("is moved by its grip and by arrow keys, and lies there on the next page", async () => {
  const bar = await its.harness.open(await its.harness.visit("blog.html"));
  await bar.status("Ready");
  const before = await boxOf(bar);
  const grip = await bar.frame.locator("#grip").boundingBox();
  if (!grip) throw new Error("no grip");
  const { mouse } = bar.page;
  await mouse.move(grip.x + 8, grip.y + 8);
  await mouse.down();
  // In small steps, as a hand does: the bar follows each before the next. A hand never lies quite still, either; a move
  // that comes while the frame itself moves may be lost.
  for (let step = 1; step <= 10; step++) {
    const [x, y] = [grip.x + 8 - 2 * step, grip.y + 8 + 4 * step];
    const follow = async (): Promise<number[]> => {
      await mouse.move(x + 1, y);
      await mouse.move(x, y);
      return movedBy(bar, before);
    };
    await reaches(follow, [-2 * step, 4 * step]);
  }
  await mouse.up();
  await bar.frame.locator("#grip").press("ArrowDown");
  await reaches(() => movedBy(bar, before), [-20, 64]);
  const moved = await boxOf(bar);
  await bar.query.focus();
  await bar.escape();
  const other = await its.harness.open(await its.harness.visit("news.html"));
  await reaches(() => boxOf(other).then(({ x, y }) => [x, y]), [moved.x, moved.y]);
});

test("is made larger by its corner, put to a side, and let float again", async () => {
  const bar = await its.harness.open(await its.harness.visit("blog.html"));
  await bar.status("Ready");
  await bar.openList();
  const before = await boxOf(bar);
  await bar.frame.locator("#corner").press("ArrowLeft");
  await reaches(async () => Math.round((await boxOf(bar)).width - before.width), 24);
  const dock = bar.frame.locator("#dock");
  const height = await bar.page.evaluate(() => window.innerHeight);
  await dock.click();
  await reaches(async () => Math.round((await boxOf(bar)).height), height);
  expect((await boxOf(bar)).x).toBeGreaterThan(300);
  await dock.click();
  await reaches(async () => Math.round((await boxOf(bar)).x), 0);
  await dock.click();
  await expect.poll(async () => Math.round((await boxOf(bar)).height)).toBeLessThan(height);
});

test("more like the selection, from the page's menu; the query stays", async () => {
  const page = await its.harness.visit("blog.html");
  const first = await its.harness.open(page);
  await first.status("Ready");
  await first.find("WeChat");
  await first.counts("of 3");
  await first.escape();
  await first.select("Weibo");
  // The menu itself is the browser's: what it says is said in its place.
  await its.harness.worker.evaluate(async () => {
    const [tab] = await chrome.tabs.query({ active: true, lastFocusedWindow: true });
    const { onClicked } = chrome.contextMenus as unknown as {
      onClicked: { dispatch: (info: object, tab: unknown) => void };
    };
    onClicked.dispatch({ menuItemId: "like", editable: false, pageUrl: "" }, tab);
  });
  const { Bar } = await import("./harness");
  const bar = await Bar.of(page);
  await bar.frame.getByRole("heading", { name: "More like this" }).waitFor();
  expect(await bar.frame.locator(".chip").count()).toBeGreaterThan(0);
  expect(await bar.query.inputValue()).toBe("WeChat");
  await bar.frame.getByRole("button", { name: "Back to the query" }).click();
  await bar.counts("of 3");
});

test("other tabs stay closed to who does not want them searched", async () => {
  const bar = await its.harness.open(await its.harness.visit("blog.html"));
  await bar.status("Ready");
  await bar.find("bridge");
  await bar.openList();
  // The browser asks in a window of its own, which no test can click: here it refuses.
  await bar.frame.evaluate(() => {
    chrome.permissions.request = () => Promise.resolve(false);
  });
  await bar.frame.locator("#tabs").click();
  await bar.frame.getByText("only this tab can be searched").waitFor();
});
