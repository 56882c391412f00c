/**
 * Who finds by letters. `LocalLetters` does it in its own thread, in short pieces; `LettersThread` asks a thread that does
 * nothing else, so that the bar never waits.
 */

import { isRecord } from "../../messages";
import { breathe } from "../../slices";
import { type LettersFindings, LexicalModule, type LettersQuery, type SuggestedLetters } from "./lexical";

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

  /** `load` gives the module's code. */
  constructor(private readonly load: () => Promise<BufferSource>) {}

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
      const module = await (this.module ??= this.load().then((code) => LexicalModule.open(code)));
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
}

/** What a thread is told: a text that it does not have yet, what to do with it, or what is no longer wanted. */
export type ToLetters =
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
    const worker = new Worker("letters.js", { type: "module" });
    worker.addEventListener("message", ({ data }: MessageEvent<FromLetters>) => {
      const waiting = this.pendingAnswers.get(data.id);
      this.pendingAnswers.delete(data.id);
      if ("answer" in data) waiting?.resolve(data.answer);
      else waiting?.reject(new Error(data.error));
    });
    worker.addEventListener("error", () => {
      worker.terminate();
      this.worker = undefined;
      this.text = undefined;
      for (const { reject } of this.pendingAnswers.values())
        reject(new Error("the search by letters stopped"));
      this.pendingAnswers.clear();
    });
    return worker;
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
    const told = message as Exclude<ToLetters, { unwanted: number }>;
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
