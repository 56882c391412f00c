/** The real `findall serve`, where FINDALL_SERVER names the program. */

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Relay } from "./relay";

export const program = process.env["FINDALL_SERVER"];
export const hasRealServer = program !== undefined && spawnSync(program, ["serve", "--help"]).status === 0;

export class RealServer {
  code = "";
  private child: ChildProcess | undefined;
  private readonly folder = mkdtempSync(join(tmpdir(), "findall-server-"));

  private constructor(
    /** Its own address, past the relay. */
    readonly own: string,
    private readonly args: readonly string[],
    /** Where the extension reaches it: everything that the two say is seen there. */
    readonly relay: Relay,
  ) {}

  static async start(...args: string[]): Promise<RealServer> {
    const own = `http://127.0.0.1:${await freePort()}`;
    const server = new RealServer(own, args, await Relay.start(own));
    await server.restart();
    server.newCode();
    return server;
  }

  get base(): string {
    return this.relay.base;
  }

  /** Whether anything that it keeps on disk holds these words. */
  keeps(words: string): boolean {
    const files = readdirSync(this.folder, { recursive: true, withFileTypes: true });
    return files
      .filter((entry) => entry.isFile())
      .some((entry) => readFileSync(join(entry.parentPath, entry.name)).includes(words));
  }

  /** Starts the program and waits until it has loaded. */
  async restart(): Promise<void> {
    const child = spawn(program ?? "findall", ["serve", "--port", new URL(this.own).port, ...this.args], {
      env: this.env(),
    });
    this.child = child;
    let printed = "";
    const read = (piece: Buffer): void => {
      printed += piece.toString();
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    // As long as it runs, it may still be loading: a slow machine gets all the time it needs.
    while (child.exitCode === null && child.signalCode === null) {
      const ready = await fetch(`${this.own}/ready`).then(
        (answer) => answer.ok,
        () => false,
      );
      if (ready) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`findall serve ended before it was ready: ${printed}`);
  }

  /** Asks the program for another pairing code. */
  newCode(): void {
    const { stdout, stderr } = spawnSync(program ?? "findall", ["serve", "--pair"], { env: this.env() });
    const printed = `${String(stdout)}${String(stderr)}`;
    this.code = /\b[A-Z0-9]{4}-[A-Z0-9]{4}\b/.exec(printed)?.[0] ?? "";
    if (this.code === "") throw new Error(`findall serve --pair printed no code: ${printed}`);
  }

  /** Everything that it keeps lies in a folder of its own. */
  private env(): NodeJS.ProcessEnv {
    const { folder } = this;
    return {
      ...process.env,
      XDG_DATA_HOME: folder,
      XDG_CACHE_HOME: folder,
      XDG_CONFIG_HOME: folder,
      NO_COLOR: "1",
    };
  }

  /** A program that is paired and no browser: a path and a body in, JSON out. */
  async client(): Promise<(path: string, body: object) => Promise<unknown>> {
    const post = async (path: string, body: object, token?: string): Promise<unknown> => {
      const answer = await fetch(this.own + path, {
        method: "POST",
        headers: {
          "Content-Type": "application/json",
          ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify(body),
      });
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
      return answer.json();
    };
    const { token } = (await post("/v1/pair", { code: this.code, name: "test" })) as { token: string };
    return (path, body) => post(path, body, token);
  }

  async kill(): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  }

  async stop(): Promise<void> {
    await this.kill();
    await this.relay.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  return port;
}
