/** Finding by letters, with no server: the extension alone, on every kind of page. */

import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { Bar } from "./harness";
import { huge } from "../pages/huge";
import { withoutServer } from "./setup";

const its = withoutServer({
  pages: {
    "/huge.html": huge,
    "/folded.html": () =>
      `<!doctype html><p>A stoat.</p><div style="height: 1500px"></div>
      <details><summary>About stoats</summary><p>The stoat inside.</p></details>`,
    "/fields.html": () =>
      `<!doctype html><title>Fields</title><p>A stoat.</p>
      <form><input id="name" value="a stoat in a field"><input type="password" value="stoat"><input type="hidden" value="stoat">
      <input autocomplete="cc-number" value="stoat"><textarea>stoat
      in an area</textarea><select><option>otter<option selected>stoat chosen</select></form>
      <div style="height: 2500px"></div><img alt="stoat asleep" width="60" height="60" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">
      <img alt="stoat unseen" style="display: none">`,
    "/embedding.html": () =>
      `<!doctype html><p>A heron here.</p><iframe src="${its.harness.address("frame-inner.html").replace("pages.test", "other.test")}"></iframe>`,
  },
});

describe("every page, every place", () => {
  test.each([
    ["news.html", "bridge", 4],
    ["encyclopedia.html", "lantern", 15],
    ["docs.html", "retry", 9],
    ["shop.html", "lamp", 4],
    ["forum.html", "grub screw", 4],
    ["article.html", "cape sorrow", 2],
    ["tables.html", "elbe", 5],
    ["app.html", "museum", 1],
    ["frames.html", "heron", 4],
    ["shadow.html", "kingfisher", 5],
    ["rtl.html", "מנורה", 4],
    ["blog.html", "wechat", 3],
    ["forms.html", "badger", 14],
    ["unseen.html", "marmot", 4],
  ])("%s: %s", async (path, query, count) => {
    const page = await its.harness.visit(path);
    const before = await page.evaluate(() => document.body.outerHTML);
    const bar = await its.harness.open(page);
    await bar.find(query);
    await bar.counts(new RegExp(`^1 of ${count}$`));
    const exact = await bar.waitAllPainted("exact");
    for (const text of exact) expect(bare(text)).toBe(bare(query));
    expect(await page.evaluate(() => document.body.outerHTML)).toBe(before);
  });
});

/** Letters alone: what folding ignores, ignored by other means. */
function bare(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/[\p{M}\u00ad\s-]/gu, "")
    .toLowerCase();
}

test("moves by keys, wraps around, and gives the focus back", async () => {
  const page = await its.harness.visit("news.html");
  await page.locator("nav a").first().focus();
  const bar = await its.harness.open(page);
  await page.keyboard.type("bridge");
  await bar.counts("1 of 4");
  await page.keyboard.press("Enter");
  await bar.counts("2 of 4");
  await page.keyboard.press("F3");
  await bar.counts("3 of 4");
  await page.keyboard.press("Control+g");
  await bar.counts("4 of 4");
  await page.keyboard.press("Shift+Enter");
  await bar.counts("3 of 4");
  for (let i = 0; i < 3; i++) await page.keyboard.press("Shift+F3");
  await bar.counts("4 of 4");
  await page.keyboard.press("Enter");
  await bar.counts("1 of 4");
  await bar.escape();
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("News");
  await expect.poll(() => page.evaluate(() => CSS.highlights.size)).toBe(0);
});

test("a key pressed before the last letter was looked for is not lost", async () => {
  const page = await its.harness.visit("news.html");
  const bar = await its.harness.open(page);
  await page.keyboard.type("bridg");
  await bar.counts("1 of 4");
  // The thread that finds by letters is told nothing until it is let go.
  await bar.frame.evaluate(() => {
    const own = Object.getOwnPropertyDescriptor(Worker.prototype, "postMessage") ?? {};
    const held: (() => void)[] = [];
    const hold = function (this: Worker, message: unknown): void {
      held.push(() => this.postMessage(message));
    };
    Object.defineProperty(Worker.prototype, "postMessage", { ...own, value: hold });
    document.addEventListener("release", () => {
      Object.defineProperty(Worker.prototype, "postMessage", own);
      for (const tell of held) tell();
    });
  });
  await page.keyboard.type("e");
  await page.keyboard.press("Enter");
  await bar.frame.evaluate(() => document.dispatchEvent(new Event("release")));
  await bar.counts("2 of 4");
  await expect.poll(() => bar.places("current")).toEqual([{ before: "The iron ", text: "bridge" }]);
});

