/**
 * Fuzzy find: words that mean the query's words but are spelled otherwise: plurals, possessives, other inflections,
 * typing errors, words written together or apart. A port of the engine's `lexical/fuzzy.rs` and `lexical/typos.rs`
 * that compares distinct spellings once.
 */

import type { Span } from "../engine";
import { LONGEST_WORD, distanceWithin } from "./distance";
import { codePoints, foldString } from "./fold";
import { stem } from "./stem";
import { type Spelling, type WordIndex, foldWord, letters, withoutPossessive, wordsOf } from "./words";

/** Queries of more words than this are sought exactly only. */
const MOST_WORDS = 16;
/** A spelling this much rarer than the query's own may be a slip of it: once, or one in so many. */
const ONE_IN = 20;

/** How the spelling of a fuzzy match differs. */
export type Reason = "possessive" | "plural" | "inflection" | "spacing" | "slip" | "slips";

const SCORES: Readonly<Record<Reason, number>> = {
  possessive: 0.95,
  plural: 0.9,
  spacing: 0.85,
  inflection: 0.8,
  slip: 0.7,
  slips: 0.55,
};

export interface FuzzyMatch {
  span: Span;
  reason: Reason;
  score: number;
}

interface Likeness {
  reason?: Reason;
  score: number;
}

const SAME: Likeness = { score: 1 };

interface QueryWord {
  chars: readonly number[];
  stem: string | undefined;
  letters: number;
  edits: number;
}

export class FuzzyPattern {
  private constructor(
    private readonly words: readonly QueryWord[],
    private readonly joined: string | undefined,
  ) {}

  static of(query: string): FuzzyPattern | undefined {
    const words: QueryWord[] = [];
    for (const { start, end } of wordsOf(query)) {
      const folded = foldWord(query.slice(start, end));
      if (folded.length > LONGEST_WORD) return undefined;
      words.push(queryWord(withoutPossessive(folded)));
    }
    if (words.length === 0 || words.length > MOST_WORDS) return undefined;
    const joined = words.length > 1 ? words.map((word) => text(word.chars)).join("") : undefined;
    return new FuzzyPattern(words, joined);
  }

  /** Every match that is not exact, in text order; they may overlap. `pause` is called now and then. */
  async find(page: string, index: WordIndex, pause: () => Promise<void>): Promise<FuzzyMatch[]> {
    const count = this.words.length;
    const alike: (Likeness | undefined)[][] = [];
    for (const word of this.words) {
      const likenesses: (Likeness | undefined)[] = [];
      for (const [id, spelling] of index.spellings.entries()) {
        if ((id & 0xff) === 0) await pause();
        likenesses.push(compare(word, spelling));
      }
      alike.push(likenesses);
    }
    const matches: FuzzyMatch[] = [];
    // partial[n]: the words before this one that answered the query's first n, and how well.
    const partial: ({ start: number; likeness: Likeness } | undefined)[] = Array.from({ length: count });
    for (let at = 0; at < index.count; at++) {
      if ((at & 0xfff) === 0) await pause();
      const id = index.ids[at] ?? -1;
      const start = index.starts[at] ?? 0;
      if (!index.near[at]) partial.fill(undefined);
      for (let n = count - 1; n >= 0; n--) {
        const soFar = n === 0 ? { start, likeness: SAME } : partial[n];
        if (n > 0) partial[n] = undefined;
        const likeness = id < 0 ? undefined : alike[n]?.[id];
        const answered =
          soFar && likeness ? { start: soFar.start, likeness: and(soFar.likeness, likeness) } : undefined;
        if (n + 1 < count) partial[n + 1] = answered;
        else if (answered?.likeness.reason) {
          const end = possessiveEnd(page, start, index.ends[at] ?? start, index.spellings[id]);
          const { reason, score } = answered.likeness;
          matches.push({ span: { start: answered.start, end }, reason, score });
        }
      }
      const spaced = this.spaced(index, at);
      if (spaced) matches.push({ span: spaced, reason: "spacing", score: SCORES.spacing });
    }
    return matches;
  }

