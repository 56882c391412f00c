/** Marks beside the scrollbar that show where in the page the places lie. Drawn on a canvas inside the bar's root. */

import type { Kind } from "../engine/engine";
import { breathe } from "../slices";
import type { PaintedPlace } from "./highlight";
import { boxInPage } from "./scroll";

const CANVAS_WIDTH_PX = 12;
/** A click this near to a mark means it. */
const MAX_CLICK_DISTANCE_PX = 6;
/** More marks than this would be one bar. */
const MAX_MARKS = 800;

const MARK_COLOURS: Readonly<Record<Kind, string>> = {
  meaning: "#0f766e",
  exact: "#b45309",
  fuzzy: "#7c3aed",
  value: "#0f766e",
  answer: "#15803d",
};

export class Ticks {
  readonly canvas: HTMLCanvasElement;
  /** Which place each mark stands for, and how far down it is. */
  private drawnTicks: { index: number; y: number }[] = [];

  constructor(page: Document) {
    this.canvas = page.createElement("canvas");
    this.canvas.setAttribute("aria-hidden", "true");
    Object.assign(this.canvas.style, {
      position: "fixed",
      insetInlineEnd: "0",
      right: "0",
      top: "0",
      width: `${CANVAS_WIDTH_PX}px`,
      height: "100%",
      pointerEvents: "none",
    });
  }

  clear(): void {
    this.canvas.width = 0;
    this.drawnTicks = [];
  }

  /** The place whose mark lies at a point of the window. Clicks elsewhere belong to the page. */
  at(x: number, y: number): number | undefined {
    const { left, right } = this.canvas.getBoundingClientRect();
    if (x < left || x > right) return undefined;
    const near = this.drawnTicks
      .map(({ index, y: mark }) => ({ index, away: Math.abs(mark + 2 - y) }))
      .sort((a, b) => a.away - b.away)[0];
    return near && near.away <= MAX_CLICK_DISTANCE_PX ? near.index : undefined;
  }

  async draw(places: readonly PaintedPlace[], current: number, signal: AbortSignal): Promise<void> {
    const page = this.canvas.ownerDocument;
    const view = page.defaultView;
    const scroller = page.scrollingElement;
    if (!view || !scroller || places.length === 0) return this.clear();
    const pause = breathe(signal);
    const step = Math.max(1, Math.ceil(places.length / MAX_MARKS));
    const marks: { index: number; at: number; colour: string; current: boolean }[] = [];
    for (const [index, { place, kind }] of places.entries()) {
      if (index % step !== 0 && index !== current) continue;
      if (index % 16 === 0) await pause();
      if (!place.startContainer.isConnected) continue;
      const at = (boxInPage(place).top + scroller.scrollTop) / Math.max(1, scroller.scrollHeight);
      marks.push({ index, at, colour: MARK_COLOURS[kind], current: index === current });
    }
    const ratio = view.devicePixelRatio;
    this.canvas.width = CANVAS_WIDTH_PX * ratio;
    this.canvas.height = view.innerHeight * ratio;
    const pen = this.canvas.getContext("2d");
    if (!pen) return;
    pen.scale(ratio, ratio);
    this.drawnTicks = marks.map(({ index, at }) => ({ index, y: Math.round(at * (view.innerHeight - 4)) }));
    for (const mark of marks.sort((a, b) => Number(a.current) - Number(b.current))) {
      const y = Math.round(mark.at * (view.innerHeight - 4));
      // Seen on dark and light pages alike.
      pen.fillStyle = "rgb(255 255 255 / 0.9)";
      pen.fillRect(mark.current ? 0 : 3, y - 1, CANVAS_WIDTH_PX, mark.current ? 7 : 5);
      pen.fillStyle = mark.current ? "#111827" : mark.colour;
      pen.fillRect(mark.current ? 1 : 4, y, CANVAS_WIDTH_PX, mark.current ? 5 : 3);
    }
  }
}
