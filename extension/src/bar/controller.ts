/**
 * What the bar does: every action of the person and every piece of news ends in a changed `State` and a call of
 * `changed`. The server reads the page, or without one the engine inside the browser does; `finding` asks them.
 */

import { makeMover } from "../edits";
import type { Match, Span } from "../engine/engine";
import { ServerEngine } from "../engine/server";
import { ENGINE_PORT, isRecord, kindNumber, type FromPage, type ToPage } from "../messages";
import { Remote, RemoteError } from "../remote";
import { CaughtKeys } from "./caught";
import { QuestionRunner } from "./asking";
import { QueryRunner } from "./finding";
import { copyText, saveFile } from "./export";
import { formatCsv, formatMarkdown, formatText, rowsOf } from "./listing";
import { LikeRunner } from "./liking";
import type { PageNews } from "./link";
import { BarPlacement } from "./placing";
import { PageReader } from "./reading";
import { Stepper } from "./stepping";
import { type Filter, type State, counterText, describePreparing, initialState, shownMatches } from "./state";
import { TabSearch } from "./tabs";

const MAX_RECENT_QUERIES = 8;
/** Spellings of one entity that a report names. */
const MAX_REPORTED_NAMES = 5;
/** Pause before the count is spoken: who types hears the key, not every count on the way. */
const SPEECH_PAUSE_MS = 700;
/** How often to look for a server that is not there. */
const RETRY_INTERVAL_MS = 3000;

export class Controller {
  readonly state: State = initialState();
  readonly server: ServerEngine;
  private readonly reader: PageReader;
  private inside: PageReader | undefined;
  private readonly queryRunner: QueryRunner;
  private readonly questionRunner: QuestionRunner;
  private readonly likeRunner: LikeRunner;
  readonly stepper: Stepper;
  /** Number of the list shown last. */
  private lastList = 0;
  readonly placement: BarPlacement;
  readonly tabs: TabSearch;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private frames = 1;
  private shownMatches: Match[] = [];
  private announcement = "";
  private speech: ReturnType<typeof setTimeout> | undefined;
  readonly caught = new CaughtKeys();
  private recalled = false;

  constructor(
    readonly remote: Remote,
    private readonly say: (message: ToPage) => void,
    private readonly onChange: () => void,
    /** Marks the query, so that the next key replaces it. */
    private readonly selectQuery: () => void,
  ) {
    this.server = new ServerEngine(remote);
    this.queryRunner = new QueryRunner(this);
    this.stepper = new Stepper(this, () => this.queryRunner.awaitsPlaces);
    this.reader = new PageReader(
      this.server,
      {
        progress: (done) =>
          this.update(this.reader.isRereading ? { rereading: done } : describePreparing(done)),
        read: () => this.serverHasRead(),
        failed: (error) => this.reportFailure(error),
      },
      false,
    );
    this.questionRunner = new QuestionRunner(this);
    this.likeRunner = new LikeRunner(this);
    this.placement = new BarPlacement(this);
    this.tabs = new TabSearch(this);
  }

  /** The places shown, in page order. */
  get matches(): readonly Match[] {
    return this.shownMatches;
  }

  tellPage(message: ToPage): void {
    this.say(message);
  }

  /** Goes to another tab, where the bar looks for the same. */
  showTab(tab: number): void {
    void this.remote.call("showTab", { tab, query: this.state.query }).catch(() => undefined);
  }

  update(change: Partial<State>): void {
    Object.assign(this.state, change);
    this.onChange();
    this.speakLater();
  }

  /** What the counter says is spoken when it has said the same for a while. */
  private speakLater(): void {
    const words = counterText(this.state, this.shownMatches.length);
    if (words === this.announcement) return;
    this.announcement = words;
    clearTimeout(this.speech);
    this.speech = setTimeout(() => {
      this.state.spoken = words;
      this.onChange();
    }, SPEECH_PAUSE_MS);
  }

  // The page

