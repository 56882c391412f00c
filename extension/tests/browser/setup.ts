/** What every file of browser tests starts from: a browser with the extension, and the server that it is paired with. */

import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll } from "vitest";
import { ContractServer } from "../server/contract";
import { RealServer } from "../server/real";
import { Harness, type Loaded, type Made } from "./harness";

interface Server {
  base: string;
  /** What pairs a browser with it; without one there is nothing to pair with. */
  code?: string;
  stop(): Promise<void>;
}

export interface Its<S extends Server> {
  harness: Harness;
  server: S;
}

/** With the stand-in, whose every state a test can choose. */
export function withStandIn(pages?: Made, loaded?: Loaded): Its<ContractServer> {
  return withServer(() => new ContractServer().start(), { pages, ...loaded });
}

/** With the real program. */
export function withRealServer(pages?: Made): Its<RealServer> {
  return withServer(() => RealServer.start(), { pages });
}

/** With no server at all; `inside` says whether the engine inside the browser may find. */
export function withoutServer(options: { pages?: Made; inside?: boolean } & Loaded = {}): Its<Server> {
  const nobody = { base: "http://127.0.0.1:9", stop: () => Promise.resolve() };
  return withServer(() => Promise.resolve(nobody), options);
}

/** Both are there once the tests run; every test starts with one empty tab. */
function withServer<S extends Server>(
  start: () => Promise<S>,
  { pages, inside = false, ...loaded }: { pages?: Made | undefined; inside?: boolean } & Loaded,
): Its<S> {
  const its = {} as Its<S>;
  beforeAll(async () => {
    its.server = await start();
    its.harness = await Harness.start(pages, loaded);
    await its.harness.connect(its.server.base, its.server.code, inside);
  });
  afterEach(() => its.harness.closePages());
  afterAll(async () => {
    await its.harness.stop();
    await its.server.stop();
  });
  return its;
}

/** Pictures are kept when asked for: they change a little from machine to machine. */
export async function picture(page: Page, name: string): Promise<void> {
  if (!process.env["FINDALL_PICTURES"]) return;
  await page.waitForTimeout(400);
  await page.screenshot({ path: fileURLToPath(new URL(`../../pictures/${name}.png`, import.meta.url)) });
}
