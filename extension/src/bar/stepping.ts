/**
 * Steps from place to place, and what stays current when the places change. A step that is pressed before there is
 * anything to take it from waits: for the places of what was typed before it, and for the page's word which of them is
 * nearest. So the same keys lead to the same place, however busy the machine is.
 */

import type { Span } from "../engine/engine";
import type { Controller } from "./controller";
import { findKept } from "./state";

export class Stepper {
  /** Steps that wait, those forward less those back. */
  private waitingSteps = 0;
  /** The same since the query was typed or marked, whether they wait or not. */
  private pressedSteps = 0;
  /** Whether the page has yet to say which place of the list shown last is nearest. */
  private awaitsNearest = false;
  /** Whether the person has gone to a place since the query was typed. */
  private hasMoved = false;

  constructor(
    private readonly bar: Controller,
    /** Whether the places of the query are yet to come. */
    private readonly awaitsPlaces: () => boolean,
  ) {}

  /** Another query: what was pressed before was meant for the one before. */
  restart(): void {
    this.waitingSteps = 0;
    this.pressedSteps = 0;
    this.hasMoved = false;
  }

  /** The query has been marked: letters replace it, and what was pressed before was not meant for them. */
  markQuery(): void {
    this.pressedSteps = 0;
  }

  /**
   * Letters that were typed before come late: what was pressed since is meant for all of them, also if it was taken in
   * what some of them find, or found nothing there to take it from.
   */
  joinLetters(join: () => void): void {
    const steps = this.pressedSteps;
    join();
    this.pressedSteps = steps;
    this.waitingSteps = steps;
    this.takeSteps();
  }

  step(by: 1 | -1): void {
    this.pressedSteps += by;
    this.waitingSteps += by;
    this.takeSteps();
  }

  /** The person has chosen a place. */
  choosePlace(): void {
    this.waitingSteps = 0;
    this.pressedSteps = 0;
    this.awaitsNearest = false;
    this.hasMoved = true;
  }

  /** Takes the steps that wait, if there is something to take them from. */
  takeSteps(): void {
    const { state, matches } = this.bar;
    // Where nothing stands yet, letters may still be on their way; typing drops the steps.
    if (this.awaitsPlaces() || this.awaitsNearest || state.query === "") return;
    const steps = this.waitingSteps;
    this.waitingSteps = 0;
    if (steps === 0 || matches.length === 0) return;
    this.stepTo(Math.max(state.current, steps > 0 ? -1 : 0) + steps);
  }

  /**
   * Which place is current in a list where this span was current in the one before: itself, or what overlaps it. For who
   * has gone there the next one, where there is neither; who has not starts anew.
   */
  findPlace(before: Span): number {
    const { matches } = this.bar;
    const kept = findKept(matches, before);
    if (kept >= 0 || !this.hasMoved) return kept;
    const next = matches.findIndex(({ span }) => span.start >= before.end);
    return next >= 0 ? next : matches.length - 1;
  }

  /** A list was shown; `current` is its current place, for that of the one before. */
  startIn(current: number, before: Span | undefined): void {
    const { matches } = this.bar;
    this.awaitsNearest = current < 0 && matches.length > 0;
    // What stood there is gone: the person is led to where they are now.
    if (before && current >= 0 && findKept(matches, before) < 0) this.bar.moveTo(current);
    this.takeSteps();
  }

  /** The page says which place of the list shown last is nearest. */
  startAt(near: number): void {
    if (!this.awaitsNearest) return;
    this.awaitsNearest = false;
    const first = Math.min(near, this.bar.matches.length - 1);
    const steps = this.waitingSteps;
    if (steps === 0 || this.awaitsPlaces()) return this.bar.moveTo(first);
    this.waitingSteps = 0;
    this.stepTo(first + steps);
  }

  /** Past the last place comes the first. */
  private stepTo(index: number): void {
    const { length: count } = this.bar.matches;
    this.hasMoved = true;
    this.bar.keepInHistory();
    this.bar.update({ suggestions: [] });
    this.bar.moveTo(((index % count) + count) % count);
  }
}
