/** What most files of browser tests start from: a browser with the extension, paired with the stand-in server. */

import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll } from "vitest";
import { ContractServer } from "../server/contract";
import { Harness } from "./harness";

export interface Its {
  harness: Harness;
  server: ContractServer;
}

/** Both are there once the tests run; every test starts with one empty tab. */
export function withStandIn(pages: Record<string, () => string> = {}): Its {
  const its = {} as Its;
  beforeAll(async () => {
    its.server = await new ContractServer().start();
    its.harness = await Harness.start(pages);
    await its.harness.connect(its.server.base, its.server.code);
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
