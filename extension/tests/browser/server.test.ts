/** With a server: finding by meaning, asking, remembering, and every state that a server can be in. */

import { afterEach, describe, expect, test } from "vitest";
import type { Bar } from "./harness";
import { USUAL } from "../server/contract";
import { withStandIn } from "./setup";

const its = withStandIn();
afterEach(() => {
  Object.assign(its.server.behaviour, USUAL);
});

async function openReady(path: string): Promise<Bar> {
  const bar = await its.harness.open(await its.harness.visit(path));
  await bar.status("Ready");
  return bar;
}

test("finds by meaning, in one list with the letters", async () => {
  const bar = await openReady("blog.html");
  await bar.find("social networks of china");
  const meant = await bar.waitPainted("meaning", 11);
  expect(new Set(meant)).toEqual(new Set(["WeChat", "Weibo", "Douban", "Douyin", "Bilibili", "Xiaohongshu"]));
  await bar.counts("1 of 11");
  await bar.openList();
  const group = bar.frame.locator(".group", { hasText: "WeChat" }).first();
  await group.getByText("messaging and social media app by Tencent").first().waitFor();
  await group.locator(".place").nth(1).click();
  await expect.poll(() => bar.painted("current")).toEqual(["WeChat"]);
});

test("suggests what the server knows, then words of the page", async () => {
  const bar = await openReady("news.html");
  await bar.query.pressSequentially("ri");
  const suggested = bar.frame.locator("#suggestions li span");
  await expect
    .poll(() => suggested.allInnerTexts())
    .toEqual(["rivers of Bohemia", "ribbon", "rivets", "riverside"]);
});

test("a lower threshold brings in what was left out, at once", async () => {
  const bar = await openReady("blog.html");
  await bar.find("social networks of china");
  await bar.waitPainted("meaning", 11);
  const calls = its.server.calls.filter(({ path }) => path === "/v1/find").length;
  await bar.frame.locator("#threshold").fill("20");
  expect(await bar.waitPainted("meaning", 14)).toContain("Baidu");
  await bar.frame.locator("#threshold").fill("95");
  await bar.waitPainted("meaning", 0);
  expect(its.server.calls.filter(({ path }) => path === "/v1/find")).toHaveLength(calls);
});

test("asks, remembers, and shows similar questions elsewhere", async () => {
  its.server.behaviour.hostile = true;
  const bar = await openReady("blog.html");
  await bar.find("Who runs WeChat?");
  await bar.query.press("Enter");
  expect(await bar.waitPainted("answer", 1)).toEqual(["Tencent"]);
  await bar.frame.locator("li.answer", { hasText: "read on this page" }).waitFor();
  const similar = bar.frame.locator(".questions li", { hasText: "Who owns the messenger?" });
  await similar.getByText("Tencent Holdings").waitFor();
  expect(await similar.locator("a").getAttribute("href")).toBe("https://example.org/messengers");
  // A hostile address is no link, and markup in an answer is text.
  const hostile = bar.frame.locator(".questions li", { hasText: "Is this link followed?" });
  expect(await hostile.locator("a").count()).toBe(0);
  expect(await hostile.getByText("<b>never</b>").count()).toBe(1);

  await bar.find("");
  await bar.find("Who runs WeChat?");
  await bar.query.press("Enter");
  await bar.frame.locator("li.answer", { hasText: "remembered from an earlier question" }).waitFor();

  await bar.escape();
  const again = await its.harness.open(bar.page);
  await again.status("Ready");
  await again.find("");
  await again.openList();
  const asked = its.server.calls.filter(({ path }) => path === "/v1/ask").length;
  await again.frame.getByRole("button", { name: "Who runs WeChat?" }).click();
  expect(await again.waitPainted("answer", 1)).toEqual(["Tencent"]);
  expect(its.server.calls.filter(({ path }) => path === "/v1/ask")).toHaveLength(asked);
});

test("a question paints its answer and no name that is merely near; Enter goes to the answer first", async () => {
  const bar = await openReady("blog.html");
  await bar.find("Who runs social networks of China like WeChat?");
  await bar.settled();
  expect(await bar.painted("meaning")).toEqual([]);
  await bar.find("What social networks of China: who runs WeChat?");
  expect(await bar.waitPainted("answer", 1)).toEqual(["Tencent"]);
  await bar.waitPainted("meaning", 0);
  await bar.query.press("Enter");
  await expect.poll(() => bar.painted("current")).toEqual(["Tencent"]);
});

