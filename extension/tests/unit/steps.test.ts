/**
 * Steps from place to place while the places are still on their way: whoever presses Enter before the last letter was
 * looked for, or before the page has said where to begin, gets as far as on a machine that is never busy. What is on its
 * way is handed over one by one here, in every order; no clock decides.
 */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Controller } from "../../src/bar/controller";
import type { ToPage } from "../../src/messages";
import type { Remote } from "../../src/remote";

// Nobody answers but the thread below.
vi.mock("../../src/engine/edge/lexical", () => ({ loadModule: () => new Promise(() => undefined) }));

const TEXT = "Old bridge reopens. The iron bridge opened. The bridge was finished. Ten bridges survived.";
/** Makes a page so long that it is searched in the thread. */
const FILLING = " ".repeat(1 << 17);

/** The thread that finds by letters: it answers when it is told to. */
class HeldLetters extends EventTarget {
  static last: HeldLetters | undefined;
  private readonly queries = new Map<number, string>();

  constructor() {
    super();
    HeldLetters.last = this;
  }

  postMessage(message: { id: number; query?: { query: string }; unwanted?: number }): void {
    if (message.unwanted !== undefined) this.queries.delete(message.unwanted);
    else if (message.query) this.queries.set(message.id, message.query.query);
  }

  terminate(): void {
    this.queries.clear();
  }

  /** Gives every place of what is looked for, for every query that is still wanted. */
  answer(): void {
    for (const [id, query] of this.queries) {
      const places = [...TEXT.matchAll(new RegExp(query, "g"))].flatMap(({ index }) => [
        index,
        index + query.length,
        0,
        1e6,
      ]);
      const answer = { places: Uint32Array.from(places), kinds: [{ exact: true, why: "" }] };
      this.dispatchEvent(new MessageEvent("message", { data: { id, answer } }));
    }
    this.queries.clear();
  }
}

let bar: Controller;
let told: ToPage[];

