/**
 * A stand-in for `findall serve`: the HTTP contract with a handful of hand-written facts behind it, and switches for
 * the states that a real server is seldom in: slow, loading, forgetful, broken, dead. It is for tests alone.
 */

import { createHash, randomUUID } from "node:crypto";
import { type IncomingMessage, type Server, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "../../src/engine/engine";
import { lettersEngine } from "../letters";

interface Fact {
  query: RegExp;
  names: Record<string, string>;
  /** Names that the query is weighed against and left out. */
  near?: Record<string, string>;
}

const FACTS: readonly Fact[] = [
  {
    query: /social networks? of china/i,
    names: {
      WeChat: "messaging and social media app by Tencent",
      Weibo: "Chinese microblogging site",
      Douyin: "short-video app by ByteDance",
      Douban: "Chinese site for films, books and music",
      Bilibili: "Chinese video site",
      Xiaohongshu: "Chinese lifestyle network",
    },
    near: { Baidu: "Chinese search engine", TikTok: "short-video app outside China" },
  },
  {
    query: /rivers?/i,
    names: {
      Elbe: "river in Central Europe",
      Danube: "second-longest river of Europe",
      Vltava: "longest river of Bohemia",
    },
    near: { Prague: "capital of Bohemia" },
  },
];

const ANSWERS: readonly { question: RegExp; text: string }[] = [
  { question: /who runs wechat/i, text: "Tencent" },
  { question: /(when|what year).*bridge.*(built|finished)/i, text: "1887" },
];

export interface Behaviour {
  ready: boolean;
  delayMs: number;
  /** Answer this call with this status and code. */
  fail: { path: string; status: number; code: string } | undefined;
  like: boolean;
  /** Has a quick answer that takes what is near for what is meant, and a judged one that comes after this. */
  judging: Promise<void> | undefined;
  /** What is said to have been left out. */
  skipped: string[];
  /** What of a file is said not to have been read. */
  missing: string;
  /** Reading a page takes until this. */
  reading: Promise<void> | undefined;
  /** Whether similar questions come with addresses and markup that mean harm. */
  hostile: boolean;
}

/** How the stand-in behaves unless a test wants it otherwise. */
export const USUAL: Readonly<Behaviour> = {
  ready: true,
  delayMs: 0,
  fail: undefined,
  like: true,
  judging: undefined,
  skipped: [],
  missing: "",
  reading: undefined,
  hostile: false,
};

interface Answered {
  text: string;
  origin: string;
  span?: { start: number; end: number };
}

export class ContractServer {
  readonly behaviour: Behaviour = { ...USUAL };
  readonly calls: { path: string; body: Record<string, unknown>; headers: IncomingMessage["headers"] }[] = [];
  readonly code = "ABCD-1234";
  readonly tokens = new Set<string>();
  private readonly documents = new Map<string, Page>();
  private readonly memory = new Map<
    string,
    { id: string; count: number; url: string; answers: Answered[] }
  >();
  private server: Server | undefined;
  private port = 0;

  get base(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Starts on the same port as before, if there was one. */
  async start(): Promise<this> {
    const server = createServer((request, response) => void this.serve(request, response));
    this.server = server;
    await new Promise<void>((resolve) => server.listen(this.port, "127.0.0.1", resolve));
    this.port = (server.address() as AddressInfo).port;
    return this;
  }

  /** Dies as a killed process does: open connections break. */
  async stop(): Promise<void> {
    const { server } = this;
    if (!server) return;
    this.server = undefined;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    this.documents.clear();
  }

  forgetDocuments(): void {
    this.documents.clear();
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", this.base);
    const path = url.pathname;
    const body = await readBody(request);
    this.calls.push({ path, body, headers: request.headers });
    const origin = request.headers.origin;
    const allowed = origin === undefined || /^(chrome|moz)-extension:\/\//.test(origin);
    if (origin !== undefined && allowed) response.setHeader("Access-Control-Allow-Origin", origin);
    if (this.behaviour.delayMs > 0)
      await new Promise((resolve) => setTimeout(resolve, this.behaviour.delayMs));
    const { fail } = this.behaviour;
    if (fail?.path === path) return failure(response, fail.status, fail.code, "this test wants a failure");
    if (path === "/health") return json(response, 200, { state: "alive" });
    if (path === "/ready") {
      return json(response, this.behaviour.ready ? 200 : 503, {
        state: this.behaviour.ready ? "ready" : "loading",
      });
    }
    if (!allowed) {
      return failure(response, 403, "forbidden_origin", "only the paired extension may call");
    }
    if (path === "/v1/pair") return this.pair(response, body);
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1];
    if (token === undefined || !this.tokens.has(token)) {
      return failure(response, 401, "not_paired", "pair with the code that findall serve prints");
    }
    const stream = request.headers.accept === "application/x-ndjson";
    switch (path) {
      case "/v1/documents":
        return this.prepare(response, body, stream);
      case "/v1/settings":
        return json(response, 200, body);
      case "/v1/pages/top-questions":
        return json(response, 200, { questions: this.topQuestions(url.searchParams.get("url") ?? "") });
      case "/v1/questions/similar":
        return json(response, 200, {
          questions: similar(url.searchParams.get("q") ?? "", this.behaviour.hostile),
        });
      case "/v1/read":
        return json(response, 200, {
          title: "",
          format: "pdf",
          pages: ["A lantern hangs here."],
          missing: this.behaviour.missing,
        });
      case "/v1/suggest":
        return json(response, 200, { suggestions: this.suggest(String(body["prefix"])) });
      case "/v1/forget":
        this.memory.clear();
        return json(response, 200, { forgotten: 1 });
    }
    const page = this.documents.get(String(body["document"]));
    if (!page) return failure(response, 404, "unknown_document", "send the document again");
    switch (path) {
      case "/v1/find":
        return this.find(response, page, body);
      case "/v1/ask":
        return this.ask(
          response,
          page,
          String(body["question"]),
          typeof body["url"] === "string" ? body["url"] : "",
        );
      case "/v1/feedback":
        return this.feedback(response, page, body);
      case "/v1/like":
        return this.behaviour.like
          ? json(response, 200, like(page, body))
          : failure(response, 501, "not_built", "like is not built yet");
      default:
        return failure(response, 404, "bad_request", "no such call");
    }
  }

  private async find(response: ServerResponse, page: Page, body: Record<string, unknown>): Promise<void> {
    const { judging } = this.behaviour;
    const query = String(body["query"]);
    const coverage = { read: page.text.length, total: page.text.length, skipped: this.behaviour.skipped };
    if (!judging) return json(response, 200, { ...(await find(page, query, false)), coverage });
    const fast = body["fast"] === true;
    if (!fast) await judging;
    json(response, 200, { ...(await find(page, query, fast)), coverage, judged: !fast });
  }

  private pair(response: ServerResponse, body: Record<string, unknown>): void {
    if (body["code"] !== this.code) {
      return failure(
        response,
        401,
        "not_paired",
        "that code is not the one printed; run findall serve --pair for a new one",
      );
    }
    const token = randomUUID();
    this.tokens.add(token);
    json(response, 200, { token });
  }

  private prepare(response: ServerResponse, body: Record<string, unknown>, stream: boolean): void {
    const text = String(body["text"]);
    const document = createHash("sha256").update(text).digest("hex").slice(0, 16);
    this.documents.set(document, {
      text,
      url: "",
      title: "",
      headings: [],
      seen: { start: 0, end: 0 },
      private: false,
    });
    const ready = { event: "ready", document, content_hash: document, chars: text.length, took_ms: 1 };
    if (!stream) return json(response, 200, ready);
    response.writeHead(200, { "Content-Type": "application/x-ndjson" });
    response.write(`${JSON.stringify({ event: "progress", read: text.length / 2, total: text.length })}\n`);
    const end = (): void => void response.end(`${JSON.stringify(ready)}\n`);
    if (this.behaviour.reading) void this.behaviour.reading.then(end);
    else end();
  }

  private ask(response: ServerResponse, page: Page, question: string, url: string): void {
    const known = this.memory.get(question);
    const fact = ANSWERS.find((each) => each.question.test(question));
    const answered: Answered[] = known?.answers ?? (fact ? [{ text: fact.text, origin: "reader" }] : []);
    const answers = answered.flatMap(({ text, origin, span }) => {
      const start = span?.start ?? page.text.indexOf(text);
      return start < 0 ? [] : [{ span: { start, end: start + text.length }, text, confidence: 0.91, origin }];
    });
    const id = known?.id ?? randomUUID();
    if (answers.length > 0) {
      const remembered = answers.map(({ text, origin, span }) => ({
        text,
        span,
        origin: origin === "reader" ? "remembered" : origin,
      }));
      this.memory.set(question, { id, count: (known?.count ?? 0) + 1, url, answers: remembered });
    }
    response.writeHead(200, { "Content-Type": "application/x-ndjson" });
    for (const answer of answers) response.write(`${JSON.stringify({ event: "answer", answer })}\n`);
    const outcome = answers.length > 0 ? "answered" : "not_here";
    response.end(`${JSON.stringify({ event: "end", outcome, answers, question_id: id, took_ms: 1 })}\n`);
  }

  private feedback(response: ServerResponse, page: Page, body: Record<string, unknown>): void {
    for (const entry of this.memory.values()) {
      if (entry.id !== body["question_id"]) continue;
      const span = body["span"] as { start: number; end: number };
      if (body["verdict"] === "correction") {
        entry.answers = [{ text: page.text.slice(span.start, span.end), origin: "person", span }];
      } else entry.answers = [];
    }
    json(response, 200, { ok: true });
  }

  private topQuestions(url: string): unknown[] {
    return [...this.memory]
      .filter(([, entry]) => entry.url === url)
      .map(([text, { id, count, answers }]) => ({
        question_id: id,
        text,
        count,
        answers: answers.map((answer) => ({ ...answer, confidence: 0.9 })),
      }));
  }

  private suggest(prefix: string): unknown[] {
    const all = ["social networks of China", "rivers of Bohemia"];
    return all
      .filter((text) => text.toLowerCase().startsWith(prefix.toLowerCase()))
      .map((text) => ({ text, kind: "entity" }));
  }
}

async function find(page: Page, query: string, careless: boolean): Promise<Record<string, unknown>> {
  const lexical = await lettersEngine().find(page, query, new AbortController().signal);
  const matches: unknown[] = lexical.matches.map(({ span, kind, score, why }) => ({
    span,
    text: page.text.slice(span.start, span.end),
    kind,
    score,
    why,
  }));
  const entities: unknown[] = [];
  const fact = FACTS.find((each) => each.query.test(query));
  for (const [accepted, names] of [
    [true, fact?.names ?? {}],
    [careless, fact?.near ?? {}],
  ] as const) {
    for (const [name, description] of Object.entries(names)) {
      const mentions = [...page.text.matchAll(new RegExp(`\\b${name}\\b`, "g"))].map(({ index }) => ({
        start: index,
        end: index + name.length,
      }));
      if (mentions.length === 0) continue;
      const score = accepted ? 0.93 : 0.3;
      entities.push({ name, id: null, score, accepted, mentions, fact: description });
      if (!accepted) continue;
      for (const span of mentions) {
        matches.push({
          span,
          text: name,
          kind: "meaning",
          score,
          entity: { name, id: null, description },
          why: description,
        });
      }
    }
  }
  return {
    matches,
    entities,
    ...(lexical.correction ? { correction: lexical.correction } : {}),
    nothing: matches.length === 0,
    took_ms: 1,
  };
}

function similar(question: string, hostile: boolean): unknown[] {
  if (!/bridge|wechat/i.test(question)) return [];
  return [
    {
      question_id: "elsewhere",
      text: "Who owns the messenger?",
      similarity: 0.86,
      page: { url: "https://example.org/messengers", title: "Messengers of the world" },
      answers: [{ text: "Tencent Holdings", confidence: 0.8, origin: "reader" }],
    },
    {
      question_id: "hostile",
      text: "Is this link followed?",
      similarity: 0.8,
      page: { url: "javascript:alert(1)", title: "<img src=x onerror=alert(1)>" },
      answers: [{ text: "<b>never</b>", confidence: 0.8, origin: "reader" }],
    },
  ].slice(0, hostile ? 2 : 1);
}

/** Names that share a sentence with a weighted term, the heavier the better. */
function like(page: Page, body: Record<string, unknown>): unknown {
  const terms = (body["terms"] ?? []) as { word: string; weight: number }[];
  const scores = new Map<
    string,
    { score: number; mentions: { start: number; end: number }[]; best: string }
  >();
  for (const sentence of page.text.matchAll(/[^.!?\n]+/g)) {
    const score = terms.reduce((sum, { word, weight }) => sum + (sentence[0].includes(word) ? weight : 0), 0);
    if (score === 0) continue;
    for (const name of sentence[0].matchAll(/\b[A-Z][a-z]+[A-Za-z]*\b/g)) {
      const start = sentence.index + name.index;
      const entry = scores.get(name[0]) ?? { score: 0, mentions: [], best: sentence[0].trim() };
      entry.score = Math.max(entry.score, score);
      entry.mentions.push({ start, end: start + name[0].length });
      scores.set(name[0], entry);
    }
  }
  const most = Math.max(1, ...[...scores.values()].map(({ score }) => score));
  return {
    suggested: [],
    entities: [...scores].map(([name, { score, mentions, best }]) => ({
      name,
      score: score / most,
      best: { text: best, source: "" },
      mentions,
    })),
    took_ms: 1,
  };
}

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  try {
    return JSON.parse(Buffer.concat(pieces).toString()) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { "Content-Type": "application/json" });
  response.end(JSON.stringify(value));
}

function failure(response: ServerResponse, status: number, code: string, message: string): void {
  json(response, status, { error: { code, message } });
}
