/** The list that is taken along, in its three forms; and what is sought to the letter. */

import { expect, test } from "vitest";
import { formatCsv, formatMarkdown, formatText, rowsOf } from "../../src/bar/listing";
import { literalOf } from "../../src/engine/edge/literal";
import type { Match } from "../../src/engine/engine";
import { lettersEngine } from "../letters";

const TEXT = 'The Elbe is long. "Yes", the *Elbe*.\n=SUM(A1) is no formula here.';

function match(words: string, from: number, entity?: string): Match {
  const start = TEXT.indexOf(words, from);
  const place = { span: { start, end: start + words.length }, score: 1, why: "", accepted: true };
  return entity === undefined
    ? { ...place, kind: "exact" }
    : { ...place, kind: "meaning", entity: { name: entity, description: "" } };
}

const rows = rowsOf(TEXT, [match("Elbe", 0, "Elbe"), match("Elbe", 10, "Elbe"), match("=SUM(A1)", 0)]);

test("names with their counts and sentences", () => {
  expect(formatText(rows)).toBe("Elbe (2)\n=SUM(A1)");
  expect(formatCsv(rows).split("\r\n")).toEqual([
    "name,kind,count,sentence",
    "Elbe,By meaning,2,The Elbe is long.",
    'Elbe,By meaning,2,"""Yes"", the *Elbe*."',
    "'=SUM(A1),Exact words,1,'=SUM(A1) is no formula here.",
    "",
  ]);
  expect(formatMarkdown("A [page]", "https://example.org/a", "rivers", rows)).toBe(
    [
      "# rivers",
      "",
      "[A \\[page\\]](<https://example.org/a>)",
      "",
      "- **Elbe** (2)",
      "  - The Elbe is long.",
      '  - "Yes", the \\*Elbe\\*.',
      "- **=SUM(A1)**",
      "  - =SUM(A1) is no formula here.",
      "",
    ].join("\n"),
  );
});

const none = { matchCase: false, wholeWords: false, expression: false };

test.each([
  ["Lamp", { ...none, matchCase: true }, ["Lamp"]],
  ["lamp", { ...none, wholeWords: true }, ["Lamp", "lamp"]],
  ["lamp", { ...none, wholeWords: true, matchCase: true }, ["lamp"]],
  ['"a lamp"', none, ["a  lamp"]],
  ["“lamps”", none, ["lamps"]],
])("%s to the letter", async (query, options, expected) => {
  const text = "Lamp, a  lamp, two lamps";
  const literal = literalOf(query, options);
  const page = { text, url: "", title: "", headings: [], seen: { start: 0, end: 0 }, private: false };
  const found = literal && (await lettersEngine().findLiteral(page, literal, new AbortController().signal));
  expect(found?.matches.map(({ span }) => text.slice(span.start, span.end))).toEqual(expected);
});

test("without options or quotation marks meaning is sought", () => {
  expect(literalOf("lamps", none)).toBeUndefined();
  expect(literalOf('the "lamp" here', none)).toBeUndefined();
  expect(literalOf("l.mp", { ...none, expression: true })?.text).toBe("l.mp");
});
