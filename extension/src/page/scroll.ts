/** Brings a place into view: through every scrolling element around it, and through the frames around those. */

import type { Span } from "../engine/engine";
import { type PageText, type Place, elementAt } from "./text";

/** Part of a scroller's height that should lie above the place. */
const PLACE_HEIGHT_SHARE = 0.4;

export function rangeOf(place: Place): Range {
  const range = (place.startContainer.ownerDocument ?? document).createRange();
  range.setStart(place.startContainer, place.startOffset);
  range.setEnd(place.endContainer, place.endOffset);
  return range;
}

/** The first box of a place: long ones are shown from their start. */
export function boxOf(place: Place): DOMRect {
  if (place.element) return place.element.getBoundingClientRect();
  const range = rangeOf(place);
  return range.getClientRects()[0] ?? range.getBoundingClientRect();
}

/** The same in the window's view, whatever frames the place is in. */
export function boxInPage(place: Place): DOMRect {
  const { left, top, width, height } = boxOf(place);
  const box = new DOMRect(left, top, width, height);
  let frame = place.startContainer.ownerDocument?.defaultView?.frameElement;
  while (frame) {
    const around = frame.getBoundingClientRect();
    box.x += around.left;
    box.y += around.top;
    frame = frame.ownerDocument.defaultView?.frameElement;
  }
  return box;
}

/** What of a text is on a screen of this height; pages are laid out from top to bottom, most of them. */
export function seenOf({ text, segments }: PageText, height: number): Span {
  const { text: starts, nodes } = segments;
  const topOf = (at: number): number => {
    const node = nodes[at];
    if (!node?.isConnected) return 0;
    const [container, end] = [node, node.nodeType === Node.TEXT_NODE ? (node as Text).length : 0];
    const place = { startContainer: container, startOffset: 0, endContainer: container, endOffset: end };
    return boxInPage(node.nodeType === Node.TEXT_NODE ? place : { ...place, element: node as Element }).top;
  };
  const firstFrom = (top: number): number => {
    let [low, high] = [0, nodes.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (topOf(middle) < top) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  // The stretch before the first that begins on the screen may reach into it.
  const first = Math.max(0, firstFrom(0) - 1);
  return { start: starts[first] ?? 0, end: starts[firstFrom(height)] ?? text.length };
}

/** `cover` is what the bar hides of the view. */
export function scrollIntoView(place: Place, cover?: DOMRect): void {
  const element = elementAt(place);
  // Lets the browser lay out what it has put off (content-visibility) before anything is measured.
  element?.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
  for (let around: Element | null = element; around; around = parentOf(around)) {
    if (scrolls(around)) scrollWithin(around, () => boxOf(place));
  }
  const page = place.startContainer.ownerDocument;
  if (page) scrollFrames(page, () => boxOf(place), cover);
}

/** The element around, out of shadow roots. */
function parentOf(element: Element): Element | null {
  const slot = element.assignedSlot;
  if (slot) return slot;
  if (element.parentElement) return element.parentElement;
  const root = element.getRootNode();
  return "host" in root ? (root as ShadowRoot).host : null;
}

function scrolls(element: Element): boolean {
  if (element === element.ownerDocument.scrollingElement) return false;
  if (element.scrollHeight <= element.clientHeight && element.scrollWidth <= element.clientWidth)
    return false;
  const { overflowX, overflowY } = getComputedStyle(element);
  return /auto|scroll|hidden/.test(overflowX + overflowY);
}

function scrollWithin(scroller: Element, box: () => DOMRect): void {
  const view = scroller.getBoundingClientRect();
  const place = box();
  const top = view.top + scroller.clientTop;
  const left = view.left + scroller.clientLeft;
  if (place.top < top || place.bottom > top + scroller.clientHeight) {
    scroller.scrollTop += place.top - top - scroller.clientHeight * PLACE_HEIGHT_SHARE;
  }
  if (place.left < left || place.right > left + scroller.clientWidth) {
    scroller.scrollLeft += place.left - left - scroller.clientWidth * PLACE_HEIGHT_SHARE;
  }
}

/** Scrolls the place's document, then the documents around it. */
function scrollFrames(page: Document, box: () => DOMRect, cover: DOMRect | undefined): void {
  const view = page.defaultView;
  const scroller = page.scrollingElement;
  if (!view || !scroller) return;
  const place = box();
  const height = view.innerHeight;
  const frame = view.frameElement;
  const hidden = !frame && cover !== undefined && place.right > cover.left && place.top < cover.bottom;
  // Under the bar, if there is room; else the top of the page must do.
  const aim = hidden && cover.bottom + 80 < height ? cover.bottom + 40 : height * PLACE_HEIGHT_SHARE;
  if (hidden || place.top < 16 || place.bottom > height - 16) scroller.scrollTop += place.top - aim;
  if (place.left < 0 || place.right > view.innerWidth)
    scroller.scrollLeft += place.left - view.innerWidth * PLACE_HEIGHT_SHARE;
  if (!frame) return;
  const outerBox = (): DOMRect => {
    const outer = frame.getBoundingClientRect();
    const inner = box();
    return new DOMRect(outer.left + inner.left, outer.top + inner.top, inner.width, inner.height);
  };
  scrollFrames(frame.ownerDocument, outerBox, cover);
}
