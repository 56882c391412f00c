/**
 * Firefox, driven over the protocol that geckodriver speaks with it: a length, a colon, JSON. Its own windows can be
 * reached, too, so that the toolbar button is pressed the way the browser does.
 */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { type Socket, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** How long something that must come may take: ends a test that hangs, never one that is slow. */
const PATIENCE_MS = 300_000;
const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";

/** Names that lead to this computer, no updates, files saved without a question. */
function preferences(downloads: string): Record<string, unknown> {
  return {
    "marionette.port": 0,
    "network.dns.localDomains": "pages.test",
    "browser.download.folderList": 2,
    "browser.download.dir": downloads,
    "browser.download.alwaysOpenPanel": false,
    "browser.shell.checkDefaultBrowser": false,
    "browser.startup.page": 0,
    "app.update.enabled": false,
    "extensions.update.enabled": false,
    "datareporting.policy.dataSubmissionEnabled": false,
    "toolkit.telemetry.reportingpolicy.firstRun": false,
  };
}

export class Firefox {
  private readonly waiting = new Map<
    number,
    { resolve: (value: unknown) => void; reject: (error: Error) => void }
  >();
  private last = 0;
  private received = Buffer.alloc(0);

  private constructor(
    private readonly child: ChildProcess,
    private readonly socket: Socket,
    private readonly profile: string,
    readonly downloads: string,
  ) {
    socket.on("data", (piece: Buffer) => {
      this.received = Buffer.concat([this.received, piece]);
      for (let message = this.take(); message !== undefined; message = this.take()) this.hear(message);
    });
  }

  static async start(): Promise<Firefox> {
    const profile = await mkdtemp(join(tmpdir(), "findall-firefox-"));
    const downloads = await mkdtemp(join(tmpdir(), "findall-downloads-"));
    const lines = Object.entries(preferences(downloads)).map(
      ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
    );
    await writeFile(join(profile, "user.js"), lines.join("\n"));
    const program = process.env["FINDALL_FIREFOX"] ?? "/usr/bin/firefox-esr";
    const args = [
      "-headless",
      "-no-remote",
      "-profile",
      profile,
      "-marionette",
      "-remote-allow-system-access",
    ];
    const child = spawn(program, args, {
      env: { ...process.env, HOME: profile, MOZ_HEADLESS_WIDTH: "1100", MOZ_HEADLESS_HEIGHT: "800" },
      stdio: "ignore",
    });
    const port = await untilDefined(async () => {
      const text = await readFile(join(profile, "MarionetteActivePort"), "utf8").catch(() => "");
      return Number(text) > 0 ? Number(text) : undefined;
    });
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    const firefox = new Firefox(child, socket, profile, downloads);
    await firefox.send("WebDriver:NewSession", { capabilities: { alwaysMatch: {} } });
    // What is to be clicked or typed into may still be drawn.
    await firefox.send("WebDriver:SetTimeouts", {
      implicit: PATIENCE_MS,
      pageLoad: PATIENCE_MS,
      script: PATIENCE_MS,
    });
    return firefox;
  }

  async stop(): Promise<void> {
    const ended = once(this.child, "exit");
    this.socket.destroy();
    this.child.kill("SIGKILL");
    await ended;
    // The browser's helpers may still write for a moment.
    for (const folder of [this.profile, this.downloads])
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }

  send(command: string, parameters: object = {}): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const id = ++this.last;
      this.waiting.set(id, { resolve, reject });
      const message = JSON.stringify([0, id, command, parameters]);
      this.socket.write(`${Buffer.byteLength(message)}:${message}`);
    });
  }

  /** Loads the extension as a person does for a try; gives its own address. */
  async install(path: string, id: string): Promise<string> {
    await this.send("Addon:Install", { path, temporary: true });
    return this.inBrowser<string>(
      `const policy = WebExtensionPolicy.getByID(${JSON.stringify(id)});
       return "moz-extension://" + policy.mozExtensionHostname + "/";`,
    );
  }

  /** Presses the extension's button in the toolbar. */
  async press(id: string): Promise<void> {
    await this.inBrowser(
      `const { ExtensionParent } = ChromeUtils.importESModule("resource://gre/modules/ExtensionParent.sys.mjs");
       const { extension } = WebExtensionPolicy.getByID(${JSON.stringify(id)});
       const { browserActionFor } = ExtensionParent.apiManager.global;
       browserActionFor(extension).triggerAction(window);`,
    );
  }

  /** Runs a script among the browser's own. */
  private async inBrowser<T>(script: string): Promise<T> {
    await this.send("Marionette:SetContext", { value: "chrome" });
    try {
      return await this.run<T>(script);
    } finally {
      await this.send("Marionette:SetContext", { value: "content" });
    }
  }

  async visit(url: string): Promise<void> {
    await this.send("WebDriver:SwitchToFrame", { id: null });
    await this.send("WebDriver:Navigate", { url });
  }

  /** Runs a script in the page, or in the frame that was entered. */
  async run<T>(script: string, ...args: unknown[]): Promise<T> {
    const answer = (await this.send("WebDriver:ExecuteScript", { script, args })) as { value: T };
    return answer.value;
  }

  async inPage<T>(script: string, ...args: unknown[]): Promise<T> {
    await this.send("WebDriver:SwitchToFrame", { id: null });
    return this.run<T>(script, ...args);
  }

  /** Runs a script in the page's first frame that answers to a test, such as the bar. */
  async inFrame<T>(path: string, script: string, ...args: unknown[]): Promise<T> {
    await untilDefined(async () => {
      for (let id = 0; id < 4; id++) {
        await this.send("WebDriver:SwitchToFrame", { id: null });
        const entered = await this.send("WebDriver:SwitchToFrame", { id }).then(
          () => true,
          () => false,
        );
        if (!entered) return undefined;
        const here = await this.run<string>("return location.pathname + document.readyState").catch(() => "");
        if (here === `${path}complete`) return true;
      }
      return undefined;
    });
    return this.run<T>(script, ...args);
  }

  /** Types into an element of where we are, key by key. */
  async type(selector: string, text: string): Promise<void> {
    await this.send("WebDriver:ElementSendKeys", { id: await this.element(selector), text });
  }

  async click(selector: string): Promise<void> {
    await this.send("WebDriver:ElementClick", { id: await this.element(selector) });
  }

  private async element(selector: string): Promise<string> {
    const found = (await this.send("WebDriver:FindElement", { using: "css selector", value: selector })) as {
      value: Record<string, string>;
    };
    return found.value[ELEMENT] ?? "";
  }

  private take(): string | undefined {
    const colon = this.received.indexOf(":");
    if (colon < 0) return undefined;
    const end = colon + 1 + Number(this.received.subarray(0, colon).toString());
    if (this.received.length < end) return undefined;
    const message = this.received.subarray(colon + 1, end).toString();
    this.received = this.received.subarray(end);
    return message;
  }

  private hear(message: string): void {
    const parsed: unknown = JSON.parse(message);
    // The first word is who speaks.
    if (!Array.isArray(parsed)) return;
    const [, id, error, value] = parsed as [number, number, { message: string } | null, unknown];
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    if (error) waiting?.reject(new Error(error.message));
    else waiting?.resolve(value);
  }
}

/** Asks again until there is an answer. */
export async function untilDefined<T>(ask: () => Promise<T | null | undefined>): Promise<T> {
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until;) {
    const answer = await ask();
    if (answer !== undefined && answer !== null) return answer;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("it did not come");
}
