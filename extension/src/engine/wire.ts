/** What the server answers, checked: JSON of unknown shape in, typed values out; what does not fit is left out. */

import { isRecord, isSpan } from "../messages";
import type { components } from "./contract";
import {
  type Coverage,
  type Entity,
  type Findings,
  KINDS,
  type Kind,
  type Match,
  type Span,
  type Suggestion,
} from "./engine";

export type Schemas = components["schemas"];

/** What should be a T, nothing of it checked yet; a field that T does not have cannot be asked for. */
type UncheckedFields<T extends object> = Readonly<Partial<Record<keyof T, unknown>>>;

export interface Answer {
  span: Span | undefined;
  text: string;
  confidence: number;
  origin: string;
}

export interface AskOutcome {
  outcome: "answered" | "guessed" | "not_here" | "cannot";
  message: string;
  answers: Answer[];
  questionId: string;
  similarQuestion: string;
}

export interface Question {
  id: string;
  text: string;
  count: number;
  answers: Answer[];
  page?: { url: string; title: string };
}

export interface LikeOutcome {
  suggested: { word: string; weight: number }[];
  matches: Match[];
}

const MAX_TEXT_UNITS = 2000;

function stringOf(value: unknown): string {
  return typeof value === "string" ? value.slice(0, MAX_TEXT_UNITS) : "";
}

function fractionOf(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? Math.min(1, Math.max(0, value)) : 0;
}

function fieldsOf<T extends object>(value: unknown): UncheckedFields<T> {
  return (isRecord(value) ? value : {}) as UncheckedFields<T>;
}

function recordsOf<T extends object>(value: unknown): UncheckedFields<T>[] {
  return Array.isArray(value) ? value.filter(isRecord).map((each) => fieldsOf<T>(each)) : [];
}

/** A span inside a text of this length. */
function spanWithin(value: unknown, length: number): Span | undefined {
  return isSpan(value) && value.start < value.end && value.end <= length
    ? { start: value.start, end: value.end }
    : undefined;
}

export function parseFindings(value: unknown, length: number): Findings {
  const given = fieldsOf<Schemas["FindResponse"]>(value);
  const matches: Match[] = [];
  for (const each of recordsOf<Schemas["WireMatch"]>(given.matches)) {
    const span = spanWithin(each.span, length);
    const kind = KINDS.find((known) => known === each.kind);
    if (span && kind) matches.push(matchOf(span, kind, each));
  }
  matches.push(...collectRejected(given.entities, length, matches));
  matches.sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
  const found: Findings = { matches };
  if (isRecord(given.correction)) {
    const correction = fieldsOf<Schemas["WireCorrection"]>(given.correction);
    const { from, to } = { from: stringOf(correction.from), to: stringOf(correction.to) };
    found.correction = { from, to };
    // What was typed stands nowhere: the words found are another spelling of it.
    found.matches = matches.map((match) =>
      match.kind === "exact" ? { ...match, kind: "fuzzy", why: `“${from}” was read as “${to}”` } : match,
    );
  }
  if (isRecord(given.coverage)) found.coverage = parseCoverage(fieldsOf(given.coverage));
  return found;
}

function matchOf(
  span: Span,
  kind: Kind,
  { score, why, entity }: UncheckedFields<Schemas["WireMatch"]>,
): Match {
  const match: Match = { span, kind, score: fractionOf(score), why: stringOf(why), accepted: true };
  const known = isRecord(entity) ? entityOf(fieldsOf(entity)) : undefined;
  if (known) match.entity = known;
  return match;
}

function entityOf({ name, description, id }: UncheckedFields<Schemas["WireEntity"]>): Entity | undefined {
  if (stringOf(name) === "") return undefined;
  const entity = { name: stringOf(name), description: stringOf(description) };
  return stringOf(id) === "" ? entity : { ...entity, id: stringOf(id) };
}

