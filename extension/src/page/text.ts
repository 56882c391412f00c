/**
 * A page's text and the way back: every stretch of it knows the text node it came from, unit by UTF-16 unit. Spans
 * become DOM ranges and DOM positions become offsets, both exactly; what can no longer be found is said to be so.
 */

import type { Span } from "../engine/engine";
import { wordsOf } from "./fields";

/** Stretches of text that stand in the page one to one, in text order. */
export interface Segments {
  /** Where each starts in the text. */
  text: number[];
  /** Where it is from: a text node, or a field or picture that says it. */
  nodes: (Text | Element)[];
  /** Where each starts in its node. */
  offsets: number[];
  lengths: number[];
}

export interface Place {
  startContainer: Node;
  startOffset: number;
  endContainer: Node;
  endOffset: number;
  /** The field or picture that says it, where it is no text of the page. */
  element?: Element;
}

/** The element that a place lies in, or is. */
export function elementAt({ element, startContainer }: Place): Element | null {
  return element ?? startContainer.parentElement;
}

export class PageText {
  private firstOf: Map<Node, number> | undefined;

  constructor(
    readonly text: string,
    readonly segments: Segments,
    readonly headings: readonly Span[],
    /** Every document and shadow root that was read: what to watch for changes. */
    readonly roots: readonly (Document | ShadowRoot)[],
    /** Hosts of frames that may not be looked into. */
    readonly closedHosts: readonly string[],
    /** How many `<details>` are closed. */
    readonly foldedCount: number,
  ) {}

  /** Where a span stands in the page, or undefined when the page no longer says there what it said. */
  placeOf({ start, end }: Span): Place | undefined {
    const { text, nodes, offsets, lengths } = this.segments;
    let first = lastAtMost(text, start);
    // Between stretches stand only line ends and tabs of our own: a span starts after them and ends before them.
    if (first < 0 || start >= (text[first] ?? 0) + (lengths[first] ?? 0)) first++;
    const last = lastAtMost(text, end - 1);
    const startContainer = nodes[first];
    const endContainer = nodes[last];
    if (!startContainer || !endContainer || last < first || start >= end) return undefined;
    for (let at = first; at <= last; at++) if (!this.stands(at)) return undefined;
    const element = [startContainer, endContainer].find((node) => !isText(node));
    if (element) return placeOfElement(element as Element);
    const startOffset = (offsets[first] ?? 0) + Math.max(0, start - (text[first] ?? 0));
    const endOffset = (offsets[last] ?? 0) + Math.min(lengths[last] ?? 0, end - (text[last] ?? 0));
    return { startContainer, startOffset, endContainer, endOffset };
  }

  /** True while a stretch's node still holds what was read from it. */
  private stands(at: number): boolean {
    const { text, nodes, offsets, lengths } = this.segments;
    const node = nodes[at];
    const start = text[at] ?? 0;
    const offset = offsets[at] ?? 0;
    const length = lengths[at] ?? 0;
    if (!node?.isConnected) return false;
    const now = isText(node) ? node.data.slice(offset, offset + length) : wordsOf(node);
    const read = this.text.slice(start, start + length);
    return now === read || now.replace(/[\t\n\r\f]/g, " ") === read.replace(/[\t\n\r\f]/g, " ");
  }

  /** The offset of a position in a text node; of the next text when the position itself was left out. */
  offsetOf(node: Text, offset: number): number | undefined {
    const { text, nodes, offsets, lengths } = this.segments;
    if (!this.firstOf) {
      this.firstOf = new Map();
      for (let at = nodes.length - 1; at >= 0; at--) {
        const each = nodes[at];
        if (each) this.firstOf.set(each, at);
      }
    }
    const first = this.firstOf.get(node);
    if (first === undefined) return undefined;
    let at = first;
    for (; nodes[at] === node; at++) {
      const begins = offsets[at] ?? 0;
      if (offset <= begins + (lengths[at] ?? 0)) return (text[at] ?? 0) + Math.max(0, offset - begins);
    }
    return (text[at - 1] ?? 0) + (lengths[at - 1] ?? 0);
  }

  /** The span of what a DOM range holds, or undefined when none of it was read. */
  spanOf(range: AbstractRange): Span | undefined {
    const start = this.edge(range.startContainer, range.startOffset);
    const end = this.edge(range.endContainer, range.endOffset);
    return start !== undefined && end !== undefined && start < end ? { start, end } : undefined;
  }

  private edge(container: Node, offset: number): number | undefined {
    if (container.nodeType === Node.TEXT_NODE) return this.offsetOf(container as Text, offset);
    // An element boundary: the first text read at or after it.
    const document = container.ownerDocument ?? (container as Document);
    const walker = document.createTreeWalker(document, NodeFilter.SHOW_TEXT);
    const child = container.childNodes[offset];
    walker.currentNode = child ?? container;
    let node: Node | null = child?.nodeType === Node.TEXT_NODE ? child : walker.nextNode();
    if (!child) while (node && container.contains(node)) node = walker.nextNode();
    for (; node; node = walker.nextNode()) {
      const at = this.offsetOf(node as Text, 0);
      if (at !== undefined) return at;
    }
    return this.text.length;
  }
}

function isText(node: Node): node is Text {
  return node.nodeType === Node.TEXT_NODE;
}

/** The whole of a field or picture: where in it the words stand cannot be said. */
function placeOfElement(element: Element): Place | undefined {
  const { parentNode } = element;
  if (!parentNode) return undefined;
  const at = [...parentNode.childNodes].indexOf(element);
  return {
    startContainer: parentNode,
    startOffset: at,
    endContainer: parentNode,
    endOffset: at + 1,
    element,
  };
}

/** Index of the last value that is at most `wanted`, or -1. */
function lastAtMost(values: readonly number[], wanted: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((values[middle] ?? 0) <= wanted) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
