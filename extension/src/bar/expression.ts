/** Regular expressions: checked here, found by a thread that is ended when it is no longer wanted or takes too long. */

import type { Findings, Page, Span } from "../engine/engine";
import { type Literal, literalMatch } from "../engine/edge/literal";
import { extendLimit } from "../patience";

const MAX_SEARCH_MS = 3000;

/** Why an expression cannot be looked for, in words; empty when it can. */
export function expressionError({ text }: Literal): string {
  try {
    new RegExp(text, "gmu");
    return "";
  } catch (error) {
    const message = error instanceof Error ? error.message : "";
    return message.replace(/^Invalid regular expression: .*: /, "");
  }
}

export function findExpression(page: Page, literal: Literal, signal: AbortSignal): Promise<Findings> {
  const thread = new Worker("pattern.js", { type: "module" });
  return new Promise<Findings>((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error("this expression takes too long on this page")),
      extendLimit(MAX_SEARCH_MS),
    );
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    });
    thread.addEventListener("message", ({ data }: MessageEvent<number[]>) => {
      clearTimeout(timer);
      const spans = Array.from({ length: data.length / 2 }, (_, i) => ({
        start: data[i * 2] ?? 0,
        end: data[i * 2 + 1] ?? 0,
      }));
      const kept = literal.wholeWords ? spans.filter((span) => isWholeWord(page.text, span)) : spans;
      resolve({ matches: kept.map(literalMatch) });
    });
    thread.postMessage({ text: page.text, source: literal.text, flags: literal.matchCase ? "gmu" : "gimu" });
  }).finally(() => thread.terminate());
}

const WORD_BEFORE = /[\p{Alphabetic}\p{N}]$/u;
const WORD_AFTER = /^[\p{Alphabetic}\p{N}]/u;

/** True when no letter or digit continues the span on either side. */
function isWholeWord(text: string, { start, end }: Span): boolean {
  // Two units hold any character.
  return (
    !WORD_BEFORE.test(text.slice(Math.max(0, start - 2), start)) && !WORD_AFTER.test(text.slice(end, end + 2))
  );
}
