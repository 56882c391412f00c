import { readFileSync } from "node:fs";
import { describe, expect, test, vi } from "vitest";
import { type FromLetters, LocalLetters, answerMessages } from "../../src/engine/edge/letters";
import { type LettersFindings, LexicalModule } from "../../src/engine/edge/lexical";
import type { Page } from "../../src/engine/engine";
import { lettersEngine, loadLexical } from "../letters";

interface Case {
  name: string;
  text: string;
  query: string;
  expected: { start: number; end: number; kind: string; score: number }[];
}

const cases = JSON.parse(
  readFileSync(new URL("../fixtures/lexical.json", import.meta.url), "utf8"),
) as Case[];

function pageOf(text: string, headings: Page["headings"] = []): Page {
  return {
    text,
    url: "https://example.org/",
    title: "",
    headings,
    seen: { start: 0, end: 0 },
    private: false,
  };
}

/** Ends a test that hangs; a slow machine gets all the time it needs. */
const PATIENT = { timeout: 300_000 };
const signal = new AbortController().signal;
const engine = lettersEngine();

describe("the same places as the engine", () => {
  test.each(cases)("$name", async ({ text, query, expected }) => {
    const { matches } = await engine.find(pageOf(text), query, signal);
    const found = matches.map(({ span, kind, score }) => ({
      ...span,
      kind,
      score: Math.round(score * 100) / 100,
    }));
    expect(found).toEqual(expected);
  });
});

test("says why", async () => {
  const { matches } = await engine.find(pageOf("A company, two companies, a compnay."), "company", signal);
  expect(matches.map(({ why }) => why)).toEqual([
    "the words themselves",
    "singular or plural of the same word",
    "one letter differs",
  ]);
});

test("nothing to look for finds nothing", async () => {
  for (const query of ["", "   ", "\n"]) {
    expect((await engine.find(pageOf("text"), query, signal)).matches).toEqual([]);
  }
});

test("a typing error is corrected to what the page says", async () => {
  const { correction } = await engine.find(pageOf("The museum opens. A Museum."), "musuem", signal);
  expect(correction).toEqual({ from: "musuem", to: "museum" });
});

test("suggests headings and words that continue what was typed", async () => {
  const text = "Lighthouses\nA lighthouse keeper and lights.";
  const suggested = await engine.suggest(pageOf(text, [{ start: 0, end: 11 }]), "ligh", signal);
  expect(suggested.map((each) => each.text)).toEqual(["Lighthouses", "lighthouse", "lights"]);
  expect(await engine.suggest(pageOf(text), "l", signal)).toEqual([]);
});

test("a page that comes in pieces is one page", PATIENT, async () => {
  // Pieces end at every 65,536th unit, here between two surrogates and inside a word; a lone surrogate is one unit.
  const start = `${"x".repeat(65_534)} 😀 \ud800 `;
  const { matches } = await engine.find(pageOf(`${start}lamp ${"é ".repeat(40_000)}Lämps`), "lamps", signal);
  expect(matches.map(({ span }) => span.start)).toEqual([start.length, start.length + 80_005]);
});

test("a search that is no longer wanted stops, and the next one finds", PATIENT, async () => {
  const abort = new AbortController();
  const page = pageOf("lamp ".repeat(100_000));
  const search = engine.find(page, "lamp", abort.signal);
  abort.abort();
  await expect(search).rejects.toThrow();
  expect((await engine.find(page, "lamp", signal)).matches).toHaveLength(100_000);
});

test("others get their turn often: no piece of work is large", PATIENT, async () => {
  const module = await LexicalModule.open(await loadLexical());
  let pieces = 0;
  const count = (): Promise<void> => {
    pieces++;
    return Promise.resolve();
  };
  await module.take("violins and a lamp in the window ".repeat(30_000), count);
  await module.readWords(count);
  const read = pieces;
  await module.find({ query: "violin window" }, count);
  // 990,000 characters, 210,000 words.
  expect(read).toBeGreaterThan(20);
  expect(pieces - read).toBeGreaterThan(3);
});

test("the thread answers what it is told and drops what is unwanted", PATIENT, async () => {
  const said: FromLetters[] = [];
  const told = answerMessages(new LocalLetters(loadLexical), (message) => said.push(message));
  told({ id: 1, text: "a lamp", query: { query: "lamp" } });
  told({ id: 2, query: { query: "a" } });
  told({ unwanted: 2 });
  told({ id: 3, typed: "la", headings: ["Lamps"] });
  await vi.waitFor(() => expect(said).toHaveLength(3), PATIENT);
  const [found, unwanted, suggested] = said;
  expect([...((found && "answer" in found ? found.answer : {}) as LettersFindings).places]).toEqual([
    2, 6, 0, 1_000_000,
  ]);
  expect(unwanted).toHaveProperty("error");
  expect(suggested).toEqual({ id: 3, answer: { headings: [0], words: ["lamp"] } });
});
