/** What the server answers, checked: JSON of unknown shape in, typed values out; what does not fit is left out. */

import { isRecord, isSpan } from "../messages";
import {
  type Coverage,
  type Entity,
  type Found,
  KINDS,
  type Kind,
  type Match,
  type Span,
  type Suggestion,
} from "./engine";

export interface Answer {
  span: Span | undefined;
  text: string;
  confidence: number;
  origin: string;
}

export interface Asked {
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

export interface Likeness {
  suggested: { word: string; weight: number }[];
  matches: Match[];
}

const LONGEST_TEXT = 2000;

function string(value: unknown): string {
  return typeof value === "string" ? value.slice(0, LONGEST_TEXT) : "";
}

function fraction(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? Math.min(1, Math.max(0, value)) : 0;
}

function records(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** A span inside a text of this length. */
function spanWithin(value: unknown, length: number): Span | undefined {
  return isSpan(value) && value.start < value.end && value.end <= length
    ? { start: value.start, end: value.end }
    : undefined;
}

export function parseFound(value: unknown, length: number): Found {
  if (!isRecord(value)) return { matches: [] };
  const matches: Match[] = [];
  for (const each of records(value["matches"])) {
    const span = spanWithin(each["span"], length);
    const kind = KINDS.find((known) => known === each["kind"]);
    if (span && kind) matches.push(matchOf(span, kind, each));
  }
  matches.push(...leftOut(value["entities"], length, matches));
  matches.sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
  const found: Found = { matches };
  const { correction, coverage } = value;
  if (isRecord(correction)) {
    const { from, to } = { from: string(correction["from"]), to: string(correction["to"]) };
    found.correction = { from, to };
    // What was typed stands nowhere: the words found are another spelling of it.
    found.matches = matches.map((match) =>
      match.kind === "exact" ? { ...match, kind: "fuzzy", why: `“${from}” was read as “${to}”` } : match,
    );
  }
  if (isRecord(coverage)) found.coverage = parseCoverage(coverage);
  return found;
}

function matchOf(span: Span, kind: Kind, { score, why, entity }: Record<string, unknown>): Match {
  const match: Match = { span, kind, score: fraction(score), why: string(why), accepted: true };
  const known = isRecord(entity) ? entityOf(entity) : undefined;
  if (known) match.entity = known;
  return match;
}

function entityOf({ name, description, id }: Record<string, unknown>): Entity | undefined {
  if (string(name) === "") return undefined;
  const entity = { name: string(name), description: string(description) };
  return string(id) === "" ? entity : { ...entity, id: string(id) };
}

/** Mentions of entities that the server weighed and left out: a lower threshold brings them in. */
function leftOut(entities: unknown, length: number, matches: readonly Match[]): Match[] {
  const taken = new Set(matches.map(({ span }) => `${span.start}-${span.end}`));
  const added: Match[] = [];
  for (const each of records(entities)) {
    const entity = entityOf(each);
    if (each["accepted"] === true || !entity || !Array.isArray(each["mentions"])) continue;
    for (const mention of each["mentions"]) {
      const span = spanWithin(mention, length);
      if (!span || taken.has(`${span.start}-${span.end}`)) continue;
      const match = matchOf(span, "meaning", { score: each["score"], why: each["fact"] });
      added.push({ ...match, entity, accepted: false });
    }
  }
  return added;
}

function parseCoverage({ read, total, skipped }: Record<string, unknown>): Coverage {
  const count = (value: unknown): number => (typeof value === "number" ? value : 0);
  return {
    read: count(read),
    total: count(total),
    skipped: Array.isArray(skipped) ? skipped.map(string).filter(Boolean) : [],
  };
}

export function parseAnswers(value: unknown, length: number): Answer[] {
  return records(value)
    .map((each) => ({
      span: spanWithin(each["span"], length),
      text: string(each["text"]),
      confidence: fraction(each["confidence"]),
      origin: string(each["origin"]),
    }))
    .filter(({ text }) => text !== "");
}

export function parseAsked(value: unknown, length: number): Asked {
  const given = isRecord(value) ? value : {};
  const outcome = given["outcome"];
  return {
    outcome: outcome === "answered" || outcome === "guessed" || outcome === "cannot" ? outcome : "not_here",
    message: string(given["message"]),
    answers: parseAnswers(given["answers"], length),
    questionId: string(given["question_id"]),
    similarQuestion: string(given["similar_question"]),
  };
}

export function parseQuestions(value: unknown, length: number): Question[] {
  if (!isRecord(value)) return [];
  return records(value["questions"])
    .map((each) => {
      const question: Question = {
        id: string(each["question_id"]),
        text: string(each["text"]),
        count: typeof each["count"] === "number" ? each["count"] : 0,
        answers: parseAnswers(each["answers"], length),
      };
      const page = isRecord(each["page"]) ? each["page"] : undefined;
      if (page) question.page = { url: webAddress(page["url"]), title: string(page["title"]) };
      return question;
    })
    .filter(({ text }) => text !== "");
}

/** Only addresses that may be followed with a click. */
function webAddress(value: unknown): string {
  const url = string(value);
  return /^https?:\/\//.test(url) ? url : "";
}

const SUGGESTION_KINDS = ["question", "entity", "heading", "correction"] as const;

export function parseSuggestions(value: unknown): Suggestion[] {
  if (!isRecord(value)) return [];
  return records(value["suggestions"])
    .map(({ text, kind }) => ({
      text: string(text).slice(0, 200),
      kind: SUGGESTION_KINDS.find((known) => known === kind) ?? ("word" as const),
    }))
    .filter(({ text }) => text !== "");
}

export function parseLike(value: unknown, length: number): Likeness {
  const given = isRecord(value) ? value : {};
  const matches: Match[] = [];
  for (const each of records(given["entities"])) {
    const entity = entityOf({ name: each["name"], description: "" });
    const best = isRecord(each["best"]) ? string(each["best"]["text"]) : "";
    if (!entity || !Array.isArray(each["mentions"])) continue;
    for (const mention of each["mentions"]) {
      const span = spanWithin(mention, length);
      if (span) matches.push({ ...matchOf(span, "meaning", { score: each["score"], why: best }), entity });
    }
  }
  matches.sort((a, b) => a.span.start - b.span.start);
  const suggested = records(given["suggested"])
    .map(({ word, weight }) => ({ word: string(word), weight: typeof weight === "number" ? weight : 1 }))
    .filter(({ word }) => word !== "");
  return { suggested, matches };
}
