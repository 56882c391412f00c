/**
 * The engine behind `findall serve`: by meaning, by letters, and with memory. A page's text is sent once; after that
 * its id stands for it, until the server has forgotten it and asks again. The engine inside the browser answers the
 * same calls as far as finding goes, and a page that it is still reading can be searched.
 */

import { isRecord } from "../messages";
import { type Remote, RemoteError } from "../remote";
import type { Engine, Findings, Page, Span, Suggestion } from "./engine";
import type { PageCallParams, PostBodies } from "./requests";
import {
  type Answer,
  type AskOutcome,
  type LikeOutcome,
  type Question,
  parseAnswers,
  parseAskOutcome,
  parseFindings,
  parseLike,
  parseQuestions,
  parseSuggestions,
} from "./wire";

export interface Term {
  word: string;
  weight: number;
}

interface PreparedText {
  text: string;
  document: string;
}

/** Texts whose document is known: the present one, and the one before while that is being read. */
const MAX_PREPARED_TEXTS = 2;

export class ServerEngine implements Engine {
  /** The newest first. */
  private preparedTexts: PreparedText[] = [];

  constructor(private readonly remote: Remote) {}

  /** Has the server read the page; `onProgress` gets the part that is done. */
  async prepare(page: Page, onProgress: (done: number) => void, signal: AbortSignal): Promise<void> {
    await this.document(page, signal, onProgress);
  }

  /** Forgets what the server knows: it may be another one now. */
  reset(): void {
    this.preparedTexts = [];
  }

  async find(page: Page, query: string, signal: AbortSignal): Promise<Findings> {
    return parseFindings(await this.about(page, "find", { query }, signal), page.text.length);
  }

  /**
   * The answer that costs least first, to `onQuick`, then the one that was thought over. An engine that has only one
   * says so by leaving out `judged`, or has judged at once: then that one is the answer.
   */
  async findSettling(
    page: Page,
    query: string,
    onQuick: (found: Findings) => void,
    signal: AbortSignal,
  ): Promise<Findings> {
    const quick = await this.about(page, "find", { query, fast: true }, signal);
    const found = parseFindings(quick, page.text.length);
    if (!isRecord(quick) || quick["judged"] !== false) return found;
    onQuick(found);
    return this.find(page, query, signal);
  }

  async ask(
    page: Page,
    question: string,
    onAnswer: (answer: Answer) => void,
    signal: AbortSignal,
  ): Promise<AskOutcome> {
    const { length } = page.text;
    const value = await this.about(page, "ask", { question, url: page.url }, signal, (event) => {
      const answers = isRecord(event) && event["event"] === "answer" ? [event["answer"]] : [];
      parseAnswers(answers, length).forEach(onAnswer);
    });
    return parseAskOutcome(value, length);
  }

  async suggest(page: Page, prefix: string, signal: AbortSignal): Promise<Suggestion[]> {
    return parseSuggestions(await this.about(page, "suggest", { prefix, url: page.url }, signal));
  }

  async topQuestions(page: Page, signal: AbortSignal): Promise<Question[]> {
    return parseQuestions(
      await this.about(page, "topQuestions", { url: page.url }, signal),
      page.text.length,
    );
  }

  async similarQuestions(page: Page, question: string, signal: AbortSignal): Promise<Question[]> {
    // Their spans lie in other pages.
    return parseQuestions(await this.about(page, "similarQuestions", { question, url: page.url }, signal), 0);
  }

  async feedback(
    page: Page,
    questionId: string,
    verdict: "wrong" | "correction",
    span: Span | undefined,
  ): Promise<void> {
    const text = span && verdict === "correction" ? page.text.slice(span.start, span.end) : undefined;
    await this.about(page, "feedback", { question_id: questionId, verdict, span, text });
  }

  /** A person's word that an entity is not meant by a name, or that what is said of it is wrong. */
  async report(title: string, about: "link" | "text", name: string | undefined): Promise<void> {
    const params: Omit<PostBodies["/v1/kb/report"], "words"> = { title, about, name };
    await this.remote.call("report", params);
  }

  async like(
    page: Page,
    selection: Span,
    sentence: Span,
    terms: readonly Term[],
    signal: AbortSignal,
  ): Promise<LikeOutcome> {
    return parseLike(
      await this.about(page, "like", { selection, sentence, terms: [...terms] }, signal),
      page.text.length,
    );
  }

  /** A call about a page; sends the page again when the server has let go of it. */
  private async about<Name extends keyof PageCallParams>(
    page: Page,
    call: Name,
    params: PageCallParams[Name],
    signal?: AbortSignal,
    onEvent?: (event: unknown) => void,
  ): Promise<unknown> {
    const options = { ...(signal ? { signal } : {}), ...(onEvent ? { onEvent } : {}) };
    const document = await this.document(page, signal);
    try {
      return await this.remote.call(call, { document, ...params }, options);
    } catch (error) {
      if (!(error instanceof RemoteError) || error.code !== "unknown_document") throw error;
      this.preparedTexts = this.preparedTexts.filter(({ text }) => text !== page.text);
      return this.remote.call(call, { document: await this.document(page, signal), ...params }, options);
    }
  }

  private async document(
    page: Page,
    signal?: AbortSignal,
    onProgress?: (done: number) => void,
  ): Promise<string> {
    const known = this.preparedTexts.find(({ text }) => text === page.text);
    if (known) return known.document;
    const { text, url, title, seen } = page;
    const asked: PostBodies["/v1/documents"] = { text, url, title };
    const value = await this.remote.call(
      "documents",
      { ...asked, seen: [seen.start, seen.end] },
      {
        ...(signal ? { signal } : {}),
        onEvent: (event) => {
          if (!isRecord(event) || event["event"] !== "progress") return;
          const { read, total, document } = event;
          if (typeof document === "string") this.remember({ text, document });
          if (typeof read === "number" && typeof total === "number" && total > 0) onProgress?.(read / total);
        },
      },
    );
    if (!isRecord(value) || typeof value["document"] !== "string") {
      throw new RemoteError({ code: "malformed", message: "the server's answer could not be read" });
    }
    this.remember({ text, document: value["document"] });
    return value["document"];
  }

  private remember(prepared: PreparedText): void {
    const others = this.preparedTexts.filter(({ text }) => text !== prepared.text);
    this.preparedTexts = [prepared, ...others].slice(0, MAX_PREPARED_TEXTS);
  }
}
