/** To the letter: case, whole words, quoted phrases, regular expressions; and the list that is taken along. */

import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import type { Bar } from "./harness";
import { withStandIn } from "./setup";

const its = withStandIn();

async function openReady(path: string): Promise<Bar> {
  const bar = await its.harness.open(await its.harness.visit(path));
  await bar.status("Ready");
  return bar;
}

test("case and whole words, by click and by key", async () => {
  const bar = await openReady("words.html");
  await bar.find("lamp");
  await bar.counts("1 of 6");
  await bar.frame.getByRole("button", { name: "Whole words" }).click();
  await bar.counts("1 of 4");
  await bar.query.press("Alt+c");
  await bar.counts("1 of 3");
  expect(await bar.frame.locator("#matchCase").getAttribute("aria-pressed")).toBe("true");
  await bar.query.press("Alt+w");
  await bar.counts("1 of 5");
  await bar.query.press("Alt+c");
  await bar.counts("1 of 6");
});

test.each(["emotions", "sanctions", "dates"])(
  "a word that is merely near is not a slip: %s",
  async (query) => {
    const bar = await openReady("near-words.html");
    await bar.find(query);
    await bar.counts("Nothing found");
    await bar.find("potins");
    await bar.counts("1 of 1");
  },
);

test("a quoted phrase is that phrase and nothing else", async () => {
  const bar = await openReady("words.html");
  await bar.find('"red lamp"');
  expect(await bar.waitPainted("exact", 1)).toEqual(["red lamp"]);
  await bar.counts("1 of 1");
  const asked = its.server.calls.filter(({ path }) => path === "/v1/find").map(({ body }) => body["query"]);
  expect(asked).not.toContain('"red lamp"');
});

test("regular expressions; a broken one says so, and one that takes long holds nothing up", async () => {
  const bar = await openReady("words.html");
  await bar.query.press("Alt+r");
  await bar.find("\\b555-\\d{4}\\b");
  expect(await bar.waitPainted("exact", 2)).toEqual(["555-0101", "555-0199"]);
  await bar.find("lamp(");
  await bar.counts("Not a regular expression");
  await bar.openList();
  await bar.frame.getByText("Not a regular expression: ").waitFor();
  await bar.find("^(.*?,){25}(.*?)+(.*)+(.*)+x{99}$");
  await bar.find("shade");
  await bar.counts("1 of 1");
});

test("the list is copied, and saved as CSV and as Markdown", async () => {
  const bar = await openReady("blog.html");
  await bar.find("social networks of china");
  await bar.waitPainted("meaning", 11);
  await bar.openList();
  const saved = async (button: string): Promise<string> => {
    const [download] = await Promise.all([
      bar.page.waitForEvent("download"),
      bar.frame.getByRole("button", { name: button }).click(),
    ]);
    return readFile(await download.path(), "utf8");
  };
  const csv = (await saved("Save as CSV")).split("\r\n");
  expect(csv[0]).toBe("name,kind,count,sentence");
  expect(csv.filter((line) => line !== "")).toHaveLength(12);
  expect(csv.filter((line) => line.startsWith("WeChat,By meaning,3,")).length).toBe(3);
  const markdown = await saved("Save as Markdown");
  expect(markdown).toContain("# social networks of china");
  expect(markdown).toContain("- **WeChat** (3)");
  await bar.frame.getByRole("button", { name: "Copy names" }).click();
  await bar.frame.getByText("Copied 11 places by name.").waitFor();
  await bar.query.fill("");
  await bar.query.press("Control+v");
  expect(await bar.query.inputValue()).toContain("WeChat (3)");
});

test("how sure a place must be belongs to a query, and goes back to automatic with a click", async () => {
  const bar = await openReady("blog.html");
  await bar.find("social networks of china");
  await bar.waitPainted("meaning", 11);
  await bar.frame.locator("#threshold").fill("20");
  await bar.waitPainted("meaning", 14);
  await bar.frame.getByRole("button", { name: "back to automatic" }).click();
  await bar.waitPainted("meaning", 11);
  await bar.frame.locator("#threshold").fill("20");
  await bar.find("social networks of China");
  await bar.waitPainted("meaning", 11);
  expect(await bar.frame.locator("#auto").innerText()).toBe("auto");
});
