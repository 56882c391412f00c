/**
 * The bar's place in the page: one element with a closed shadow root, holding the bar in a frame of the extension's own
 * origin. Page scripts can reach neither: not its text, not the keys typed into it. It lies in the browser's top layer,
 * above any z-index.
 */

import { DEFAULT_LAYOUT, type Layout, ownAddress } from "../messages";
import { Rings } from "./rings";
import { Ticks } from "./ticks";

const DEFAULT_WIDTH_PX = 640;
const MARGIN_PX = 12;
/** So much of the bar stays in the window, wherever it is put. */
const MIN_SEEN_PX = 56;
/** Beside it stand the marks. */
const RIGHT_MARGIN_PX = MARGIN_PX + 8;
/** A page that keeps removing the bar wins after so many tries. */
const MAX_RETURNS = 5;

export class BarFrame {
  readonly host: HTMLElement;
  readonly ticks: Ticks;
  readonly rings: Rings;
  readonly nonce: string;
  private readonly frame: HTMLIFrameElement;
  private readonly removal: MutationObserver;
  private returns = 0;
  private layout: Layout = DEFAULT_LAYOUT;
  /** Resolves when the browser has put something into the frame: the bar, or nothing where a sandbox forbids scripts. */
  readonly whenLoaded: Promise<void>;

  constructor(
    private readonly page: Document,
    private readonly lost: () => void,
  ) {
    // Pages over plain HTTP have no `randomUUID`.
    this.nonce = Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(16)).join("");
    this.host = page.createElement("div");
    this.host.setAttribute("popover", "manual");
    this.host.style.cssText =
      "all: initial !important; position: fixed !important; inset: 0 !important; width: 100% !important; " +
      "height: 100% !important; pointer-events: none !important; background: none !important; border: 0 !important; " +
      "padding: 0 !important; margin: 0 !important; overflow: visible !important; z-index: 2147483647 !important;";
    const root = this.host.attachShadow({ mode: "closed" });
    this.frame = page.createElement("iframe");
    this.frame.title = "findall";
    this.frame.src = `${barAddress()}#${this.nonce}`;
    this.frame.style.cssText =
      `position: fixed; top: ${MARGIN_PX}px; right: ${RIGHT_MARGIN_PX}px; width: min(${DEFAULT_WIDTH_PX}px, calc(100% - ${MARGIN_PX + RIGHT_MARGIN_PX}px)); ` +
      "height: 56px; max-height: calc(100vh - 24px); border: 0; border-radius: 12px; pointer-events: auto; " +
      // Forced colours take the shadow and show the outline.
      "outline: 2px solid transparent; box-shadow: 0 0 0 1px rgb(15 23 42 / 0.18), 0 10px 30px rgb(15 23 42 / 0.28); " +
      "color-scheme: light dark; background: Canvas;";
    this.whenLoaded = new Promise((resolve) => this.frame.addEventListener("load", () => resolve()));
    this.ticks = new Ticks(page);
    this.rings = new Rings(page);
    root.append(this.rings.layer, this.ticks.canvas, this.frame);
    this.removal = new MutationObserver(() => {
      if (!this.host.isConnected) this.comeBack();
    });
  }

  attach(): void {
    this.parent().append(this.host);
    this.host.showPopover();
    // Only the parents' own children: cheap, whatever the page does deeper down.
    this.removal.observe(this.page.documentElement, { childList: true });
    if (this.host.parentNode && this.host.parentNode !== this.page.documentElement) {
      this.removal.observe(this.host.parentNode, { childList: true });
    }
  }

  /** Given twice, the focus would leave the field for the bar's body: the bar takes it itself when it is there. */
  focus(): void {
    if (this.page.activeElement !== this.host) this.frame.focus();
  }

  /** The bar is elsewhere; the marks stay. */
  giveUpFrame(): void {
    this.frame.remove();
  }

  /** What it hides of the page. */
  get box(): DOMRect {
    return this.frame.getBoundingClientRect();
  }

  covers(box: DOMRect): boolean {
    return boxesOverlap(this.box, box);
  }

  /** Moves to the other side of the window if it does not cover that box there. */
  stepAside(box: DOMRect): void {
    if (this.layout.dock !== "float") return;
    const { left, right, top, width, height } = this.box;
    const onLeft = left < window.innerWidth - right;
    const there = onLeft ? window.innerWidth - RIGHT_MARGIN_PX - width : MARGIN_PX;
    if (boxesOverlap(new DOMRect(there, top, width, height), box)) return;
    this.frame.style.left = onLeft ? "auto" : `${MARGIN_PX}px`;
    this.frame.style.right = onLeft ? `${RIGHT_MARGIN_PX}px` : "auto";
  }

  setHeight(pixels: number): void {
    this.height = pixels;
    if (this.layout.dock === "float") this.frame.style.height = `${pixels}px`;
  }

  private height = MIN_SEEN_PX;

  /** Puts the bar where the person wants it, as far as the window goes. */
  setLayout(layout: Layout): void {
    this.layout = layout;
    const { style } = this.frame;
    const docked = layout.dock !== "float";
    // In the style's own terms, so that it holds when the window changes.
    const width = `min(${layout.width}px, calc(100% - ${MARGIN_PX + RIGHT_MARGIN_PX}px))`;
    const right = `max(0px, min(${layout.right}px, calc(100% - ${width})))`;
    const top = `max(0px, min(${layout.top}px, calc(100vh - ${MIN_SEEN_PX}px)))`;
    style.width = width;
    style.left = layout.dock === "left" ? "0" : "auto";
    style.right = docked ? (layout.dock === "right" ? `${RIGHT_MARGIN_PX - MARGIN_PX}px` : "auto") : right;
    style.top = docked ? "0" : top;
    style.height = docked ? "100vh" : `${this.height}px`;
    style.maxHeight = docked ? "100vh" : `calc(100vh - ${top} - ${MARGIN_PX}px)`;
    style.borderRadius = docked ? "0" : "12px";
  }

  remove(): void {
    this.removal.disconnect();
    this.host.remove();
  }

  /** A modal dialog makes everything outside it inert, so the bar goes inside. */
  private parent(): Element {
    const modals = this.page.querySelectorAll("dialog:modal");
    return modals[modals.length - 1] ?? this.page.documentElement;
  }

  private comeBack(): void {
    if (++this.returns > MAX_RETURNS) {
      this.removal.disconnect();
      this.lost();
    } else {
      this.parent().append(this.host);
      this.host.showPopover();
    }
  }
}

/** The reader may hold pages of its own origin only; other pages get the address that they cannot guess. */
function barAddress(): string {
  const own = `${ownAddress()}bar.html`;
  return location.href.startsWith(ownAddress()) ? own : chrome.runtime.getURL("bar.html");
}

function boxesOverlap(one: DOMRect, other: DOMRect): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}
