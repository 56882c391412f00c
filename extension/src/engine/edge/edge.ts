/**
 * The engine inside the extension: a page and a query in, exact and fuzzy matches out. It needs no server and no
 * model, and answers while the person types.
 */

import type { Engine, Found, Match, Page, Span, Suggestion } from "../engine";
import { ExactPattern } from "./exact";
import { codePoints, foldString, isAlphanumeric } from "./fold";
import { type FuzzyMatch, FuzzyPattern, type Reason, plausible } from "./fuzzy";
import { breathe } from "../../slices";
import { type WordIndex, indexWords } from "./words";

/** Exact matches above this are whole words. */
const WHOLE_WORD = 0.95;
const MOST_SUGGESTIONS = 6;

const WHY: Readonly<Record<Reason, string>> = {
  possessive: "possessive of the same word",
  plural: "singular or plural of the same word",
  inflection: "another form of the same word",
  spacing: "written together or apart",
  slip: "one letter differs",
  slips: "a few letters differ",
};

export class EdgeEngine implements Engine {
  private indexed: { text: string; words: Promise<WordIndex> } | undefined;

  async find(page: Page, query: string, signal: AbortSignal): Promise<Found> {
    const pattern = ExactPattern.of(query);
    if (!pattern) return { matches: [] };
    const matches: Match[] = [];
    const pause = breathe(signal);
    const verbatim = query
      .split(/\p{White_Space}+/u)
      .filter(Boolean)
      .join(" ");
    for (const span of pattern.matches(page.text)) {
      if (span) matches.push(exactMatch(page.text, span, verbatim));
      else await pause();
    }
    const fuzzy = FuzzyPattern.of(query);
    if (!fuzzy) return { matches };
    const words = await this.words(page);
    signal.throwIfAborted();
    const whole = matches.filter(({ score }) => score > WHOLE_WORD).length;
    await pause();
    const near = await fuzzy.find(page.text, words, pause);
    await pause();
    const found = withoutOverlaps(matches, plausible(page.text, whole, near));
    const correction = matches.length === 0 ? corrected(page.text, verbatim, found) : undefined;
    await pause();
    // Not spread: a page may hold more than a call can take arguments.
    for (const each of found) matches.push(fuzzyMatch(each));
    if (found.length > 0) matches.sort((a, b) => a.span.start - b.span.start);
    return correction ? { matches, correction } : { matches };
  }

  async suggest(page: Page, prefix: string, signal: AbortSignal): Promise<Suggestion[]> {
    const wanted = foldString(prefix);
    if (wanted.length < 2) return [];
    const headings: Suggestion[] = page.headings
      .map(({ start, end }) => page.text.slice(start, end).trim())
      .filter((heading) => heading.length <= 80 && isContinued(foldString(heading), wanted))
      .map((text) => ({ text, kind: "heading" }));
    const { spellings } = await this.words(page);
    signal.throwIfAborted();
    const last = wanted.slice(wanted.lastIndexOf(" ") + 1);
    const before = wanted.slice(0, wanted.length - last.length);
    const words: Suggestion[] =
      last.length < 2
        ? []
        : spellings
            .filter(({ folded }) => folded.length > last.length && folded.startsWith(last))
            .sort((a, b) => b.count - a.count)
            .slice(0, MOST_SUGGESTIONS)
            .map(({ folded }) => ({ text: before + folded, kind: "word" }));
    return distinct([...headings.slice(0, 3), ...words]).slice(0, MOST_SUGGESTIONS);
  }

  /** The page's words, gathered once for each text. Never aborted half-way: the next query needs them too. */
  private words(page: Page): Promise<WordIndex> {
    if (this.indexed?.text !== page.text) {
      this.indexed = { text: page.text, words: indexWords(page.text) };
    }
    return this.indexed.words;
  }
}

function isContinued(heading: string, prefix: string): boolean {
  return heading !== prefix && (heading.startsWith(prefix) || heading.includes(` ${prefix}`));
}

function distinct(suggestions: Suggestion[]): Suggestion[] {
  const seen = new Set<string>();
  return suggestions.filter(({ text }) => {
    const key = foldString(text);
    return seen.has(key) ? false : seen.add(key);
  });
}

function exactMatch(text: string, span: Span, query: string): Match {
  const verbatim = text.slice(span.start, span.end) === query;
  const score = isWholeWord(text, span) ? (verbatim ? 1 : 0.98) : verbatim ? 0.92 : 0.9;
  return { span, kind: "exact", score, why: "the words themselves", accepted: true };
}

function fuzzyMatch({ span, reason, score }: FuzzyMatch): Match {
  return { span, kind: "fuzzy", score, why: WHY[reason], accepted: true };
}

/** True when no letter or digit continues the span on either side. */
export function isWholeWord(text: string, { start, end }: Span): boolean {
  const before = codePoints(text.slice(Math.max(0, start - 2), start)).at(-1);
  const after = text.codePointAt(end);
  return !(before !== undefined && isAlphanumeric(before)) && !(after !== undefined && isAlphanumeric(after));
}

/** Fuzzy matches that share nothing with an exact one (in text order) or a better fuzzy one. */
function withoutOverlaps(exact: readonly Match[], found: FuzzyMatch[]): FuzzyMatch[] {
  found.sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
  const kept: FuzzyMatch[] = [];
  let next = 0;
  for (const candidate of found) {
    while ((exact[next]?.span.end ?? Infinity) <= candidate.span.start) next++;
    if ((exact[next]?.span.start ?? Infinity) < candidate.span.end) continue;
    const last = kept.at(-1);
    if (last && last.span.end > candidate.span.start) {
      if (candidate.score > last.score) kept[kept.length - 1] = candidate;
    } else kept.push(candidate);
  }
  return kept;
}

/** What was meant, when the query itself stands nowhere and only its near spellings do. */
function corrected(text: string, query: string, found: readonly FuzzyMatch[]): Found["correction"] {
  if (found.length === 0 || !found.every(({ reason }) => reason === "slip" || reason === "slips"))
    return undefined;
  const counts = new Map<string, number>();
  for (const { span } of found) {
    const word = foldString(text.slice(span.start, span.end));
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const [best] = [...counts].sort((a, b) => b[1] - a[1]);
  return best ? { from: query, to: best[0] } : undefined;
}
