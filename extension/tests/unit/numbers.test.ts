/** Numbers of the search by letters that stand on both sides of the door are the same there. */

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

const EDGE = read("src/engine/edge/edge.ts");
const LETTERS = read("../crates/findall-wasm-lexical/src/letters.rs");
const INDEXED = read("../crates/findall/src/lexical/indexed.rs");

/** The number of this name, as TypeScript or Rust defines it. */
function constant(source: string, name: string): number {
  const value = new RegExp(`const ${name}(?:: \\w+)? = ([\\d_.e]+);`).exec(source)?.[1];
  return Number(value?.replaceAll("_", ""));
}

test.each([
  ["NUMBERS_A_MATCH", LETTERS, "NUMBERS_A_MATCH"],
  ["MAX_SUGGESTIONS", LETTERS, "MAX_SUGGESTIONS"],
  ["MAX_HEADING_UNITS", INDEXED, "MAX_SUGGESTED_HEADING_CHARS"],
])("%s is the engine's", (name, source, theirs) => {
  expect(constant(EDGE, name)).toBe(constant(source, theirs));
  expect(constant(EDGE, name)).toBeGreaterThan(0);
});

test("scores travel in the unit that they are read in", () => {
  const scale = /f64::from\(score\) \* ([\d_.e]+)\)/.exec(LETTERS)?.[1];
  expect(constant(EDGE, "MILLIONTHS")).toBe(Number(scale?.replaceAll("_", "")));
  expect(constant(EDGE, "MILLIONTHS")).toBeGreaterThan(0);
});
