/**
 * What the bar does: every action of the person and every piece of news ends in a changed `State` and a call of
 * `changed`. The edge engine answers every key at once; the answer by meaning takes its place when it comes: from the
 * server, or without one from the engine inside the browser.
 */

import { EdgeEngine } from "../engine/edge/edge";
import type { Engine, Found, Match, Page, Span, Suggestion } from "../engine/engine";
import { ServerEngine } from "../engine/server";
import { ENGINE_PORT, isRecord, kindNumber, type FromPage, type ToPage } from "../messages";
import { Remote, RemoteError } from "../remote";
import { Asking } from "./asking";
import { Liking } from "./liking";
import type { PageNews } from "./link";
import { type Filter, type State, initialState, isQuestion, shownMatches } from "./state";

/** An engine that answers within this is asked by meaning at every key. */
const QUICK_MS = 40;
/** Longest pause in typing before a slower one is asked. */
const TYPING_MS = 60;
/** Pause in typing before a question is put to the server. */
const QUESTION_MS = 600;
const MOST_SUGGESTIONS = 6;
/** How often to look for a server that is not there. */
const RETRY_MS = 3000;

export class Controller {
  readonly state: State = initialState();
  readonly server: ServerEngine;
  private readonly edge = new EdgeEngine();
  private inside: ServerEngine | undefined;
  private readonly asking: Asking;
  private readonly liking: Liking;
  private search = new AbortController();
  private preparing: AbortController | undefined;
  private reading: { text: string; abort: AbortController } | undefined;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private frames = 1;
  /** Milliseconds that the last search by meaning took, or ran until it was no longer wanted. */
  private lastTook = 0;
  private shown: Match[] = [];
  private recalled = false;

  constructor(
    readonly remote: Remote,
    private readonly say: (message: ToPage) => void,
    private readonly changed: () => void,
    /** Marks the query, so that the next key replaces it. */
    private readonly selectQuery: () => void,
  ) {
    this.server = new ServerEngine(remote);
    this.asking = new Asking(this);
    this.liking = new Liking(this);
  }

  /** The places shown, in page order. */
  get matches(): readonly Match[] {
    return this.shown;
  }

  update(change: Partial<State>): void {
    Object.assign(this.state, change);
    this.changed();
  }

  // The page

  pageRead(news: PageNews): void {
    const { text, url, title, headings, version, changedAt, moved } = news;
    const kept = this.shown[this.state.current]?.span;
    this.keep = kept && { ...moveSpan(kept, changedAt, moved) };
    const before = this.state.page;
    const page = { text, url, title, headings, private: before?.private ?? false };
    this.update({ version, page });
    // Nothing waits for this: the worker itself decides what may be kept about a page.
    if (before?.url !== url) void this.recall(url);
    if (news.frames !== this.frames) {
      this.frames = news.frames;
      // New frames need the highlights' style.
      void this.remote.call("style").catch(() => undefined);
    }
    if (before?.text === text) return this.show();
    void this.edge.suggest(page, "warm", this.search.signal).catch(() => undefined);
    if (this.state.status.state === "ready" || this.state.status.state === "preparing") void this.prepare();
    else if (this.state.status.state !== "checking") void this.readInside();
    this.find(false);
  }

  /** The last query of this page comes back once, and the page's privacy is learned. */
  private async recall(url: string): Promise<void> {
    const known = await this.remote.call("recall", { url }).catch(() => ({}));
    const { page } = this.state;
    if (!isRecord(known) || page?.url !== url) return;
    this.update({ page: { ...page, private: known["private"] === true } });
    const { query } = known;
    const first = !this.recalled;
    this.recalled = true;
    if (!first || this.state.query !== "" || typeof query !== "string" || query === "") return;
    this.update({ query });
    this.selectQuery();
    this.find(true);
  }

  pageSaid(message: Exclude<FromPage, { type: "page" | "chunk" }>): void {
    switch (message.type) {
      case "shown":
        if (message.version === this.state.version && this.state.current < 0 && this.shown.length > 0) {
          this.go(Math.min(message.near, this.shown.length - 1));
        }
        return;
      case "selection":
        this.update({ selection: message.span ?? undefined });
        return void this.liking.probe();
      case "opened":
        return this.opened(message);
      case "key":
        if (message.key === "close") this.close();
        else this.step(message.key === "next" ? 1 : -1);
        return;
    }
  }

  /** What was typed too early comes before what was typed since; without any, the selection is the query. */
  private opened({ selected, typed }: Extract<FromPage, { type: "opened" }>): void {
    if (typed !== "") this.type(typed + this.state.query);
    else if (selected !== "") {
      this.type(selected);
      this.selectQuery();
    } else if (this.state.query !== "" && this.recalled) this.selectQuery();
    this.recalled ||= typed !== "" || selected !== "";
  }

