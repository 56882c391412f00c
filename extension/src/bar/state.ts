/** What the bar knows and what follows from it: which places are shown, how they group, what the counter says. */

import { type LiteralOptions, literalOf } from "../engine/edge/literal";
import type { Findings, Kind, Match, Page, Span, Suggestion } from "../engine/engine";
import type { Term } from "../engine/server";
import type { Answer, Question } from "../engine/wire";
import { MAX_PLACES_SHOWN } from "../messages";
import type { TabsState } from "./tabs";

/** Where things stand with the server. */
export type Status =
  | { state: "checking" }
  | { state: "none"; base: string }
  | { state: "unpaired" }
  | { state: "loading" }
  | { state: "preparing"; done: number }
  | { state: "ready" }
  | { state: "error"; message: string };

/** Where things stand with the engine inside the browser, which finds when there is no server. */
export type InsideStatus = { state: "absent" } | { state: "reading"; done: number } | { state: "ready" };

/** The filters that a person switches; `value` counts as meaning. */
export const FILTERS = ["meaning", "exact", "fuzzy", "answer"] as const;
export type Filter = (typeof FILTERS)[number];

export interface AskState {
  question: string;
  running: boolean;
  outcome: "answered" | "guessed" | "not_here" | "cannot" | "failed" | undefined;
  message: string;
  answers: Answer[];
  questionId: string;
  similar: Question[];
  /** Answers that the person called wrong. */
  wrong: ReadonlySet<string>;
}

export interface LikeState {
  selection: Span;
  sentence: Span;
  terms: Term[];
  matches: Match[];
  running: boolean;
}

export interface State {
  status: Status;
  inside: InsideStatus;
  page: Page | undefined;
  version: number;
  /** Hosts of frames in the page that may not be looked into. */
  closedFrames: string[];
  /** How many parts of the page are closed, and whether they are searched. */
  folded: number;
  unfolded: boolean;
  /** Whether form fields and texts of pictures are searched. */
  fields: boolean;
  /** The page is a PDF in the browser's viewer, in which nothing can be painted. */
  pdf: boolean;
  query: string;
  /** What is to be found to the letter. */
  literal: LiteralOptions;
  /** Why the query cannot be looked for; empty when it can. */
  queryError: string;
  /** What was found for the query, and by whom. */
  found: Findings;
  foundBy: "edge" | "inside" | "server" | undefined;
  searching: boolean;
  /** A quick answer is shown, and the one that was thought over is awaited. */
  settling: boolean;
  /** How much of the page, which has changed since it was read, has been read again. */
  rereading: number | undefined;
  off: ReadonlySet<Filter>;
  /** The lowest score shown; undefined leaves it to the engine. */
  threshold: number | undefined;
  /** Index into the shown places. */
  current: number;
  suggestions: Suggestion[];
  /** Index of the suggestion that Enter would take. */
  suggestion: number;
  panelOpen: boolean;
  /** How many places of each group are listed, where the person wants more than a few. */
  listed: ReadonlyMap<string, number>;
  /** What the counter says, for those who hear it: said after a pause, not at every key. */
  spoken: string;
  ask: AskState | undefined;
  topQuestions: Question[];
  /** Queries of before, newest first. */
  recent: string[];
  /** What was found in other tabs. */
  tabs: TabsState | undefined;
  selection: Span | undefined;
  /** More like the selection was asked for before it could be looked for. */
  likeWanted: boolean;
  like: LikeState | undefined;
  /** Whether the server can find more like a selection; undefined until it was asked once. */
  canLike: boolean | undefined;
  notice: string;
}

export function initialState(): State {
  return {
    status: { state: "checking" },
    inside: { state: "absent" },
    page: undefined,
    version: 0,
    closedFrames: [],
    folded: 0,
    unfolded: false,
    fields: false,
    pdf: false,
    query: "",
    literal: { matchCase: false, wholeWords: false, expression: false },
    queryError: "",
    found: { matches: [] },
    foundBy: undefined,
    searching: false,
    settling: false,
    rereading: undefined,
    off: new Set(),
    threshold: undefined,
    current: -1,
    suggestions: [],
    suggestion: -1,
    panelOpen: false,
    listed: new Map(),
    spoken: "",
    ask: undefined,
    topQuestions: [],
    recent: [],
    tabs: undefined,
    selection: undefined,
    likeWanted: false,
    like: undefined,
    canLike: undefined,
    notice: "",
  };
}

