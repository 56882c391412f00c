import { expect, test } from "vitest";
import { termsOf } from "../../src/bar/liking";
import {
  candidates,
  counterText,
  describeSettling,
  findKept,
  groupsOf,
  initialState,
  isQuestion,
  sentenceAround,
  shownMatches,
  snippetOf,
} from "../../src/bar/state";
import type { Match } from "../../src/engine/engine";

function match(start: number, change: Partial<Match> = {}): Match {
  return { span: { start, end: start + 4 }, kind: "exact", score: 1, why: "", accepted: true, ...change };
}

test("who went on before the last letter was looked for stays where the word has grown", () => {
  const grown = [10, 30, 50].map((start) => match(start, { span: { start, end: start + 6 } }));
  expect(findKept(grown, { start: 30, end: 35 })).toBe(1);
  // A place that is the same goes before one that lies over it.
  expect(findKept([match(28), match(30)], { start: 30, end: 34 })).toBe(1);
  expect(findKept(grown, { start: 36, end: 40 })).toBe(-1);
});

test("filters and threshold decide what is shown", () => {
  const state = initialState();
  state.found = {
    matches: [
      match(0),
      match(10, { kind: "fuzzy", score: 0.7 }),
      match(20, { kind: "meaning", score: 0.3, accepted: false }),
    ],
  };
  expect(shownMatches(state)).toHaveLength(2);
  state.threshold = 0.2;
  expect(shownMatches(state)).toHaveLength(3);
  state.threshold = 0.8;
  expect(shownMatches(state)).toHaveLength(1);
  state.off = new Set(["exact"]);
  expect(shownMatches(state)).toHaveLength(0);
});

test("an answer stands before a match of the same place", () => {
  const state = initialState();
  state.found = { matches: [match(0), match(10)] };
  state.ask = {
    question: "q",
    running: false,
    outcome: "answered",
    message: "",
    answers: [{ span: { start: 10, end: 14 }, text: "x", confidence: 0.9, origin: "reader" }],
    questionId: "1",
    similar: [],
    wrong: new Set(),
  };
  expect(candidates(state).map(({ kind }) => kind)).toEqual(["exact", "answer"]);
});

test("groups by entity, the best first", () => {
  const entity = { name: "WeChat", description: "app" };
  const groups = groupsOf([
    match(0),
    match(5, { kind: "meaning", entity, score: 0.5 }),
    match(9, { kind: "meaning", entity, score: 0.9 }),
  ]);
  expect(groups.map(({ name, score, members }) => [name, score, members])).toEqual([
    ["WeChat", 0.9, [1, 2]],
    ["Exact words", 1, [0]],
  ]);
});

test("the counter speaks plainly", () => {
  const state = initialState();
  expect(counterText(state, 0)).toBe("");
  state.query = "lamp";
  expect(counterText(state, 0)).toBe("Reading the page");
  state.page = { text: "", url: "", title: "", headings: [], seen: { start: 0, end: 0 }, private: false };
  expect(counterText(state, 0)).toBe("Searching");
  state.status = { state: "preparing", done: 0.419 };
  expect(counterText(state, 0)).toBe("Searching by meaning, 41 %");
  expect(describeSettling(state, 3)).toBe("by meaning, 41 %");
  state.status = { state: "ready" };
  expect(counterText(state, 0)).toBe("Nothing found");
  state.current = 2;
  expect(counterText(state, 1700)).toBe("3 of 1,700");
});

test.each([
  ["who runs WeChat", true],
  ["When was the bridge built?", true],
  ["why?", true],
  ["what", false],
  ["is it", false],
  ["social networks of China", false],
  ["how to", false],
])("%s is a question: %s", (query, expected) => {
  expect(isQuestion(query)).toBe(expected);
});

test("snippets stay on their line and say where they were cut", () => {
  const text = `First line.\n${"word ".repeat(30)}lamp ${"more ".repeat(30)}\nLast line.`;
  const start = text.indexOf("lamp");
  const { before, match: found, after } = snippetOf(text, { start, end: start + 4 });
  expect(found).toBe("lamp");
  expect(before).toMatch(/^…(word )+$/);
  expect(after).toMatch(/^( more)+ …$/);
});

test("the sentence around a selection, and its words", () => {
  const text = "One here. Tencent runs WeChat and the older QQ. Last.\nNext.";
  const start = text.indexOf("WeChat");
  const { start: from, end } = sentenceAround(text, { start, end: start + 6 });
  expect(text.slice(from, end)).toBe("Tencent runs WeChat and the older QQ.");
  expect(termsOf(text.slice(from, end), "WeChat").map(({ word }) => word)).toEqual([
    "Tencent",
    "runs",
    "older",
  ]);
});
