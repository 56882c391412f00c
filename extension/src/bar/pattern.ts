/**
 * Finds a regular expression in a thread of its own: one that never ends holds nothing up, and is ended. A text, an
 * expression and flags enter; starts and ends leave.
 */

import { isRecord } from "../messages";

/** More places than this are not looked for. */
const MAX_PLACES = 100_000;

self.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
  if (!isRecord(data)) return;
  const { text, source, flags } = data;
  if (typeof text !== "string" || typeof source !== "string" || typeof flags !== "string") return;
  const places: number[] = [];
  for (const { 0: found, index } of text.matchAll(new RegExp(source, flags))) {
    if (found !== "") places.push(index, index + found.length);
    if (places.length >= MAX_PLACES * 2) break;
  }
  self.postMessage(places);
});
