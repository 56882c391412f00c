/**
 * Every message between the page's script, the bar and the service worker, with the checks that whoever receives one
 * makes first. The page's script lives in a hostile neighbourhood: what it says is data, never authority.
 */

import { KINDS, type Kind, type Span } from "./engine/engine";

/** Name of the port from the bar to the page's script. */
export const PAGE_PORT = "findall-page";
/** Name of the port from the bar or the options page to the service worker. */
export const WORKER_PORT = "findall-worker";

/** Name of the port from the bar to the engine inside the browser. */
export const ENGINE_PORT = "findall-engine";

/** What a frame's script says to the service worker when its document does not know how highlights look. */
export const FRAME_LACKS_STYLE = "findall-frame-lacks-style";

/** What the worker says to a reader whose bar is wanted. */
export const OPEN_IN_READER = "findall-open-in-reader";

/** What the worker asks of the engine's page, which says yes as soon as it takes calls. */
export const IS_ENGINE_THERE = "findall-is-engine-there";

/** More text than this is not searched: a person would wait too long for it. */
export const MAX_TEXT_UNITS = 32 << 20;
/** Text travels in pieces of this many units, so that no task takes long. */
export const MAX_CHUNK_UNITS = 1 << 18;
/** More places than this are counted but not painted. */
export const MAX_PLACES_SHOWN = 10_000;

/** So many hosts of closed frames are named. */
export const MAX_CLOSED_HOSTS = 5;

/** Where the bar lies: pixels from the right and the top of the window, its width, and whether it fills a side. */
export interface Layout {
  right: number;
  top: number;
  width: number;
  /** The height of the results; the bar's own comes on top. */
  panel: number;
  dock: "float" | "left" | "right";
}

export const DEFAULT_LAYOUT: Layout = { right: 20, top: 12, width: 640, panel: 440, dock: "float" };
const MIN_WIDTH_PX = 320;
const MAX_LENGTH_PX = 10_000;

export function parseLayout(value: unknown): Layout {
  if (!isRecord(value)) return DEFAULT_LAYOUT;
  const pixels = (name: "right" | "top" | "width" | "panel", least: number): number => {
    const given = value[name];
    const known = typeof given === "number" && Number.isFinite(given) ? given : DEFAULT_LAYOUT[name];
    return Math.round(Math.min(MAX_LENGTH_PX, Math.max(least, known)));
  };
  const dock = (["left", "right"] as const).find((side) => side === value["dock"]) ?? "float";
  return {
    right: pixels("right", 0),
    top: pixels("top", 0),
    width: pixels("width", MIN_WIDTH_PX),
    panel: pixels("panel", 80),
    dock,
  };
}

/** From the bar to the page's script. */
export type ToPage =
  | { type: "hello"; nonce: string }
  /** Paints a list of places, which has a number: start, end and kind of each, one after the other. */
  | { type: "show"; version: number; list: number; places: number[]; current: number }
  /** Makes one place of the list told last current and brings it into view. */
  | { type: "go"; index: number }
  | { type: "height"; pixels: number }
  /** Where the bar is wanted. */
  | { type: "layout"; layout: Layout }
  /** What is to be read besides: closed parts of the page, form fields and texts of pictures. */
  | { type: "include"; unfold: boolean; fields: boolean }
  | { type: "close" };

/** From the page's script to the bar. */
export type FromPage =
  | {
      type: "page";
      version: number;
      url: string;
      title: string;
      /** How much of the text before stays at either end; what lies between follows in chunks. */
      keepStart: number;
      keepEnd: number;
      headings: Span[];
      /** What is on the screen when it is read. */
      seen: Span;
      frames: number;
      /** Hosts of frames that may not be looked into. */
      closed: string[];
      /** How many `<details>` are closed. */
      folded: number;
      /** Whether the browser's PDF viewer shows it, in which nothing can be painted. */
      pdf: boolean;
    }
  | { type: "chunk"; version: number; text: string; last: boolean }
  /** Which list was painted; `missing` counts places that the page no longer has, `near` is the first one in or after view. */
  | { type: "shown"; list: number; missing: number; near: number }
  | { type: "selection"; span: Span | null }
  /** The mark of this place was clicked. */
  | { type: "mark"; index: number }
  /**
   * The bar was called: what was selected on the page, what was typed before the bar was there, and whether more like
   * the selection is wanted.
   */
  | { type: "opened"; selected: string; typed: string; like: boolean }
  | { type: "key"; key: "next" | "previous" | "close" };

/** What the bar and the options page may ask of the service worker. */
export const CALLS = [
  "connection",
  "engine",
  "documents",
  "find",
  "ask",
  "suggest",
  "topQuestions",
  "similarQuestions",
  "feedback",
  "report",
  "like",
  "pair",
  "unpair",
  "settings",
  "options",
  "save",
  "forget",
  "style",
  "layout",
  "saveLayout",
  "tabs",
  "showTab",
  "recall",
  "remember",
  "openReader",
  "readPdf",
  "readFile",
] as const;
export type Call = (typeof CALLS)[number];

/**
 * Calls that do no more when they come twice: they read what the worker keeps, or set it to what they bring, and who makes
 * them waits for the answer, so that nothing newer is overtaken.
 */
export const REPEATABLE_CALLS: ReadonlySet<Call> = new Set<Call>([
  "connection",
  "engine",
  "unpair",
  "settings",
  "save",
  "forget",
  "style",
  "layout",
  "recall",
]);

export type ToWorker = { id: number; call: Call; params: unknown } | { id: number; cancel: true };

export type FromWorker =
  { id: number; value: unknown } | { id: number; event: unknown } | { id: number; error: Failure };

