import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { EdgeEngine } from "../../src/engine/edge/edge";
import type { Page } from "../../src/engine/engine";
import { stem } from "../../src/engine/edge/stem";

interface Case {
  name: string;
  text: string;
  query: string;
  expected: { start: number; end: number; kind: string; score: number }[];
}

const cases = JSON.parse(
  readFileSync(new URL("../fixtures/lexical.json", import.meta.url), "utf8"),
) as Case[];

export function pageOf(text: string, headings: Page["headings"] = []): Page {
  return {
    text,
    url: "https://example.org/",
    title: "",
    headings,
    seen: { start: 0, end: 0 },
    private: false,
  };
}

const signal = new AbortController().signal;

describe("the same places as the engine", () => {
  test.each(cases)("$name", async ({ text, query, expected }) => {
    const { matches } = await new EdgeEngine().find(pageOf(text), query, signal);
    const found = matches.map(({ span, kind, score }) => ({
      ...span,
      kind,
      score: Math.round(score * 100) / 100,
    }));
    expect(found).toEqual(expected);
  });
});

test("nothing to look for finds nothing", async () => {
  for (const query of ["", "   ", "\n"]) {
    expect((await new EdgeEngine().find(pageOf("text"), query, signal)).matches).toEqual([]);
  }
});

test("a typing error is corrected to what the page says", async () => {
  const { correction } = await new EdgeEngine().find(pageOf("The museum opens. A Museum."), "musuem", signal);
  expect(correction).toEqual({ from: "musuem", to: "museum" });
});

test("suggests headings and words that continue what was typed", async () => {
  const text = "Lighthouses\nA lighthouse keeper and lights.";
  const engine = new EdgeEngine();
  const suggested = await engine.suggest(pageOf(text, [{ start: 0, end: 11 }]), "ligh", signal);
  expect(suggested.map((each) => each.text)).toEqual(["Lighthouses", "lighthouse", "lights"]);
  expect(await engine.suggest(pageOf(text), "l", signal)).toEqual([]);
});

test("a search that is no longer wanted stops", async () => {
  const abort = new AbortController();
  const search = new EdgeEngine().find(pageOf("lamp ".repeat(400_000)), "lamp", abort.signal);
  abort.abort();
  await expect(search).rejects.toThrow();
});

test("stems are Snowball's", () => {
  const pairs =
    "generously:generous studies:studi founding:found relational:relat skies:sky dying:die news:news " +
    "proceeding:proceed hopping:hop hoping:hope universe:univers communism:communism consistency:consist knightly:knight " +
    "agreed:agre happiness:happi enjoyed:enjoy caresses:caress gas:gas this:this cries:cri by:by say:say";
  for (const pair of pairs.split(" ")) {
    const [word = "", expected] = pair.split(":");
    expect(stem(word), word).toBe(expected);
  }
});
