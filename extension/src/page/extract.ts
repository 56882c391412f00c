/**
 * The text that a person sees on a page: visible text nodes in the order they are shown, through open shadow roots and
 * frames of the same origin; what stands in form fields and what pictures show when that is wanted. A document enters, its `PageText` leaves. The
 * walk pauses every few milliseconds, so that pages of any size stay responsive.
 */

import { breathe } from "../slices";
import { TextBuilder } from "./builder";
import { type Display, displayOf, isClosed } from "./display";
import { isSeen, wordsOf } from "./fields";
import type { PageText } from "./text";

/** Nodes looked at between two looks at the clock. */
const MAX_NODES_A_LOOK = 32;
/** Characters of one text node handled between two looks at the clock. */
const MAX_CHARS_A_LOOK = 1 << 16;

/** Frames of fewer pixels hold no text for people. */
const MIN_FRAME_PX = 50;

/** An element being read: what is left of its children, and what is owed when it ends. */
interface OpenElement {
  next: Node | null;
  list: readonly Node[] | undefined;
  at: number;
  display: Display;
  headingStart: number;
}

export interface ExtractOptions {
  signal?: AbortSignal;
  /** The extension's own element, which is no part of the page. */
  skip?: Element | undefined;
  /** Whether what a closed `<details>` holds is read, too. */
  unfold?: boolean;
  /** Whether form fields and the texts of pictures are read, too. */
  fields?: boolean;
}

export async function extract(
  page: Document,
  { signal, skip, unfold = false, fields = false }: ExtractOptions = {},
): Promise<PageText> {
  const builder = new TextBuilder();
  const roots: (Document | ShadowRoot)[] = [page];
  const closed = new Set<string>();
  let folded = 0;
  const pause = breathe(signal);
  const stack: OpenElement[] = [];
  enter(page.documentElement);
  for (let seen = 1; stack.length > 0; seen++) {
    if (seen % MAX_NODES_A_LOOK === 0) await pause();
    const open = stack.at(-1);
    const node = open && takeChild(open);
    if (!open || !node) {
      if (open) leave(open);
      stack.pop();
    } else if (node.nodeType === Node.TEXT_NODE) {
      if (open.display.shows) await read(node as Text, open.display);
    } else if (node.nodeType === Node.ELEMENT_NODE && node !== skip) enter(node as Element);
  }
  return builder.finish(roots, [...closed], folded);

  function enter(element: Element): void {
    const parent = stack.at(-1)?.display;
    if (fields && parent?.shows && isSeen(element)) builder.ofElement(wordsOf(element), element);
    const display = displayOf(element, parent, unfold);
    if (display.gone) return;
    if (isClosed(element)) folded++;
    if (display.lineBreak) return builder.lineBreak();
    if (display.newlines > 0) builder.endBlock(display.newlines);
    const shadow = shadowRootOf(element);
    if (shadow) roots.push(shadow);
    const inner = shadow ?? frameBody(element, roots) ?? element;
    if (inner === element) closed.add(hostOfClosedFrame(element)).delete("");
    const assigned = element.localName === "slot" ? (element as HTMLSlotElement).assignedNodes() : [];
    stack.push({
      next: inner.firstChild,
      list: assigned.length > 0 ? assigned : undefined,
      at: 0,
      display,
      headingStart: display.heading ? builder.position : -1,
    });
  }

  function leave({ display, headingStart }: OpenElement): void {
    if (headingStart >= 0) builder.addHeading(headingStart);
    if (display.newlines > 0) builder.endBlock(display.newlines);
    if (display.cell) builder.endCell();
  }

  async function read(node: Text, display: Display): Promise<void> {
    const { data } = node;
    for (let at = 0; at < data.length; at += MAX_CHARS_A_LOOK) {
      if (at > 0) await pause();
      const piece = data.length <= MAX_CHARS_A_LOOK ? data : data.slice(at, at + MAX_CHARS_A_LOOK);
      readPiece(builder, node, at, piece, display);
    }
  }
}

function takeChild(open: OpenElement): Node | undefined {
  if (open.list) return open.list[open.at++];
  const node = open.next;
  if (!node) return undefined;
  open.next = node.nextSibling;
  return node;
}

const COLLAPSIBLE = /[\t\n\r\f]| {2}|^ | $/;
const SPACES = /[ \t\n\r\f]+/g;
const SPACES_IN_LINE = /[ \t\r\f]+|\n/g;

function readPiece(builder: TextBuilder, node: Text, offset: number, piece: string, display: Display): void {
  if (display.spaces === "kept" || !COLLAPSIBLE.test(piece)) return builder.verbatim(piece, node, offset);
  let at = 0;
  for (const run of piece.matchAll(display.spaces === "lines" ? SPACES_IN_LINE : SPACES)) {
    builder.verbatim(piece.slice(at, run.index), node, offset + at);
    if (display.spaces === "lines" && run[0] === "\n") builder.verbatim("\n", node, offset + run.index);
    else builder.space(node, offset + run.index);
    at = run.index + run[0].length;
  }
  builder.verbatim(piece.slice(at), node, offset + at);
}

function shadowRootOf(element: Element): ShadowRoot | null {
  if (element.shadowRoot) return element.shadowRoot;
  // What a custom element shows is seen even where its root is closed; the browser lets extensions look.
  const custom = element.localName.includes("-") && element instanceof HTMLElement;
  return custom ? rootOf(element) : null;
}

/** Firefox has this on the element, Chrome in a name space of its own. */
export function rootOf(element: HTMLElement): ShadowRoot | null {
  const { openOrClosedShadowRoot } = element as { openOrClosedShadowRoot?: ShadowRoot | null };
  return openOrClosedShadowRoot === undefined
    ? chrome.dom.openOrClosedShadowRoot(element)
    : openOrClosedShadowRoot;
}

/** The body of a frame of the same origin; of others nothing may be known. */
function frameBody(element: Element, roots: (Document | ShadowRoot)[]): Element | undefined {
  if (element.localName !== "iframe" && element.localName !== "frame") return undefined;
  try {
    const inner = (element as HTMLIFrameElement).contentDocument;
    if (!inner?.body) return undefined;
    roots.push(inner);
    return inner.body;
  } catch {
    return undefined;
  }
}

/** Whose frame this is, if it is one that may not be looked into and is large enough to say something. */
function hostOfClosedFrame(element: Element): string {
  if (element.localName !== "iframe" && element.localName !== "frame") return "";
  const frame = element as HTMLIFrameElement;
  if (frame.clientWidth < MIN_FRAME_PX || frame.clientHeight < MIN_FRAME_PX) return "";
  try {
    const { host } = new URL(frame.src);
    return host === location.host ? "" : host;
  } catch {
    return "";
  }
}
