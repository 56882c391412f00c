/**
 * Exact find: every place where the text reads like the query once folded, across line breaks, soft hyphens and words
 * broken at line ends. One rare character of the query is the anchor; the rest is walked forwards and backwards from
 * it. A port of the engine's `lexical/exact`.
 */

import type { Span } from "../engine";
import { codePoints, fold, foldString, isAlphanumeric, isIgnored, isMark, isSpace } from "./fold";

const LONGEST_QUERY = 1024;
/** Longest run of whitespace or invisible characters that a phrase may hold. Keeps the walk linear. */
const LONGEST_GAP = 512;
const SPACE = 0x20;
const HYPHEN = 0x2d;
const NEWLINE = 0x0a;
const SOFT_HYPHEN = 0xad;
const COMMON = "etaoinsrhldcumfpgwyb,.vk-'\"01x2j5934q8z67";

/** A query made ready; undefined when there is nothing in it to look for, or far too much. */
export class ExactPattern {
  private readonly anchorIndex: number;
  private readonly anchor: number;

  private constructor(private readonly chars: readonly number[]) {
    this.anchorIndex = rarest(chars);
    this.anchor = chars[this.anchorIndex] ?? SPACE;
  }

  static of(query: string): ExactPattern | undefined {
    let chars = codePoints(foldString(query));
    // Nothing but marks or invisible characters: then those are what is sought, as they stand.
    if (chars.length === 0) chars = codePoints(query).filter((c) => !isSpace(c));
    return chars.length === 0 || chars.length > LONGEST_QUERY ? undefined : new ExactPattern(chars);
  }

  /** All matches, leftmost first, not overlapping; now and then nothing, for a look at the clock. */
  *matches(text: string): Generator<Span | undefined> {
    const candidates = this.candidates();
    let after = 0;
    // Only the place is asked for: a page has a million candidates, and a match object for each would be garbage.
    for (let seen = 1; candidates.test(text); seen++) {
      if ((seen & 0x3ff) === 0) yield undefined;
      const end = candidates.lastIndex;
      const at = end - width(codePointBefore(text, end));
      if (at < after) continue;
      const span = this.at(text, at, after);
      if (span) {
        after = span.end;
        yield span;
      }
    }
  }

  /** The anchor in both cases, and everything outside ASCII, which may fold to it. */
  private candidates(): RegExp {
    const anchor = this.anchor <= 0x7f ? String.fromCodePoint(this.anchor) : "";
    const both = anchor === anchor.toUpperCase() ? anchor : anchor + anchor.toUpperCase();
    return new RegExp(`[${both.replace(/[\\\]^-]/g, "\\$&")}\\u0080-\\u{10ffff}]`, "gu");
  }

  /** Lays the query over the text with its anchor on the character at `at`. */
  private at(text: string, at: number, after: number): Span | undefined {
    const c = text.codePointAt(at) ?? 0;
    const folded = fold(c);
    const parts = folded.length === 0 ? [c] : folded;
    for (const [inside, part] of parts.entries()) {
      // The character may fold to several, the anchor being any of them; all must fit.
      const first = this.anchorIndex - inside;
      if (part !== this.anchor || first < 0 || !this.fits(first, parts)) continue;
      const end = this.forward(text, at + width(c), first + parts.length);
      if (end === undefined) continue;
      const start = this.backward(text, at, first);
      if (start === undefined || start < after) continue;
      return { start, end };
    }
    return undefined;
  }

  private fits(first: number, parts: readonly number[]): boolean {
    return parts.every((part, i) => this.chars[first + i] === part);
  }

  private forward(text: string, from: number, first: number): number | undefined {
    let at = from;
    let index = first;
    while (index < this.chars.length) {
      const wanted = this.chars[index] ?? SPACE;
      const before = this.chars[index - 1];
      // A hyphen of the query may stand at a line end: the break after it is not a space.
      if (wanted !== SPACE && before === HYPHEN) at += lineBreak(text, at, 1) ?? 0;
      if (at >= text.length) return undefined;
      const c = text.codePointAt(at) ?? 0;
      if (wanted === SPACE) {
        const length = gap(text, at, 1);
        if (length === undefined) return undefined;
        at += length;
        index++;
      } else if (c === wanted && c <= 0x7f) {
        at++;
        index++;
      } else if (index > 0 && isHyphen(c) && wanted !== HYPHEN) {
        const broken = isAlphanumeric(wanted) && before !== undefined && isAlphanumeric(before);
        const newline = broken ? lineBreak(text, at + 1, 1) : undefined;
        if (newline !== undefined) at += 1 + newline;
        else if (c === SOFT_HYPHEN) {
          // Within a line a soft hyphen shows nothing.
          const length = invisible(text, at, 1);
          if (length === undefined) return undefined;
          at += length;
        } else return undefined;
      } else if (isIgnored(c) && c !== wanted) {
        const length = invisible(text, at, 1);
        if (length === undefined) return undefined;
        at += length;
      } else {
        const parts = c === wanted ? [c] : fold(c);
        if (parts.length === 0 || !this.fits(index, parts)) return undefined;
        at += width(c);
        index += parts.length;
      }
    }
    while (at < text.length && isMark(text.codePointAt(at) ?? 0)) at += width(text.codePointAt(at) ?? 0);
    return at;
  }