  pageRead(news: PageNews): void {
    const { text, url, title, headings, seen, version } = news;
    const before = this.state.page;
    const page = { text, url, title, headings, seen, private: before?.private ?? false };
    const kept = this.shownMatches[this.state.current]?.span;
    this.update({ version, page, closedFrames: news.closed, folded: news.folded, pdf: news.pdf });
    // Where nothing can be painted, the list is all there is.
    if (news.pdf && !before) this.update({ panelOpen: true });
    // Nothing waits for this: the worker itself decides what may be kept about a page.
    if (before?.url !== url) void this.recall(url);
    if (news.frames !== this.frames) {
      this.frames = news.frames;
      // New frames need the highlights' style.
      void this.remote.call("style").catch(() => undefined);
    }
    if (!before) this.queryRunner.gatherWords(page);
    else if (before.text !== text) this.queryRunner.movePage(before, page);
    if (before) {
      this.keep = kept && makeMover(before.text, text)(kept);
      this.show();
    }
    if (before?.text === text) return;
    if (this.state.status.state === "ready" || this.state.status.state === "preparing") this.prepare();
    else if (this.state.status.state !== "checking") void this.readInside();
    this.queryRunner.refresh();
  }

  /** The last query of this page comes back once, and the page's privacy is learned. */
  private async recall(url: string): Promise<void> {
    const known = await this.remote.call("recall", { url }).catch(() => ({}));
    const { page } = this.state;
    if (!isRecord(known) || page?.url !== url) return;
    const { query, recent } = known;
    this.update({
      page: { ...page, private: known["private"] === true },
      recent: Array.isArray(recent) ? recent.filter((each) => typeof each === "string") : [],
    });
    const first = !this.recalled;
    this.recalled = true;
    if (!first || this.state.query !== "" || typeof query !== "string" || query === "") return;
    this.update({ query });
    this.markQuery();
    this.queryRunner.restart();
  }

  pageSaid(message: Exclude<FromPage, { type: "page" | "chunk" }>): void {
    switch (message.type) {
      case "shown":
        if (message.list === this.lastList) this.stepper.startAt(message.near);
        return;
      case "selection":
        this.update({ selection: message.span ?? undefined });
        void this.likeRunner.startWhenPossible();
        return void this.likeRunner.probe();
      case "mark":
        if (message.index < this.shownMatches.length) this.go(message.index);
        return;
      case "opened":
        return this.handleOpened(message);
      case "key":
        if (message.key === "close") this.close();
        else this.step(message.key === "next" ? 1 : -1);
        return;
    }
  }

  /** What was typed too early comes before what was typed since; where nothing was, the selection is the query. */
  private handleOpened({ selected, typed, like }: Extract<FromPage, { type: "opened" }>): void {
    this.queryRunner.warmUp();
    const isTyped = this.caught.endFocus(this.state.query);
    if (like) {
      this.update({ likeWanted: true });
      return void this.likeRunner.startWhenPossible();
    }
    if (typed !== "") this.stepper.joinLetters(() => this.type(this.caught.join(typed, this.state.query)));
    else if (selected !== "" && !isTyped) {
      this.type(selected);
      this.markQuery();
    } else if (this.state.query !== "" && this.recalled && !isTyped) this.markQuery();
    this.recalled ||= typed !== "" || selected !== "";
  }

  markQuery(): void {
    this.caught.mark(this.state.query);
    this.stepper.markQuery();
    this.selectQuery();
  }

  // The server

  async connect(): Promise<void> {
    clearTimeout(this.retry);
    let status: unknown;
    try {
      status = await this.remote.call("connection");
    } catch (error) {
      return this.reportFailure(error);
    }
    const state = isRecord(status) ? status["state"] : "none";
    if (state === "ready") {
      this.update(describePreparing(0));
      return this.prepare();
    }
    const base = isRecord(status) && typeof status["base"] === "string" ? status["base"] : "";
    this.update({
      status: state === "loading" || state === "unpaired" ? { state } : { state: "none", base },
    });
    void this.likeRunner.startWhenPossible();
    this.retryLater();
    void this.readInside();
  }

  /** The page's text may still be on its way; then it is prepared as soon as it comes. */
  private prepare(): void {
    if (this.state.page) this.reader.read(this.state.page);
  }

  private serverHasRead(): void {
    this.update({ status: { state: "ready" }, rereading: undefined });
    void this.questionRunner.loadTopQuestions();
    void this.likeRunner.startWhenPossible();
    void this.likeRunner.probe();
    this.queryRunner.refresh();
  }

