/**
 * What the bar and the options page may ask: each call checks its parameters, adds what only the worker knows (address,
 * token, privacy) and asks the server or the extension's own memory.
 */

import type { Span } from "../engine/engine";
import type { PostBodies, RequestBody, SearchQueries } from "../engine/requests";
import { type Call, type Failure, isRecord, isSpan, ownAddress } from "../messages";
import { extendLimit } from "../patience";
import { CallError, call as request, parseLoopback } from "./client";
import {
  type Settings,
  forgetQueries,
  isPrivate,
  keepInHistory,
  loadConnection,
  loadLayout,
  loadSettings,
  parseSettings,
  recallHistory,
  recallQuery,
  rememberQuery,
  saveLayout,
  saveSettings,
  saveToken,
} from "./keep";
import { isFirefox, startEngine } from "./engine";
import { openReader, pdfOfTab } from "./pdf";
import { styleFrames } from "./style";
import { readTabs, showTab } from "./tabs";

export interface CallContext {
  /** The tab the asker is in. */
  tab: number | undefined;
  signal: AbortSignal;
  event: (value: unknown) => void;
}

type CallParams = Record<string, unknown>;
type CallHandler = (params: CallParams, context: CallContext) => Promise<unknown>;

/** What the extension counts, and so what offsets in answers do. */
const OFFSETS = "utf16";
const VERDICTS: readonly PostBodies["/v1/feedback"]["verdict"][] = ["wrong", "right", "correction"];
/** How long to wait for a sign of life. */
const MAX_PROBE_MS = 2000;

export async function answer(name: Call, params: unknown, context: CallContext): Promise<unknown> {
  return HANDLERS[name](isRecord(params) ? params : {}, context);
}

/** The failure that a thrown thing stands for. */
export function failureOf(error: unknown): Failure {
  if (error instanceof CallError) return error.failure;
  return { code: "internal", message: error instanceof Error ? error.message : "something went wrong" };
}