test("what is not English says so beside the count, and letters are found", async () => {
  its.server.behaviour.skipped = [
    "the text does not look English, the knowledge is: trust exact matches only",
  ];
  const bar = await openReady("rtl.html");
  await bar.find("מנורה");
  await bar.counts("1 of 4");
  await bar.frame.getByText("not English: by spelling only").waitFor();
});

test("a question without an answer gets an honest one", async () => {
  const bar = await openReady("blog.html");
  await bar.find("What is the weight of the moon?");
  await bar.query.press("Enter");
  await bar.frame.getByText("This page does not say.").waitFor();
});

test("the person's word counts: wrong, and the right answer is this selection", async () => {
  const bar = await openReady("news.html");
  await bar.find("When was the bridge built?");
  await bar.query.press("Enter");
  await bar.frame.locator("li.answer", { hasText: "1887" }).waitFor();
  await bar.frame.getByRole("button", { name: "Wrong" }).click();
  await bar.frame.getByRole("button", { name: "Marked wrong" }).waitFor();
  await bar.page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const at = node.nodeValue?.indexOf("1964") ?? -1;
      if (at >= 0) document.getSelection()?.setBaseAndExtent(node, at, node, at + 4);
    }
  });
  await bar.frame.getByRole("button", { name: "The right answer is my selection" }).click();
  await bar.frame.locator("li.answer", { hasText: "corrected by you" }).waitFor();
  expect(await bar.waitPainted("answer", 1)).toEqual(["1964"]);
  const sent = its.server.calls.findLast(({ path }) => path === "/v1/feedback");
  expect(sent?.body).toMatchObject({ verdict: "correction", text: "1964", offsets: "utf16" });
});

describe("more like this", () => {
  async function select(bar: Bar): Promise<void> {
    await bar.page.evaluate(() => {
      const node = [...document.querySelectorAll("p")].find((p) =>
        p.textContent.includes("Tencent runs"),
      )?.firstChild;
      const at = node?.nodeValue?.indexOf("Tencent") ?? 0;
      if (node) document.getSelection()?.setBaseAndExtent(node, at, node, at + 7);
    });
  }

  test("chips weigh the sentence's words, by click and by key", async () => {
    const bar = await openReady("blog.html");
    await bar.openList();
    await select(bar);
    await bar.frame.getByRole("button", { name: "Find more like “Tencent”" }).click();
    const runs = bar.frame.getByRole("slider", { name: "runs" });
    await runs.waitFor();
    await bar.waitAllPainted("meaning", 4);
    await runs.click();
    await expect.poll(() => runs.getAttribute("aria-valuenow")).toBe("2");
    await runs.press("ArrowUp");
    await expect.poll(() => runs.getAttribute("aria-valuenow")).toBe("3");
    await runs.press("0");
    await expect.poll(() => runs.getAttribute("aria-valuenow")).toBe("0");
    await expect
      .poll(() => its.server.calls.findLast(({ path }) => path === "/v1/like")?.body["terms"])
      .not.toContainEqual({
        word: "runs",
        weight: 3,
      });
  });

  test("is offered where the server could not say at first whether it can", async () => {
    its.server.behaviour.fail = { path: "/v1/like", status: 503, code: "busy" };
    const bar = await openReady("blog.html");
    await bar.openList();
    await select(bar);
    await expect.poll(() => its.server.calls.some(({ path }) => path === "/v1/like")).toBe(true);
    its.server.behaviour.fail = undefined;
    await bar.frame.getByRole("button", { name: "Find more like “Tencent”" }).waitFor();
  });

  test("is offered for what was selected before the server had read the page", async () => {
    its.server.behaviour.ready = false;
    const bar = await its.harness.open(await its.harness.visit("blog.html"));
    await bar.openList();
    await select(bar);
    await bar.status("Server starting");
    its.server.behaviour.ready = true;
    await bar.frame.getByRole("button", { name: "Find more like “Tencent”" }).waitFor();
  });

  test("is not offered while the server cannot", async () => {
    its.server.behaviour.like = false;
    const bar = await openReady("blog.html");
    await bar.openList();
    await select(bar);
    await expect.poll(() => its.server.calls.some(({ path }) => path === "/v1/like")).toBe(true);
    // What is asked after it has been answered, too, by the time it is painted.
    await bar.find("social networks of china");
    await bar.waitPainted("meaning", 11);
    expect(await bar.frame.getByText("Find more like").count()).toBe(0);
    expect(await bar.frame.locator("#status").innerText()).toBe("Ready");
  });
});

