/**
 * Find to the letter, as an editor does: capital letters, whole words, a "quoted phrase" or a regular expression. Who
 * asks for that wants nothing that is only near it.
 */

import type { Match, Span } from "../engine";

export interface LiteralOptions {
  matchCase: boolean;
  wholeWords: boolean;
  expression: boolean;
}

/** What is sought to the letter. */
export interface Literal extends LiteralOptions {
  text: string;
}

const QUOTED_QUERY = /^\s*(?:"([^"]+)"|“([^”“]+)”|„([^“”]+)[“”]|«([^»]+)»)\s*$/;

/** The literal query that these options and quotation marks ask for; undefined when meaning may be sought, too. */
export function literalOf(query: string, options: LiteralOptions): Literal | undefined {
  if (options.expression) return { ...options, text: query };
  const quoted = QUOTED_QUERY.exec(query)?.slice(1).find(Boolean);
  if (quoted !== undefined) return { ...options, text: quoted };
  return options.matchCase || options.wholeWords ? { ...options, text: query } : undefined;
}

export function literalMatch(span: Span): Match {
  return { span, kind: "exact", score: 1, why: "to the letter", accepted: true };
}