test("who steps on while places are painted gets there on the page, too", async () => {
  const page = await its.harness.visit("docs.html");
  const bar = await its.harness.open(page);
  await bar.find("retry");
  await bar.counts("1 of 9");
  const exact = await bar.places("exact");
  await pausePainting(true);
  await bar.frame.locator(".filter.fuzzy").click();
  await bar.query.press("Enter");
  await bar.counts("2 of 6");
  // What the page is told comes in order: when the bar has become higher there, the step has arrived, too.
  const height = async (): Promise<number> =>
    (await (await bar.frame.frameElement()).boundingBox())?.height ?? 0;
  const before = await height();
  await bar.openList();
  await expect.poll(height).toBeGreaterThan(before);
  await pausePainting(false);
  await bar.waitPainted("fuzzy", 0);
  await expect.poll(() => bar.places("current")).toEqual(exact.slice(1, 2));
});

/** Has what the page's script puts off to a task of its own wait, or go on. */
function pausePainting(paused: boolean): Promise<void> {
  return its.harness.worker.evaluate(async (paused) => {
    const [tab] = await chrome.tabs.query({ active: true, lastFocusedWindow: true });
    await chrome.scripting.executeScript({
      target: { tabId: tab?.id ?? 0 },
      args: [paused],
      func: (paused) => {
        const script = globalThis as unknown as {
          scheduler: { postTask?: (work: () => void) => Promise<void> };
          goOn?: () => void;
        };
        if (!paused) return script.goOn?.();
        const whenReleased = new Promise<void>((resolve) => (script.goOn = resolve));
        script.scheduler.postTask = (work) => whenReleased.then(work);
      },
    });
  }, paused);
}

test("the last query of a page comes back, and a selection goes before it", async () => {
  const page = await its.harness.visit("news.html");
  let bar = await its.harness.open(page);
  await bar.find("rivets");
  await bar.counts("1 of 1");
  await bar.escape();
  bar = await its.harness.open(page);
  await bar.counts("1 of 1");
  expect(await bar.query.inputValue()).toBe("rivets");
  await bar.escape();
  await page.locator("h1").selectText();
  bar = await its.harness.open(page);
  await bar.counts("1 of 1");
  expect(await bar.query.inputValue()).toBe("Old bridge reopens after nine years");
});

test("typing errors are forgiven and corrected", async () => {
  const page = await its.harness.visit("docs.html");
  const bar = await its.harness.open(page);
  await bar.find("receive");
  await bar.waitPainted("fuzzy", 1);
  await bar.find("schedulr");
  await bar.counts(/of \d/);
  await bar.openList();
  await bar.frame.locator(".correction").getByText("scheduler").waitFor();
});

test("suggestions by keyboard", async () => {
  const page = await its.harness.visit("docs.html");
  const bar = await its.harness.open(page);
  await bar.query.pressSequentially("ret");
  await bar.frame.locator("#suggestions li").first().waitFor();
  await page.keyboard.press("ArrowDown");
  await expect.poll(() => bar.frame.locator("[aria-selected=true]").count()).toBe(1);
  const text = await bar.frame.locator("[aria-selected=true] span").innerText();
  await page.keyboard.press("Enter");
  await expect.poll(() => bar.query.inputValue()).toBe(text);
});

test("filters and the threshold act at once", async () => {
  const page = await its.harness.visit("docs.html");
  const bar = await its.harness.open(page);
  await bar.find("retry");
  await bar.waitPainted("exact", 6);
  await bar.frame.locator(".filter.exact").click();
  await bar.waitPainted("exact", 0);
  await bar.counts("of 3");
  await bar.frame.locator(".filter.exact").click();
  await bar.waitPainted("exact", 6);
  await bar.frame.locator("#threshold").fill("95");
  await bar.waitPainted("fuzzy", 0);
  await bar.frame.locator("#threshold").press("Delete");
  await bar.waitPainted("fuzzy", 3);
});