  // The server

  async connect(): Promise<void> {
    clearTimeout(this.retry);
    let status: unknown;
    try {
      status = await this.remote.call("connection");
    } catch (error) {
      return this.failed(error);
    }
    const state = isRecord(status) ? status["state"] : "none";
    if (state === "ready") return this.prepare();
    const base = isRecord(status) && typeof status["base"] === "string" ? status["base"] : "";
    this.update({
      status: state === "loading" || state === "unpaired" ? { state } : { state: "none", base },
    });
    this.retryLater();
    void this.readInside();
  }

  private async prepare(): Promise<void> {
    const { page } = this.state;
    this.update({ status: { state: "preparing", done: 0 } });
    // The page's text is on its way, and prepared as soon as it comes.
    if (!page) return;
    this.preparing?.abort();
    const preparing = (this.preparing = new AbortController());
    const progress = (done: number): void => this.update({ status: { state: "preparing", done } });
    try {
      await this.server.prepare(page, progress, preparing.signal);
      this.update({ status: { state: "ready" } });
      void this.asking.loadTopQuestions();
      this.find(false);
    } catch (error) {
      if (!preparing.signal.aborted) this.failed(error);
    }
  }

  /** Says what went wrong with the server and what the person can do; finding by letters goes on. */
  failed(error: unknown): void {
    const code = error instanceof RemoteError ? error.code : "internal";
    const message = error instanceof Error ? error.message : "something went wrong";
    this.server.reset();
    if (code === "no_server") this.update({ status: { state: "none", base: "" } });
    else if (code === "not_paired" || code === "forbidden_origin")
      this.update({ status: { state: "unpaired" } });
    else this.update({ status: { state: "error", message } });
    this.retryLater();
  }

  /** Without a server, the engine inside the browser reads the page; what it has read can be searched at once. */
  private async readInside(): Promise<void> {
    const { page } = this.state;
    if (!page || this.reading?.text === page.text) return;
    this.reading?.abort.abort();
    const { abort } = (this.reading = { text: page.text, abort: new AbortController() });
    const progress = (inside: State["inside"]): void => {
      this.update({ inside });
      if (this.state.status.state !== "ready") this.find(false);
    };
    try {
      await this.remote.call("engine");
      this.inside ??= new ServerEngine(new Remote(ENGINE_PORT));
      await this.inside.prepare(page, (done) => progress({ state: "reading", done }), abort.signal);
      progress({ state: "ready" });
    } catch {
      // Not built in, switched off, or broken: letters must do.
      if (!abort.signal.aborted) this.update({ inside: { state: "absent" } });
    }
  }

  private retryLater(): void {
    clearTimeout(this.retry);
    this.retry = setTimeout(() => void this.connect(), RETRY_MS);
  }

  // Finding

  type(query: string): void {
    const changes = query !== this.state.query;
    if (!changes && this.state.foundBy) return;
    this.asking.forget();
    this.update({
      query,
      like: undefined,
      suggestion: -1,
      suggestions: query === "" ? [] : this.state.suggestions,
    });
    this.find(true);
  }

  /** Looks for the query; `anew` when it has changed and not the page. */
  private find(anew: boolean): void {
    this.search.abort();
    this.search = new AbortController();
    if (anew) this.keep = undefined;
    void this.findNow(this.search.signal).catch((error: unknown) => {
      if (error instanceof DOMException && error.name === "AbortError") return;
      this.update({ searching: false });
      this.failed(error);
    });
  }

  private async findNow(signal: AbortSignal): Promise<void> {
    const { page, query } = this.state;
    if (!page) return;
    if (query.trim() === "") {
      this.update({ found: { matches: [] }, foundBy: undefined, searching: false });
      return this.show();
    }
    const byServer = this.state.status.state === "ready";
    const engine = byServer ? this.server : this.state.inside.state === "absent" ? undefined : this.inside;
    this.update({ searching: true });
    // Both look at once. Letters are shown until the answer by meaning, which holds them, takes their place.
    let awaited = engine !== undefined;
    let answered = false;
    const byLetters = async (): Promise<void> => {
      const found = await this.edge.find(page, query, signal);
      signal.throwIfAborted();
      if (!answered) this.take(found, "edge", awaited);
      void this.remote.call("remember", { url: page.url, query }).catch(() => undefined);
      if (!byServer) void this.suggest(signal);
    };
    const byMeaning = async (engine: ServerEngine): Promise<void> => {
      const found = await this.findPatiently(engine, page, query, signal).finally(() => (awaited = false));
      signal.throwIfAborted();
      answered = true;
      this.take(found, byServer ? "server" : "inside", false);
    };
    await Promise.all([engine && byMeaning(engine), byLetters()]);
    if (!byServer) return;
    // The server's suggestions would hold up what it finds.
    void this.suggest(signal);
    if (!isQuestion(query)) return;
    await pause(QUESTION_MS, signal);
    await this.asking.ask(query);
  }