beforeEach(() => {
  vi.stubGlobal("Worker", HeldLetters);
  vi.useFakeTimers();
  told = [];
  const remote = { call: () => Promise.resolve({}) } as unknown as Remote;
  const nothing = (): void => undefined;
  bar = new Controller(remote, (message) => void told.push(message), nothing, nothing);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function readPage(version = 1, text = TEXT): void {
  const none = { headings: [], closed: [], folded: 0, frames: 1, pdf: false, seen: { start: 0, end: 9 } };
  bar.pageRead({ version, text: text + FILLING, url: "https://example.org/", title: "", ...none });
}

async function findLetters(): Promise<void> {
  HeldLetters.last?.answer();
  await vi.advanceTimersByTimeAsync(0);
}

function listTold(): Extract<ToPage, { type: "show" }> {
  const lists = told.filter((message) => message.type === "show");
  const last = lists[lists.length - 1];
  if (!last) throw new Error("no list was shown");
  return last;
}

/** The page has painted a list, the last one if no other is named, and says which of its places is nearest. */
function paint(near = 0, { list, version } = listTold()): void {
  bar.pageSaid({ type: "shown", list, version, missing: 0, near } as Parameters<Controller["pageSaid"]>[0]);
}

async function find(query: string): Promise<void> {
  bar.type(query);
  await findLetters();
}

test("a step before the last letter was looked for is taken in what the whole query finds", async () => {
  readPage();
  await find("bridg");
  paint();
  bar.type("bridge");
  bar.step(1);
  await findLetters();
  paint();
  expect(bar.state.current).toBe(1);
  expect(told.at(-1)).toEqual({ type: "go", index: 1 });
});

test("a step before the page has said where to begin goes on from there", async () => {
  readPage();
  await find("bridge");
  bar.step(1);
  paint(2);
  expect(bar.state.current).toBe(3);
  bar.step(1);
  expect(bar.state.current).toBe(0);
});

test("steps back wait, too, and what was typed after them takes them back", async () => {
  readPage();
  await find("bridge");
  bar.step(-1);
  paint();
  expect(bar.state.current).toBe(3);
  bar.type("bridges");
  bar.step(1);
  bar.type("bridge");
  await findLetters();
  paint();
  expect(bar.state.current).toBe(0);
});

test("a step before the page was read is taken when it has been", async () => {
  bar.type("bridge");
  bar.step(1);
  readPage();
  await findLetters();
  paint();
  expect(bar.state.current).toBe(1);
});

test("the page's word about a list that is no longer shown says nothing about the one that is", async () => {
  readPage();
  await find("e");
  const before = listTold();
  await find("bridge");
  paint(3, before);
  expect(bar.state.current).toBe(-1);
  paint(0);
  expect(bar.state.current).toBe(0);
});

test("a page that has changed meanwhile does not take the step back", async () => {
  readPage();
  await find("bridge");
  bar.step(1);
  readPage(2, `${TEXT} More.`);
  paint();
  expect(bar.state.current).toBe(1);
  await findLetters();
  paint();
  expect(bar.state.current).toBe(1);
});

test("whoever has chosen a place stays there, and steps on from there", async () => {
  readPage();
  await find("bridg");
  paint();
  bar.type("bridge");
  bar.go(2);
  bar.step(1);
  await findLetters();
  expect(bar.state.current).toBe(3);
});

/** Shows places as a later answer about the same query does. */
function showMatches(spans: readonly (readonly [number, number])[]): void {
  const matches = spans.map(([start, end]) => {
    return { span: { start, end }, kind: "meaning" as const, score: 1, why: "", accepted: true };
  });
  bar.update({ found: { matches } });
  bar.reshow();
}

test("a later answer that has the place in a wider one, or no longer, leaves the person where they are", async () => {
  readPage();
  await find("bridge");
  paint();
  bar.step(1);
  bar.step(1);
  const [first, second, third, fourth] = bar.matches.map(({ span }) => [span.start, span.end] as const);
  if (!first || !second || !third || !fourth) throw new Error("four places are expected");
  showMatches([first, second, [third[0] - 4, third[1]], fourth]);
  expect(bar.state.current).toBe(2);
  showMatches([first, second, fourth]);
  expect(bar.state.current).toBe(2);
  expect(told.at(-1)).toEqual({ type: "go", index: 2 });
  showMatches([first, second]);
  expect(bar.state.current).toBe(1);
});

test("who has gone nowhere begins where the page says when the place is no longer there", async () => {
  readPage();
  await find("bridge");
  paint(1);
  const places = bar.matches.map(({ span }) => [span.start, span.end] as const);
  showMatches(places.filter((_, index) => index !== 1));
  expect(bar.state.current).toBe(-1);
  paint(0);
  expect(bar.state.current).toBe(0);
});

test("without a place there is nothing to step from, then or later", async () => {
  readPage();
  await find("tunnel");
  bar.step(1);
  await find("bridge");
  paint();
  expect(bar.state.current).toBe(0);
});

test("Enter does not go to an answer that a filter hides", async () => {
  readPage();
  await find("bridge");
  const answer = { span: { start: 0, end: 3 }, text: "Old", confidence: 1, origin: "" };
  const none = { running: false, message: "", questionId: "", similar: [], wrong: new Set<string>() };
  bar.update({ ask: { question: "bridge", outcome: "answered", answers: [answer], ...none } });
  bar.toggle("answer");
  expect(bar.goToAnswer()).toBe(false);
  bar.toggle("answer");
  // It is there now, and Enter has not been there.
  expect(bar.goToAnswer()).toBe(true);
  expect(bar.goToAnswer()).toBe(false);
});

test.each([[["bridge"]], [["brid", "ge"]]])(
  "a step that outruns letters typed before it, %j, is kept",
  async (parts) => {
    readPage();
    for (const [number, typed] of parts.entries()) {
      if (number === parts.length - 1) bar.step(1);
      bar.pageSaid({ type: "opened", selected: "", typed, like: false });
    }
    expect(bar.state.query).toBe("bridge");
    await findLetters();
    paint();
    expect(bar.state.current).toBe(1);
  },
);

test("a step pressed in an empty field is forgotten when letters are typed", async () => {
  readPage();
  bar.step(1);
  await find("bridge");
  paint();
  expect(bar.state.current).toBe(0);
});

/** The page tells of keys that it caught. */
function catchKeys(typed: string): void {
  bar.pageSaid({ type: "opened", selected: "", typed, like: false });
}

test("a step that was taken before the last letters came is taken in what all of them find", async () => {
  readPage();
  catchKeys("bri");
  await findLetters();
  paint();
  bar.step(1);
  expect(bar.state.current).toBe(1);
  catchKeys("dge");
  await findLetters();
  paint();
  expect(bar.state.current).toBe(1);
});

test("a step that found nothing before the last letters came is taken in what all of them find", async () => {
  readPage();
  catchKeys("brid");
  await find("bride");
  bar.step(1);
  expect(bar.matches).toEqual([]);
  catchKeys("g");
  expect(bar.state.query).toBe("bridge");
  await findLetters();
  paint();
  expect(bar.state.current).toBe(1);
});

test("steps before the query was marked are not taken in what replaces it", async () => {
  readPage();
  await find("iron");
  bar.step(1);
  bar.markQuery();
  catchKeys("bridge");
  expect(bar.state.query).toBe("bridge");
  await findLetters();
  paint();
  expect(bar.state.current).toBe(0);
});

test("the selection does not replace what was typed before the page spoke of it", () => {
  bar.type("bridge");
  bar.pageSaid({ type: "opened", selected: "iron", typed: "", like: false });
  expect(bar.state.query).toBe("bridge");
});

test("what was typed once the bar had the focus again is neither replaced nor marked", async () => {
  catchKeys("mayor");
  readPage();
  await findLetters();
  bar.caught.noteFocus("mayor");
  bar.markQuery();
  bar.type("b");
  bar.pageSaid({ type: "opened", selected: "iron", typed: "", like: false });
  expect(bar.state.query).toBe("b");
  // Pressed once more, it is.
  bar.pageSaid({ type: "opened", selected: "iron", typed: "", like: false });
  expect(bar.state.query).toBe("iron");
});