test("results in the panel lead to their place, inside scrollers within scrollers", async () => {
  const page = await its.harness.visit("app.html");
  await page.evaluate(() => (window as unknown as { showMail: (i: number) => void }).showMail(0));
  const bar = await its.harness.open(page);
  await bar.find("inner scroller");
  await bar.counts("1 of 1");
  await bar.openList();
  await bar.frame.locator(".place").first().click();
  await page.waitForFunction(() => {
    const [range] = CSS.highlights.get("findall-current") ?? [];
    if (!range) return false;
    const live = document.createRange();
    live.setStart(range.startContainer, range.startOffset);
    live.setEnd(range.endContainer, range.endOffset);
    const box = live.getBoundingClientRect();
    const seen = document.elementFromPoint(box.left + 2, box.top + 4);
    return box.top > 0 && box.bottom < innerHeight && seen !== null && seen.contains(range.startContainer);
  });
});

test("scrolls a frame inside the page", async () => {
  const page = await its.harness.visit("frames.html");
  const bar = await its.harness.open(page);
  await bar.find("grey heron");
  await bar.counts("1 of 1");
  const inner = page.frames().find((frame) => frame.url().endsWith("frame-inner.html"));
  await inner?.waitForFunction(() => scrollY > 300);
  await page.waitForFunction(() => scrollY > 300);
});

test("notices what a single-page app adds", async () => {
  const page = await its.harness.visit("app.html");
  const bar = await its.harness.open(page);
  await bar.find("tram");
  await bar.counts("Nothing found");
  await page.evaluate(() => (window as unknown as { showMail: (i: number) => void }).showMail(0));
  await bar.counts("1 of 2");
  await page.evaluate(() =>
    (window as unknown as { addMail: (...mail: string[]) => void }).addMail(
      "Tram company",
      "New tram line",
      "x",
    ),
  );
  await bar.counts("of 4");
  expect(await bar.waitPainted("exact", 4)).toHaveLength(4);
});

test("what is typed before the bar is there is not lost", async () => {
  const page = await its.harness.visit("news.html");
  await page.evaluate(() => {
    const wait = new MutationObserver(() => {
      if (document.querySelector("div[popover]")) document.title = "opening";
    });
    wait.observe(document.documentElement, { childList: true });
  });
  await its.harness.press(page);
  await page.waitForFunction(() => document.title === "opening", undefined, { polling: 5 });
  await page.keyboard.type("rivets");
  const bar = await Bar.of(page);
  await bar.counts("1 of 1");
  expect(await bar.query.inputValue()).toBe("rivets");
});

test("a step pressed before the bar is there is taken in the bar, not on the page", async () => {
  const page = await its.harness.visit("news.html");
  await page.locator("nav a").first().focus();
  await page.evaluate(() => {
    const wait = new MutationObserver(() => {
      if (document.querySelector("div[popover]")) document.title = "opening";
    });
    wait.observe(document.documentElement, { childList: true });
  });
  await its.harness.press(page);
  await page.waitForFunction(() => document.title === "opening", undefined, { polling: 5 });
  await page.keyboard.type("bridge");
  await page.keyboard.press("Enter");
  const bar = await Bar.of(page);
  await bar.counts("2 of 4");
  expect(await bar.query.inputValue()).toBe("bridge");
  // The link that had the focus leads there.
  expect(page.url()).not.toContain("#");
});

test("keys that reach the bar but not its field go into the query", async () => {
  const page = await its.harness.visit("news.html");
  const bar = await its.harness.open(page);
  await bar.query.blur();
  await page.keyboard.type("bridge");
  await bar.query.blur();
  await page.keyboard.press("Enter");
  await bar.counts("2 of 4");
  await bar.query.blur();
  await page.keyboard.press("Backspace");
  await expect.poll(() => bar.query.inputValue()).toBe("bridg");
});

test("pressing the button again brings the focus back to the query", async () => {
  const page = await its.harness.visit("news.html");
  const bar = await its.harness.open(page);
  await bar.find("mayor");
  await bar.counts("1 of 1");
  await page.mouse.click(300, 600);
  await its.harness.press(page);
  await page.waitForFunction(() => document.activeElement?.hasAttribute("popover"));
  await page.keyboard.type("rivets");
  await bar.counts("1 of 1");
  expect(await bar.query.inputValue()).toBe("rivets");
});

