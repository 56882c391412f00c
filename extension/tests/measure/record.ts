/**
 * Measured figures, kept as `findall-eval` keeps its own: one figure a row in `eval/record/<date>/<verb>.csv`, with the
 * time and the commit (`crates/findall-eval/src/record.rs`). A second run on the same day replaces the first.
 * FINDALL_RECORD names another folder than `eval/record`; empty, it has the table printed only.
 */

import { execFileSync } from "node:child_process";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const repository = fileURLToPath(new URL("../../..", import.meta.url));
const folder = process.env["FINDALL_RECORD"] ?? join(repository, "eval/record");

export interface Figure {
  /** On what: a page, a phase, a situation. */
  definition: string;
  /** What was measured, or what it is compared with. */
  system: string;
  metric: string;
  value: number;
  unit: string;
}

const COLUMNS = ["time", "commit", "verb", "definition", "system", "metric", "value", "unit"];

export async function record(verb: string, figures: readonly Figure[]): Promise<void> {
  const time = new Date().toISOString().replace(/\.\d+/, "");
  const commit = commitOf();
  const rows = figures.map(({ definition, system, metric, value, unit }) =>
    [time, commit, verb, definition, system, metric, value, unit].map(cell).join(","),
  );
  for (const { definition, system, metric, value, unit } of figures)
    console.log([verb, definition, system, metric, `${value} ${unit}`].join(" | "));
  if (folder === "") return;
  const day = join(folder, time.slice(0, 10));
  await mkdir(day, { recursive: true });
  const path = join(day, `${verb}.csv`);
  // Written aside and renamed: a run that is stopped leaves the old record whole.
  await writeFile(`${path}.new`, `${[COLUMNS.join(","), ...rows].join("\n")}\n`);
  await rename(`${path}.new`, path);
}

function cell(value: string | number): string {
  const text = String(value);
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The commit measured, with a plus sign when what it is built from had changes; empty outside of a checkout. */
function commitOf(): string {
  const git = (...args: string[]): string =>
    execFileSync("git", args, { cwd: repository, encoding: "utf8" }).trim();
  try {
    const commit = git("rev-parse", "--short=12", "HEAD");
    const built = ["crates", "extension", "Cargo.lock", "scripts/build-edge.sh"];
    const changed = git("status", "--porcelain", "--untracked-files=no", "--", ...built);
    return changed === "" ? commit : `${commit}+`;
  } catch {
    return "";
  }
}

/** Makes figures about one thing. */
export function figuresAbout(
  definition: string,
  system: string,
): (metric: string, value: number, unit: string) => Figure {
  return (metric, value, unit) => ({ definition, system, metric, value, unit });
}

/** How often something was timed, and the percentiles, in tenths of a millisecond. */
export function percentiles(definition: string, system: string, times: readonly number[]): Figure[] {
  const figure = figuresAbout(definition, system);
  return [
    figure("runs", times.length, "count"),
    ...[50, 90, 99].map((percent) => figure(`p${percent}`, tenths(percentile(times, percent)), "ms")),
    figure("slowest", tenths(Math.max(...times)), "ms"),
  ];
}

/** The smallest time that so many percent of all times are not above. */
export function percentile(times: readonly number[], percent: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)] ?? NaN;
}

export function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}