export function describePreparing(done: number): Partial<State> {
  return { status: { state: "preparing", done } };
}

export function filterOf(kind: Kind): Filter {
  return kind === "value" ? "meaning" : kind;
}

/** Everything that answers the query, whatever the filters: the answers to a question first among equals. */
export function candidates(state: State): Match[] {
  if (state.like) return state.like.matches;
  const answers = (state.ask?.answers ?? []).flatMap((answer): Match[] =>
    answer.span
      ? [
          {
            span: answer.span,
            kind: "answer",
            score: answer.confidence,
            why: originWords(answer.origin),
            accepted: true,
          },
        ]
      : [],
  );
  const found = matchesBesideAnswer(state, answers.length > 0);
  if (answers.length === 0) return found;
  const taken = new Set(answers.map(({ span }) => `${span.start}-${span.end}`));
  const rest = found.filter(({ span }) => !taken.has(`${span.start}-${span.end}`));
  return [...answers, ...rest].sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
}

/** Words that ask for one thing; who asks so does not look for every name that has to do with it. */
const SINGLE_ANSWER_QUESTION = /^(who|whom|whose|when|where|why|how)\b/i;

/** What was found for a question: with an answer, or where one is awaited, names that are merely near are left out. */
function matchesBesideAnswer({ query, status, found }: State, answered: boolean): Match[] {
  const asked = status.state === "ready" && isQuestion(query);
  if (!asked || !(answered || SINGLE_ANSWER_QUESTION.test(query.trim()))) return found.matches;
  return found.matches.filter(({ kind }) => kind === "exact");
}

function passesThreshold({ score, accepted }: Match, threshold: number | undefined): boolean {
  return threshold === undefined ? accepted : score >= threshold;
}

/**
 * The place that a person was at, among those found since; none when it is gone. One letter more, and what was found is
 * longer: the place that lies over it is the same to who is there.
 */
export function findKept(matches: readonly Match[], keep: Span): number {
  const same = matches.findIndex(({ span }) => span.start === keep.start && span.end === keep.end);
  return same >= 0 ? same : matches.findIndex(({ span }) => span.start < keep.end && span.end > keep.start);
}

/** The places shown, in page order. */
export function shownMatches(state: State): Match[] {
  const { off, threshold } = state;
  return candidates(state)
    .filter((match) => passesThreshold(match, threshold) && !off.has(filterOf(match.kind)))
    .slice(0, MAX_PLACES_SHOWN);
}

export function countsByFilter(state: State): Record<Filter, number> {
  const counts = { meaning: 0, exact: 0, fuzzy: 0, answer: 0 };
  for (const match of candidates(state))
    if (passesThreshold(match, state.threshold)) counts[filterOf(match.kind)]++;
  return counts;
}

export interface Group {
  /** The same for the same group, whatever else is found. */
  key: string;
  name: string;
  kind: Kind;
  description: string;
  /** Of the entity in the knowledge base, where it is in it. */
  id: string | undefined;
  why: string;
  score: number;
  /** Indices into the shown places. */
  members: number[];
}

/** The shown places by entity, the best first; places without one by the way they answer. */
export function groupsOf(shown: readonly Match[]): Group[] {
  const groups = new Map<string, Group>();
  for (const [index, match] of shown.entries()) {
    const { kind, entity, why, score } = match;
    const key = entity ? `entity ${entity.name}` : kind === "exact" ? "exact" : `${kind} ${why}`;
    const group = groups.get(key);
    if (group) {
      group.members.push(index);
      if (score > group.score) Object.assign(group, { score, why });
    } else {
      groups.set(key, {
        key,
        name: entity?.name ?? KIND_WORDS[kind],
        kind,
        description: entity?.description ?? "",
        id: entity?.id,
        why,
        score,
        members: [index],
      });
    }
  }
  return [...groups.values()].sort((a, b) => rank(a) - rank(b) || b.score - a.score);
}

function rank({ kind }: Group): number {
  return ["answer", "meaning", "value", "exact", "fuzzy"].indexOf(kind);
}

export const KIND_WORDS: Readonly<Record<Kind, string>> = {
  meaning: "By meaning",
  exact: "Exact words",
  fuzzy: "Other spellings",
  value: "Values",
  answer: "Answers",
};

