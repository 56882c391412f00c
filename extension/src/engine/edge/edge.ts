/**
 * The engine inside the extension: a page and a query in, exact and fuzzy matches out. It needs no server and no
 * model, and answers while the person types. What it finds is found by the engine's own `lexical`, in WebAssembly.
 */

import { breathe } from "../../slices";
import type { Engine, Findings, Match, Page, Suggestion } from "../engine";
import { type Letters, LettersThread } from "./letters";
import type { LettersFindings } from "./lexical";
import { type Literal, literalMatch } from "./literal";

const MAX_SUGGESTIONS = 6;
const MAX_HEADINGS = 3;
const MAX_HEADING_UNITS = 80;
const NUMBERS_A_MATCH = 4;
const MILLIONTHS = 1e6;

export class EdgeEngine implements Engine {
  constructor(private readonly letters: Letters = new LettersThread()) {}

  async find(page: Page, query: string, signal: AbortSignal): Promise<Findings> {
    const found = await this.letters.find(page.text, { query }, signal);
    const matches = await matchesOf(found, signal, (span, kind, score) => {
      const { exact = true, why = "" } = found.kinds[kind] ?? {};
      return { span, kind: exact ? "exact" : "fuzzy", score, why, accepted: true };
    });
    return found.correction ? { matches, correction: found.correction } : { matches };
  }

  /** Places of a literal query that is no regular expression. */
  async findLiteral(page: Page, literal: Literal, signal: AbortSignal): Promise<Findings> {
    const { text: query, matchCase, wholeWords } = literal;
    const exactly = { query, literal: true, case: matchCase, words: wholeWords };
    const found = await this.letters.find(page.text, exactly, signal);
    return { matches: await matchesOf(found, signal, literalMatch) };
  }

  async suggest(page: Page, typed: string, signal: AbortSignal): Promise<Suggestion[]> {
    const headings = page.headings
      .map(({ start, end }) => page.text.slice(start, end).trim())
      .filter((heading) => heading.length <= MAX_HEADING_UNITS);
    const suggested = await this.letters.suggest(page.text, typed, headings, signal);
    const continued = suggested.headings.slice(0, MAX_HEADINGS).map((at) => headings[at] ?? "");
    return removeRepeated([
      ...continued.map((text): Suggestion => ({ text, kind: "heading" })),
      ...suggested.words.map((text): Suggestion => ({ text, kind: "word" })),
    ]).slice(0, MAX_SUGGESTIONS);
  }
}

/** The places as matches, in text order. */
async function matchesOf(
  { places }: LettersFindings,
  signal: AbortSignal,
  match: (span: Match["span"], kind: number, score: number) => Match,
): Promise<Match[]> {
  const pause = breathe(signal);
  const matches: Match[] = [];
  for (let at = 0; at < places.length; at += NUMBERS_A_MATCH) {
    const span = { start: places[at] ?? 0, end: places[at + 1] ?? 0 };
    matches.push(match(span, places[at + 2] ?? 0, (places[at + 3] ?? 0) / MILLIONTHS));
    if ((matches.length & 0xfff) === 0) await pause();
  }
  return matches;
}

function removeRepeated(suggestions: Suggestion[]): Suggestion[] {
  const seen = new Set<string>();
  return suggestions.filter(({ text }) => {
    const key = text.toLowerCase();
    return seen.has(key) ? false : seen.add(key);
  });
}
