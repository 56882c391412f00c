/**
 * Rings around fields and pictures whose words were found: no highlight can be painted in them. They lie in the bar's
 * own root and follow the page as it scrolls.
 */

import type { Kind } from "../engine/engine";
import type { PaintedPlace } from "./highlight";
import { boxInPage } from "./scroll";
import type { Place } from "./text";

/** More rings than this would be a cage. */
const MAX_RINGS = 100;
const RING_GAP_PX = 3;

const RING_BORDERS: Readonly<Record<Kind, string>> = {
  meaning: "3px solid #0f766e",
  exact: "3px solid #b45309",
  fuzzy: "3px dashed #7c3aed",
  value: "3px solid #0f766e",
  answer: "3px solid #15803d",
};

export class Rings {
  readonly layer: HTMLElement;
  private drawnRings: { ring: HTMLElement; place: Place }[] = [];
  private waiting = false;

  constructor(private readonly page: Document) {
    this.layer = page.createElement("div");
    this.layer.setAttribute("aria-hidden", "true");
  }

  draw(places: readonly PaintedPlace[], current: Place | undefined): void {
    this.clear();
    const ringed = places.filter(({ place }) => place.element).slice(0, MAX_RINGS);
    for (const { place, kind } of ringed) {
      const ring = this.page.createElement("div");
      ring.dataset["kind"] = kind;
      ring.style.cssText =
        "position: fixed; pointer-events: none; border-radius: 6px; box-sizing: border-box;";
      ring.style.border = RING_BORDERS[kind];
      if (place.element === current?.element) {
        ring.style.border = "4px double #fbbf24";
        ring.style.boxShadow = "0 0 0 4px #1e3a8a";
      }
      this.drawnRings.push({ ring, place });
    }
    this.layer.append(...this.drawnRings.map(({ ring }) => ring));
    this.follow();
    const view = this.page.defaultView;
    if (this.drawnRings.length > 0)
      view?.addEventListener("scroll", this.handleMove, { capture: true, passive: true });
    view?.addEventListener("resize", this.handleMove);
  }

  clear(): void {
    this.layer.replaceChildren();
    this.drawnRings = [];
    this.page.defaultView?.removeEventListener("scroll", this.handleMove, true);
    this.page.defaultView?.removeEventListener("resize", this.handleMove);
  }

  private readonly handleMove = (): void => {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.follow();
    });
  };

  private follow(): void {
    for (const { ring, place } of this.drawnRings) {
      const { left, top, width, height } = boxInPage(place);
      ring.style.left = `${left - RING_GAP_PX}px`;
      ring.style.top = `${top - RING_GAP_PX}px`;
      ring.style.width = `${width + 2 * RING_GAP_PX}px`;
      ring.style.height = `${height + 2 * RING_GAP_PX}px`;
    }
  }
}
