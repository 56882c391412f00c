/**
 * A real browser with the built extension, and a web server with the test pages. `open(page)` presses the toolbar
 * button the way the browser does, so that the extension has no more rights than a person gives it.
 */

import { mkdtemp, readFile, rm } from "node:fs/promises";
import { type Server, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  type BrowserContext,
  type CDPSession,
  type Frame,
  type Page,
  type Worker,
  chromium,
} from "playwright-core";
import { copyPatiently } from "../extension";

/** How long something that must come may take: ends a test that hangs, never one that is slow. */
const PATIENCE_MS = 300_000;
/** After so long without a word, what was pressed is pressed again: a press can be lost, and twice does no harm. */
const PRESS_AGAIN_MS = 20_000;
const root = fileURLToPath(new URL("../..", import.meta.url));
const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
};

/** Headers that some pages come with. */
const HEADERS: Record<string, Record<string, string>> = {
  "/hostile.html": {
    "Content-Security-Policy":
      "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; frame-src 'none'; connect-src 'none'",
    "Cross-Origin-Embedder-Policy": "require-corp",
    "Cross-Origin-Opener-Policy": "same-origin",
  },
};

/** A page that comes with headers of its own, or not before it is told to. */
export interface Reply {
  body: string | Buffer;
  headers?: Record<string, string>;
  /** The answer waits for this. */
  after?: Promise<void>;
}

/** Pages that a test makes up, by path. */
export type Made = Record<string, () => string | Reply>;

/** Which extension a browser has. */
export interface Loaded {
  /** Rights that a person has given before. */
  granted?: readonly string[] | undefined;
  /** As it ships: it gives up what a person would not wait for. Without this it waits for as long as tests do. */
  shipped?: boolean | undefined;
  /** The folder of another build than this one's. */
  dist?: string | undefined;
}

export class Harness {
  private constructor(
    readonly context: BrowserContext,
    readonly profile: string,
    private readonly web: Server,
    private readonly browserSession: CDPSession,
    readonly worker: Worker,
    readonly extensionId: string,
  ) {}

  static async start(
    made: Made = {},
    { granted = [], shipped = false, dist = join(root, "dist") }: Loaded = {},
  ): Promise<Harness> {
    const web = createServer((request, response) => {
      const path = new URL(request.url ?? "/", "http://x").pathname;
      const send = (body: string | Buffer, headers: Record<string, string> = {}): void => {
        response.writeHead(200, {
          "Content-Type": TYPES[extname(path)] ?? "text/html; charset=utf-8",
          ...HEADERS[path],
          ...headers,
        });
        response.end(body);
      };
      const generated = made[path]?.();
      if (typeof generated === "string") return send(generated);
      if (generated) {
        void (generated.after ?? Promise.resolve()).then(() => send(generated.body, generated.headers));
        return;
      }
      readFile(join(root, "tests/pages", path)).then(
        (body) => send(body),
        () => response.writeHead(404).end(),
      );
    });
    await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
    const profile = await mkdtemp(join(tmpdir(), "findall-browser-"));
    const context = await chromium.launchPersistentContext(profile, {
      executablePath: process.env["FINDALL_CHROMIUM"] ?? "/usr/bin/chromium",
      timeout: PATIENCE_MS,
      headless: false,
      viewport: { width: 1100, height: 760 },
      args: [
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--enable-unsafe-extension-debugging",
        "--host-resolver-rules=MAP *.test 127.0.0.1",
      ],
      ignoreDefaultArgs: ["--disable-extensions"],
    });
    context.setDefaultTimeout(PATIENCE_MS);
    const browser = context.browser();
    if (!browser) throw new Error("no browser");
    const session = await browser.newBrowserCDPSession();
    // As a person loads it, and lets it into private windows.
    const path = shipped
      ? dist
      : await copyPatiently(dist, join(profile, "extension"), (manifest) => withRights(manifest, granted));
    await send(session, "Extensions.loadUnpacked", { path, enableInIncognito: true });
    const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent("serviceworker"));
    // The settings open once after installation.
    const until = Date.now() + PATIENCE_MS;
    while (!context.pages().some((page) => page.url().endsWith("/options.html"))) {
      if (Date.now() > until) throw new Error("the settings did not open after installation");
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const harness = new Harness(context, profile, web, session, worker, new URL(worker.url()).host);
    await harness.closePages();
    return harness;
  }

  async stop(): Promise<void> {
    await this.context.close();
    this.web.closeAllConnections();
    await new Promise((resolve) => this.web.close(resolve));
    await rm(this.profile, { recursive: true, force: true });
  }