const HANDLERS: Readonly<Record<Call, CallHandler>> = {
  connection,
  engine: async () => {
    if (!(await loadSettings()).inside)
      throw new CallError({ code: "switched_off", message: "finding without a server is switched off" });
    await startEngine();
    return {};
  },
  documents: async (params, context) =>
    post("/v1/documents", context, {
      text: textParam(params, "text", 64 << 20),
      title: textParam(params, "title"),
      url: await addressToSend(params),
      private: await isPrivate(textParam(params, "url", 1 << 16)),
      offsets: OFFSETS,
    }),
  find: (params, context) =>
    post("/v1/find", context, {
      document: textParam(params, "document"),
      query: textParam(params, "query"),
      fast: params["fast"] === true ? true : undefined,
      all: true,
      order: "document",
      offsets: OFFSETS,
    }),
  ask: async (params, context) =>
    post("/v1/ask", context, {
      document: textParam(params, "document"),
      question: textParam(params, "question"),
      url: await addressToSend(params),
      offsets: OFFSETS,
    }),
  suggest: async (params, context) =>
    post("/v1/suggest", context, {
      document: textParam(params, "document"),
      prefix: textParam(params, "prefix"),
      limit: 8,
      url: await addressToSend(params),
    }),
  topQuestions: async (params, context) => {
    const url = textParam(params, "url");
    if (await isPrivate(url)) return { questions: [] };
    return get("/v1/pages/top-questions", context, {
      url,
      document: textParam(params, "document"),
      limit: "5",
      offsets: OFFSETS,
    });
  },
  similarQuestions: async (params, context) => {
    if (await isPrivate(textParam(params, "url"))) return { questions: [] };
    const document = textParam(params, "document");
    return get("/v1/questions/similar", context, { q: textParam(params, "question"), document, limit: "5" });
  },
  feedback: (params, context) =>
    post("/v1/feedback", context, {
      document: textParam(params, "document"),
      question_id: textParam(params, "question_id"),
      verdict: verdictParam(params),
      span: isSpan(params["span"]) ? params["span"] : undefined,
      text: typeof params["text"] === "string" ? params["text"] : undefined,
      offsets: OFFSETS,
    }),
  report: (params, context) =>
    post("/v1/kb/report", context, {
      title: textParam(params, "title"),
      about: params["about"] === "text" ? "text" : "link",
      name: typeof params["name"] === "string" ? params["name"].slice(0, 500) : undefined,
      words: "said in the browser",
    }),
  like: (params, context) =>
    post("/v1/like", context, {
      document: textParam(params, "document"),
      selection: spanParam(params, "selection"),
      sentence: spanParam(params, "sentence"),
      terms: termsParam(params),
      top: 20,
      offsets: OFFSETS,
    }),
  pair,
  unpair: async () => {
    await saveToken(undefined);
    return {};
  },
  settings: async () => {
    const { token } = await loadConnection();
    return {
      ...(await loadSettings()),
      paired: token !== undefined,
      private: chrome.extension.inIncognitoContext,
    };
  },
  options: async () => {
    await chrome.runtime.openOptionsPage();
    return {};
  },
  save: async (params, { signal }) => {
    if (typeof params["base"] === "string" && parseLoopback(params["base"]) === undefined) {
      throw new CallError({
        code: "bad_request",
        message: "the server must be on this computer: http://127.0.0.1 or http://localhost, with its port",
      });
    }
    const changed = saving.then(() => changeSettings(params));
    saving = changed.catch(() => undefined);
    const settings = await changed;
    await shareDenyList(signal);
    return settings;
  },
  forget: async (params, context) => {
    await forgetQueries();
    const { token } = await loadConnection();
    if (token === undefined) return { forgotten: 0 };
    const url = params["url"];
    return post("/v1/forget", context, typeof url === "string" ? { url } : { everything: true });
  },
  style: async (_params, { tab }) => {
    if (tab !== undefined) await styleFrames(tab);
    return {};
  },
  layout: () => loadLayout(),
  saveLayout: async (params) => {
    await saveLayout(params);
    return {};
  },
  tabs: (_params, { tab }) => readTabs(tab),
  showTab: async (params) => {
    if (typeof params["tab"] === "number") await showTab(params["tab"], textParam(params, "query"));
    return {};
  },
  recall: async (params) => {
    const url = textParam(params, "url", 1 << 16);
    return { query: await recallQuery(url), private: await isPrivate(url), recent: await recallHistory(url) };
  },
  remember: async (params) => {
    const [url, query] = [textParam(params, "url", 1 << 16), textParam(params, "query")];
    await rememberQuery(url, query);
    if (params["history"] === true) await keepInHistory(url, query);
    return {};
  },
  openReader: async (_params, { tab }) => {
    await openReader(tab);
    return {};
  },
  readPdf,
  readFile: (params, context) =>
    post("/v1/read", context, { file: textParam(params, "file", 64 << 20), name: textParam(params, "name") }),
};

/** One after the other: a call that comes twice finds what it has changed already, and takes no newer token back. */
let saving: Promise<unknown> = Promise.resolve();

async function changeSettings(params: CallParams): Promise<Settings> {
  const before = await loadSettings();
  const settings = parseSettings({ ...before, ...params });
  await saveSettings(settings);
  // Another server has given no token.
  if (settings.base !== before.base) await saveToken(undefined);
  return settings;
}

/** A tab's PDF by page; without a server, what the browser's viewer says of it. */
async function readPdf(params: CallParams, context: CallContext): Promise<unknown> {
  const { url, bytes, text: viewed } = await pdfOfTab(Number(params["tab"]));
  try {
    if (bytes === "") throw new CallError({ code: "no_file", message: "the file could not be got again" });
    const read = await post("/v1/read", context, { file: bytes, name: "file.pdf" });
    return { ...(isRecord(read) ? read : {}), url };
  } catch (error) {
    if (viewed === "") throw error;
    return { url, pages: [viewed], missing: "As the browser's viewer gives it, without pages." };
  }
}

