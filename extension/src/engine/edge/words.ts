/**
 * The words of a page, gathered once: where each stands, and each distinct spelling once. A query is compared with the
 * few thousand spellings, not with the million words.
 */

import { LONGEST_WORD } from "./distance";
import { ALPHANUMERIC_CLASS, IGNORED_CLASS, codePoints, fold } from "./fold";
import { breathe } from "../../slices";

const WORD = `[${ALPHANUMERIC_CLASS}](?:[${ALPHANUMERIC_CLASS}${IGNORED_CLASS}]|['’ʼ](?=[${ALPHANUMERIC_CLASS}]))*`;
const NEAR = /^[\p{White_Space}\-‐‑–,'’.]*$/u;
const APART = new Set(["-", " ", "\u2010", "\u2011"]);
const TOO_LONG = -1;

export interface WordIndex {
  starts: number[];
  ends: number[];
  /** Which spelling; -1 when the word is too long to compare. */
  ids: number[];
  /** Whether a word belongs to one phrase with the word before it. */
  near: boolean[];
  /** Whether nothing but one hyphen or space parts it from the word before it. */
  apart: boolean[];
  spellings: Spelling[];
}

/** A distinct word, folded. */
export interface Spelling {
  chars: readonly number[];
  folded: string;
  count: number;
}

/** Spans of the words of a short text. */
export function wordsOf(text: string): { start: number; end: number }[] {
  return Array.from(text.matchAll(new RegExp(WORD, "gu")), (found) => ({
    start: found.index,
    end: found.index + found[0].length,
  }));
}

/** Gathers the words, letting others run in between. */
export async function indexWords(text: string, signal?: AbortSignal): Promise<WordIndex> {
  const index: WordIndex = { starts: [], ends: [], ids: [], near: [], apart: [], spellings: [] };
  const written = new Map<string, number>();
  const known = new Map<string, number>();
  const pause = breathe(signal);
  let previous = -1;
  let seen = 0;
  for (const found of text.matchAll(new RegExp(WORD, "gu"))) {
    if ((++seen & 0xff) === 0) await pause();
    const word = found[0];
    let id = written.get(word);
    if (id === undefined) {
      const chars = foldWord(word);
      if (chars.length > LONGEST_WORD) id = TOO_LONG;
      else {
        const folded = String.fromCodePoint(...chars);
        id = known.get(folded) ?? index.spellings.push({ chars, folded, count: 0 }) - 1;
        known.set(folded, id);
      }
      written.set(word, id);
    }
    const spelling = index.spellings[id];
    if (spelling) spelling.count++;
    const between = previous < 0 ? undefined : text.slice(previous, Math.min(found.index, previous + 64));
    index.near.push(between !== undefined && found.index - previous <= 64 && isNear(between));
    index.apart.push(between !== undefined && APART.has(between));
    index.starts.push(found.index);
    previous = found.index + word.length;
    index.ends.push(previous);
    index.ids.push(id);
  }
  return index;
}

export function foldWord(word: string): number[] {
  return codePoints(word).flatMap((c) => [...fold(c)]);
}

/** True when two words belong to one phrase: a space, a line end, a hyphen or a comma between them, no more. */
function isNear(between: string): boolean {
  return (
    between.length <= 32 &&
    new TextEncoder().encode(between).length <= 32 &&
    between.split("\n").length <= 2 &&
    NEAR.test(between)
  );
}

const APOSTROPHE = 0x27;
const S = 0x73;

/** The word without a possessive ending. */
export function withoutPossessive(word: readonly number[]): readonly number[] {
  if (word.at(-1) === APOSTROPHE) return word.slice(0, -1);
  if (word.at(-1) === S && word.at(-2) === APOSTROPHE) return word.slice(0, -2);
  return word;
}

/** Which letters a word has, one bit each: words that differ in many cannot be misspellings of each other. */
export function letters(word: readonly number[]): number {
  let set = 0;
  for (const c of word) set |= 1 << (c >= 0x61 && c <= 0x7a ? c - 0x61 : 26 + (c % 6));
  return set;
}
