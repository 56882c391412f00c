/**
 * How a query becomes places. The edge engine answers at once by letters; the answer by meaning takes its place when it
 * comes, the quick one first where an engine has two. What was found stays, moved with its text, until the next answer
 * is there.
 */

import { makeMover } from "../edits";
import { EdgeEngine } from "../engine/edge/edge";
import { SizedLetters } from "../engine/edge/letters";
import { literalOf } from "../engine/edge/literal";
import type { Engine, Findings, Match, Page, Suggestion } from "../engine/engine";
import type { Controller } from "./controller";
import { expressionError, findExpression } from "./expression";
import type { PageReader } from "./reading";
import { isQuestion } from "./state";

/** An engine that answers within this is asked by meaning at every key. */
const MAX_QUICK_ANSWER_MS = 40;
/** Longest pause in typing before a slower one is asked. */
const MAX_TYPING_PAUSE_MS = 60;
/** Pause in typing before a question is put to the server. */
const QUESTION_PAUSE_MS = 600;
const MAX_SUGGESTIONS = 6;

type FinderName = "edge" | "inside" | "server";

export class QueryRunner {
  private readonly letters = new SizedLetters();
  private readonly edge = new EdgeEngine(this.letters);
  private searchAbort = new AbortController();
  private running = false;
  /** More has been read since the search under way began. */
  private searchAgain = false;
  /** What comes next leaves the current place current. */
  private keepPlace = false;
  /** Nothing was shown yet of what the query finds. */
  awaitsPlaces = false;
  /** What the page's letters say, in the page's present text. */
  private letterFindings: Findings = { matches: [] };
  /** Milliseconds that the last search by meaning took, or ran until it was no longer wanted. */
  private lastSearchMs = 0;
  private suggestedBy: FinderName | undefined;

  constructor(private readonly bar: Controller) {}

  /** The bar is there: what finds is made ready for the first key. Any sooner, the bar would be there later. */
  warmUp(): void {
    void this.letters.warmUp();
  }

  /** The query has changed. */
  restart(): void {
    this.bar.stepper.restart();
    this.start(true);
  }

  /** The person has gone to a place: it stays current if what is still being looked for has it, too. */
  keepCurrent(): void {
    this.keepPlace = true;
  }

  /** The page has changed, or more of it has been read. A search under way goes on: it might never end otherwise. */
  refresh(): void {
    if (this.running) this.searchAgain = true;
    else this.start(false);
  }

  /** The page's text is another: what was found moves with it. */
  movePage(before: Page, page: Page): void {
    const move = makeMover(before.text, page.text);
    const { found, ask, like, selection } = this.bar.state;
    this.letterFindings = moveFindings(this.letterFindings, move);
    this.bar.update({
      found: moveFindings(found, move),
      ask: ask && {
        ...ask,
        answers: ask.answers.map((answer) => ({ ...answer, span: answer.span && move(answer.span) })),
      },
      like: like && { ...like, matches: moveMatches(like.matches, move) },
      selection: selection && move(selection),
    });
    this.gatherWords(page);
  }

  /** The page's words are gathered before the first key. */
  gatherWords(page: Page): void {
    const { signal } = new AbortController();
    void this.edge.suggest(page, "", signal).catch(() => undefined);
  }

  stop(): void {
    this.searchAbort.abort();
    this.running = false;
    this.searchAgain = false;
    this.awaitsPlaces = false;
  }

  private start(isNew: boolean): void {
    const awaitsPlaces = isNew || this.awaitsPlaces;
    this.stop();
    this.awaitsPlaces = awaitsPlaces;
    this.searchAbort = new AbortController();
    this.running = true;
    const { signal } = this.searchAbort;
    void this.find(isNew, signal).catch((error: unknown) => {
      if (signal.aborted) return;
      this.running = false;
      this.awaitsPlaces = false;
      this.bar.update({ searching: false, settling: false });
      this.bar.stepper.takeSteps();
      this.bar.reportFailure(error);
    });
  }

  private async find(isNew: boolean, signal: AbortSignal): Promise<void> {
    const { page, query } = this.bar.state;
    if (!page) {
      // It is looked for as soon as the page has been read.
      this.running = false;
      return;
    }
    if (isNew) this.letterFindings = { matches: [] };
    if (query.trim() === "") {
      this.stop();
      this.bar.update({ found: { matches: [] }, foundBy: undefined, searching: false, settling: false });
      return this.bar.show();
    }
    const literal = literalOf(query, this.bar.state.literal);
    const queryError = literal?.expression ? expressionError(literal) : "";
    this.bar.update({ queryError });
    const reader = literal ? undefined : this.bar.readerByMeaning();
    const by: FinderName =
      reader === undefined ? "edge" : reader.engine === this.bar.server ? "server" : "inside";
    // A person who steps through places stays where they are while those are looked for again.
    this.keepPlace = !isNew;
    let answered = !isNew && by !== "edge" && this.bar.state.foundBy === by;
    this.bar.update({ searching: true });
    const take = (
      from: Page,
      found: Findings,
      foundBy: FinderName,
      settling: boolean,
      done: boolean,
    ): void => {
      this.take(from, found, foundBy, settling, !done);
      this.keepPlace = true;
    };
    let awaited = isReady(reader);
    const byLetters = async (): Promise<void> => {
      const found = await this.byLetters(page, query, signal);
      signal.throwIfAborted();
      this.letterFindings = moveFindings(found, this.moveFrom(page));
      if (answered) this.showLettersBeside();
      else take(page, found, "edge", false, !awaited);
      if (isNew) void this.bar.remote.call("remember", { url: page.url, query }).catch(() => undefined);
      if (by !== "server") this.suggestOnce(isNew, by, signal);
    };
    const byMeaning = async (reader: PageReader & { page: Page }): Promise<void> => {
      const read = reader.page;
      if (this.lastSearchMs > MAX_QUICK_ANSWER_MS)
        await pause(Math.min(MAX_TYPING_PAUSE_MS, this.lastSearchMs), signal);
      const asked = performance.now();
      let took: number | undefined;
      const quick = (found: Findings): void => {
        took = performance.now() - asked;
        answered = true;
        if (!signal.aborted) take(read, found, by, true, false);
      };
      try {
        const found = await reader.engine.findSettling(read, query, quick, signal);
        signal.throwIfAborted();
        answered = true;
        take(read, found, by, false, true);
      } finally {
        awaited = false;
        this.lastSearchMs = took ?? performance.now() - asked;
      }
    };
    await Promise.all([isReady(reader) && byMeaning(reader), byLetters()]);
    this.running = false;
    if (this.searchAgain) return this.start(false);
    if (by !== "server") return;
    // The server's suggestions would hold up what it finds.
    this.suggestOnce(isNew, by, signal);
    if (!isQuestion(query)) return;
    await pause(QUESTION_PAUSE_MS, signal);
    await this.bar.ask(query);
  }