export function originWords(origin: string): string {
  switch (origin) {
    case "remembered":
      return "remembered from an earlier question";
    case "similar":
      return "remembered from a similar question";
    case "person":
      return "corrected by you";
    case "llm":
      return "from a larger model";
    default:
      return "read on this page";
  }
}

/** How much of the page has been read by meaning, while it is being read; undefined when that does not matter. */
export function readSoFar({ status, inside, rereading, query, literal }: State): number | undefined {
  if (literalOf(query, literal)) return undefined;
  if (status.state === "preparing") return status.done;
  if (status.state !== "ready" && inside.state === "reading") return inside.done;
  return rereading;
}

/** "Nothing found" is said only when all that can be looked through has been. */
export function counterText(state: State, count: number): string {
  if (state.query.trim() === "" && !state.like) return "";
  if (!state.page) return "Reading the page";
  if (state.pdf && state.page.text === "") return "This PDF gives no text";
  if (state.queryError !== "") return "Not a regular expression";
  const read = readSoFar(state);
  if (count === 0) {
    if (read !== undefined) return `Searching by meaning, ${Math.floor(read * 100)} %`;
    if (state.searching || state.ask?.running || state.status.state === "checking") return "Searching";
    return state.status.state === "loading" ? "Nothing found yet" : "Nothing found";
  }
  const total =
    count === MAX_PLACES_SHOWN ? `${MAX_PLACES_SHOWN.toLocaleString("en")}+` : count.toLocaleString("en");
  return state.current < 0 ? `${total} found` : `${(state.current + 1).toLocaleString("en")} of ${total}`;
}

/** What stands beside the count: that it may still change, or what it does not cover. */
export function describeSettling(state: State, count: number): string {
  if (state.query.trim() === "") return "";
  const read = readSoFar(state);
  if (read !== undefined) return count === 0 ? "" : `by meaning, ${Math.floor(read * 100)} %`;
  if (state.settling) return count === 0 ? "" : "still checking";
  const skipped = state.found.coverage?.skipped ?? [];
  if (skipped.length === 0 || state.like) return "";
  return skipped.some((words) => words.includes("English"))
    ? "not English: by spelling only"
    : "not all was read";
}

const QUESTION_WORDS =
  /^(who|whom|whose|what|which|when|where|why|how|is|are|was|were|do|does|did|can|could|will|would|should)\s+\S+/i;

/** Whether a query is asked of the page rather than looked for in it. */
export function isQuestion(query: string): boolean {
  const text = query.trim();
  return (
    text.length > 3 && (text.endsWith("?") || (QUESTION_WORDS.test(text) && text.split(/\s+/).length > 2))
  );
}

export interface Snippet {
  before: string;
  match: string;
  after: string;
}

/** A place with a few words on either side, on one line. */
export function snippetOf(text: string, { start, end }: Span, around = 48): Snippet {
  const line = (piece: string): string => piece.replace(/\s+/g, " ");
  const from = Math.max(text.lastIndexOf("\n", start - 1) + 1, start - around);
  const stop = text.indexOf("\n", end);
  const to = Math.min(stop < 0 ? text.length : stop, end + around);
  const before = line(text.slice(from, start));
  const after = line(text.slice(end, to));
  const cutBefore = from > 0 && text.charAt(from - 1) !== "\n";
  const cutAfter = to < text.length && text.charAt(to) !== "\n";
  return {
    before: cutBefore ? `…${before.replace(/^\S*\s/, "")}` : before,
    match: line(text.slice(start, Math.min(end, start + 300))),
    after: cutAfter ? `${after.replace(/\s\S*$/, "")} …` : after,
  };
}

/** The sentence around a span. */
export function sentenceAround(text: string, { start, end }: Span): Span {
  const from = text.lastIndexOf("\n", start - 1) + 1;
  const stop = text.indexOf("\n", end);
  const paragraph = text.slice(from, stop < 0 ? text.length : stop).slice(0, 20_000);
  for (const { index, segment } of new Intl.Segmenter("en", { granularity: "sentence" }).segment(paragraph)) {
    const [first, last] = [from + index, from + index + segment.trimEnd().length];
    if (first <= start && last >= end) return { start: first, end: last };
  }
  return { start, end };
}
