/**
 * The list of what was found, to take along: one row a place, with its name, its kind, how often that name was found
 * and the sentence around it. As lines for the clipboard, as CSV, as Markdown.
 */

import type { Match } from "../engine/engine";
import { KIND_WORDS, groupsOf, sentenceAround } from "./state";

export interface ListRow {
  name: string;
  kind: string;
  count: number;
  sentences: string[];
}

const MAX_SENTENCE_UNITS = 500;

/** One row for each group of the panel; what has no name goes by its own words. */
export function rowsOf(text: string, shown: readonly Match[]): ListRow[] {
  return groupsOf(shown).flatMap(({ name, kind, members }) => {
    const named = members.some((index) => shown[index]?.entity);
    const rows = new Map<string, ListRow>();
    for (const index of members) {
      const match = shown[index];
      if (!match) continue;
      const words = named ? name : joinLines(text.slice(match.span.start, match.span.end));
      const row = rows.get(words) ?? { name: words, kind: KIND_WORDS[kind], count: 0, sentences: [] };
      rows.set(words, row);
      const { start, end } = sentenceAround(text, match.span);
      row.count++;
      row.sentences.push(joinLines(text.slice(start, end)).slice(0, MAX_SENTENCE_UNITS));
    }
    return [...rows.values()];
  });
}

function joinLines(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

export function formatText(rows: readonly ListRow[]): string {
  return rows.map(({ name, count }) => (count > 1 ? `${name} (${count})` : name)).join("\n");
}

export function formatCsv(rows: readonly ListRow[]): string {
  const lines = rows.flatMap(({ name, kind, count, sentences }) =>
    sentences.map((sentence) => [name, kind, String(count), sentence].map(quoteCell).join(",")),
  );
  return ["name,kind,count,sentence", ...lines, ""].join("\r\n");
}

/** A page's words are no formula: a table program would run what starts like one. */
function quoteCell(value: string): string {
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
}

export function formatMarkdown(title: string, url: string, query: string, rows: readonly ListRow[]): string {
  const items = rows.flatMap(({ name, count, sentences }) => [
    `- **${escapeMarkdown(name)}**${count > 1 ? ` (${count})` : ""}`,
    ...[...new Set(sentences)].map((sentence) => `  - ${escapeMarkdown(sentence)}`),
  ]);
  const source = /^https?:/.test(url)
    ? `[${escapeMarkdown(title === "" ? url : title)}](<${url}>)`
    : escapeMarkdown(title);
  return [`# ${escapeMarkdown(query)}`, "", source, "", ...items, ""].join("\n");
}

function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_{}[\]<>#|]/g, "\\$&");
}