  private byLetters(page: Page, query: string, signal: AbortSignal): Promise<Findings> {
    const literal = literalOf(query, this.bar.state.literal);
    if (!literal) return this.edge.find(page, query, signal);
    if (!literal.expression) return this.edge.findLiteral(page, literal, signal);
    if (this.bar.state.queryError !== "") return Promise.resolve({ matches: [] });
    return findExpression(page, literal, signal).catch((error: unknown) => {
      if (signal.aborted) throw error;
      this.bar.update({ notice: error instanceof Error ? error.message : "" });
      return { matches: [] };
    });
  }

  /** Shows what was found in a text that may have changed meanwhile; letters are always those of the present one. */
  private take(
    from: Page,
    found: Findings,
    foundBy: FinderName,
    settling: boolean,
    searching: boolean,
  ): void {
    const { page } = this.bar.state;
    const same = from.text === page?.text;
    const now = same ? found : replaceLetters(moveFindings(found, this.moveFrom(from)), this.letterFindings);
    this.awaitsPlaces = false;
    this.bar.update({ found: now, foundBy, searching, settling });
    this.bar.show(this.keepPlace);
  }

  /** The page has changed since the answer by meaning: its letters are known before its meaning is. */
  private showLettersBeside(): void {
    const { found, searching } = this.bar.state;
    if (!searching) return;
    this.bar.update({ found: replaceLetters(found, this.letterFindings) });
    this.bar.show(true);
  }

  private moveFrom(page: Page): ReturnType<typeof makeMover> {
    return makeMover(page.text, this.bar.state.page?.text ?? "");
  }

  private suggestOnce(isNew: boolean, by: FinderName, signal: AbortSignal): void {
    if (!isNew && this.suggestedBy === by) return;
    if (literalOf(this.bar.state.query, this.bar.state.literal)) return this.bar.update({ suggestions: [] });
    this.suggestedBy = by;
    void this.suggest(signal);
  }

  /** What the server suggests, which knows names and questions, and then the page's words. */
  private async suggest(signal: AbortSignal): Promise<void> {
    const { page, query, status } = this.bar.state;
    if (!page) return;
    // Suggestions are a courtesy: who has none to give gives none.
    const from = (engine: Engine): Promise<Suggestion[]> =>
      engine.suggest(page, query, signal).catch(() => []);
    const engines = status.state === "ready" ? [this.bar.server, this.edge] : [this.edge];
    const all = (await Promise.all(engines.map(from))).flat();
    if (!signal.aborted) this.bar.update({ suggestions: removeKnown(all, query).slice(0, MAX_SUGGESTIONS) });
  }
}

function isReady(reader: PageReader | undefined): reader is PageReader & { page: Page } {
  return reader?.page !== undefined;
}

function moveMatches(matches: readonly Match[], move: ReturnType<typeof makeMover>): Match[] {
  return matches.flatMap((match) => {
    const span = move(match.span);
    return span ? [span === match.span ? match : { ...match, span }] : [];
  });
}

function moveFindings(found: Findings, move: ReturnType<typeof makeMover>): Findings {
  return { ...found, matches: moveMatches(found.matches, move) };
}

/** What was found by meaning with fresh letters in the place of the old ones. */
export function replaceLetters(found: Findings, letters: Findings): Findings {
  const isLetters = ({ kind }: Match): boolean => kind === "exact" || kind === "fuzzy";
  const fresh = new Set(letters.matches.map(({ span }) => `${span.start}-${span.end}`));
  // Letters that are still there stay as they were: they may say which entity they name.
  const kept = found.matches.filter(
    (match) => !isLetters(match) || fresh.has(`${match.span.start}-${match.span.end}`),
  );
  const added = letters.matches.filter(({ span }) => !overlapsMatch(kept, span));
  const matches = [...kept, ...added].sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
  return { ...found, matches };
}

/** Whether one of the matches, which stand in text order, shares a unit with the span. */
function overlapsMatch(matches: readonly Match[], { start, end }: Match["span"]): boolean {
  let low = 0;
  let high = matches.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((matches[middle]?.span.end ?? 0) <= start) low = middle + 1;
    else high = middle;
  }
  return (matches[low]?.span.start ?? Infinity) < end;
}

/** Each text once, and not what was typed. */
function removeKnown(suggestions: readonly Suggestion[], typed: string): Suggestion[] {
  const seen = new Set([typed.trim().toLowerCase()]);
  return suggestions.filter(({ text }) => {
    const before = seen.size;
    return seen.add(text.toLowerCase()).size > before;
  });
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    });
  });
}