  private backward(text: string, from: number, first: number): number | undefined {
    let at = from;
    let index = first;
    while (index > 0) {
      const wanted = this.chars[index - 1] ?? SPACE;
      if (at <= 0) return undefined;
      const c = codePointBefore(text, at);
      if (wanted === SPACE) {
        const length = gap(text, at, -1);
        if (length === undefined) return undefined;
        at -= length;
        index--;
      } else if (isSpace(c)) {
        // Only a line end after a hyphen can stand inside a word.
        const length = lineBreak(text, at, -1);
        if (length === undefined || at - length <= 0) return undefined;
        at -= length;
        const hyphen = codePointBefore(text, at);
        if (!isHyphen(hyphen)) return undefined;
        if (wanted !== HYPHEN) {
          const next = this.chars[index];
          if (!isAlphanumeric(wanted) || next === undefined || !isAlphanumeric(next)) return undefined;
          at -= width(hyphen);
        }
      } else if (c === wanted && c <= 0x7f) {
        at--;
        index--;
      } else if (isIgnored(c) && c !== wanted) {
        const length = invisible(text, at, -1);
        if (length === undefined) return undefined;
        at -= length;
      } else {
        const parts = c === wanted ? [c] : fold(c);
        const start = index - parts.length;
        if (start < 0 || parts.length === 0 || !this.fits(start, parts)) return undefined;
        at -= width(c);
        index = start;
      }
    }
    return at;
  }
}

/** Index of the character that texts hold least of; the last of equals. */
function rarest(chars: readonly number[]): number {
  const rarity = (c: number): number => {
    if (c > 0x7f) return COMMON.length + 1;
    const place = COMMON.indexOf(String.fromCodePoint(c));
    return place < 0 ? COMMON.length : place;
  };
  let best = 0;
  let most = -1;
  for (const [index, c] of chars.entries()) {
    if (c !== SPACE && rarity(c) >= most) {
      most = rarity(c);
      best = index;
    }
  }
  return best;
}

function width(c: number): number {
  return c > 0xffff ? 2 : 1;
}

function codePointBefore(text: string, at: number): number {
  const low = text.charCodeAt(at - 1);
  if (low >= 0xdc00 && low <= 0xdfff && at > 1) {
    const c = text.codePointAt(at - 2) ?? 0;
    if (c > 0xffff) return c;
  }
  return low;
}

function isHyphen(c: number): boolean {
  return c === HYPHEN || c === 0x2010 || c === 0x2011 || c === SOFT_HYPHEN;
}

type Direction = 1 | -1;

/** Length of a run of characters accepted by `takes`, in the direction; undefined when it goes on too long. */
function run(text: string, at: number, step: Direction, takes: (c: number) => boolean): number | undefined {
  let length = 0;
  for (;;) {
    const place = at + step * length;
    if (step > 0 ? place >= text.length : place <= 0) return length;
    const c = step > 0 ? (text.codePointAt(place) ?? 0) : codePointBefore(text, place);
    if (!takes(c)) return length;
    length += width(c);
    if (length > LONGEST_GAP) return undefined;
  }
}

/** A run that holds whitespace, at most one line end, and invisible characters: a blank line ends a phrase. */
function gap(text: string, at: number, step: Direction): number | undefined {
  let spaces = 0;
  let newlines = 0;
  const length = run(text, at, step, (c) => {
    if (isSpace(c)) spaces++;
    else if (!isIgnored(c)) return false;
    newlines += Number(c === NEWLINE);
    return true;
  });
  return spaces > 0 && newlines <= 1 ? length : undefined;
}

function invisible(text: string, at: number, step: Direction): number | undefined {
  return run(text, at, step, isIgnored);
}

/** Spaces, one line end, indentation. */
function lineBreak(text: string, at: number, step: Direction): number | undefined {
  let newlines = 0;
  const length = run(text, at, step, (c) => {
    newlines += Number(c === NEWLINE);
    return c === SPACE || c === 0x09 || c === 0x0d || c === NEWLINE;
  });
  return newlines === 1 ? length : undefined;
}