/** What went wrong, as the server names it, or `no_server` when there is none. */
export interface Failure {
  code: string;
  message: string;
}

/**
 * Where the extension's pages are. In Chrome `getURL` gives content scripts another address for the bar, which changes,
 * so that pages cannot tell that the extension is there; its pages themselves have this one.
 */
export function ownAddress(): string {
  const url = chrome.runtime.getURL("");
  return url.startsWith("chrome-extension:") ? `chrome-extension://${chrome.runtime.id}/` : url;
}

/** Whether a page of this extension speaks, not a content script, which shares a process with the page it is in. */
export function isOurPage(sender: chrome.runtime.MessageSender | undefined): boolean {
  return sender?.id === chrome.runtime.id && (sender.url?.startsWith(ownAddress()) ?? false);
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

export function isSpan(value: unknown): value is Span {
  return (
    isRecord(value) && isCount(value["start"]) && isCount(value["end"]) && value["start"] <= value["end"]
  );
}

function isShort(value: unknown, longest = 4096): value is string {
  return typeof value === "string" && value.length <= longest;
}

export function parseToPage(message: unknown): ToPage | undefined {
  if (!isRecord(message)) return undefined;
  const { type, nonce, version, list, places, current, index, pixels } = message;
  switch (type) {
    case "hello":
      return isShort(nonce, 64) ? { type, nonce } : undefined;
    case "show":
      return isCount(version) && isCount(list) && typeof current === "number" && isPlaces(places)
        ? { type, version, list, places, current }
        : undefined;
    case "go":
      return isCount(index) ? { type, index } : undefined;
    case "height":
      return isCount(pixels) ? { type, pixels } : undefined;
    case "layout":
      return { type, layout: parseLayout(message["layout"]) };
    case "include":
      return { type, unfold: message["unfold"] === true, fields: message["fields"] === true };
    case "close":
      return { type };
    default:
      return undefined;
  }
}

function isPlaces(value: unknown): value is number[] {
  return (
    Array.isArray(value) &&
    value.length % 3 === 0 &&
    value.length <= MAX_PLACES_SHOWN * 3 &&
    value.every((part, i) => isCount(part) && (i % 3 !== 2 || part < KINDS.length))
  );
}

export function parseFromPage(message: unknown): FromPage | undefined {
  if (!isRecord(message)) return undefined;
  const { type, version, url, title, keepStart, keepEnd, headings, seen, frames, closed, folded, pdf } =
    message;
  switch (type) {
    case "page": {
      if (!isCount(version) || !isCount(keepStart) || !isCount(keepEnd) || !isCount(frames)) return undefined;
      if (!isShort(url, 1 << 16) || !isShort(title) || !Array.isArray(headings)) return undefined;
      const hosts = Array.isArray(closed) ? closed.filter((host) => isShort(host, 255)) : [];
      const known = {
        headings: headings.filter(isSpan),
        seen: isSpan(seen) ? { start: seen.start, end: seen.end } : { start: 0, end: 0 },
        frames,
        closed: hosts.slice(0, MAX_CLOSED_HOSTS),
        folded: isCount(folded) ? folded : 0,
        pdf: pdf === true,
      };
      return { type, version, url, title, keepStart, keepEnd, ...known };
    }
    case "chunk": {
      const { text, last } = message;
      return isCount(version) && isShort(text, MAX_CHUNK_UNITS) && typeof last === "boolean"
        ? { type, version, text, last }
        : undefined;
    }
    case "shown": {
      const { list, missing, near } = message;
      return isCount(list) && isCount(missing) && isCount(near) ? { type, list, missing, near } : undefined;
    }
    case "mark": {
      const { index } = message;
      return isCount(index) ? { type, index } : undefined;
    }
    case "selection": {
      const { span } = message;
      return span === null || isSpan(span) ? { type, span } : undefined;
    }
    case "opened": {
      const { selected, typed, like } = message;
      return isShort(selected) && isShort(typed) ? { type, selected, typed, like: like === true } : undefined;
    }
    case "key": {
      const { key } = message;
      return key === "next" || key === "previous" || key === "close" ? { type, key } : undefined;
    }
    default:
      return undefined;
  }
}

export function parseToWorker(message: unknown): ToWorker | undefined {
  if (!isRecord(message) || !isCount(message["id"])) return undefined;
  const { id, call, params, cancel } = message;
  if (cancel === true) return { id, cancel };
  const known = CALLS.find((name) => name === call);
  return known ? { id, call: known, params } : undefined;
}

export function kindNumber(kind: Kind): number {
  return KINDS.indexOf(kind);
}

/** Page patterns: `*.bank.example/*`, `https://mail.example/*`, `example.org`. */
export function matchesPattern(url: string, pattern: string): boolean {
  const wanted = pattern.trim();
  if (wanted === "") return false;
  let address: URL;
  try {
    address = new URL(url);
  } catch {
    return false;
  }
  const [scheme, rest] = wanted.includes("://") ? splitOnce(wanted, "://") : ["*", wanted];
  const [host, path] = rest.includes("/") ? splitOnce(rest, "/") : [rest, "*"];
  const sub = host.startsWith("*.") ? host.slice(2) : undefined;
  const hostFits =
    host === "*" ||
    address.host === host ||
    address.hostname === host ||
    (sub !== undefined && (address.hostname === sub || address.hostname.endsWith(`.${sub}`)));
  const schemeFits = scheme === "*" || address.protocol === `${scheme}:`;
  return hostFits && schemeFits && glob(path).test(address.pathname.slice(1) + address.search);
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return [text.slice(0, at), text.slice(at + separator.length)];
}

function glob(pattern: string): RegExp {
  const escaped = pattern.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${escaped.join(".*")}$`);
}