describe("states", () => {
  test("killed and restarted in the middle", async () => {
    const bar = await openReady("blog.html");
    await bar.find("social networks of china");
    await bar.waitPainted("meaning", 11);
    await its.server.stop();
    await bar.find("wechat");
    await bar.waitPainted("exact", 3);
    await bar.status("Letters only");
    await bar.frame.locator("#status").click();
    await bar.frame.getByText("findall serve").first().waitFor();
    await its.server.start();
    await bar.status("Ready");
    await bar.find("social networks of china");
    await bar.waitPainted("meaning", 11);
  });

  test("a forgotten page is sent again", async () => {
    const bar = await openReady("blog.html");
    its.server.forgetDocuments();
    await bar.find("social networks of china");
    await bar.waitPainted("meaning", 11);
  });

  test("loading, then reading with progress, letters all the while", async () => {
    its.server.behaviour.ready = false;
    const bar = await its.harness.open(await its.harness.visit("blog.html"));
    await bar.status("Server starting");
    await bar.find("wechat");
    await bar.waitPainted("exact", 3);
    let release: () => void = () => undefined;
    const reading = new Promise<void>((resolve) => (release = resolve));
    Object.assign(its.server.behaviour, { ready: true, reading });
    await bar.status("Reading 50 %");
    release();
    await bar.status("Ready");
  });

  test("an error says what happened and offers a way out", async () => {
    its.server.behaviour.fail = { path: "/v1/documents", status: 413, code: "too_large" };
    const bar = await its.harness.open(await its.harness.visit("blog.html"));
    await bar.status("Server error");
    await bar.frame.locator("#status").click();
    await bar.frame.getByText("this test wants a failure").waitFor();
    its.server.behaviour.fail = undefined;
    await bar.frame.getByRole("button", { name: "Try again" }).click();
    await bar.status("Ready");
  });

  test("a token that no longer counts leads to pairing, in one step", async () => {
    its.server.tokens.clear();
    const bar = await its.harness.open(await its.harness.visit("blog.html"));
    await bar.status("Not paired");
    const options = await its.harness.optionsPage();
    await options.locator("#unpair").click();
    await options.locator("#code").fill("WRON-GONE");
    await options.getByRole("button", { name: "Pair", exact: true }).click();
    await options.getByText("that code is not the one printed").waitFor();
    await options.locator("#code").fill(its.server.code.toLowerCase());
    await options.getByRole("button", { name: "Pair", exact: true }).click();
    await options.getByText("Connected and paired").waitFor();
    await bar.page.bringToFront();
    await bar.status("Ready");
  });
});

test("nothing is kept about a page on the deny list", async () => {
  const options = await its.harness.optionsPage();
  await options.locator("#deny").fill("pages.test/news.html");
  await options.locator("#save").click();
  await options.getByText("Saved.").waitFor();
  expect(its.server.calls.findLast(({ path }) => path === "/v1/settings")?.body["deny"]).toEqual([
    "pages.test/news.html",
  ]);
  const before = its.server.calls.length;
  const page = await its.harness.visit("news.html");
  let bar = await its.harness.open(page);
  await bar.status("Ready · private");
  await bar.find("Who is the mayor?");
  await bar.query.press("Enter");
  await bar.frame.getByText("This page does not say.").waitFor();
  const sent = its.server.calls.slice(before);
  expect(sent.find(({ path }) => path === "/v1/documents")?.body).toMatchObject({ private: true });
  expect(JSON.stringify(sent.map(({ body }) => body))).not.toContain("pages.test");
  await bar.escape();
  bar = await its.harness.open(page);
  await bar.status("Ready");
  expect(await bar.query.inputValue()).toBe("");
  await options.bringToFront();
  await options.locator("#deny").fill("");
  await options.locator("#save").click();
  await options.getByText("Saved.").waitFor();
});

test("an address outside this computer is refused", async () => {
  const options = await its.harness.optionsPage();
  await options.locator("#base").fill("http://example.org:7345");
  await options.locator("#save").click();
  await options.getByText("the server must be on this computer").waitFor();
});
