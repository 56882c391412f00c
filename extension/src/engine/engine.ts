/**
 * What the find bar asks of an engine, and what it gets back. Two engines answer: `edge`, inside the extension, by
 * letters; `server`, `findall serve` on this computer, by meaning too. Every place is a span of UTF-16 units into the
 * page's text.
 */

export interface Span {
  start: number;
  end: number;
}

/** In what way a place answers. */
export const KINDS = ["meaning", "exact", "fuzzy", "value", "answer"] as const;
export type Kind = (typeof KINDS)[number];

export interface Entity {
  name: string;
  description: string;
  /** Its number in the knowledge base, where it is in it. */
  id?: string;
}

export interface Match {
  span: Span;
  kind: Kind;
  /** 0 to 1. */
  score: number;
  why: string;
  entity?: Entity;
  /** False for what the engine saw but left out: shown only when the person loosens the threshold. */
  accepted: boolean;
}

export interface Coverage {
  read: number;
  total: number;
  skipped: string[];
}

export interface Findings {
  matches: Match[];
  /** What the query was read as, where a typing error was corrected. */
  correction?: { from: string; to: string };
  coverage?: Coverage;
}

export interface Suggestion {
  text: string;
  kind: "question" | "entity" | "heading" | "correction" | "word" | "recent";
}

/** A page as the bar knows it. */
export interface Page {
  text: string;
  url: string;
  title: string;
  headings: Span[];
  /** What is on the screen: what reads slowly reads that first. */
  seen: Span;
  /** Nothing about this page may be stored. */
  private: boolean;
}

export interface Engine {
  find(page: Page, query: string, signal: AbortSignal): Promise<Findings>;
  suggest(page: Page, prefix: string, signal: AbortSignal): Promise<Suggestion[]>;
}
