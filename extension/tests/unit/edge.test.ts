import { readFileSync } from "node:fs";
import { afterEach, describe, expect, test, vi } from "vitest";
import {
  type FromLetters,
  LettersThread,
  LocalLetters,
  SizedLetters,
  answerMessages,
} from "../../src/engine/edge/letters";
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

describe("before the first key", () => {
  afterEach(() => vi.unstubAllGlobals());

  /** Threads that were started, with what they were told; each answers as the extension's own does. */
  function stubThreads(): { told: Record<string, unknown>[] }[] {
    const threads: { told: Record<string, unknown>[] }[] = [];
    class Thread extends EventTarget {
      readonly told: Record<string, unknown>[] = [];
      private readonly answer = answerMessages(new LocalLetters(loadLexical), (data) =>
        this.dispatchEvent(new MessageEvent("message", { data })),
      );
      constructor() {
        super();
        threads.push(this);
      }
      postMessage(message: Record<string, unknown>): void {
        this.told.push(message);
        if (!("module" in message)) this.answer(message);
      }
    }
    vi.stubGlobal("Worker", Thread);
    return threads;
  }

  const short = "a lamp and lamps";
  const long = `${"violin ".repeat(20_000)}lamp`;

  test("the module is there, compiled once for all who search", PATIENT, async () => {
    const load = vi.fn(loadLexical);
    const module = load();
    const letters = new SizedLetters(new LocalLetters(() => module), new LettersThread(() => module));
    const threads = stubThreads();
    await letters.warmUp();
    expect(threads).toHaveLength(0);
    await letters.find(long, { query: "lamp" }, signal);
    await letters.find(short, { query: "lamp" }, signal);
    expect(load).toHaveBeenCalledTimes(1);
    expect(threads[0]?.told).toContainEqual({ module: await module });
  });

  test("what the module was tried on is forgotten", PATIENT, async () => {
    const letters = new LocalLetters(loadLexical);
    await letters.warmUp();
    expect((await letters.suggest("", "la", [], signal)).words).toEqual([]);
    expect([...(await letters.find("a lamp", { query: "lamp" }, signal)).places]).toEqual([
      2, 6, 0, 1_000_000,
    ]);
  });

  test("a page that came first stays", PATIENT, async () => {
    const letters = new LocalLetters(loadLexical);
    const suggested = letters.suggest("a lamp", "la", [], signal);
    await letters.warmUp();
    expect((await suggested).words).toEqual(["lamp"]);
    expect((await letters.suggest("a lamp", "la", [], signal)).words).toEqual(["lamp"]);
  });

  test(
    "a key on a short page waits for no other thread, one on a long page starts none",
    PATIENT,
    async () => {
      const threads = stubThreads();
      const letters = new SizedLetters(new LocalLetters(loadLexical), new LettersThread(loadLexical));
      await letters.suggest(short, "", [], signal);
      expect((await letters.find(short, { query: "lamp" }, signal)).places).toHaveLength(8);
      expect(threads).toHaveLength(0);
      // The bar asks for this when it gets a page.
      await letters.suggest(long, "", [], signal);
      expect(threads).toHaveLength(1);
      const { places } = await letters.find(long, { query: "lamp" }, signal);
      expect([...places]).toEqual([140_000, 140_004, 0, 1_000_000]);
      expect(threads).toHaveLength(1);
      expect(threads[0]?.told.filter(({ text }) => text !== undefined)).toHaveLength(1);
    },
  );

  test("a module that could not be loaded is loaded again", PATIENT, async () => {
    const load = vi.fn(loadLexical).mockRejectedValueOnce(new Error("not there"));
    const letters = new LocalLetters(load);
    await letters.warmUp();
    expect((await letters.find("a lamp", { query: "lamp" }, signal)).places).toHaveLength(4);
  });
});
