/** "Find more like this": the words of the selection's sentence become terms whose weight the person sets. */

import type { Term } from "../engine/server";
import { RemoteError } from "../remote";
import type { Controller } from "./controller";
import { sentenceAround } from "./state";

const MAX_TERMS = 24;
/** A server that has not answered by then could not say. */
const MAX_WAIT_MS = 30_000;
/** Pause before a server that could not say is asked again; each is twice as long as the one before. */
const MIN_PROBE_PAUSE_MS = 1000;
const MAX_PROBE_PAUSE_MS = 30_000;
export const MAX_TERM_WEIGHT = 3;
/** Letters and digits, with apostrophes and what is not seen within. */
const WORD = /[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}\p{Cf}]|['’](?=\p{L}))*/gu;

export class LikeRunner {
  private searchAbort = new AbortController();
  private probeTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly bar: Controller) {}

  async start(): Promise<void> {
    const { page, selection } = this.bar.state;
    if (!page || !selection) return;
    const sentence = sentenceAround(page.text, selection);
    const terms = termsOf(
      page.text.slice(sentence.start, sentence.end),
      page.text.slice(selection.start, selection.end),
    );
    this.bar.update({
      like: { selection, sentence, terms, matches: [], running: true },
      panelOpen: true,
      current: -1,
    });
    await this.run();
  }

  /** What was asked for from the page's menu, as soon as there is a selection and a server that has read the page. */
  async startWhenPossible(): Promise<void> {
    const { likeWanted, selection, status } = this.bar.state;
    if (!likeWanted) return;
    if (status.state === "none" || status.state === "unpaired") {
      this.bar.update({
        likeWanted: false,
        panelOpen: true,
        notice: "To find more like a selection, findall needs its server.",
      });
    } else if (selection && status.state === "ready") {
      this.bar.update({ likeWanted: false });
      await this.start();
    }
  }

  /** Learns once whether the server can do this: until then nothing is offered. A busy one is asked until it can say. */
  async probe(pauseMs = MIN_PROBE_PAUSE_MS): Promise<void> {
    clearTimeout(this.probeTimer);
    const { page, selection, status, canLike } = this.bar.state;
    if (!page || !selection || status.state !== "ready" || canLike !== undefined) return;
    this.bar.update({ canLike: false });
    try {
      await this.bar.server.like(page, selection, selection, [], AbortSignal.timeout(MAX_WAIT_MS));
      this.bar.update({ canLike: true });
    } catch (error) {
      const missing = error instanceof RemoteError && isMissing(error);
      if (missing) return;
      this.bar.update({ canLike: undefined });
      const longer = Math.min(2 * pauseMs, MAX_PROBE_PAUSE_MS);
      this.probeTimer = setTimeout(() => void this.probe(longer), pauseMs);
    }
  }

  setWeight(index: number, weight: number): void {
    const { like } = this.bar.state;
    if (!like) return;
    const limited = Math.max(0, Math.min(MAX_TERM_WEIGHT, weight));
    const terms = like.terms.map((term, i) => (i === index ? { ...term, weight: limited } : term));
    this.bar.update({ like: { ...like, terms } });
    void this.run();
  }

  end(): void {
    this.searchAbort.abort();
    this.bar.update({ like: undefined });
    this.bar.show();
  }

  private async run(): Promise<void> {
    const { page, like } = this.bar.state;
    if (!page || !like) return;
    this.searchAbort.abort();
    const { signal } = (this.searchAbort = new AbortController());
    try {
      const weighted = like.terms.filter(({ weight }) => weight > 0);
      const { matches } = await this.bar.server.like(page, like.selection, like.sentence, weighted, signal);
      const { like: now } = this.bar.state;
      if (signal.aborted || !now) return;
      this.bar.update({ like: { ...now, matches, running: false } });
      this.bar.reshow();
    } catch (error) {
      if (signal.aborted) return;
      this.bar.update({ like: undefined });
      if (error instanceof RemoteError && isMissing(error)) this.bar.update({ canLike: false });
      else this.bar.reportFailure(error);
    }
  }
}

function isMissing({ code }: RemoteError): boolean {
  return code === "not_built" || code === "http_501";
}

/** The words around the selection, once each, in order; the selection itself is what is sought, not a term. */
export function termsOf(sentence: string, selected: string): Term[] {
  const own = new Set(selected.match(WORD)?.map((word) => word.toLowerCase()));
  const words = sentence
    .match(WORD)
    ?.filter(
      (word) => word.length > 2 && !own.has(word.toLowerCase()) && !STOP_WORDS.has(word.toLowerCase()),
    );
  return [...new Set(words)].slice(0, MAX_TERMS).map((word) => ({ word, weight: 1 }));
}

const STOP_WORDS = new Set(
  (
    "the and for with that this from was were are has had have been its his her their they she him them not but all any " +
    "can will would could should about into over after before than then there where when which who whom whose what how out here " +
    "does did under although though while because since however also only such these those some many most other more very " +
    "just even still between through during against without within upon both each every either neither whether unless until " +
    "once again further another same own too nor yet ever never may might must shall upon among across around per via your our"
  ).split(" "),
);
