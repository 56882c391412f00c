/** The real `findall serve`, where FINDALL_SERVER names the program. */

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const program = process.env["FINDALL_SERVER"];
export const hasRealServer = program !== undefined && spawnSync(program, ["serve", "--help"]).status === 0;

export class RealServer {
  code = "";
  private child: ChildProcess | undefined;
  private readonly folder = mkdtempSync(join(tmpdir(), "findall-server-"));

  private constructor(
    private readonly port: number,
    private readonly args: readonly string[],
  ) {}

  static async start(...args: string[]): Promise<RealServer> {
    const server = new RealServer(await freePort(), args);
    await server.restart();
    return server;
  }

  get base(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Starts the program and waits for the pairing code that it prints. */
  async restart(): Promise<void> {
    const child = spawn(program ?? "findall", ["serve", "--port", String(this.port), ...this.args], {
      env: {
        ...process.env,
        XDG_DATA_HOME: this.folder,
        XDG_CACHE_HOME: this.folder,
        XDG_CONFIG_HOME: this.folder,
        NO_COLOR: "1",
      },
    });
    this.child = child;
    let printed = "";
    const read = (piece: Buffer): void => {
      printed += piece.toString();
      this.code = /\b[A-Z0-9]{4}-[A-Z0-9]{4}\b/.exec(printed)?.[0] ?? this.code;
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    for (let tries = 0; tries < 600; tries++) {
      const ready = await fetch(`${this.base}/ready`).then(
        (answer) => answer.ok,
        () => false,
      );
      if (ready) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`findall serve did not become ready: ${printed}`);
  }

  /** A program that is paired and no browser: a path and a body in, JSON out. */
  async client(): Promise<(path: string, body: object) => Promise<unknown>> {
    const post = async (path: string, body: object, token?: string): Promise<unknown> => {
      const answer = await fetch(this.base + path, {
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

  /** Ends as a killed process does. */
  async stop(): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  return port;
}
