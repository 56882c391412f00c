/**
 * Folding: what a character counts as when spelling details do not matter. Case, accents, ligatures, typographic quotes
 * and dashes fold away; invisible characters vanish; all whitespace is one space. The same table as the engine's
 * `lexical/fold.rs`; shared fixtures keep the two alike.
 */

const LONGEST = 4;

const MARK =
  "\\u0300-\\u036f\\u0483-\\u0487\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7\\u0610-\\u061a" +
  "\\u064b-\\u065f\\u0670\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe20-\\ufe2f";
const INVISIBLE =
  "\\u00ad\\u034f\\u061c\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2064\\u2066-\\u206f\\ufeff\\ufe00-\\ufe0f";

const mark = new RegExp(`^[${MARK}]$`, "u");
const ignored = new RegExp(`^[${MARK}${INVISIBLE}]$`, "u");
const alphanumeric = /^[\p{Alphabetic}\p{N}]$/u;
const space = /^\p{White_Space}$/u;

/** Remembers an answer for each code point: texts repeat few characters. */
function remembered<T>(compute: (c: string) => T): (code: number) => T {
  const known = new Map<number, T>();
  return (code) => {
    let answer = known.get(code);
    if (answer === undefined) {
      answer = compute(String.fromCodePoint(code));
      known.set(code, answer);
    }
    return answer;
  };
}

export const isMark = remembered((c) => mark.test(c));
export const isIgnored = remembered((c) => ignored.test(c));
export const isSpace = remembered((c) => space.test(c));
export const isAlphanumeric = remembered((c) => alphanumeric.test(c));

/** Folds one code point to none or a few. */
export const fold = remembered((c): readonly number[] => codePoints(foldChar(c)));

export function codePoints(text: string): number[] {
  return Array.from(text, (c) => c.codePointAt(0) ?? 0);
}

function foldChar(c: string): string {
  if (c <= "\x7f") return space.test(c) ? " " : c.toLowerCase();
  if (ignored.test(c)) return "";
  const plain = plainForm(c);
  if (plain !== undefined) return plain;
  let folded = "";
  for (const part of c.normalize("NFKD")) {
    if (mark.test(part)) continue;
    const twin = LIGATURES[part] ?? plainForm(part);
    if (twin !== undefined) folded += twin;
    else for (const lower of part.toLowerCase()) if (!mark.test(lower)) folded += lower;
  }
  const length = codePoints(folded).length;
  // A spacing accent decomposes to a space and a mark, and nothing may fold to a space that is none.
  return length === 0 || length > LONGEST || folded.includes(" ") ? c : folded;
}

const LIGATURES: Readonly<Record<string, string>> = {
  ß: "ss",
  ẞ: "ss",
  æ: "ae",
  Æ: "ae",
  œ: "oe",
  Œ: "oe",
};

/** Letters without a decomposition and signs that have an everyday twin. */
function plainForm(c: string): string | undefined {
  if (space.test(c)) return " ";
  if (/[‐-―−﹣－]/u.test(c)) return "-";
  if (/[‘-‛′ʼ＇]/u.test(c)) return "'";
  if (/[“-‟″«»＂]/u.test(c)) return '"';
  return PLAIN[c];
}

const PLAIN: Readonly<Record<string, string>> = {
  ø: "o",
  Ø: "o",
  ł: "l",
  Ł: "l",
  đ: "d",
  Đ: "d",
  ð: "d",
  Ð: "d",
  ħ: "h",
  Ħ: "h",
  ı: "i",
  ŧ: "t",
  Ŧ: "t",
  ς: "σ",
};

/** Folds a whole string, whitespace collapsed and trimmed. For queries and short strings only. */
export function foldString(text: string): string {
  let folded = "";
  for (const c of text) for (const part of fold(c.codePointAt(0) ?? 0)) folded += String.fromCodePoint(part);
  return folded.replace(/ +/g, " ").trim();
}
