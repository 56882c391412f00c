/**
 * The list of what was found, to take along: one row a place, with its name, its kind, how often that name was found
 * and the sentence around it. As lines for the clipboard, as CSV, as Markdown.
 */

import type { Match } from "../engine/engine";
import { KIND_WORDS, groupsOf, sentenceAround } from "./state";

export interface Row {
  name: string;
  kind: string;
  count: number;
  sentences: string[];
}

const LONGEST_SENTENCE = 500;

/** One row for each group of the panel; what has no name goes by its own words. */
export function rowsOf(text: string, shown: readonly Match[]): Row[] {
  return groupsOf(shown).flatMap(({ name, kind, members }) => {
    const named = members.some((index) => shown[index]?.entity);
    const rows = new Map<string, Row>();
    for (const index of members) {
      const match = shown[index];
      if (!match) continue;
      const words = named ? name : line(text.slice(match.span.start, match.span.end));
      const row = rows.get(words) ?? { name: words, kind: KIND_WORDS[kind], count: 0, sentences: [] };
      rows.set(words, row);
      const { start, end } = sentenceAround(text, match.span);
      row.count++;
      row.sentences.push(line(text.slice(start, end)).slice(0, LONGEST_SENTENCE));
    }
    return [...rows.values()];
  });
}

function line(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

export function asText(rows: readonly Row[]): string {
  return rows.map(({ name, count }) => (count > 1 ? `${name} (${count})` : name)).join("\n");
}

export function asCsv(rows: readonly Row[]): string {
  const lines = rows.flatMap(({ name, kind, count, sentences }) =>
    sentences.map((sentence) => [name, kind, String(count), sentence].map(cell).join(",")),
  );
  return ["name,kind,count,sentence", ...lines, ""].join("\r\n");
}

/** A page's words are no formula: a table program would run what starts like one. */
function cell(value: string): string {
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
}

export function asMarkdown(title: string, url: string, query: string, rows: readonly Row[]): string {
  const items = rows.flatMap(({ name, count, sentences }) => [
    `- **${escaped(name)}**${count > 1 ? ` (${count})` : ""}`,
    ...[...new Set(sentences)].map((sentence) => `  - ${escaped(sentence)}`),
  ]);
  const source = /^https?:/.test(url) ? `[${escaped(title === "" ? url : title)}](<${url}>)` : escaped(title);
  return [`# ${escaped(query)}`, "", source, "", ...items, ""].join("\n");
}

function escaped(text: string): string {
  return text.replace(/[\\`*_{}[\]<>#|]/g, "\\$&");
}
