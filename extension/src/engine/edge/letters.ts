/**
 * Who finds by letters. `LocalLetters` does it where it is, in short pieces; `LettersThread` asks a thread that does
 * nothing else, so that the bar never waits; `SizedLetters` has the one for short pages and the other for long ones.
 */

import { isRecord } from "../../messages";
import { breathe } from "../../slices";
import {
  type LettersFindings,
  type LettersQuery,
  LexicalModule,
  type SuggestedLetters,
  loadModule,
} from "./lexical";

export interface Letters {
  find(text: string, query: LettersQuery, signal: AbortSignal): Promise<LettersFindings>;
  /** Headings and words of the text that continue what was typed. */
  suggest(
    text: string,
    typed: string,
    headings: readonly string[],
    signal: AbortSignal,
  ): Promise<SuggestedLetters>;
}

export class LocalLetters implements Letters {
  private module: Promise<LexicalModule> | undefined;
  /** The text that the module holds. */
  private text: string | undefined;
  /** One thing at a time: the module has room for one search. */
  private last: Promise<unknown> = Promise.resolve();

  /** `load` gives the module, compiled. */
  constructor(private readonly load = loadModule) {}

  /** Opens the module and, unless a page has come first, tries it, so that the first query finds it compiled. */
  async warmUp(): Promise<void> {
    const opening = this.open();
    const turn = this.last.then(async () => {
      const module = await opening;
      if (this.text === undefined) await module.warmUp(breathe());
    });
    // Who cannot says so when asked.
    this.last = turn.catch(() => undefined);
    await this.last;
  }

  find(text: string, query: LettersQuery, signal: AbortSignal): Promise<LettersFindings> {
    return this.inTurn(text, signal, (module) => module.find(query, breathe(signal)));
  }

  suggest(
    text: string,
    typed: string,
    headings: readonly string[],
    signal: AbortSignal,
  ): Promise<SuggestedLetters> {
    return this.inTurn(text, signal, async (module) => {
      await module.readWords(breathe(signal));
      return module.suggest(typed, headings);
    });
  }

  private inTurn<T>(
    text: string,
    signal: AbortSignal,
    work: (module: LexicalModule) => Promise<T>,
  ): Promise<T> {
    const turn = this.last.then(async () => {
      signal.throwIfAborted();
      const module = await this.open();
      // Never given up half-way: the next query needs it too.
      if (this.text !== text) await module.take(text, breathe());
      this.text = text;
      signal.throwIfAborted();
      return work(module);
    });
    this.last = turn.catch(() => {
      // What was given up leaves the module as it is; after anything else it begins anew.
      if (signal.aborted) return;
      this.module = undefined;
      this.text = undefined;
    });
    return turn;
  }

  private open(): Promise<LexicalModule> {
    if (this.module) return this.module;
    this.module = this.load().then((code) => LexicalModule.open(code));
    this.module.catch(() => (this.module = undefined));
    return this.module;
  }
}

/** What a thread is told: the module, a text that it does not have yet, what to do with it, or what is no longer wanted. */
export type ToLetters =
  | { module: WebAssembly.Module }
  | { id: number; text?: string; query: LettersQuery }
  | { id: number; text?: string; typed: string; headings: readonly string[] }
  | { unwanted: number };

export type FromLetters =
  { id: number; answer: LettersFindings | SuggestedLetters } | { id: number; error: string };

interface PendingAnswer {
  resolve: (answer: unknown) => void;
  reject: (error: unknown) => void;
}

export class LettersThread implements Letters {
  private worker: Worker | undefined;
  private text: string | undefined;
  private readonly pendingAnswers = new Map<number, PendingAnswer>();
  private last = 0;

  /** `load` gives the module, compiled: the thread gets it from here and compiles nothing. */
  constructor(private readonly load = loadModule) {}

  find(text: string, query: LettersQuery, signal: AbortSignal): Promise<LettersFindings> {
    return this.ask(text, { query }, signal) as Promise<LettersFindings>;
  }

