/** Questions to the page: asking, what is remembered, what is similar elsewhere, and the person's word on an answer. */

import type { Answer, Question } from "../engine/wire";
import type { Controller } from "./controller";
import type { AskState } from "./state";

/** What is nice to have is given up after this. */
const MAX_WAIT_MS = 30_000;

export class QuestionRunner {
  private questionAbort = new AbortController();
  /** The question whose answer Enter has gone to. */
  private visitedUrl = "";

  constructor(private readonly bar: Controller) {}

  forget(): void {
    this.questionAbort.abort();
    this.visitedUrl = "";
    if (this.bar.state.ask) this.bar.update({ ask: undefined });
  }

  async ask(question: string): Promise<void> {
    const { page, status } = this.bar.state;
    if (!page || status.state !== "ready" || this.isAsked(question)) return;
    this.questionAbort.abort();
    const { signal } = (this.questionAbort = new AbortController());
    this.set({
      question,
      running: true,
      outcome: undefined,
      message: "",
      answers: [],
      questionId: "",
      similar: [],
      wrong: new Set(),
    });
    this.bar.update({ panelOpen: true, suggestions: [] });
    try {
      const asked = await this.bar.server.ask(page, question, (answer) => this.add(answer), signal);
      const more = asked.outcome === "cannot" ? asked.message : "";
      const message = asked.similarQuestion === "" ? more : `Asked before as: ${asked.similarQuestion}`;
      this.change({
        running: false,
        outcome: asked.outcome,
        message,
        answers: asked.answers,
        questionId: asked.questionId,
      });
      this.goToBest();
      const similar = await this.bar.server.similarQuestions(page, question, signal);
      this.change({ similar: similar.filter((each) => each.id !== asked.questionId) });
    } catch (error) {
      if (signal.aborted) return;
      this.change({ running: false, outcome: this.bar.state.ask?.outcome ?? "failed" });
      this.bar.reportFailure(error);
    }
  }

  private isAsked(question: string): boolean {
    const { ask } = this.bar.state;
    return ask?.question === question && (ask.running || ask.outcome !== "failed");
  }

  /** One click on a question of this page: its remembered answers, without asking again where they are located. */
  showKnown(question: Question): void {
    if (!question.answers.some(({ span }) => span)) {
      this.bar.type(question.text);
      void this.ask(question.text);
      return;
    }
    this.questionAbort.abort();
    this.bar.update({
      query: question.text,
      like: undefined,
      found: { matches: [] },
      foundBy: "server",
      searching: false,
      panelOpen: true,
    });
    this.set({
      question: question.text,
      running: false,
      outcome: "answered",
      message: "",
      answers: question.answers.map((answer) => ({
        ...answer,
        origin: answer.origin === "" ? "remembered" : answer.origin,
      })),
      questionId: question.id,
      similar: [],
      wrong: new Set(),
    });
    this.goToBest();
  }

  async loadTopQuestions(): Promise<void> {
    const { page } = this.bar.state;
    if (!page) return;
    try {
      const patience = AbortSignal.timeout(MAX_WAIT_MS);
      this.bar.update({ topQuestions: await this.bar.server.topQuestions(page, patience) });
    } catch {
      // Nothing remembered is nothing to show.
    }
  }

  async markWrong(index: number): Promise<void> {
    const { page, ask } = this.bar.state;
    const answer = ask?.answers[index];
    if (!page || !ask || !answer) return;
    try {
      await this.bar.server.feedback(page, ask.questionId, "wrong", answer.span);
      this.change({ wrong: new Set([...ask.wrong, answer.text]) });
      this.bar.update({ notice: "Noted: that answer will not come first again." });
    } catch (error) {
      this.bar.reportFailure(error);
    }
  }

  /** The selection on the page is the right answer. */
  async correct(): Promise<void> {
    const { page, ask, selection } = this.bar.state;
    if (!page || !ask || !selection) return;
    try {
      await this.bar.server.feedback(page, ask.questionId, "correction", selection);
      const answer: Answer = {
        span: selection,
        text: page.text.slice(selection.start, selection.end),
        confidence: 1,
        origin: "person",
      };
      this.change({ outcome: "answered", message: "", answers: [answer], wrong: new Set() });
      this.bar.update({ notice: "Thank you. This page now gives your answer." });
      this.goToBest();
    } catch (error) {
      this.bar.reportFailure(error);
    }
  }

  /** Goes to the best answer once; false when none is shown, or the person has been there. */
  goToAnswer(): boolean {
    const { ask, query } = this.bar.state;
    if (!ask?.answers[0]?.span || ask.question !== query || this.visitedUrl === ask.question) return false;
    if (!this.goToBest()) return false;
    this.visitedUrl = ask.question;
    return true;
  }

  private add(answer: Answer): void {
    const answers = [...(this.bar.state.ask?.answers ?? []), answer].sort(
      (a, b) => b.confidence - a.confidence,
    );
    this.change({ answers: answers.slice(0, 5) });
  }

  private goToBest(): boolean {
    const best = this.bar.state.ask?.answers[0]?.span;
    return best !== undefined && this.bar.goTo(best);
  }

  private set(ask: AskState): void {
    this.bar.update({ ask, notice: "" });
    this.bar.reshow();
  }

  private change(change: Partial<AskState>): void {
    const { ask } = this.bar.state;
    if (ask) this.bar.update({ ask: { ...ask, ...change } });
    if ("answers" in change) this.bar.reshow();
  }
}
