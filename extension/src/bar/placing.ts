/** Where the bar lies: moved by its grip, made larger by its corner, put to a side; the same on the next page. */

import { DEFAULT_LAYOUT, type Layout, parseLayout } from "../messages";
import type { Controller } from "./controller";

/** Pixels that one press of an arrow key moves or stretches it. */
const STEP_PX = 24;
const DOCKS = ["float", "right", "left"] as const;

export const DOCK_WORDS: Readonly<Record<Layout["dock"], string>> = {
  float: "Put to the right side",
  right: "Put to the left side",
  left: "Let it float",
};

export class BarPlacement {
  layout: Layout = DEFAULT_LAYOUT;

  constructor(private readonly bar: Controller) {}

  /** The layout of the page before. */
  async recall(): Promise<void> {
    const kept = await this.bar.remote.call("layout").catch(() => undefined);
    if (kept !== undefined) this.show(parseLayout(kept));
  }

  /** Follows the pointer from where it was pressed until it is released. */
  drag(event: PointerEvent, what: "move" | "stretch"): void {
    if (!event.isTrusted || event.button !== 0 || !(event.currentTarget instanceof HTMLElement)) return;
    const { currentTarget: target, screenX, screenY } = event;
    const before = this.layout;
    const follow = (now: PointerEvent): void =>
      this.change(what, before, now.screenX - screenX, now.screenY - screenY);
    const end = (): void => {
      target.removeEventListener("pointermove", follow);
      void this.keep();
    };
    target.setPointerCapture(event.pointerId);
    target.addEventListener("pointermove", follow);
    target.addEventListener("lostpointercapture", end, { once: true });
    event.preventDefault();
  }

  /** The same by arrow keys. */
  key(event: KeyboardEvent, what: "move" | "stretch"): void {
    const [x, y] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[
      event.key
    ] ?? [0, 0];
    if (x === 0 && y === 0) return;
    event.preventDefault();
    event.stopPropagation();
    this.change(what, this.layout, (x ?? 0) * STEP_PX, (y ?? 0) * STEP_PX);
    void this.keep();
  }

  /** From floating to the right side, to the left, and back. */
  dockNext(): void {
    const next = DOCKS[(DOCKS.indexOf(this.layout.dock) + 1) % DOCKS.length] ?? "float";
    this.show({ ...this.layout, dock: next });
    void this.keep();
  }

  private change(what: "move" | "stretch", from: Layout, x: number, y: number): void {
    if (what === "move") {
      // At a side it stays there until it is let float.
      if (from.dock !== "float") return;
      this.show({ ...from, right: from.right - x, top: from.top + y });
    } else {
      // The corner is on the left, unless it lies on the left side.
      const width = from.width + (from.dock === "left" ? x : -x);
      this.show({ ...from, width, panel: from.panel + y });
    }
  }

  private show(layout: Layout): void {
    this.layout = parseLayout(layout);
    document.documentElement.style.setProperty("--panel", `${this.layout.panel}px`);
    document.documentElement.dataset["dock"] = this.layout.dock;
    this.bar.tellPage({ type: "layout", layout: this.layout });
    this.bar.update({});
  }

  private async keep(): Promise<void> {
    await this.bar.remote.call("saveLayout", this.layout).catch(() => undefined);
  }
}