/** Whether there is a server, whether it has loaded, and whether it knows us. */
async function connection(_params: CallParams, { signal }: CallContext): Promise<unknown> {
  const { base, token } = await loadConnection();
  const timeout = AbortSignal.any([signal, AbortSignal.timeout(extendLimit(MAX_PROBE_MS))]);
  try {
    await request({ base, token: undefined }, "/ready", { method: "GET", signal: timeout });
  } catch (error) {
    if (!(error instanceof CallError) || error.failure.code === "no_server") return { state: "none", base };
    return { state: "loading", base };
  }
  return { state: token === undefined ? "unpaired" : "ready", base };
}

async function pair(params: CallParams, { signal }: CallContext): Promise<unknown> {
  const code = textParam(params, "code", 64).trim().toUpperCase();
  const { base } = await loadConnection();
  const origin = ownAddress().replace(/\/$/, "");
  const body: RequestBody<"PairRequest", "code"> = {
    code,
    origin,
    name: isFirefox() ? "Firefox" : "Chrome",
  };
  const answer = await request({ base, token: undefined }, "/v1/pair", { body, signal });
  const { token } = answer;
  if (typeof token !== "string" || token === "") {
    throw new CallError({ code: "malformed", message: "the server gave no token; is it up to date?" });
  }
  await saveToken(token);
  await shareDenyList(signal);
  return { paired: true };
}

/** The server keeps nothing about the person's deny list either. */
async function shareDenyList(signal: AbortSignal): Promise<void> {
  const connection = await loadConnection();
  if (connection.token === undefined) return;
  const { deny } = await loadSettings();
  const body: RequestBody<"SettingsBody"> = { deny };
  await request(connection, "/v1/settings", { method: "PUT", body, signal }).catch(() => undefined);
}

/** The address goes along only where something may be kept about it. */
async function addressToSend(params: CallParams): Promise<string | undefined> {
  const url = textParam(params, "url", 1 << 16);
  return (await isPrivate(url)) ? undefined : url;
}

async function post<Path extends keyof PostBodies>(
  path: Path,
  { signal, event }: CallContext,
  body: PostBodies[Path],
): Promise<unknown> {
  const streams = path === "/v1/documents" || path === "/v1/ask";
  return request(await requirePairing(), path, { body, signal, ...(streams ? { onEvent: event } : {}) });
}

async function get<Path extends keyof SearchQueries>(
  path: Path,
  { signal }: CallContext,
  query: SearchQueries[Path],
): Promise<unknown> {
  const search = new URLSearchParams(query);
  return request(await requirePairing(), `${path}?${search.toString()}`, { method: "GET", signal });
}

async function requirePairing(): Promise<{ base: string; token: string }> {
  const { base, token } = await loadConnection();
  if (token === undefined) throw new CallError({ code: "not_paired", message: "pair with the server first" });
  return { base, token };
}

function textParam(params: CallParams, name: string, longest = 10_000): string {
  const value = params[name];
  if (typeof value !== "string" || value.length > longest) {
    throw new CallError({ code: "bad_request", message: `${name} is missing or too long` });
  }
  return value;
}

function verdictParam(params: CallParams): PostBodies["/v1/feedback"]["verdict"] {
  const verdict = VERDICTS.find((known) => known === params["verdict"]);
  if (verdict === undefined) throw new CallError({ code: "bad_request", message: "verdict is not one" });
  return verdict;
}

function spanParam(params: CallParams, name: string): Span {
  const span = params[name];
  if (!isSpan(span)) throw new CallError({ code: "bad_request", message: `${name} is not a span` });
  return span;
}

function termsParam(params: CallParams): PostBodies["/v1/like"]["terms"] {
  const terms: unknown = params["terms"];
  if (!Array.isArray(terms) || !terms.every(isTerm))
    throw new CallError({ code: "bad_request", message: "terms are no words with weights" });
  return terms;
}

function isTerm(value: unknown): value is PostBodies["/v1/like"]["terms"][number] {
  return isRecord(value) && typeof value["word"] === "string" && typeof value["weight"] === "number";
}