test("stays usable inside a modal dialog", async () => {
  const page = await its.harness.visit("forms.html");
  await page.evaluate(() => document.querySelector("dialog")?.showModal());
  const bar = await its.harness.open(page);
  await page.keyboard.type("closed dialog");
  await bar.counts("1 of 1");
});

test("the bar does not lie on the current place, nor does its panel", async () => {
  const page = await its.harness.visit("blog.html");
  await page.setViewportSize({ width: 1400, height: 700 });
  const bar = await its.harness.open(page);
  const uncovered = async (): Promise<boolean> => {
    const cover = await (await bar.frame.frameElement()).boundingBox();
    const place = await page.evaluate(() => {
      const [range] = CSS.highlights.get("findall-current") ?? [];
      if (!range) return null;
      const live = document.createRange();
      live.setStart(range.startContainer, range.startOffset);
      live.setEnd(range.endContainer, range.endOffset);
      const { left, right, top, bottom } = live.getBoundingClientRect();
      return { left, right, top, bottom };
    });
    if (!cover || !place) return false;
    const beside = place.right <= cover.x || place.left >= cover.x + cover.width;
    return place.top >= 0 && (beside || place.top >= cover.y + cover.height || place.bottom <= cover.y);
  };
  await bar.openList();
  // At the top of the page nothing can be scrolled away: the bar steps aside, and back.
  for (const query of [
    "e-mail address",
    "landlord",
    "dentist",
    "the woman who",
    "Nobody here",
    "for the news",
  ]) {
    await bar.find(query);
    await bar.counts("1 of 1");
    await expect.poll(uncovered, { message: query }).toBe(true);
  }
});

test("five megabytes: the end is found, and of very many places those in view are painted", async () => {
  const page = await its.harness.visit("huge.html");
  const bar = await its.harness.open(page);
  await bar.find("needle");
  await bar.counts("1 of 1");
  await page.waitForFunction(() => scrollY > innerHeight);
  await page.evaluate(() => scrollTo(0, 0));
  await bar.find("violin");
  await bar.counts("1 of 10,000+");
  await everySeen(page, "violin");
  await page.evaluate(() => scrollTo(0, 100_000));
  await everySeen(page, "violin");
  await bar.query.press("Shift+Enter");
  await bar.counts("10,000 of 10,000+");
  // How far down the last place stands is up to the fonts; it is far from where the page was before.
  await page.waitForFunction(() => scrollY > 110_000);
  await everySeen(page, "violin");
  await expect.poll(() => bar.painted("current")).toEqual(["violin"]);
});

/** Waits until every word of this kind in view is painted. */
async function everySeen(page: Page, word: string): Promise<void> {
  await page.waitForFunction((word) => {
    const painted = new Set<string>();
    const nodes = new Map<Node, number>();
    const key = (node: Node, offset: number): string => {
      if (!nodes.has(node)) nodes.set(node, nodes.size);
      return `${nodes.get(node)} ${offset}`;
    };
    for (const { startContainer, startOffset } of CSS.highlights.get("findall-exact") ?? [])
      painted.add(key(startContainer, startOffset));
    let seen = 0;
    for (const paragraph of document.querySelectorAll("p")) {
      const node = paragraph.firstChild;
      const { top, bottom } = paragraph.getBoundingClientRect();
      if (!(node instanceof Text) || top < 0 || bottom > innerHeight) continue;
      for (let at = node.data.indexOf(word); at >= 0; at = node.data.indexOf(word, at + 1)) {
        if (!painted.has(key(node, at))) return false;
        seen++;
      }
    }
    return seen > 5;
  }, word);
}

test("frames of other sites are named as not searched", async () => {
  const bar = await its.harness.open(await its.harness.visit("embedding.html"));
  await bar.find("heron");
  await bar.counts("1 of 1");
  await bar.openList();
  await bar.frame.getByText(/The page was searched without what it shows of other\.test/).waitFor();
});

test("show more lists more", async () => {
  const bar = await its.harness.open(await its.harness.visit("encyclopedia.html"));
  await bar.find("lantern");
  await bar.counts("of 15");
  await bar.openList();
  const places = bar.frame.locator(".group.exact .place");
  await expect.poll(() => places.count()).toBe(5);
  const exact = await bar.count("exact");
  await bar.frame.getByRole("button", { name: "show more" }).first().click();
  await expect.poll(() => places.count()).toBe(Math.min(exact, 25));
});