  /** The query's words written as one (`e-mail`, `email`), or its one word written as two. */
  private spaced(index: WordIndex, at: number): Span | undefined {
    const spelling = index.spellings[index.ids[at] ?? -1];
    const start = index.starts[at] ?? 0;
    const end = index.ends[at] ?? start;
    if (this.joined !== undefined) {
      return codePoints(this.joined).length > 3 && spelling?.folded === this.joined
        ? { start, end }
        : undefined;
    }
    const before = index.spellings[index.ids[at - 1] ?? -1];
    const wanted = this.words[0];
    if (!wanted || !before || !spelling || !index.apart[at] || wanted.chars.length < 4) return undefined;
    if (before.chars.length === 0 || before.chars.length + spelling.chars.length !== wanted.chars.length) {
      return undefined;
    }
    return before.folded + spelling.folded === text(wanted.chars)
      ? { start: index.starts[at - 1] ?? start, end }
      : undefined;
  }
}

/** Two words beside each other: the weaker likeness names the reason. */
function and(one: Likeness, other: Likeness): Likeness {
  const reason = other.score < one.score ? other.reason : (one.reason ?? other.reason);
  const score = one.score * other.score;
  return reason ? { reason, score } : { score };
}

function because(reason: Reason): Likeness {
  return { reason, score: SCORES[reason] };
}

function text(chars: readonly number[]): string {
  return String.fromCodePoint(...chars);
}

/** The match stops before a possessive ending, as mentions do. */
function possessiveEnd(page: string, start: number, end: number, spelling: Spelling | undefined): number {
  if (!spelling) return end;
  const ending = spelling.chars.length - withoutPossessive(spelling.chars).length;
  const tail = ending === 0 ? "" : Array.from(page.slice(start, end)).slice(-ending).join("");
  return end - tail.length;
}

function queryWord(chars: readonly number[]): QueryWord {
  const digits = chars.some(isDigit);
  // One slip in a word of four letters, two in a long one, where other words seldom lie so near ("sanctions" is no slip
  // of "sections"); a changed digit is another number.
  const edits = digits || chars.length < 4 ? 0 : chars.length < 10 ? 1 : 2;
  return { chars, stem: stemOf(chars), letters: letters(chars), edits };
}

function isDigit(c: number): boolean {
  return c >= 0x30 && c <= 0x39;
}

function equal(left: readonly number[], right: readonly number[]): boolean {
  return left.length === right.length && left.every((c, i) => c === right[i]);
}

function compare(word: QueryWord, spelling: Spelling): Likeness | undefined {
  const wanted = word.chars;
  if (Math.abs(spelling.chars.length - wanted.length) > 7) return undefined;
  if (equal(spelling.chars, wanted)) return SAME;
  const bare = withoutPossessive(spelling.chars);
  if (equal(bare, wanted)) return because("possessive");
  // Inflections differ by a few letters at the end, slips by a few anywhere.
  if (Math.abs(bare.length - wanted.length) > 5 || bare.length < 3 || wanted.length < 3) return undefined;
  if (isPlural(bare, wanted) || isPlural(wanted, bare)) return because("plural");
  if (
    bare[0] === wanted[0] &&
    bare[1] === wanted[1] &&
    word.stem !== undefined &&
    word.stem === stemOf(bare)
  ) {
    return because("inflection");
  }
  return typo(word, bare);
}