  /** Who finds by meaning at the moment, if anyone. */
  readerByMeaning(): PageReader | undefined {
    if (this.state.status.state === "ready") return this.reader;
    return this.state.inside.state === "absent" ? undefined : this.inside;
  }

  /** Says what went wrong with the server and what the person can do; finding by letters goes on. */
  reportFailure(error: unknown): void {
    const code = error instanceof RemoteError ? error.code : "internal";
    const message = error instanceof Error ? error.message : "something went wrong";
    this.server.reset();
    this.reader.forget();
    this.update({ rereading: undefined });
    if (code === "no_server") this.update({ status: { state: "none", base: "" } });
    else if (code === "not_paired" || code === "forbidden_origin")
      this.update({ status: { state: "unpaired" } });
    else this.update({ status: { state: "error", message } });
    this.retryLater();
  }

  /** Without a server, the engine inside the browser reads the page; what it has read can be searched at once. */
  private async readInside(): Promise<void> {
    try {
      await this.remote.call("engine");
    } catch {
      // Not built in, or switched off: letters must do.
      return this.update({ inside: { state: "absent" } });
    }
    const inside = (this.inside ??= new PageReader(
      new ServerEngine(new Remote(ENGINE_PORT)),
      {
        progress: (done) => this.insideHasRead({ state: "reading", done }),
        read: () => this.insideHasRead({ state: "ready" }),
        failed: () => this.update({ inside: { state: "absent" }, rereading: undefined }),
      },
      true,
    ));
    const { page } = this.state;
    if (!page) return;
    // The models load first.
    if (!inside.isRereading && this.state.inside.state === "absent")
      this.update({ inside: { state: "reading", done: 0 } });
    inside.read(page);
  }

  private insideHasRead(inside: State["inside"]): void {
    const again = this.inside?.isRereading && inside.state === "reading";
    this.update(again ? { rereading: inside.done } : { inside, rereading: undefined });
    if (!again && this.state.status.state !== "ready") this.queryRunner.refresh();
  }

  private retryLater(): void {
    clearTimeout(this.retry);
    this.retry = setTimeout(() => void this.connect(), RETRY_INTERVAL_MS);
  }

  // Finding

