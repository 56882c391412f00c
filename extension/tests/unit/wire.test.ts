import { expect, test } from "vitest";
import {
  parseAskOutcome,
  parseFindings,
  parseLike,
  parseQuestions,
  parseSuggestions,
} from "../../src/engine/wire";

test("matches outside the text are left out, and left-out entities are kept aside", () => {
  const found = parseFindings(
    {
      matches: [
        {
          span: { start: 10, end: 16 },
          kind: "meaning",
          score: 0.9,
          why: "app",
          entity: { name: "WeChat", description: "app" },
        },
        { span: { start: 0, end: 6 }, kind: "exact", score: 1, why: "" },
        { span: { start: 90, end: 120 }, kind: "exact", score: 1 },
        { span: { start: 4, end: 2 }, kind: "exact", score: 1 },
        { span: { start: 1, end: 2 }, kind: "unheard-of", score: 1 },
        "nonsense",
      ],
      entities: [
        {
          name: "Baidu",
          accepted: false,
          score: 0.2,
          mentions: [
            { start: 20, end: 25 },
            { start: 99, end: 200 },
          ],
          fact: "search",
        },
      ],
    },
    100,
  );
  expect(found.matches.map(({ span, accepted }) => [span.start, accepted])).toEqual([
    [0, true],
    [10, true],
    [20, false],
  ]);
});

test("answers of any shape do no harm", () => {
  for (const odd of [
    null,
    [],
    "x",
    { answers: "x" },
    { questions: [{}] },
    { suggestions: [1] },
    { entities: [{ mentions: 4 }] },
  ]) {
    expect(parseAskOutcome(odd, 10).answers).toEqual([]);
    expect(parseQuestions(odd, 10)).toEqual([]);
    expect(parseSuggestions(odd)).toEqual([]);
    expect(parseLike(odd, 10).matches).toEqual([]);
    expect(parseFindings(odd, 10).matches).toEqual([]);
  }
});

test("only web addresses become links", () => {
  const [one, two] = parseQuestions(
    {
      questions: [
        { text: "a", page: { url: "javascript:alert(1)", title: "x" } },
        { text: "b", page: { url: "https://example.org/", title: "y" } },
      ],
    },
    0,
  );
  expect(one?.page?.url).toBe("");
  expect(two?.page?.url).toBe("https://example.org/");
});

test("a corrected word is another spelling, not the exact words", () => {
  const answer = {
    matches: [{ span: { start: 0, end: 6 }, kind: "exact", score: 1, why: "the words themselves" }],
    correction: { from: "wehcat", to: "wechat" },
  };
  const [match] = parseFindings(answer, 10).matches;
  expect(match).toMatchObject({ kind: "fuzzy", why: "“wehcat” was read as “wechat”" });
});