  /** The address of a test page, on a host that the extension has no standing right to. */
  address(path: string): string {
    return `http://pages.test:${(this.web.address() as AddressInfo).port}/${path}`;
  }

  /** A private window: what it keeps ends with it, and the extension runs in it apart. */
  async privateWindow(): Promise<BrowserContext> {
    const browser = this.context.browser();
    if (!browser) throw new Error("no browser");
    const window = await browser.newContext({ viewport: { width: 1100, height: 760 } });
    window.setDefaultTimeout(PATIENCE_MS);
    return window;
  }

  /** Leaves one empty tab, so that every test starts alike. */
  async closePages(): Promise<void> {
    const [first, ...rest] = this.context.pages();
    for (const page of rest) await page.close();
    await first?.goto("about:blank");
  }

  /** A page in a tab of its own; in a private window when its context is given. */
  async visit(
    path: string,
    where: BrowserContext = this.context,
    waitUntil: "load" | "commit" = "load",
  ): Promise<Page> {
    const page = await where.newPage();
    await page.goto(this.address(path), { waitUntil });
    return page;
  }

  /** Presses the toolbar button on a page, and waits for the bar. */
  async open(page: Page): Promise<Bar> {
    await this.press(page);
    const bar = await Bar.of(page);
    const focused = () => document.hasFocus() && document.activeElement?.id === "query";
    // A page that is still loading may take the focus; who sees that presses the button again.
    for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await this.press(page)) {
      const came = await bar.frame
        .waitForFunction(focused, undefined, { timeout: 5000 })
        .then(() => true)
        .catch(() => false);
      if (came) return bar;
    }
    throw new Error("the bar did not get the focus");
  }

  async press(page: Page): Promise<void> {
    const { targetInfos } = (await send(this.browserSession, "Target.getTargets", {
      filter: [{ type: "tab" }],
    })) as { targetInfos: { targetId: string; url: string }[] };
    // The browser acts on the tab in front.
    await page.bringToFront();
    // Tests close their pages, so that one tab at a time has an address.
    const tab = targetInfos.find(({ url }) => url === page.url());
    if (!tab) throw new Error(`no tab shows ${page.url()}`);
    await send(this.browserSession, "Extensions.triggerAction", {
      id: this.extensionId,
      targetId: tab.targetId,
    });
  }

  async optionsPage(): Promise<Page> {
    const page = await this.context.newPage();
    await page.goto(`chrome-extension://${this.extensionId}/options.html`);
    return page;
  }

  /** Saves settings. Where the worker was ended just then, or was not there yet, a person opens the page again and presses again. */
  private async save(options: Page, base: string, inside: boolean): Promise<void> {
    const saved = options.getByText("Saved.");
    for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await options.reload()) {
      await options.locator("#base").fill(base);
      await options.locator("#inside").setChecked(inside);
      await options.locator("#save").click();
      const outcome = saved.or(options.getByRole("alert"));
      const came = outcome.waitFor({ timeout: PRESS_AGAIN_MS });
      if (await came.then(() => saved.isVisible()).catch(() => false)) return;
    }
    throw new Error("the settings were not saved");
  }

  /**
   * Points the extension at a server and, with a code, pairs it, the way a person does. Tests of letters are not to
   * find by meaning, so the engine inside the browser is off unless wanted.
   */
  async connect(base: string, code?: string, inside = false): Promise<void> {
    const options = await this.optionsPage();
    await this.save(options, base, inside);
    if (code !== undefined) {
      await options.locator("#code").fill(code);
      await options.getByRole("button", { name: "Pair", exact: true }).click();
      await options.getByText("Connected and paired").waitFor();
    }
    await options.close();
  }
}

/** A manifest that has rights from the start which it asks for otherwise. */
function withRights(manifest: Record<string, unknown>, granted: readonly string[]): Record<string, unknown> {
  if (granted.length === 0) return manifest;
  const own = manifest["host_permissions"] as string[];
  return { ...manifest, host_permissions: [...own, ...granted], optional_host_permissions: undefined };
}

export interface Place {
  before: string;
  text: string;
}

/** A call that Playwright has no types for. */
function send(session: CDPSession, method: string, params: object): Promise<unknown> {
  return (session.send.bind(session) as (method: string, params: object) => Promise<unknown>)(method, params);
}

/** The find bar of a page. */
export class Bar {
  private constructor(
    readonly page: Page,
    readonly frame: Frame,
  ) {}

  static async of(page: Page, patienceMs = PATIENCE_MS): Promise<Bar> {
    for (const until = Date.now() + patienceMs; Date.now() < until;) {
      const frame = page.frames().find((each) => /^chrome-extension:.*\/bar\.html/.test(each.url()));
      const drawn = await frame
        ?.locator("#query")
        .count()
        .catch(() => 0);
      if (frame && drawn === 1) return new Bar(page, frame);
      await page.waitForTimeout(25);
    }
    throw new Error("the bar did not open");
  }

