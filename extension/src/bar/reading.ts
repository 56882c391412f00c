/**
 * Keeps an engine up to date with a page that changes: one reading at a time, the newest text next. What was read
 * before stays searchable until the new text has been read; the engine remembers what it has read, so that only what
 * changed costs time.
 */

import { isMostlySame } from "../edits";
import type { Page } from "../engine/engine";
import type { ServerEngine } from "../engine/server";

export interface ReadingListener {
  /** How much of the page has been read, 0 to 1. */
  progress: (done: number) => void;
  read: () => void;
  failed: (error: unknown) => void;
}

export class PageReader {
  /** What can be searched by meaning: the text read last or, before any, the one being read if `partly` is set. */
  page: Page | undefined;
  private whole: string | undefined;
  private nextPage: Page | undefined;
  private currentRun: { page: Page; abort: AbortController } | undefined;

  constructor(
    readonly engine: ServerEngine,
    private readonly listener: ReadingListener,
    /** Whether the engine answers about what it has read so far. */
    private readonly partly: boolean,
  ) {}

  read(page: Page): void {
    this.nextPage = page;
    const { currentRun } = this;
    if (currentRun && isMostlySame(currentRun.page.text, page.text)) return;
    // Another page altogether: what is being read is no longer wanted.
    if (this.page && !isMostlySame(this.page.text, page.text)) this.forget();
    this.stop();
    void this.next(page);
  }

  /** True when the whole page has been read before, in an earlier state. */
  get isRereading(): boolean {
    return this.whole !== undefined;
  }

  stop(): void {
    this.currentRun?.abort.abort();
    this.currentRun = undefined;
  }

  /** The engine may know nothing any more. */
  forget(): void {
    this.stop();
    this.page = undefined;
    this.whole = undefined;
  }

  private async next(page: Page): Promise<void> {
    const run = (this.currentRun = { page, abort: new AbortController() });
    const { signal } = run.abort;
    try {
      await this.engine.prepare(
        page,
        (done) => {
          if (this.partly && this.whole === undefined) this.page = page;
          this.listener.progress(done);
        },
        signal,
      );
      if (signal.aborted) return;
      this.currentRun = undefined;
      this.page = page;
      this.whole = page.text;
      this.listener.read();
      // The page has changed while it was being read.
      if (this.nextPage && this.nextPage.text !== page.text) void this.next(this.nextPage);
    } catch (error) {
      if (signal.aborted) return;
      this.currentRun = undefined;
      this.listener.failed(error);
    }
  }
}