function typo(word: QueryWord, bare: readonly number[]): Likeness | undefined {
  const wanted = word.chars;
  if (word.edits === 0 || bare.length < 4 || Math.abs(bare.length - wanted.length) > word.edits)
    return undefined;
  if (bits(letters(bare) ^ word.letters) > word.edits * 2 || bare.some(isDigit)) return undefined;
  // People seldom miss the first letter of a short word; other words differ there often.
  if (wanted.length < 6 && bare[0] !== wanted[0] && bare[0] !== wanted[1]) return undefined;
  // "Daten" is no slip of "dates": where short words differ at the end, they are other words or other forms.
  if (wanted.length < 6 && equal(bare.slice(0, -1), wanted.slice(0, -1))) return undefined;
  const edits = distanceWithin(wanted, bare, word.edits);
  if (edits !== undefined && edits > 1 && bare[0] !== wanted[0]) return undefined;
  return edits === undefined ? undefined : because(edits <= 1 ? "slip" : "slips");
}

function bits(set: number): number {
  let count = 0;
  for (let rest = set >>> 0; rest !== 0; rest = (rest & (rest - 1)) >>> 0) count++;
  return count;
}

/** English stems, of words long enough to have an ending. */
function stemOf(chars: readonly number[]): string | undefined {
  if (chars.length < 4 || !chars.every((c) => c >= 0x61 && c <= 0x7a)) return undefined;
  return stem(text(chars));
}

/** True when `many` is the regular plural of `one`. */
function isPlural(many: readonly number[], one: readonly number[]): boolean {
  const longer = many.length - one.length;
  if (longer !== 1 && longer !== 2) return false;
  const plural = text(many);
  const singular = text(one);
  if (longer === 1) return plural === `${singular}s` && !singular.endsWith("s");
  if (/(s|x|z|ch|sh|o)$/.test(singular) && plural === `${singular}es`) return true;
  return singular.endsWith("y") && plural === `${singular.slice(0, -1)}ies`;
}

/**
 * Which near spellings are typing errors and which are other words: "from" is no slip of "form", and a spelling that a
 * text uses again and again is what its author meant. `exact`: how often the query stands there as a whole word.
 */
export function plausible(page: string, exact: number, found: readonly FuzzyMatch[]): FuzzyMatch[] {
  const isTypo = ({ reason }: FuzzyMatch): boolean => reason === "slip" || reason === "slips";
  const spelling = ({ span }: FuzzyMatch): string => foldString(page.slice(span.start, span.end));
  const counts = new Map<string, number>();
  let nearest = false;
  for (const match of found.filter(isTypo)) {
    counts.set(spelling(match), (counts.get(spelling(match)) ?? 0) + 1);
    nearest ||= match.reason === "slip";
  }
  return found.filter((match) => {
    if (!isTypo(match)) return true;
    const word = spelling(match);
    if (COMMON.has(word)) return false;
    // Where the query stands nowhere, the slip is the query's: what lies nearest was meant.
    if (exact === 0) return !nearest || match.reason === "slip";
    return (counts.get(word) ?? 0) <= Math.max(Math.floor(exact / ONE_IN), 1);
  });
}

/** Everyday words that lie one letter from others; people who type a query do not mean them. */
const COMMON = new Set(
  (
    "able about above after again against almost alone along already also although always among another away " +
    "back became because become been before began behind being below best better between beyond both bring " +
    "brought call came come could days does done down during each early either else enough even ever every " +
    "face fact feel felt find fire first five found four from full gave give given goes going gone good great " +
    "half hand hands hard have having head hear heard held help here herself high himself hold home hope hour " +
    "house however into itself just keep kept kind knew know known land large last later least leave left " +
    "less life light like line little live long look love made make many matter mean might mind more morning " +
    "most mother move much must name near need never next night nothing number often once only open order " +
    "other others over part people perhaps place point quite rather read really right room said same second " +
    "seem seen several shall short should side since small some something soon state still such sure take " +
    "taken tell than that their them themselves then there therefore these they thing things think this those " +
    "though thought three through thus time times today together told took toward turn turned under until " +
    "upon used very want water well went were what when where whether which while white whole whom whose will " +
    "with within without word words work world would year years young your"
  ).split(" "),
);
