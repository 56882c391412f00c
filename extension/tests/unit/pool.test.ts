/** Who does what inside the browser, with threads of paper. */

import { expect, test } from "vitest";
import { EnginePool, type Thread } from "../../src/offscreen/pool";

type Answer = Record<string, unknown>;

/** A thread that keeps its work until it is told to give it. */
class SlowHand implements Thread {
  readonly begun: string[] = [];
  private finish: (() => void) | undefined;

  call({ tasks }: Answer): Promise<Answer> {
    const texts = (tasks as { text: string }[]).map(({ text }) => text);
    this.begun.push(...texts);
    return new Promise((resolve) => {
      this.finish = () => resolve({ done: texts });
    });
  }

  async give(): Promise<void> {
    this.finish?.();
    await new Promise((resolve) => setTimeout(resolve));
  }
}

/** A page of these passages: each names one thing, which needs a vector. */
class Lead implements Thread {
  readonly learned = new Set<unknown>();

  constructor(private readonly passages: readonly string[]) {}

  call({ call, done, fast }: Answer): Promise<Answer> {
    if (call === "learn") for (const each of done as unknown[]) this.learned.add(each);
    if (call === "find") return Promise.resolve(fast === true ? { judged: false } : this.judge());
    const vectors = this.passages.filter((text) => this.learned.has(text)).map((text) => `vector of ${text}`);
    const wanted = [
      ...vectors.map((text) => ({ task: "knowledge", text })),
      ...this.passages.map((text) => ({ task: "tag", text })),
    ].filter(({ text }) => !this.learned.has(text));
    return Promise.resolve({ document: "1", wanted, whole: wanted.length === 0, read: 0, total: 1 });
  }

  private judge(): Answer {
    return this.learned.has("verdict")
      ? { judged: true }
      : { wanted: [{ task: "judge", text: "verdict", query: "q" }] };
  }
}

const long = (name: string): string => name.padEnd(900, ".");

test("what was read is made findable before more is read; verdicts go before both", async () => {
  const passages = ["seen", "next", "last"].map(long);
  const [lead, hand] = [new Lead(passages), new SlowHand()];
  const pool = new EnginePool(lead, [hand]);
  const reading = pool.read(
    { text: "", seen: [0, 1] },
    () => true,
    () => undefined,
  );
  await hand.give();
  await hand.give();
  expect(hand.begun.map((text) => text.replace(/\.+$/, ""))).toEqual(["seen", "next"]);
  const finding = pool.find({ document: "1", query: "q", fast: false }, () => true);
  for (let turn = 0; turn < 8; turn++) await hand.give();
  expect(await finding).toEqual({ judged: true });
  expect(await reading).toEqual({ document: "1" });
  const order = hand.begun.map((text) => text.replace(/\.+$/, ""));
  expect(order.slice(0, 3)).toEqual(["seen", "next", "verdict"]);
  expect(order.indexOf("vector of seen")).toBeLessThan(order.indexOf("last"));
  expect(new Set(order).size).toBe(order.length);
});

test("a page that is no longer wanted is left, and the next one is read", async () => {
  const [lead, hand] = [new Lead(["one", "two"].map(long)), new SlowHand()];
  const pool = new EnginePool(lead, [hand]);
  let wanted = true;
  const left = pool.read(
    { text: "", seen: [0, 1] },
    () => wanted,
    () => undefined,
  );
  await hand.give();
  wanted = false;
  await hand.give();
  await hand.give();
  expect(await left).toBeUndefined();
  const read = pool.read(
    { text: "", seen: [0, 1] },
    () => true,
    () => undefined,
  );
  for (let turn = 0; turn < 8; turn++) await hand.give();
  expect(await read).toEqual({ document: "1" });
});
