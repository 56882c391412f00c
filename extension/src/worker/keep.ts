/**
 * What the extension keeps: the server's address and token, the person's settings, the last query of each page and the queries of before.
 * The token is kept where content scripts cannot read; queries are kept in memory only and end with the browser.
 */

import { type Layout, isRecord, matchesPattern, parseLayout } from "../messages";
import { type Connection, parseLoopback } from "./client";

export const DEFAULT_BASE = "http://127.0.0.1:7345";
const MAX_PAGES = 200;
const MAX_HISTORY_QUERIES = 50;

export interface Settings {
  base: string;
  /** Pages about which nothing is kept or stored. */
  deny: string[];
  /** Whether the last query of a page comes back with the bar. */
  rememberQueries: boolean;
  /** Whether the engine inside the browser finds by meaning when there is no server. */
  inside: boolean;
}

/** Content scripts share a process with the page: they see none of this. */
export async function lockStorage(): Promise<void> {
  // Firefox keeps the session from them by itself, and lets them see the rest; nothing of theirs ever asks.
  for (const area of [chrome.storage.local, chrome.storage.session])
    await (area as Partial<typeof area>).setAccessLevel?.({ accessLevel: "TRUSTED_CONTEXTS" });
}

export async function loadSettings(): Promise<Settings> {
  const { settings } = await chrome.storage.local.get("settings");
  return parseSettings(settings);
}

export function parseSettings(value: unknown): Settings {
  const given = isRecord(value) ? value : {};
  const base = typeof given["base"] === "string" ? parseLoopback(given["base"]) : undefined;
  const deny = Array.isArray(given["deny"]) ? given["deny"] : [];
  return {
    base: base ?? DEFAULT_BASE,
    deny: deny
      .filter((pattern): pattern is string => typeof pattern === "string" && pattern.length <= 500)
      .slice(0, 500),
    rememberQueries: given["rememberQueries"] !== false,
    inside: given["inside"] !== false,
  };
}

export async function saveSettings(settings: Settings): Promise<void> {
  await chrome.storage.local.set({ settings });
}

export async function loadConnection(): Promise<Connection> {
  const { token } = await chrome.storage.local.get("token");
  const { base } = await loadSettings();
  return { base, token: typeof token === "string" ? token : undefined };
}

export async function saveToken(token: string | undefined): Promise<void> {
  if (token === undefined) await chrome.storage.local.remove("token");
  else await chrome.storage.local.set({ token });
}

/** Where the person has put the bar, the same on every page. */
export async function loadLayout(): Promise<Layout> {
  const { layout } = await chrome.storage.local.get("layout");
  return parseLayout(layout);
}

export async function saveLayout(layout: unknown): Promise<void> {
  await chrome.storage.local.set({ layout: parseLayout(layout) });
}

/** True when nothing about a page may be kept. */
export async function isPrivate(url: string): Promise<boolean> {
  if (chrome.extension.inIncognitoContext) return true;
  const { deny } = await loadSettings();
  return deny.some((pattern) => matchesPattern(url, pattern));
}

export async function recallQuery(url: string): Promise<string> {
  if (await isPrivate(url)) return "";
  return (await loadQueries()).get(pageKey(url)) ?? "";
}

export async function rememberQuery(url: string, query: string): Promise<void> {
  const { rememberQueries } = await loadSettings();
  if (!rememberQueries || (await isPrivate(url))) return;
  const queries = await loadQueries();
  queries.delete(pageKey(url));
  if (query !== "") queries.set(pageKey(url), query.slice(0, 1000));
  await chrome.storage.session.set({ queries: [...queries].slice(-MAX_PAGES) });
}

/** Queries that led somewhere, newest first; none on a page about which nothing is kept. */
export async function recallHistory(url: string): Promise<string[]> {
  if (await isPrivate(url)) return [];
  const { history } = await chrome.storage.session.get("history");
  return Array.isArray(history) ? history.filter((query) => typeof query === "string") : [];
}

export async function keepInHistory(url: string, query: string): Promise<void> {
  const { rememberQueries } = await loadSettings();
  if (!rememberQueries || (await isPrivate(url))) return;
  const before = (await recallHistory(url)).filter((each) => each !== query);
  await chrome.storage.session.set({
    history: [query.slice(0, 1000), ...before].slice(0, MAX_HISTORY_QUERIES),
  });
}

export async function forgetQueries(): Promise<void> {
  await chrome.storage.session.remove(["queries", "history"]);
}

async function loadQueries(): Promise<Map<string, string>> {
  const { queries } = await chrome.storage.session.get("queries");
  const pairs = Array.isArray(queries) ? queries : [];
  return new Map(
    pairs.filter(
      (pair): pair is [string, string] =>
        Array.isArray(pair) && typeof pair[0] === "string" && typeof pair[1] === "string",
    ),
  );
}

function pageKey(url: string): string {
  return url.split("#")[0] ?? url;
}