  /** The bar of a page that can hold none, in its own window. */
  static async inWindow(window: Page, page: Page): Promise<Bar> {
    await window.locator("#query").waitFor();
    return new Bar(page, window.mainFrame());
  }

  get query() {
    return this.frame.locator("#query");
  }

  get counter() {
    return this.frame.locator("#counter");
  }

  async find(query: string): Promise<void> {
    await this.query.fill(query);
  }

  /** Opens the list, unless it is open: a question that came back with its page opens it by itself. */
  async openList(): Promise<void> {
    const button = this.frame.locator("#list");
    const isOpen = async (): Promise<boolean> => (await button.getAttribute("aria-expanded")) === "true";
    while (!(await isOpen())) await button.click();
  }

  /** Waits until the counter says this. */
  async counts(text: string | RegExp): Promise<void> {
    const says = (): Promise<string> => this.counter.innerText();
    let now = "";
    for (const until = Date.now() + PATIENCE_MS; Date.now() < until;) {
      now = await says();
      if (typeof text === "string" ? now.includes(text) : text.test(now)) return;
      await this.page.waitForTimeout(25);
    }
    throw new Error(
      `the counter says "${now}", not "${String(text)}", for "${await this.query.inputValue()}"`,
    );
  }

  /** Waits until the engines have said all they will say about the query. */
  async settled(): Promise<void> {
    await this.frame.locator('#counter[aria-busy="false"]').waitFor();
  }

  /** Presses Esc; the frame may be gone before the browser has said that the key arrived. */
  async escape(): Promise<void> {
    void this.page.keyboard.press("Escape").catch(() => undefined);
    await this.closed();
  }

  async closed(): Promise<void> {
    await this.page.waitForFunction(() => document.querySelector("div[popover]") === null);
  }

  async status(text: string): Promise<void> {
    await this.frame.locator("#status").filter({ hasText: text }).waitFor();
  }

  /** The texts that are painted, by kind, in every frame of the page. */
  async painted(kind: string): Promise<string[]> {
    return (await this.places(kind)).map(({ text }) => text);
  }

  /** The same, each with what stands before it in its text node. */
  async places(kind: string): Promise<Place[]> {
    const places: Place[] = [];
    for (const frame of this.page.frames()) {
      // The reader is a page of the extension, and is painted on.
      if (/^chrome-extension:.*\/bar\.html/.test(frame.url())) continue;
      places.push(
        ...(await frame.evaluate((name) => {
          const highlight = CSS.highlights.get(`findall-${name}`);
          return [...(highlight ?? [])].map((each) => {
            const range = document.createRange();
            range.setStart(each.startContainer, each.startOffset);
            range.setEnd(each.endContainer, each.endOffset);
            const before = each.startContainer.nodeValue?.slice(0, each.startOffset) ?? "";
            return { before, text: range.toString() };
          });
        }, kind)),
      );
    }
    return places;
  }

  /** Selects the last place in the page where these words stand in one text node. */
  async select(words: string): Promise<void> {
    await this.page.evaluate((words) => {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const at = node.nodeValue?.lastIndexOf(words) ?? -1;
        if (at >= 0) document.getSelection()?.setBaseAndExtent(node, at, node, at + words.length);
      }
    }, words);
  }

  /** How many of a kind the bar says there are. */
  async count(kind: string): Promise<number> {
    return Number((await this.frame.locator(`.filter.${kind} .count`).innerText()).replace(/\D/g, ""));
  }

  /** Waits until as many are painted as the bar says there are, and at least so many. */
  async waitAllPainted(kind: string, least = 1): Promise<string[]> {
    let [texts, count]: [string[], number] = [[], 0];
    for (const until = Date.now() + PATIENCE_MS; Date.now() < until;) {
      count = await this.count(kind);
      texts = await this.painted(kind);
      if (texts.length === count && count >= least) return texts;
      await this.page.waitForTimeout(25);
    }
    throw new Error(
      `the bar counts ${count} as ${kind}, at least ${least} are expected, painted ${texts.length}`,
    );
  }

  async waitPainted(kind: string, count: number): Promise<string[]> {
    let texts: string[] = [];
    for (const until = Date.now() + PATIENCE_MS; Date.now() < until;) {
      texts = await this.painted(kind);
      if (texts.length === count) return texts;
      await this.page.waitForTimeout(25);
    }
    throw new Error(
      `expected ${count} painted as ${kind}, got ${texts.length}: ${texts.slice(0, 10).join(" | ")}`,
    );
  }
}
