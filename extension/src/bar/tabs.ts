/** The same query in all open tabs: asked for when it is first used, found by letters, and by meaning with a server. */

import { EdgeEngine } from "../engine/edge/edge";
import type { Findings, Page, Span } from "../engine/engine";
import { isRecord } from "../messages";
import type { Controller } from "./controller";

const ALL_SITES = { origins: ["<all_urls>"] };

export interface TabFindings {
  tab: number;
  title: string;
  page: Page;
  spans: Span[];
}

export interface TabsState {
  query: string;
  running: boolean;
  found: TabFindings[];
  searched: number;
  /** Tabs that may not be looked into. */
  closed: number;
}

export class TabSearch {
  private searchAbort = new AbortController();
  private readonly edge = new EdgeEngine();

  constructor(private readonly bar: Controller) {}

  /** Must be called by a click: only then may the right be asked for. */
  async search(): Promise<void> {
    const { query } = this.bar.state;
    if (query.trim() === "") return;
    const allowed = await chrome.permissions.request(ALL_SITES).catch(() => false);
    if (!allowed) {
      this.bar.update({ notice: "Without that right only this tab can be searched." });
      return;
    }
    this.searchAbort.abort();
    const { signal } = (this.searchAbort = new AbortController());
    this.bar.update({ tabs: { query, running: true, found: [], searched: 0, closed: 0 }, notice: "" });
    try {
      await this.read(query, signal);
    } catch (error) {
      if (signal.aborted) return;
      this.bar.update({ tabs: undefined, notice: error instanceof Error ? error.message : "" });
    }
  }

  forget(): void {
    this.searchAbort.abort();
    if (this.bar.state.tabs) this.bar.update({ tabs: undefined });
  }

  private async read(query: string, signal: AbortSignal): Promise<void> {
    const answer = await this.bar.remote.call("tabs", {}, { signal });
    const given = isRecord(answer) && Array.isArray(answer["tabs"]) ? answer["tabs"].filter(isRecord) : [];
    const closed = isRecord(answer) && typeof answer["closed"] === "number" ? answer["closed"] : 0;
    const found: TabFindings[] = [];
    for (const [index, each] of given.entries()) {
      const { tab, title, url, text } = each;
      if (typeof tab !== "number" || typeof text !== "string") continue;
      const page = {
        text,
        url: String(url),
        title: String(title),
        headings: [],
        seen: EMPTY_SPAN,
        private: false,
      };
      const spans = (await this.find(page, query, signal)).matches.filter(({ accepted }) => accepted);
      signal.throwIfAborted();
      if (spans.length > 0)
        found.push({ tab, title: page.title, page, spans: spans.map(({ span }) => span) });
      const running = index < given.length - 1;
      this.bar.update({ tabs: { query, running, found: [...found], searched: index + 1, closed } });
    }
    const { tabs } = this.bar.state;
    this.bar.update({ tabs: { query, running: false, found, searched: tabs?.searched ?? 0, closed } });
  }

  /** A server that fails on one tab leaves the letters. */
  private find(page: Page, query: string, signal: AbortSignal): Promise<Findings> {
    const byLetters = (): Promise<Findings> => this.edge.find(page, query, signal);
    if (this.bar.state.status.state !== "ready") return byLetters();
    return this.bar.server.find(page, query, signal).catch(byLetters);
  }
}

const EMPTY_SPAN: Span = { start: 0, end: 0 };
