/** The types of what travels are made from the server's own description of it; here they are held to the server itself. */

import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const SCRIPT = fileURLToPath(new URL("../../scripts/contract.mjs", import.meta.url));
const program = process.env["FINDALL_SERVER"];

test.skipIf(program === undefined)("the types are those of the server", async () => {
  const { stderr } = await promisify(execFile)(process.execPath, [SCRIPT, program ?? "", "--check"]);
  expect(stderr).not.toContain("not current");
});
