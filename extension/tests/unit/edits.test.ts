/** Where spans stand after a text has changed. */

import { expect, test } from "vitest";
import { commonEnd, commonStart, isMostlySame, makeMover } from "../../src/edits";

function moved(before: string, after: string, words: string): string | undefined {
  const start = before.indexOf(words);
  const span = makeMover(before, after)({ start, end: start + words.length });
  return span && after.slice(span.start, span.end);
}

test.each([
  ["12:00:01\nThe Elbe", "12:00:02\nThe Elbe", "Elbe", true],
  ["12:00:01\nThe Elbe", "9:00\nThe Elbe", "Elbe", true],
  ["The Elbe", "The Elbe\nand the Danube", "Elbe", true],
  ["12:01\nThe Elbe\nmore", "12:02\nThe Elbe\nmore\nand more", "Elbe", true],
  ["12:01\nnews\nThe Elbe\nend 1", "12:02\nThe Elbe\nmore\nend 2", "Elbe", true],
  ["12:01\nThe Elbe flows\nend 1", "12:02\nThe Oder flows\nend 2", "Elbe", false],
  ["The Elbe", "The Oder", "Elbe", false],
  ["a\nThe\nElbe\nb", "c\nThe\nElbe\nd", "The\nElbe", false],
])("%j to %j: %s", (before, after, words, stays) => {
  expect(moved(before, after, words)).toBe(stays ? words : undefined);
});

test("every span that stays says the same", () => {
  // A small generator with a fixed start: the same texts in every run.
  let seed = 7;
  const next = (most: number): number => (seed = (seed * 48271) % 2147483647) % most;
  const lines = ["Elbe", "Danube", "", "Vltava river", "12:00", "a b"];
  for (let round = 0; round < 500; round++) {
    const text = (): string => Array.from({ length: next(8) }, () => lines[next(lines.length)]).join("\n");
    const [before, after] = [text(), text()];
    const move = makeMover(before, after);
    for (let start = 0; start < before.length; start++) {
      const span = { start, end: Math.min(before.length, start + 1 + next(5)) };
      const now = move(span);
      if (now) expect(after.slice(now.start, now.end)).toBe(before.slice(span.start, span.end));
    }
  }
});

test("common ends do not overlap", () => {
  expect(commonStart("aaa", "aa")).toBe(2);
  expect(commonEnd("aaa", "aa", 2)).toBe(0);
});

test("a page that changes at both ends is the same page, another page is not", () => {
  expect(isMostlySame("", "")).toBe(true);
  expect(isMostlySame("12:00\nThe Elbe flows\n1", "12:01\nThe Elbe flows\n2")).toBe(true);
  expect(isMostlySame("The Elbe flows", "A shop for lamps")).toBe(false);
});
