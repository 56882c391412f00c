/**
 * What stays of a text that has changed: how much at either end, and where a span of it stands now. A page is read anew
 * when it changes, but most of it is as before, and what was found there still holds.
 */

import type { Span } from "./engine/engine";

/** More changed text than this is not looked through for lines that have only moved. */
const MAX_SCANNED_UNITS = 1 << 20;

/** Slices are compared at memory speed; only the last one is looked at unit by unit. */
const MAX_STEP_UNITS = 1 << 16;

export function commonStart(before: string, after: string): number {
  const most = Math.min(before.length, after.length);
  let same = 0;
  for (let step = MAX_STEP_UNITS; step >= 1; step >>= 1) {
    while (same + step <= most && before.slice(same, same + step) === after.slice(same, same + step))
      same += step;
  }
  return same;
}

/** `start` units are known to be common at the other end. */
export function commonEnd(before: string, after: string, start: number): number {
  const most = Math.min(before.length, after.length) - start;
  let same = 0;
  for (let step = MAX_STEP_UNITS; step >= 1; step >>= 1) {
    while (
      same + step <= most &&
      before.slice(before.length - same - step, before.length - same) ===
        after.slice(after.length - same - step, after.length - same)
    ) {
      same += step;
    }
  }
  return same;
}

/** Whether two texts are states of one page: most of the longer one stands in both. */
export function isMostlySame(before: string, after: string): boolean {
  const half = Math.max(before.length, after.length) / 2;
  const start = commonStart(before, after);
  if (start + commonEnd(before, after, start) >= half) return true;
  if (Math.max(before.length, after.length) > MAX_SCANNED_UNITS) return false;
  const lines = new Set(before.split("\n"));
  const shared = after.split("\n").reduce((sum, line) => sum + (lines.has(line) ? line.length + 1 : 0), 0);
  return shared >= half;
}

/** Gives a function that says where a span of the text before stands in the text after, if it still does. */
export function makeMover(before: string, after: string): (span: Span) => Span | undefined {
  if (before === after) return (span) => span;
  const start = commonStart(before, after);
  const end = commonEnd(before, after, start);
  const [changedTo, moved] = [before.length - end, after.length - before.length];
  let lines: ((span: Span) => Span | undefined) | undefined;
  return (span) => {
    if (span.end <= start) return span;
    if (span.start >= changedTo) return { start: span.start + moved, end: span.end + moved };
    lines ??= makeLineMover(before, after, start, changedTo, after.length - end);
    return lines(span);
  };
}

/**
 * A page that changes in several places has much between them that did not. Lines of the changed part that stand in
 * both texts, in the same order, carry their spans along.
 */
function makeLineMover(
  before: string,
  after: string,
  start: number,
  changedTo: number,
  nowTo: number,
): (span: Span) => Span | undefined {
  const from = start === 0 ? 0 : before.lastIndexOf("\n", start - 1) + 1;
  if (Math.max(changedTo, nowTo) - from > MAX_SCANNED_UNITS) return () => undefined;
  // Where each line stands now; the last one first, so that taking the first is cheap.
  const places = new Map<string, number[]>();
  for (const [line, at] of [...linesOf(after, from, nowTo)].reverse()) {
    const standing = places.get(line);
    if (standing) standing.push(at);
    else places.set(line, [at]);
  }
  // Starts of the lines that stay, and by how much each has moved.
  const starts: number[] = [];
  const shifts: (number | undefined)[] = [];
  let next = from;
  for (const [line, at] of linesOf(before, from, changedTo)) {
    const standing = line === "" ? undefined : places.get(line);
    while ((standing?.at(-1) ?? next) < next) standing?.pop();
    const now = standing?.pop();
    starts.push(at);
    shifts.push(now === undefined ? undefined : now - at);
    if (now !== undefined) next = now + line.length;
  }
  return (span) => {
    let low = 0;
    let high = starts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((starts[middle] ?? 0) <= span.start) low = middle + 1;
      else high = middle;
    }
    const shift = shifts[low - 1];
    if (shift === undefined || before.slice(span.start, span.end).includes("\n")) return undefined;
    return { start: span.start + shift, end: span.end + shift };
  };
}

function* linesOf(text: string, from: number, to: number): Generator<[string, number]> {
  for (let at = from; at < to;) {
    const newline = text.indexOf("\n", at);
    const end = newline < 0 ? text.length : newline;
    yield [text.slice(at, end), at];
    at = end + 1;
  }
}
