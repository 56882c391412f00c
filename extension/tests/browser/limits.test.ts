/** What never ends is given up, by the extension as it ships: the one that other tests load waits longer. */

import { test } from "vitest";
import { withoutServer } from "./setup";

const its = withoutServer({ shipped: true });

test("an endless expression is ended and says so, and the next one is found", async () => {
  const bar = await its.harness.open(await its.harness.visit("words.html"));
  await bar.query.press("Alt+r");
  await bar.openList();
  // What refers back cannot be found in steady time.
  await bar.find("((\\w|[ .,-])+)+!\\1");
  await bar.frame.getByText("this expression takes too long").waitFor();
  await bar.find("shade");
  await bar.counts("1 of 1");
});
