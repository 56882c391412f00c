/**
 * Paints places with the CSS Custom Highlight API: the page's DOM stays as it is. One highlight a kind and one for the
 * current place, in every document that has places (frames have registries of their own).
 *
 * The browser looks at every painted place again whenever one of them changes. So where there are very many, those near
 * the view are painted, and others when the view comes near them.
 */

import { KINDS, type Kind } from "../engine/engine";
import { breathe } from "../slices";
import { boxInPage } from "./scroll";
import type { Place } from "./text";

export interface PaintedPlace {
  place: Place;
  kind: Kind;
}

type View = Window & typeof globalThis;

const CURRENT_NAME = "current";
/** Up to so many places are all painted. */
const MAX_PLACES_AT_ONCE = 1000;
/** Of more, so many beyond those near the view on either side. */
const MIN_PLACES_BESIDE_VIEW = 250;
/** Pause between two looks at where the view has gone. */
const FOLLOW_INTERVAL_MS = 50;

/** Places by number, the last one left out. */
interface PlaceRange {
  from: number;
  to: number;
}

export class Painter {
  private places: readonly PaintedPlace[] = [];
  private readonly views = new Set<View>();
  private paintedRange: PlaceRange = { from: 0, to: 0 };
  private current: Place | undefined;
  private followTimer: ReturnType<typeof setTimeout> | undefined;

  /** Replaces what is painted. */
  async paint(places: readonly PaintedPlace[], signal: AbortSignal): Promise<void> {
    const pause = breathe(signal);
    const views = new Set<View>();
    for (const [index, { place }] of places.entries()) {
      if (index % 256 === 0) await pause();
      const view = viewOf(place);
      if (view) views.add(view);
    }
    this.clear();
    this.places = places;
    for (const view of views) this.views.add(view);
    this.put(this.isLong ? this.placesAround(1, MIN_PLACES_BESIDE_VIEW) : { from: 0, to: places.length });
    if (this.isLong) for (const view of views) view.addEventListener("scroll", this.handleScroll, true);
  }

  /** Paints what has come near the view. */
  follow(): void {
    if (!this.isLong) return;
    const seen = this.placesAround(0, 0);
    if (seen.from < this.paintedRange.from || seen.to > this.paintedRange.to)
      this.put(this.placesAround(1, MIN_PLACES_BESIDE_VIEW));
  }

  /** The first place in or below the view; the first of all when there is none. */
  nearest(): number {
    const near = this.firstFrom(0);
    return near < this.places.length ? near : 0;
  }

  setCurrent(place: Place | undefined): void {
    const before = this.current && viewOf(this.current);
    before?.CSS.highlights.delete(highlightName(CURRENT_NAME));
    this.current = place;
    const view = place && viewOf(place);
    // Around a field or picture stands a ring.
    if (!place || !view || place.element) return;
    const highlight = new view.Highlight(new view.StaticRange(place));
    highlight.priority = 1;
    view.CSS.highlights.set(highlightName(CURRENT_NAME), highlight);
    this.views.add(view);
  }

  clear(): void {
    clearTimeout(this.followTimer);
    this.followTimer = undefined;
    this.setCurrent(undefined);
    this.places = [];
    this.put({ from: 0, to: 0 });
    for (const view of this.views) view.removeEventListener("scroll", this.handleScroll, true);
    this.views.clear();
  }

  private get isLong(): boolean {
    return this.places.length > MAX_PLACES_AT_ONCE;
  }

  private readonly handleScroll = (): void => {
    this.followTimer ??= setTimeout(() => {
      this.followTimer = undefined;
      this.follow();
    }, FOLLOW_INTERVAL_MS);
  };

  private put(stretch: PlaceRange): void {
    this.paintedRange = stretch;
    const ready = new Map<View, Map<Kind, Highlight>>();
    for (const { place, kind } of this.places.slice(stretch.from, stretch.to)) {
      const view = viewOf(place);
      if (!view || place.element) continue;
      const kinds = ready.get(view) ?? new Map<Kind, Highlight>();
      ready.set(view, kinds);
      const highlight = kinds.get(kind) ?? new view.Highlight();
      kinds.set(kind, highlight);
      highlight.add(new view.StaticRange(place));
    }
    for (const view of this.views) {
      for (const kind of KINDS) {
        const highlight = ready.get(view)?.get(kind);
        if (highlight) view.CSS.highlights.set(highlightName(kind), highlight);
        else view.CSS.highlights.delete(highlightName(kind));
      }
    }
  }

  /** The places in the view and so many view heights above and below it, and so many more. */
  private placesAround(heights: number, more: number): PlaceRange {
    const from = this.firstFrom(-heights * window.innerHeight) - more;
    const to = this.firstFrom((1 + heights) * window.innerHeight) + more;
    return { from: Math.max(0, from), to: Math.min(this.places.length, to) };
  }

  /** The first place that begins this far below the top of the view, or farther; they stand in page order. */
  private firstFrom(top: number): number {
    let low = 0;
    let high = this.places.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const painted = this.places[middle];
      if (painted && boxInPage(painted.place).top < top) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function highlightName(kind: string): string {
  return `findall-${kind}`;
}

function viewOf(place: Place): View | null {
  return place.startContainer.ownerDocument?.defaultView ?? null;
}
