/**
 * The words of a page, gathered once: where each stands, and each distinct spelling once. A query is compared with the
 * few thousand spellings, not with the million words.
 */

import { LONGEST_WORD } from "./distance";
import { codePoints, fold, isAlphanumeric, isIgnored } from "./fold";
import { breathe } from "../../slices";

const NEAR = /^[\p{White_Space}\-‐‑–,'’.]*$/u;
const APART = new Set(["-", " ", "\u2010", "\u2011"]);
const TOO_LONG = -1;
const SPACE = 0x20;
const APOSTROPHE = 0x27;

/** Numbers in typed arrays: a page may have a million words, and these cost the garbage collector nothing. */
export interface WordIndex {
  count: number;
  starts: Int32Array;
  ends: Int32Array;
  /** Which spelling; -1 when the word is too long to compare. */
  ids: Int32Array;
  /** 1 where a word belongs to one phrase with the word before it. */
  near: Uint8Array;
  /** 1 where nothing but one hyphen or space parts it from the word before it. */
  apart: Uint8Array;
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
  const words: { start: number; end: number }[] = [];
  for (let at = nextWord(text, 0); at < text.length;) {
    const end = endOfWord(text, at);
    words.push({ start: at, end });
    at = nextWord(text, end);
  }
  return words;
}

/** Gathers the words, letting others run in between. */
export async function indexWords(text: string, signal?: AbortSignal): Promise<WordIndex> {
  const spellings: Spelling[] = [];
  // Room for every other unit a word: it is taken only where it is written to.
  const most = (text.length >> 1) + 1;
  const starts = new Int32Array(most);
  const ends = new Int32Array(most);
  const ids = new Int32Array(most);
  const near = new Uint8Array(most);
  const apart = new Uint8Array(most);
  const written = new Map<string, number>();
  const known = new Map<string, number>();
  const pause = breathe(signal);
  let count = 0;
  let previous = -1;
  for (let start = nextWord(text, 0); start < text.length; start = nextWord(text, previous)) {
    if ((count & 0xff) === 0) await pause();
    const end = endOfWord(text, start);
    const word = text.slice(start, end);
    let id = written.get(word);
    if (id === undefined) {
      const chars = foldWord(word);
      if (chars.length > LONGEST_WORD) id = TOO_LONG;
      else {
        const folded = String.fromCodePoint(...chars);
        id = known.get(folded) ?? spellings.push({ chars, folded, count: 0 }) - 1;
        known.set(folded, id);
      }
      written.set(word, id);
    }
    const spelling = spellings[id];
    if (spelling) spelling.count++;
    if (previous >= 0 && start - previous <= 64) {
      const spaced = start === previous + 1 && text.charCodeAt(previous) === SPACE;
      const between = spaced ? " " : text.slice(previous, start);
      near[count] = Number(spaced || isNear(between));
      apart[count] = Number(APART.has(between));
    }
    starts[count] = start;
    ends[count] = previous = end;
    ids[count++] = id;
  }
  return { count, starts, ends, ids, near, apart, spellings };
}

/** Where the first word at or after `from` begins; the text's end when there is none. */
function nextWord(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const c = text.codePointAt(at) ?? 0;
    if (isLetter(c)) return at;
    at += c > 0xffff ? 2 : 1;
  }
  return text.length;
}

/** Where the word that begins at `start` ends: accents and invisible characters are in it, and apostrophes within. */
function endOfWord(text: string, start: number): number {
  let at = start;
  while (at < text.length) {
    const c = text.codePointAt(at) ?? 0;
    const goesOn = isLetter(c) || (isApostrophe(c) ? isLetter(text.codePointAt(at + 1) ?? 0) : isHidden(c));
    if (!goesOn) return at;
    at += c > 0xffff ? 2 : 1;
  }
  return at;
}

const ASCII_LETTERS = Uint8Array.from({ length: 128 }, (_, c) => Number(isAlphanumeric(c)));

function isLetter(c: number): boolean {
  return c < 128 ? ASCII_LETTERS[c] === 1 : isAlphanumeric(c);
}

function isHidden(c: number): boolean {
  return c >= 128 && isIgnored(c);
}

function isApostrophe(c: number): boolean {
  return c === APOSTROPHE || c === 0x2019 || c === 0x02bc;
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