test("a click on a mark beside the scrollbar leads to its place", async () => {
  const page = await its.harness.visit("encyclopedia.html");
  const bar = await its.harness.open(page);
  await bar.find("lantern");
  await bar.counts("1 of 15");
  const { width, top } = await page.evaluate(() => {
    const places = [...(CSS.highlights.get("findall-exact") ?? [])];
    const last = places[places.length - 1];
    const range = document.createRange();
    if (last) range.setStart(last.startContainer, last.startOffset);
    const at = (range.getBoundingClientRect().top + scrollY) / document.documentElement.scrollHeight;
    return { width: document.documentElement.clientWidth, top: at * (innerHeight - 4) };
  });
  await page.mouse.click(width - 5, Math.round(top) + 2);
  await bar.counts("15 of 15");
});

test("queries that led somewhere come back with the arrow key, on other pages too", async () => {
  const first = await its.harness.visit("docs.html");
  const bar = await its.harness.open(first);
  await bar.find("retry");
  await bar.counts("1 of");
  await bar.query.press("Enter");
  await bar.find("retries that lead nowhere");
  await bar.counts("Nothing found");
  await bar.escape();
  await first.close();
  const other = await its.harness.open(await its.harness.visit("tables.html"));
  await other.find("");
  await expect
    .poll(async () => {
      await other.query.press("ArrowDown");
      return other.frame.locator("#suggestions li span").allInnerTexts();
    })
    .toContain("retry");
  const suggested = await other.frame.locator("#suggestions li span").allInnerTexts();
  expect(suggested).not.toContain("retries that lead nowhere");
});

test("closed parts are searched when that is wanted, and opened when stepped to", async () => {
  const page = await its.harness.visit("folded.html");
  const bar = await its.harness.open(page);
  await bar.find("stoat");
  await bar.counts("1 of 2");
  await bar.openList();
  await bar.frame.getByRole("button", { name: "Search the closed part, too" }).click();
  await bar.counts("1 of 3");
  expect(await page.locator("details").getAttribute("open")).toBeNull();
  await bar.query.press("Shift+Enter");
  await bar.counts("3 of 3");
  await expect.poll(() => page.locator("details").getAttribute("open")).toBe("");
  await expect.poll(() => page.getByText("The stoat inside.").isVisible()).toBe(true);
});

test("form fields and image texts are searched when that is wanted, ringed and stepped to", async () => {
  const page = await its.harness.visit("fields.html");
  const bar = await its.harness.open(page);
  /** The kinds of the rings, which stand in a root that the page cannot see. */
  const rings = (): Promise<string[]> =>
    its.harness.worker.evaluate(async () => {
      const [tab] = await chrome.tabs.query({ active: true, lastFocusedWindow: true });
      const [top] = await chrome.scripting.executeScript({
        target: { tabId: tab?.id ?? 0 },
        func: () => {
          const host = document.querySelector<HTMLElement>("div[popover]");
          const drawn = host && chrome.dom.openOrClosedShadowRoot(host)?.querySelectorAll("[data-kind]");
          return [...(drawn ?? [])].map((ring) => (ring as HTMLElement).dataset["kind"] ?? "");
        },
      });
      return top?.result ?? [];
    });
  await bar.find("stoat");
  await bar.counts("1 of 1");
  await bar.query.press("Alt+i");
  await bar.counts("1 of 5");
  expect(await bar.frame.locator("#fields").getAttribute("aria-pressed")).toBe("true");
  await expect.poll(() => bar.painted("exact")).toEqual(["stoat"]);
  await expect.poll(rings).toEqual(["exact", "exact", "exact", "exact"]);
  await bar.query.press("Shift+Enter");
  await bar.counts("5 of 5");
  const inView = (): Promise<boolean> =>
    page
      .locator("img")
      .first()
      .evaluate((image) => {
        const { top, bottom } = image.getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight;
      });
  await expect.poll(inView).toBe(true);
  // What is typed into a field is no change of the document, and counts all the same.
  await page.locator("#name").fill("an otter");
  await bar.counts("of 4");
  await bar.frame.locator("#fields").click();
  await bar.counts("of 1");
  await expect.poll(rings).toEqual([]);
});