  /** Asks an engine that answers quickly at every key, and a slow one when the person stops typing. */
  private async findPatiently(
    engine: ServerEngine,
    page: Page,
    query: string,
    signal: AbortSignal,
  ): Promise<Found> {
    if (this.lastTook > QUICK_MS) await pause(Math.min(TYPING_MS, this.lastTook), signal);
    const asked = performance.now();
    try {
      return await engine.find(page, query, signal);
    } finally {
      this.lastTook = performance.now() - asked;
    }
  }

  private take(found: Found, foundBy: "edge" | "inside" | "server", searching: boolean): void {
    this.keep ??= foundBy !== "edge" ? this.shown[this.state.current]?.span : undefined;
    this.update({ found, foundBy, searching });
    this.show();
  }

  /** What the server suggests, which knows names and questions, and then the page's words. */
  private async suggest(signal: AbortSignal): Promise<void> {
    const { page, query, status } = this.state;
    if (!page) return;
    // Suggestions are a courtesy: who has none to give gives none.
    const from = (engine: Engine): Promise<Suggestion[]> =>
      engine.suggest(page, query, signal).catch(() => []);
    const engines = status.state === "ready" ? [this.server, this.edge] : [this.edge];
    const all = (await Promise.all(engines.map(from))).flat();
    if (!signal.aborted) this.update({ suggestions: distinct(all, query).slice(0, MOST_SUGGESTIONS) });
  }

  takeSuggestion(index: number): void {
    const suggestion = this.state.suggestions[index];
    if (!suggestion) return;
    this.type(suggestion.text);
    this.update({ suggestions: [], suggestion: -1 });
    if (suggestion.kind === "question") void this.ask(suggestion.text);
  }

  // Showing

  /** The span that stays current when the places change. */
  private keep: Span | undefined;

  /** Sends the page what is to be painted. */
  show(): void {
    this.shown = shownMatches(this.state);
    const { keep } = this;
    const current = keep
      ? this.shown.findIndex(({ span }) => span.start === keep.start && span.end === keep.end)
      : -1;
    this.keep = undefined;
    this.update({ current });
    const places = this.shown.flatMap(({ span, kind }) => [span.start, span.end, kindNumber(kind)]);
    this.say({ type: "show", version: this.state.version, places, current });
  }

  /** Shows again with the current place kept. */
  reshow(): void {
    this.keep = this.shown[this.state.current]?.span;
    this.show();
  }

  step(by: 1 | -1): void {
    const count = this.shown.length;
    if (count === 0) return;
    this.update({ suggestions: [] });
    this.go((Math.max(this.state.current, by > 0 ? -1 : 0) + by + count) % count);
  }

  go(index: number): void {
    this.update({ current: index });
    this.say({ type: "go", index });
  }

  /** Brings a span into view, if it is shown. */
  goTo(span: Span): void {
    const index = this.shown.findIndex(
      (match) => match.span.start === span.start && match.span.end === span.end,
    );
    if (index >= 0) this.go(index);
  }

  toggle(filter: Filter): void {
    const off = new Set(this.state.off);
    if (!off.delete(filter)) off.add(filter);
    this.state.off = off;
    this.reshow();
  }

  setThreshold(threshold: number | undefined): void {
    this.state.threshold = threshold;
    this.reshow();
  }

  close(): void {
    clearTimeout(this.retry);
    this.search.abort();
    this.preparing?.abort();
    this.reading?.abort.abort();
    this.say({ type: "close" });
  }

  // Asking and finding more like a selection

  ask(question: string): Promise<void> {
    return this.asking.ask(question);
  }

  showKnownAnswers(question: State["topQuestions"][number]): void {
    this.search.abort();
    this.asking.showKnown(question);
  }

  reportWrong(index: number): Promise<void> {
    return this.asking.wrong(index);
  }

  correct(): Promise<void> {
    return this.asking.correct();
  }

  startLike(): Promise<void> {
    return this.liking.start();
  }

  setWeight(index: number, weight: number): void {
    this.liking.setWeight(index, weight);
  }

  endLike(): void {
    this.liking.end();
  }
}

/** Each text once, and not what was typed. */
function distinct(suggestions: readonly Suggestion[], typed: string): Suggestion[] {
  const seen = new Set([typed.trim().toLowerCase()]);
  return suggestions.filter(({ text }) => {
    const before = seen.size;
    return seen.add(text.toLowerCase()).size > before;
  });
}

function moveSpan({ start, end }: Span, from: number, by: number): Span {
  return start >= from ? { start: start + by, end: end + by } : { start, end };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    });
  });
}