  suggest(
    text: string,
    typed: string,
    headings: readonly string[],
    signal: AbortSignal,
  ): Promise<SuggestedLetters> {
    return this.ask(text, { typed, headings }, signal) as Promise<SuggestedLetters>;
  }

  private ask(text: string, request: Record<string, unknown>, signal: AbortSignal): Promise<unknown> {
    signal.throwIfAborted();
    const worker = (this.worker ??= this.start());
    const id = ++this.last;
    const message = this.text === text ? { id, ...request } : { id, text, ...request };
    this.text = text;
    return new Promise((resolve, reject) => {
      const unwanted = (): void => {
        this.pendingAnswers.delete(id);
        worker.postMessage({ unwanted: id } satisfies ToLetters);
        reject(signal.reason as Error);
      };
      const settled = <T>(settle: (value: T) => void) => {
        return (value: T): void => {
          signal.removeEventListener("abort", unwanted);
          settle(value);
        };
      };
      this.pendingAnswers.set(id, { resolve: settled(resolve), reject: settled(reject) });
      signal.addEventListener("abort", unwanted);
      worker.postMessage(message);
    });
  }

  private start(): Worker {
    const worker = new Worker("letters.js");
    worker.addEventListener("message", ({ data }: MessageEvent<FromLetters>) => {
      const waiting = this.pendingAnswers.get(data.id);
      this.pendingAnswers.delete(data.id);
      if ("answer" in data) waiting?.resolve(data.answer);
      else waiting?.reject(new Error(data.error));
    });
    worker.addEventListener("error", () => this.stop(worker));
    this.load().then(
      (module) => worker.postMessage({ module } satisfies ToLetters),
      () => this.stop(worker),
    );
    return worker;
  }

  private stop(worker: Worker): void {
    worker.terminate();
    if (worker !== this.worker) return;
    this.worker = undefined;
    this.text = undefined;
    for (const { reject } of this.pendingAnswers.values()) reject(new Error("the search by letters stopped"));
    this.pendingAnswers.clear();
  }
}

/**
 * Up to so long, a page is searched in the bar's own thread: an answer takes about a millisecond there. One from another
 * thread waits until the bar has been drawn with the key in it, which takes longer than the search.
 */
const MAX_UNITS_IN_BAR = 1 << 17;

export class SizedLetters implements Letters {
  constructor(
    private readonly near = new LocalLetters(),
    private readonly far: Letters = new LettersThread(),
  ) {}

  /** What short pages need is made ready; long ones gain most of it, too. */
  warmUp(): Promise<void> {
    return this.near.warmUp();
  }

  find(text: string, query: LettersQuery, signal: AbortSignal): Promise<LettersFindings> {
    return this.lettersFor(text).find(text, query, signal);
  }

  suggest(
    text: string,
    typed: string,
    headings: readonly string[],
    signal: AbortSignal,
  ): Promise<SuggestedLetters> {
    return this.lettersFor(text).suggest(text, typed, headings, signal);
  }

  private lettersFor(text: string): Letters {
    return text.length <= MAX_UNITS_IN_BAR ? this.near : this.far;
  }
}

/** The thread's side: answers with `say` what it is told. */
export function answerMessages(
  letters: Letters,
  say: (message: FromLetters, transfer: Transferable[]) => void,
): (message: unknown) => void {
  const wanted = new Map<number, AbortController>();
  let text = "";
  return (message) => {
    if (!isRecord(message)) return;
    if ("unwanted" in message) return wanted.get(message["unwanted"] as number)?.abort();
    const told = message as Extract<ToLetters, { id: number }>;
    text = told.text ?? text;
    const abort = new AbortController();
    wanted.set(told.id, abort);
    const work =
      "query" in told
        ? letters.find(text, told.query, abort.signal)
        : letters.suggest(text, told.typed, told.headings, abort.signal);
    void work
      .then(
        (answer) => say({ id: told.id, answer }, "places" in answer ? [answer.places.buffer] : []),
        (error: unknown) =>
          say({ id: told.id, error: error instanceof Error ? error.message : "the search stopped" }, []),
      )
      .finally(() => wanted.delete(told.id));
  };
}
