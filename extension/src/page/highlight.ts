/**
 * Paints places with the CSS Custom Highlight API: the page's DOM stays as it is. One highlight a kind and one for the
 * current place, in every document that has places (frames have registries of their own).
 */

import type { Kind } from "../engine/engine";
import { breathe } from "../slices";
import type { Place } from "./text";

export interface Painted {
  place: Place;
  kind: Kind;
}

type View = Window & typeof globalThis;

const CURRENT = "current";

export class Painter {
  private readonly views = new Set<View>();
  private current: Place | undefined;

  /** Replaces what is painted. */
  async paint(places: readonly Painted[], signal: AbortSignal): Promise<void> {
    const pause = breathe(signal);
    const ready = new Map<View, Map<Kind, Highlight>>();
    for (const [index, { place, kind }] of places.entries()) {
      if (index % 64 === 0) await pause();
      const view = viewOf(place);
      if (!view) continue;
      const kinds = ready.get(view) ?? new Map<Kind, Highlight>();
      ready.set(view, kinds);
      const highlight = kinds.get(kind) ?? new view.Highlight();
      kinds.set(kind, highlight);
      highlight.add(new view.StaticRange(place));
    }
    this.clear();
    for (const [view, kinds] of ready) {
      this.views.add(view);
      for (const [kind, highlight] of kinds) view.CSS.highlights.set(nameOf(kind), highlight);
    }
  }

  setCurrent(place: Place | undefined): void {
    const before = this.current && viewOf(this.current);
    before?.CSS.highlights.delete(nameOf(CURRENT));
    this.current = place;
    const view = place && viewOf(place);
    if (!place || !view) return;
    const highlight = new view.Highlight(new view.StaticRange(place));
    highlight.priority = 1;
    view.CSS.highlights.set(nameOf(CURRENT), highlight);
    this.views.add(view);
  }

  clear(): void {
    for (const view of this.views) {
      for (const name of [...view.CSS.highlights.keys()]) {
        if (name.startsWith("findall-")) view.CSS.highlights.delete(name);
      }
    }
    this.views.clear();
    this.current = undefined;
  }
}

function nameOf(kind: string): string {
  return `findall-${kind}`;
}

function viewOf(place: Place): View | null {
  return place.startContainer.ownerDocument.defaultView;
}
