/**
 * Find to the letter, as an editor does: capital letters, whole words, a "quoted phrase" or a regular expression. Who
 * asks for that wants nothing that is only near it.
 */

import type { Found, Match, Page, Span } from "../engine";
import { breathe } from "../../slices";
import { isWholeWord } from "./edge";
import { ExactPattern } from "./exact";

export interface LiteralOptions {
  matchCase: boolean;
  wholeWords: boolean;
  expression: boolean;
}

/** What is sought to the letter. */
export interface Literal extends LiteralOptions {
  text: string;
}

const QUOTED = /^\s*(?:"([^"]+)"|“([^”“]+)”|„([^“”]+)[“”]|«([^»]+)»)\s*$/;

/** The literal query that these options and quotation marks ask for; undefined when meaning may be sought, too. */
export function literalOf(query: string, options: LiteralOptions): Literal | undefined {
  if (options.expression) return { ...options, text: query };
  const quoted = QUOTED.exec(query)?.slice(1).find(Boolean);
  if (quoted !== undefined) return { ...options, text: quoted };
  return options.matchCase || options.wholeWords ? { ...options, text: query } : undefined;
}

/** Places of a literal query that is no regular expression. */
export async function findLiteral(page: Page, literal: Literal, signal: AbortSignal): Promise<Found> {
  const matches: Match[] = [];
  const pause = breathe(signal);
  const wanted = plain(literal.text);
  for (const span of ExactPattern.of(literal.text)?.matches(page.text) ?? []) {
    if (!span) await pause();
    else if (fits(page.text, span, literal, wanted)) matches.push(literalMatch(span));
  }
  return { matches };
}

export function literalMatch(span: Span): Match {
  return { span, kind: "exact", score: 1, why: "to the letter", accepted: true };
}

function fits(text: string, span: Span, { matchCase, wholeWords }: Literal, wanted: string): boolean {
  if (wholeWords && !isWholeWord(text, span)) return false;
  return !matchCase || plain(text.slice(span.start, span.end)) === wanted;
}

/** Without what is not seen, and with one blank where there are several. */
function plain(text: string): string {
  return text
    .replace(/\u00ad/g, "")
    .replace(/\s+/g, " ")
    .trim();
}
