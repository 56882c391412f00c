/** The main flows in Firefox: open, find, step, results, ask, export, read a file. */

import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { type Server, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { copyPatiently } from "../extension";
import { ContractServer } from "../server/contract";
import { Firefox, untilDefined } from "./marionette";

const root = fileURLToPath(new URL("../..", import.meta.url));
const ID = "findall@findall.invalid";
const ENTER = "\uE007";

let firefox: Firefox;
let server: ContractServer;
let pages: Server;
/** The address of the extension's pages, drawn anew for every installation. */
let own: string;
let folder: string;

beforeAll(async () => {
  server = await new ContractServer().start();
  pages = createServer((request, response) => {
    readFile(join(root, "tests/pages", request.url ?? "")).then(
      (body) => response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" }).end(body),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => pages.listen(0, "127.0.0.1", resolve));
  firefox = await Firefox.start();
  folder = await mkdtemp(join(tmpdir(), "findall-extension-"));
  own = await firefox.install(await copyPatiently(join(root, "dist-firefox"), folder), ID);
  await firefox.visit(`${own}options.html`);
  const set = (selector: string, value: string): Promise<unknown> =>
    firefox.run(
      `const field = document.querySelector(arguments[0]);
       field.value = arguments[1];
       field.dispatchEvent(new Event("input", { bubbles: true }));`,
      selector,
      value,
    );
  const says = (words: string): Promise<boolean> =>
    untilDefined(async () => {
      const text = await firefox.run<string>("return document.body.innerText");
      return text.includes(words) ? true : undefined;
    });
  await untilDefined(() =>
    firefox.run<true | undefined>(
      `return document.querySelector("#base")?.value.startsWith("http") || undefined`,
    ),
  );
  await set("#base", server.base);
  // The engine inside is not what these are about.
  await firefox.click("#inside");
  await firefox.click("#save");
  await says("Saved.");
  await set("#code", server.code);
  await untilDefined(() =>
    firefox.run<true | undefined>(
      `return !document.querySelector("form.pair button")?.disabled || undefined`,
    ),
  );
  await firefox.click("form.pair button");
  await says("Connected and paired");
});

afterAll(async () => {
  await firefox.stop();
  await server.stop();
  pages.closeAllConnections();
  pages.close();
  await rm(folder, { recursive: true, force: true });
});

/** Runs a script in the bar. */
function inBar<T>(script: string, ...args: unknown[]): Promise<T> {
  return firefox.inFrame<T>("/bar.html", script, ...args);
}

async function open(path: string): Promise<void> {
  await firefox.visit(`http://pages.test:${(pages.address() as AddressInfo).port}/${path}`);
  await firefox.press(ID);
  await untilDefined(() =>
    inBar<true | undefined>(`return document.querySelector("#status")?.innerText === "Ready" || undefined`),
  );
}

/** Replaces the query, as a person does. */
async function find(query: string): Promise<void> {
  await inBar(`document.querySelector("#query").select()`);
  await firefox.type("#query", query);
}

function counts(words: string): Promise<true> {
  return untilDefined(() =>
    inBar<true | undefined>(
      `return document.querySelector("#counter").innerText === arguments[0] || undefined`,
      words,
    ),
  );
}

/** The words that are painted. */
function painted(kind: string): Promise<string[]> {
  return firefox.inPage<string[]>(
    `return [...(CSS.highlights.get("findall-" + arguments[0]) ?? [])].map((each) => {
       const range = document.createRange();
       range.setStart(each.startContainer, each.startOffset);
       range.setEnd(each.endContainer, each.endOffset);
       return range.toString();
     });`,
    kind,
  );
}

test("opens, finds by letters and by meaning, and steps", async () => {
  await open("blog.html");
  await find("wechat");
  await counts("1 of 3");
  await expect.poll(() => painted("exact")).toEqual(["WeChat", "WeChat", "WeChat"]);
  await inBar("return 0");
  await firefox.type("#query", ENTER);
  await counts("2 of 3");
  const inView = (): Promise<boolean> =>
    firefox.inPage<boolean>(
      `const [place] = CSS.highlights.get("findall-current");
       const range = document.createRange();
       range.setStart(place.startContainer, place.startOffset);
       range.setEnd(place.endContainer, place.endOffset);
       const { top, bottom } = range.getBoundingClientRect();
       return top >= 0 && bottom <= innerHeight;`,
    );
  await expect.poll(inView).toBe(true);
  await find("social networks of china");
  await expect.poll(async () => (await painted("meaning")).length).toBe(11);
});

test("lists results, and saves them", async () => {
  await open("blog.html");
  await find("social networks of china");
  await counts("1 of 11");
  await inBar("return 0");
  await firefox.click("#list");
  const names = await inBar<string[]>(
    `return [...document.querySelectorAll("#panel .group .name")].map((name) => name.innerText)`,
  );
  expect(names).toContain("WeChat");
  await inBar(
    `[...document.querySelectorAll("#panel button")].find((each) => each.innerText.includes("CSV")).click()`,
  );
  const csv = await untilDefined(async () => {
    const [name] = (await readdir(firefox.downloads)).filter((each) => each.endsWith(".csv"));
    const text = name ? await readFile(join(firefox.downloads, name), "utf8") : "";
    return text === "" ? undefined : text;
  });
  expect(csv.split("\r\n").filter(Boolean)).toHaveLength(12);
});

test("asks, and goes to the answer", async () => {
  await open("blog.html");
  await find("Who runs WeChat?");
  await firefox.type("#query", ENTER);
  await expect.poll(() => painted("answer")).toEqual(["Tencent"]);
  await untilDefined(() =>
    inBar<true | undefined>(`return document.querySelector("li.answer") !== null || undefined`),
  );
});

test("the reader shows a chosen file, with the bar on it", async () => {
  await firefox.visit(`${own}reader.html`);
  await untilDefined(() =>
    firefox.run<true | undefined>(`return document.querySelector("#file") !== null || undefined`),
  );
  await firefox.run(
    `const files = new DataTransfer();
     files.items.add(new File(["%PDF-1.4"], "a.pdf", { type: "application/pdf" }));
     const field = document.querySelector("#file");
     field.files = files.files;
     field.dispatchEvent(new Event("change"));`,
  );
  await untilDefined(() =>
    inBar<true | undefined>(`return document.querySelector("#query") !== null || undefined`),
  );
  await find("lantern");
  await expect.poll(() => painted("exact")).toEqual(["lantern"]);
});