/** Mentions of entities that the server weighed and left out: a lower threshold brings them in. */
function collectRejected(entities: unknown, length: number, matches: readonly Match[]): Match[] {
  const taken = new Set(matches.map(({ span }) => `${span.start}-${span.end}`));
  const added: Match[] = [];
  for (const each of recordsOf<Schemas["WireEntityScore"]>(entities)) {
    const entity = entityOf({ name: each.name, id: each.id });
    if (each.accepted === true || !entity || !Array.isArray(each.mentions)) continue;
    for (const mention of each.mentions) {
      const span = spanWithin(mention, length);
      if (!span || taken.has(`${span.start}-${span.end}`)) continue;
      const match = matchOf(span, "meaning", { score: each.score, why: each.fact });
      added.push({ ...match, entity, accepted: false });
    }
  }
  return added;
}

function parseCoverage({ read, total, skipped }: UncheckedFields<Schemas["WireCoverage"]>): Coverage {
  const count = (value: unknown): number => (typeof value === "number" ? value : 0);
  return {
    read: count(read),
    total: count(total),
    skipped: Array.isArray(skipped) ? skipped.map(stringOf).filter(Boolean) : [],
  };
}

export function parseAnswers(value: unknown, length: number): Answer[] {
  return recordsOf<Schemas["WireAnswer"]>(value)
    .map((each) => ({
      span: spanWithin(each.span, length),
      text: stringOf(each.text),
      confidence: fractionOf(each.confidence),
      origin: stringOf(each.origin),
    }))
    .filter(({ text }) => text !== "");
}

export function parseAskOutcome(value: unknown, length: number): AskOutcome {
  const given = fieldsOf<Schemas["AskResponse"]>(value);
  const { outcome } = given;
  return {
    outcome: outcome === "answered" || outcome === "guessed" || outcome === "cannot" ? outcome : "not_here",
    message: stringOf(given.message),
    answers: parseAnswers(given.answers, length),
    questionId: stringOf(given.question_id),
    similarQuestion: stringOf(given.similar_question),
  };
}

export function parseQuestions(value: unknown, length: number): Question[] {
  const { questions } = fieldsOf<Schemas["TopQuestionsResponse"] | Schemas["SimilarResponse"]>(value);
  return recordsOf<Schemas["TopQuestion"] & Schemas["SimilarQuestion"]>(questions)
    .map((each) => {
      const question: Question = {
        id: stringOf(each.question_id),
        text: stringOf(each.text),
        count: typeof each.count === "number" ? each.count : 0,
        answers: parseAnswers(each.answers, length),
      };
      if (isRecord(each.page)) {
        const { url, title } = fieldsOf<Schemas["PageName"]>(each.page);
        question.page = { url: webAddress(url), title: stringOf(title) };
      }
      return question;
    })
    .filter(({ text }) => text !== "");
}

/** Only addresses that may be followed with a click. */
function webAddress(value: unknown): string {
  const url = stringOf(value);
  return /^https?:\/\//.test(url) ? url : "";
}

const SUGGESTION_KINDS = ["question", "entity", "heading", "correction"] as const;

export function parseSuggestions(value: unknown): Suggestion[] {
  const { suggestions } = fieldsOf<Schemas["SuggestResponse"]>(value);
  return recordsOf<Schemas["Suggestion"]>(suggestions)
    .map(({ text, kind }) => ({
      text: stringOf(text).slice(0, 200),
      kind: SUGGESTION_KINDS.find((known) => known === kind) ?? ("word" as const),
    }))
    .filter(({ text }) => text !== "");
}

export function parseLike(value: unknown, length: number): LikeOutcome {
  const given = fieldsOf<Schemas["LikeResponse"]>(value);
  const matches: Match[] = [];
  for (const each of recordsOf<Schemas["WireAlike"]>(given.entities)) {
    const entity = entityOf({ name: each.name });
    const best = stringOf(fieldsOf<Schemas["WireBest"]>(each.best).text);
    if (!entity || !Array.isArray(each.mentions)) continue;
    for (const mention of each.mentions) {
      const span = spanWithin(mention, length);
      if (span) matches.push({ ...matchOf(span, "meaning", { score: each.score, why: best }), entity });
    }
  }
  matches.sort((a, b) => a.span.start - b.span.start);
  const suggested = recordsOf<Schemas["WireTerm"]>(given.suggested)
    .map(({ word, weight }) => ({ word: stringOf(word), weight: typeof weight === "number" ? weight : 1 }))
    .filter(({ word }) => word !== "");
  return { suggested, matches };
}
