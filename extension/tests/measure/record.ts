/** Measured rows: printed, and where FINDALL_RECORD names a folder kept there as CSV, for `eval/record/<date>/`. */

import { writeFile } from "node:fs/promises";
import { join } from "node:path";

export type Row = Record<string, string | number>;

export async function record(name: string, rows: readonly Row[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {});
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column]))];
  const csv = `${lines.map((line) => line.join(",")).join("\n")}\n`;
  console.log(`${name}\n${csv}`);
  const folder = process.env["FINDALL_RECORD"];
  if (folder) await writeFile(join(folder, `${name}.csv`), csv);
}

/** The percentiles of some times, in whole milliseconds. */
export function percentiles(times: readonly number[]): {
  runs: number;
  p50: number;
  p90: number;
  p99: number;
} {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (part: number): number =>
    Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN);
  return { runs: sorted.length, p50: at(0.5), p90: at(0.9), p99: at(0.99) };
}
