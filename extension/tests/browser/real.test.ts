/**
 * The same extension with the real server: run with FINDALL_SERVER=path/to/findall. The README's pictures are made here,
 * of the real thing.
 */

import { readdir } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { KINDS } from "../../src/engine/engine";
import { hasRealServer } from "../server/real";
import type { Bar, Place } from "./harness";
import { picture, withRealServer } from "./setup";

/** Every saved page but the one that stands inside another and the one that breaks its own built-ins. */
const PAGES = (await readdir(new URL("../pages", import.meta.url))).filter(
  (name) => name.endsWith(".html") && name !== "hostile.html" && name !== "frame-inner.html",
);
const QUERIES = ["companies", "places in Europe", "people", "rivers", "light", "dates", "festivals"];

describe.skipIf(!hasRealServer)("with findall serve", () => {
  const its = withRealServer();

  async function openReady(path: string): Promise<Bar> {
    const page = await its.harness.visit(path);
    await page.setViewportSize({ width: 1440, height: 800 });
    const bar = await its.harness.open(page);
    await bar.status("Ready");
    return bar;
  }

  test("finds by meaning, and survives a kill", async () => {
    const bar = await openReady("blog.html");
    await bar.find("social networks of China");
    await expect.poll(() => bar.count("meaning")).toBeGreaterThan(2);
    const painted = await bar.waitAllPainted("meaning");
    expect(painted).toContain("WeChat");
    await bar.openList();
    await picture(bar.page, "panel-light");
    await bar.page.emulateMedia({ colorScheme: "dark" });
    await picture(bar.page, "panel-dark");
    await its.server.kill();
    await bar.find("wechat");
    await bar.waitPainted("exact", 3);
    await its.server.restart();
    await bar.status("Ready");
  });

  test("people are painted without their titles, and described in sentences", async () => {
    const bar = await openReady("titles.html");
    await bar.find("people");
    await expect.poll(() => bar.count("meaning")).toBe(4);
    const painted = await bar.waitAllPainted("meaning");
    expect(painted.sort()).toEqual(["Angela Merkel", "Hannah Weller", "Obama", "Trump"]);
    await bar.openList();
    const described = bar.frame.locator("p.description", { hasText: "Angela Merkel" });
    expect(await described.textContent()).toMatch(/^Angela Merkel (is|was) (a|an|the) .+\.$/);
  });

  test("every match is painted over the very words that the server means", async () => {
    expect(PAGES.length).toBeGreaterThanOrEqual(12);
    const compared = { meaning: 0, exact: 0, fuzzy: 0, value: 0, answer: 0 };
    for (const path of PAGES) {
      const bar = await openReady(path);
      for (const query of QUERIES) {
        const where = `${path}, ${query}`;
        const wanted = await matchesOf(bar, query, where);
        for (const kind of KINDS) {
          const meant = wanted.filter((each) => each.kind === kind);
          await expect
            .poll(async () => astray(meant, await bar.places(kind)), {
              message: `${where}, ${kind}`,
            })
            .toEqual([]);
          compared[kind] += meant.length;
        }
      }
      await its.harness.closePages();
    }
    console.log(`anchored on ${PAGES.length} pages: ${JSON.stringify(compared)}`);
    expect(compared.meaning).toBeGreaterThan(50);
    expect(compared.exact).toBeGreaterThan(20);
    expect(compared.fuzzy).toBeGreaterThan(5);
    expect(compared.value).toBeGreaterThan(20);
  });

  /** Types a query; gives what the server answers, each match with what stands before it. */
  async function matchesOf(bar: Bar, query: string, where: string): Promise<(Place & { kind: string })[]> {
    const { relay } = its.server;
    const from = relay.said.length;
    await bar.find(query);
    // The quick answer may still be replaced by the one that was thought over.
    const isFinal = (fast: unknown, answer: Record<string, unknown> | undefined) =>
      fast !== true || answer?.["judged"] !== false;
    const answered = () =>
      relay.said
        .slice(from)
        .findLast(
          ({ path, body, answer }) =>
            path === "/v1/find" && body["query"] === query && isFinal(body["fast"], answer),
        );
    await expect.poll(() => answered()?.status, { message: where }).toBe(200);
    const found = answered();
    const sent = relay.last("/v1/documents", ({ answer }) => answer["document"] === found?.body["document"]);
    const text = String(sent?.body["text"]);
    const matches = found?.answer["matches"] as { span: Span; text: string; kind: string }[];
    return matches.map(({ span, text: words, kind }) => {
      expect(text.slice(span.start, span.end), where).toBe(words);
      return { kind, before: text.slice(0, span.start), text: words };
    });
  }

  test("asks, remembers, knows a similar question, and takes the person's word", async () => {
    let bar = await openReady("blog.html");
    await ask(bar, "Who runs WeChat?");
    expect(await bar.waitAllPainted("answer")).toContain("Tencent");
    await bar.frame.locator("li.answer", { hasText: "read on this page" }).first().waitFor();
    await bar.find("");
    await ask(bar, "Who runs WeChat?");
    await bar.frame
      .locator("li.answer", { hasText: "remembered from an earlier question" })
      .first()
      .waitFor();
    await bar.escape();

    // One click shows what is known, without asking again.
    bar = await its.harness.open(bar.page);
    await bar.status("Ready");
    await bar.find("");
    await bar.openList();
    const asked = its.server.relay.said.filter(({ path }) => path === "/v1/ask").length;
    await bar.frame.getByRole("button", { name: "Who runs WeChat?" }).click();
    expect(await bar.waitAllPainted("answer")).toContain("Tencent");
    expect(its.server.relay.said.filter(({ path }) => path === "/v1/ask")).toHaveLength(asked);
    await its.harness.closePages();

    // Another page, another wording.
    bar = await openReady("company.html");
    await ask(bar, "Who operates WeChat?");
    const similar = bar.frame.locator(".questions li", { hasText: "Who runs WeChat?" });
    await similar.getByText("Tencent").waitFor();
    expect(await similar.locator("a").getAttribute("href")).toContain("/blog.html");
    await its.harness.closePages();

    bar = await openReady("news.html");
    await ask(bar, "When was the bridge finished?");
    await bar.frame.locator("li.answer", { hasText: "1887" }).waitFor();
    await bar.frame.getByRole("button", { name: "Wrong", exact: true }).first().click();
    await bar.frame.getByRole("button", { name: "Marked wrong" }).waitFor();
    await bar.select("1964");
    await bar.frame.getByRole("button", { name: "The right answer is my selection" }).click();
    await bar.frame.locator("li.answer", { hasText: "corrected by you" }).waitFor();
    await bar.find("");
    await ask(bar, "When was the bridge finished?");
    await bar.frame.locator("li.answer", { hasText: "corrected by you" }).waitFor();
    expect((await bar.painted("answer"))[0]).toBe("1964");
  });

  test("a question and its answer, to look at", async () => {
    const bar = await openReady("news.html");
    await ask(bar, "Who was the engineer in charge?");
    await bar.frame.locator("li.answer", { hasText: "Novak" }).waitFor();
    await picture(bar.page, "answer");
  });

  test("what is likely but not sure is a guess, and rejected it does not come again", async () => {
    const bar = await openReady("news.html");
    await ask(bar, "Who paid for it?");
    await bar.frame.locator(".verdict", { hasText: "does not say for sure" }).waitFor();
    await bar.frame.locator("li.answer", { hasText: "the regional fund" }).waitFor();
    expect(await bar.waitPainted("answer", 1)).toEqual(["the regional fund"]);
    await bar.frame.getByRole("button", { name: "Wrong", exact: true }).click();
    await bar.frame.getByRole("button", { name: "Marked wrong" }).waitFor();
    await bar.find("");
    await ask(bar, "Who paid for it?");
    await bar.frame.locator(".verdict", { hasText: "This page does not say." }).waitFor();
    expect(await bar.frame.locator("li.answer").count()).toBe(0);
  });

  /** Types a question and presses Enter; waits until it is answered or said to have no answer. */
  async function ask(bar: Bar, question: string): Promise<void> {
    await bar.find(question);
    await bar.query.press("Enter");
    const verdict = bar.frame.locator(".verdict").filter({ hasNotText: "Reading" });
    await bar.frame.locator("li.answer").or(verdict).first().waitFor();
  }

  test("more like this: chips by click and by key change what is found", async () => {
    const bar = await openReady("travel.html");
    await bar.openList();
    await bar.select("Vasco da Gama");
    await bar.frame.getByRole("button", { name: "Find more like “Vasco da Gama”" }).click();
    const poet = bar.frame.getByRole("slider", { name: "India" });
    await poet.waitFor();
    await poet.click();
    const weight = () => poet.getAttribute("aria-valuenow");
    await expect.poll(weight).toBe("2");
    await poet.press("ArrowUp");
    await expect.poll(weight).toBe("3");
    const { relay } = its.server;
    const weighs = (word: string, weight: number) =>
      relay.last("/v1/like", ({ body }) =>
        (body["terms"] as { word: string; weight: number }[]).some(
          (term) => term.word === word && term.weight === weight,
        ),
      );
    await expect.poll(() => weighs("India", 3) !== undefined).toBe(true);
    const entities = weighs("India", 3)?.answer["entities"] as { mentions: Span[] }[];
    const text = String(relay.last("/v1/documents")?.body["text"]);
    const meant = entities
      .flatMap(({ mentions }) => mentions)
      .sort((a, b) => a.start - b.start)
      .map(({ start, end }) => ({ before: text.slice(0, start), text: text.slice(start, end) }));
    expect(meant.length).toBeGreaterThan(3);
    await expect.poll(async () => astray(meant, await bar.places("meaning"))).toEqual([]);
    await picture(bar.page, "like");
    await poet.press("0");
    expect(await poet.getAttribute("aria-valuenow")).toBe("0");
    await bar.frame.getByRole("button", { name: "Back to the query" }).click();
    await bar.waitPainted("meaning", 0);
  });

  test("settings: pairing, a deny list that the server keeps to, forgetting", async () => {
    const options = await its.harness.optionsPage();
    await options.setViewportSize({ width: 900, height: 860 });
    await options.locator("#unpair").click();
    await options.getByText("this browser is not paired").waitFor();
    await options.locator("#code").fill("WRON-GONE");
    await options.getByRole("button", { name: "Pair", exact: true }).click();
    await options.locator("[role=alert]").filter({ hasText: "code" }).waitFor();
    its.server.newCode();
    await options.reload();
    await options.locator("#code").fill(its.server.code);
    await picture(options, "settings");
    await options.getByRole("button", { name: "Pair", exact: true }).click();
    await options.getByText("Connected and paired").waitFor();

    await options.locator("#deny").fill("pages.test/docs.html");
    await options.locator("#save").click();
    await options.getByText("Saved.").waitFor();
    let bar = await its.harness.open(await its.harness.visit("docs.html"));
    await bar.status("Ready · private");
    await ask(bar, "How long is the grace period?");
    expect(its.server.keeps("grace period")).toBe(false);

    bar = await openReady("shop.html");
    await ask(bar, "What does the storm lamp cost?");
    await expect.poll(() => its.server.keeps("What does the storm lamp cost?")).toBe(true);
    await options.bringToFront();
    await options.getByRole("button", { name: "Forget everything" }).click();
    await expect.poll(() => its.server.keeps("What does the storm lamp cost?")).toBe(false);
  });
});

interface Span {
  start: number;
  end: number;
}

/**
 * What is painted at a place that was not meant, and what was meant and is not painted; nothing, when all is well. The
 * words must be the same, and so must what stands before them, as far as the text node goes. Spaces do not count: a
 * page and its text break lines at different places.
 */
function astray(meant: readonly Place[], painted: readonly Place[]): string[] {
  const bare = (text: string): string => text.replace(/\s+/g, "");
  const left = [...painted];
  const missing: string[] = [];
  for (const { before, text } of meant) {
    const stands = bare(before.slice(-2000));
    const at = left.findIndex(
      (each) => bare(each.text) === bare(text) && stands.endsWith(bare(each.before).slice(-100)),
    );
    if (at < 0) missing.push(`not painted: ${stands.slice(-20)}[${text}]`);
    else left.splice(at, 1);
  }
  return [...missing, ...left.map(({ before, text }) => `not meant: ${before.slice(-20)}[${text}]`)];
}
