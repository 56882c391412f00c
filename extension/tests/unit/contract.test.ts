/** The types of what the engine inside the browser says and hears are made from findall-wire's own description of it. */

import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const SCRIPT = fileURLToPath(new URL("../../scripts/contract.mjs", import.meta.url));

test("the types are those of the description", async () => {
  // It ends with 1, which rejects, when they are not.
  const { stderr } = await promisify(execFile)(process.execPath, [SCRIPT, "--browser", "--check"]);
  expect(stderr).toBe("");
});