  type(query: string): void {
    const changes = query !== this.state.query;
    if (!changes && this.state.foundBy) return;
    this.questionRunner.forget();
    this.tabs.forget();
    this.update({
      query,
      like: undefined,
      // How strict to be belongs to a query.
      threshold: changes ? undefined : this.state.threshold,
      listed: changes ? new Map() : this.state.listed,
      suggestion: -1,
      suggestions: query === "" ? [] : this.state.suggestions,
    });
    this.queryRunner.restart();
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

  /** Sends the page what is to be painted; `keep` leaves the current place current. */
  show(keepCurrent = false): void {
    if (keepCurrent) this.keep ??= this.shownMatches[this.state.current]?.span;
    this.shownMatches = shownMatches(this.state);
    const { keep } = this;
    const current = keep ? this.stepper.findPlace(keep) : -1;
    this.keep = undefined;
    this.update({ current });
    const places = this.shownMatches.flatMap(({ span, kind }) => [span.start, span.end, kindNumber(kind)]);
    const { version } = this.state;
    this.say({ type: "show", version, list: ++this.lastList, places, current });
    this.stepper.startIn(current, keep);
  }

  /** Shows again with the current place kept. */
  reshow(): void {
    this.show(true);
  }

  step(by: 1 | -1): void {
    this.stepper.step(by);
  }

  /** Who steps through what was found has found a query worth keeping. */
  keepInHistory(): void {
    const { page, query, recent } = this.state;
    if (!page || query.trim() === "" || recent[0] === query) return;
    this.update({ recent: [query, ...recent.filter((each) => each !== query)] });
    void this.remote.call("remember", { url: page.url, query, history: true }).catch(() => undefined);
  }

  /** The queries of before, newest first, as suggestions. */
  suggestRecent(): void {
    const recent = this.state.recent.slice(0, MAX_RECENT_QUERIES);
    this.update({ suggestions: recent.map((text) => ({ text, kind: "recent" })), suggestion: -1 });
  }

  /** Goes to a place that was chosen: it stays current if what is still being looked for has it, too. */
  go(index: number): void {
    this.stepper.choosePlace();
    this.queryRunner.keepCurrent();
    this.moveTo(index);
  }

  moveTo(index: number): void {
    this.update({ current: index });
    this.say({ type: "go", index });
  }

  /** Brings a span into view; false when it is not shown. */
  goTo(span: Span): boolean {
    const index = this.shownMatches.findIndex(
      (match) => match.span.start === span.start && match.span.end === span.end,
    );
    if (index >= 0) this.go(index);
    return index >= 0;
  }

  toggle(filter: Filter): void {
    const off = new Set(this.state.off);
    if (!off.delete(filter)) off.add(filter);
    this.state.off = off;
    this.reshow();
  }

  /** Switches one way of finding to the letter. */
  toggleLiteral(option: keyof State["literal"]): void {
    const { literal } = this.state;
    this.update({ literal: { ...literal, [option]: !literal[option] }, suggestions: [] });
    this.queryRunner.restart();
  }

  /** The list of what is shown, to the clipboard or into a file. */
  takeList(form: "text" | "csv" | "markdown"): void {
    const { page, query } = this.state;
    if (!page) return;
    const rows = rowsOf(page.text, this.shownMatches);
    if (form === "text") {
      copyText(formatText(rows));
      this.update({ notice: `Copied ${this.shownMatches.length.toLocaleString("en")} places by name.` });
    } else if (form === "csv") saveFile("findall.csv", "text/csv", formatCsv(rows));
    else saveFile("findall.md", "text/markdown", formatMarkdown(page.title, page.url, query, rows));
  }

  /** Has closed parts of the page searched, too. */
  unfold(): void {
    this.update({ unfolded: true });
    this.sayBesides();
  }

  /** Has form fields and texts of pictures searched, too, or no longer. */
  toggleFields(): void {
    this.update({ fields: !this.state.fields, suggestions: [] });
    this.sayBesides();
  }

  private sayBesides(): void {
    const { unfolded, fields } = this.state;
    this.say({ type: "include", unfold: unfolded, fields });
  }

  /** Lists so many places of a group. */
  listMore(group: string, count: number): void {
    this.update({ listed: new Map(this.state.listed).set(group, count) });
  }

  setThreshold(threshold: number | undefined): void {
    this.state.threshold = threshold;
    this.reshow();
  }

  close(): void {
    clearTimeout(this.retry);
    this.queryRunner.stop();
    this.reader.stop();
    this.inside?.stop();
    this.say({ type: "close" });
  }

  // Asking and finding more like a selection

  /** Goes to the answer if it is there and Enter has not gone there yet. */
  goToAnswer(): boolean {
    return this.questionRunner.goToAnswer();
  }

  ask(question: string): Promise<void> {
    return this.questionRunner.ask(question);
  }

  showKnownAnswers(question: State["topQuestions"][number]): void {
    this.queryRunner.stop();
    this.questionRunner.showKnown(question);
  }

  reportWrong(index: number): Promise<void> {
    return this.questionRunner.markWrong(index);
  }

  correct(): Promise<void> {
    return this.questionRunner.correct();
  }

  /** The person's word about an entity, by the names that stand for it here; the same query is asked again with it. */
  async reportEntity(about: "link" | "text", title: string, members: readonly number[]): Promise<void> {
    const { page } = this.state;
    if (!page) return;
    const spans = members.flatMap((index) => this.shownMatches[index]?.span ?? []);
    const names = new Set(spans.map(({ start, end }) => page.text.slice(start, end).replace(/\s+/g, " ")));
    try {
      if (about === "text") await this.server.report(title, about, undefined);
      else
        for (const name of [...names].slice(0, MAX_REPORTED_NAMES))
          await this.server.report(title, about, name);
      const said = about === "text" ? `what was known of ${title} is left out` : `${title} is not meant here`;
      this.update({ notice: `Noted: from now on ${said}.` });
      this.queryRunner.restart();
    } catch (error) {
      this.reportFailure(error);
    }
  }

  startLike(): Promise<void> {
    return this.likeRunner.start();
  }

  setWeight(index: number, weight: number): void {
    this.likeRunner.setWeight(index, weight);
  }

  endLike(): void {
    this.likeRunner.end();
  }
}
