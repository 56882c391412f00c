/** The person's word about an entity, with the real server: the next query obeys. */

import { describe, expect, test } from "vitest";
import { hasRealServer } from "../server/real";
import type { Bar } from "./harness";
import { withRealServer } from "./setup";

interface Entity {
  name: string;
  id: string | null;
  fact: string;
}

describe.skipIf(!hasRealServer)("reports", () => {
  const its = withRealServer();

  /** What the server said last of an entity. */
  function last(name: string): Entity | undefined {
    const found = its.server.relay.last("/v1/find", ({ status }) => status === 200);
    return (found?.answer["entities"] as Entity[] | undefined)?.find((each) => each.name === name);
  }

  function report(bar: Bar, name: string, words: string) {
    return bar.frame.getByRole("group", { name: `Correct ${name}` }).getByRole("button", { name: words });
  }

  test("not the one meant, and wrong", async () => {
    const bar = await its.harness.open(await its.harness.visit("blog.html"));
    await bar.status("Ready");
    await bar.find("social networks of China");
    await bar.openList();
    const wrong = report(bar, "Bilibili", "This is wrong");
    await wrong.waitFor();
    expect(last("WeChat")?.id).toMatch(/^\d+$/);
    expect(last("Bilibili")?.fact).not.toBe("");

    await report(bar, "WeChat", "This is not the one meant").click();
    await bar.frame.getByText("WeChat is not meant here").waitFor();
    await expect.poll(() => last("WeChat")?.id ?? null).toBeNull();
    expect(its.server.relay.last("/v1/kb/report")?.body).toMatchObject({
      title: "WeChat",
      about: "link",
      name: "WeChat",
    });
    expect(await report(bar, "WeChat", "This is wrong").count()).toBe(0);

    await wrong.click();
    await bar.frame.getByText("what was known of Bilibili is left out").waitFor();
    await expect.poll(() => last("Bilibili")?.fact ?? "").toBe("");
  });
});
