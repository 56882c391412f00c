/**
 * What findall does inside a page: it reads the text for the bar, paints what the bar found, and brings places into
 * view. It holds no token and speaks to nothing but the bar, over a port that page scripts cannot see.
 */

import { commonEnd, commonStart } from "../edits";
import { KINDS } from "../engine/engine";
import {
  MAX_CHUNK_UNITS,
  type FromPage,
  MAX_TEXT_UNITS,
  MAX_CLOSED_HOSTS,
  PAGE_PORT,
  type ToPage,
  isOurPage,
  ownAddress,
  parseToPage,
} from "../messages";
import { breathe, nextTask } from "../slices";
import { extract } from "./extract";
import { BarFrame } from "./frame";
import { type PaintedPlace, Painter } from "./highlight";
import { isPdf, readPdf } from "./pdf";
import { boxInPage, scrollIntoView, seenOf } from "./scroll";
import type { PageText } from "./text";
import { Watcher } from "./watch";

/** A bar that has loaded says hello within this time, or never will: its scripts are forbidden. */
const MAX_HELLO_MS = 2000;

class PageSide {
  private frame: BarFrame | undefined;
  /** Resolves when the bar has said hello. */
  private whenGreeted: Promise<void> | undefined;
  private greet: () => void = () => undefined;
  private inWindow = false;
  /** What is read besides: closed parts of the page, form fields and texts of pictures. */
  private besides = { unfold: false, fields: false };
  private port: chrome.runtime.Port | undefined;
  private focusBefore: Element | null = null;
  private page: PageText | undefined;
  /** The text that the bar has. */
  private sent = "";
  /** Keys pressed before the bar was there to take them. */
  private typedText = "";
  private typedSteps: ("next" | "previous")[] = [];
  private version = 0;
  private shownPlaces: PaintedPlace[] = [];
  private current = -1;
  /** Whether what the bar told last is what is painted. */
  private isListPainted = false;
  /** Where the bar has gone in a list that is not painted yet. */
  private awaitedPlace: number | undefined;
  private readonly painter = new Painter();
  private readonly watcher = new Watcher(
    () => void this.read(),
    (node) => node === this.frame?.host,
  );
  private readAbort: AbortController | undefined;
  private paintAbort: AbortController | undefined;
  private selectionTimer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    chrome.runtime.onConnect.addListener((port) => this.acceptPort(port));
  }

  /** The shortcut or the toolbar button was pressed. */
  open(): void {
    if (this.frame) {
      // Until it has said hello, nobody in there hears keys.
      if (this.port) this.frame.focus();
      this.sayOpened();
      return;
    }
    this.focusBefore = document.activeElement;
    this.frame = new BarFrame(document, () => this.close());
    this.whenGreeted = new Promise((resolve) => (this.greet = resolve));
    this.inWindow = false;
    this.besides = { unfold: false, fields: false };
    this.frame.attach();
    window.addEventListener("keydown", this.key, true);
    window.addEventListener("click", this.click, true);
    document.addEventListener("input", this.handleFieldChange, true);
    document.addEventListener("selectionchange", this.handleSelectionChange);
    window.addEventListener("resize", this.redrawTicks);
    // While the bar loads, the page is read.
    void this.read();
  }

  /**
   * A page in a sandbox puts the bar into it, too, where it cannot run. Then this gives what a bar in a window of its
   * own needs to be let in.
   */
  async nonceForWindow(): Promise<string | undefined> {
    const { frame } = this;
    if (!frame || this.isConnected() || this.inWindow) return undefined;
    if (self.origin !== "null") {
      const blank = frame.whenLoaded.then(() => new Promise((resolve) => setTimeout(resolve, MAX_HELLO_MS)));
      await Promise.race([this.whenGreeted, blank]);
    }
    if (this.isConnected() || frame !== this.frame) return undefined;
    this.inWindow = true;
    frame.giveUpFrame();
    return frame.nonce;
  }

  /** What was read of the page. */
  get text(): string {
    return this.page?.text ?? "";
  }

  private isConnected(): boolean {
    return this.port !== undefined;
  }

  private close(): void {
    this.readAbort?.abort();
    this.paintAbort?.abort();
    this.watcher.stop();
    this.painter.clear();
    this.frame?.rings.clear();
    this.frame?.remove();
    this.frame = undefined;
    this.port?.disconnect();
    this.port = undefined;
    this.page = undefined;
    this.sent = "";
    this.shownPlaces = [];
    this.isListPainted = false;
    this.awaitedPlace = undefined;
    this.typedText = "";
    this.typedSteps = [];
    window.removeEventListener("keydown", this.key, true);
    window.removeEventListener("click", this.click, true);
    document.removeEventListener("input", this.handleFieldChange, true);
    document.removeEventListener("selectionchange", this.handleSelectionChange);
    window.removeEventListener("resize", this.redrawTicks);
    if (this.focusBefore instanceof HTMLElement) this.focusBefore.focus({ preventScroll: true });
  }

  private acceptPort(port: chrome.runtime.Port): void {
    // In Firefox the background speaks for the bar.
    const from = ownAddress().startsWith("moz-") ? ownAddress() : `${ownAddress()}bar.html`;
    const fromBar = isOurPage(port.sender) && (port.sender?.url?.startsWith(from) ?? false);
    if (port.name !== PAGE_PORT || !fromBar) return;
    port.onMessage.addListener((raw: unknown) => {
      const message = parseToPage(raw);
      if (!message) return;
      // Only the frame made here knows the nonce; a page that embeds the bar itself gets no answer.
      if (message.type === "hello") {
        if (!this.frame || message.nonce !== this.frame.nonce) return port.disconnect();
        this.port?.disconnect();
        this.port = port;
        this.greet();
        this.sent = "";
        this.frame.focus();
        this.sayOpened();
        if (this.page) void this.send(this.page);
      } else if (port === this.port) this.answer(message);
    });
    port.onDisconnect.addListener(() => {
      if (port !== this.port) return;
      this.port = undefined;
      if (this.inWindow) this.close();
    });
  }

  private answer(message: ToPage): void {
    switch (message.type) {
      case "show":
        return void this.show(message);
      case "go":
        return this.go(message.index);
      case "height":
        this.frame?.setHeight(message.pixels);
        return this.uncover();
      case "layout":
        this.frame?.setLayout(message.layout);
        return this.uncover();
      case "include":
        this.besides = { unfold: message.unfold, fields: message.fields };
        return void this.read();
      case "close":
        return this.close();
    }
  }

  private say(message: FromPage): void {
    this.port?.postMessage(message);
  }

  private sayOpened(): void {
    const errand = globalThis.findallErrand;
    globalThis.findallErrand = this.port ? undefined : errand;
    const like = errand?.type === "like";
    // Whoever looks for more like the selection keeps the query; what the bar is called to find replaces it.
    const selected = errand?.type === "find" ? errand.query : like ? "" : readSelection();
    this.say({ type: "opened", selected, typed: this.typedText, like });
    if (this.port) {
      this.typedText = "";
      this.sayTypedSteps();
    }
    this.handleSelectionChange();
  }

  private sayTypedSteps(): void {
    for (const key of this.typedSteps.splice(0)) this.say({ type: "key", key });
  }

  /** Reads the page and sends the bar what has changed since. */
  private async read(): Promise<void> {
    this.readAbort?.abort();
    const { signal } = (this.readAbort = new AbortController());
    const begun = performance.now();
    try {
      const page = isPdf(document)
        ? await readPdf(document, signal)
        : await extract(document, { signal: signal, skip: this.frame?.host, ...this.besides });
      signal.throwIfAborted();
      // The viewer takes the focus when it has loaded.
      if (isPdf(document) && this.port) this.frame?.focus();
      this.page = page;
      this.watcher.watch(page.roots, performance.now() - begun);
      await this.send(page);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  /** Without a bar nothing is sent; it gets what there is when it comes. */
  private async send(page: PageText): Promise<void> {
    if (!this.port) return;
    const signal = this.readAbort?.signal;
    const text = page.text.slice(0, MAX_TEXT_UNITS);
    const before = this.sent;
    const keepStart = commonStart(before, text);
    const keepEnd = commonEnd(before, text, keepStart);
    this.sent = text;
    this.version++;
    const { version } = this;
    this.say({
      type: "page",
      version,
      url: globalThis.findallSource ?? location.href,
      title: document.title,
      keepStart,
      keepEnd,
      headings: page.headings.slice(0, 500),
      seen: seenOf(page, window.innerHeight),
      frames: page.roots.filter((root) => root.nodeType === Node.DOCUMENT_NODE).length,
      closed: page.closedHosts.slice(0, MAX_CLOSED_HOSTS),
      folded: page.foldedCount,
      pdf: isPdf(document),
    });
    const end = text.length - keepEnd;
    for (let at = keepStart; at < end || at === keepStart; at += MAX_CHUNK_UNITS) {
      const piece = text.slice(at, Math.min(end, at + MAX_CHUNK_UNITS));
      this.say({ type: "chunk", version, text: piece, last: at + MAX_CHUNK_UNITS >= end });
      await nextTask();
      if (signal?.aborted) {
        // The bar has half a text: the next one starts from nothing.
        if (at + MAX_CHUNK_UNITS < end) this.sent = "";
        return;
      }
    }
    // What was selected before the bar knew the text has no place there until now.
    this.handleSelectionChange();
  }

  private async show({ version, list, places, current }: Extract<ToPage, { type: "show" }>): Promise<void> {
    // Whoever went to a place of a list that was never painted is at the current one of this.
    if (this.awaitedPlace !== undefined) this.awaitedPlace = current < 0 ? undefined : current;
    this.isListPainted = false;
    if (version !== this.version || !this.page) return;
    this.paintAbort?.abort();
    const { signal } = (this.paintAbort = new AbortController());
    const shown: PaintedPlace[] = [];
    let missing = 0;
    const indices: number[] = [];
    const pause = breathe();
    for (let at = 0; at < places.length; at += 3) {
      const kind = KINDS[places[at + 2] ?? 0];
      const place = this.page.placeOf({ start: places[at] ?? 0, end: places[at + 1] ?? 0 });
      indices.push(place ? shown.length : -1);
      if (place && kind) shown.push({ place, kind });
      else missing++;
      if (at % 384 === 0) await pause();
      if (signal.aborted) return;
    }
    try {
      await this.painter.paint(shown, signal);
      this.shownPlaces = shown;
      this.indices = indices;
      this.isListPainted = true;
      this.current = indices[current] ?? -1;
      this.painter.setCurrent(this.shownPlaces[this.current]?.place);
      this.frame?.rings.draw(shown, this.shownPlaces[this.current]?.place);
      const near = Math.max(0, indices.indexOf(this.painter.nearest()));
      this.say({ type: "shown", list, missing, near });
      if (this.awaitedPlace !== undefined) this.go(this.awaitedPlace);
      await this.frame?.ticks.draw(shown, this.current, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    // A place that is gone means that the page has changed under us.
    if (missing > 0 && !isPdf(document)) void this.read();
  }

  /** For each place asked for, which of the shown ones it is. */
  private indices: number[] = [];

  private go(index: number): void {
    this.awaitedPlace = this.isListPainted ? undefined : index;
    if (!this.isListPainted) return;
    this.current = this.indices[index] ?? -1;
    const painted = this.shownPlaces[this.current];
    if (painted) openParentsOf(painted.place.startContainer);
    this.painter.setCurrent(painted?.place);
    if (painted) scrollIntoView(painted.place, this.frame?.box);
    this.uncover();
    this.frame?.rings.draw(this.shownPlaces, painted?.place);
    this.painter.follow();
    this.redrawTicks();
  }

  /** Keeps the current place in sight: the page is scrolled or, where that does not help, the bar steps aside. */
  private uncover(): void {
    const place = this.shownPlaces[this.current]?.place;
    if (!place || !this.frame?.covers(boxInPage(place))) return;
    scrollIntoView(place, this.frame.box);
    const box = boxInPage(place);
    if (this.frame.covers(box)) this.frame.stepAside(box);
  }

  private readonly redrawTicks = (): void => {
    const { signal } = (this.paintAbort ??= new AbortController());
    this.frame?.ticks.draw(this.shownPlaces, this.current, signal).catch(() => undefined);
  };

  /** Keys pressed while the page has the focus. */
  private readonly key = (event: KeyboardEvent): void => {
    if (!event.isTrusted) return;
    // The bar has the focus or is about to get it, but this key was already on its way here.
    const isForBar = !this.port || document.activeElement === this.frame?.host;
    if (isTyping(event) && isForBar) {
      this.typedText = event.key === "Backspace" ? this.typedText.slice(0, -1) : this.typedText + event.key;
      if (this.port) this.sayOpened();
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    }
    const command = event.ctrlKey || event.metaKey;
    const again =
      event.key === "F3" ||
      (event.key.toLowerCase() === "g" && command) ||
      (event.key === "Enter" && isForBar && !command && !event.altKey && !event.isComposing);
    if (again) {
      this.typedSteps.push(event.shiftKey ? "previous" : "next");
      if (this.port) this.sayTypedSteps();
    } else if (event.key === "Escape" && !this.port) this.close();
    else if (event.key === "Escape") this.say({ type: "key", key: "close" });
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };

  /** No observer is told what a person types into a field. */
  private readonly handleFieldChange = (): void => {
    if (this.besides.fields && this.frame) this.watcher.touch();
  };

  /** A click on a mark beside the scrollbar leads to its place. */
  private readonly click = (event: MouseEvent): void => {
    const painted = event.isTrusted ? this.frame?.ticks.at(event.clientX, event.clientY) : undefined;
    const index = painted === undefined ? -1 : this.indices.indexOf(painted);
    if (index < 0) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    this.say({ type: "mark", index });
  };

  private readonly handleSelectionChange = (): void => {
    clearTimeout(this.selectionTimer);
    this.selectionTimer = setTimeout(() => {
      const selection = document.getSelection();
      const range =
        selection && selection.rangeCount > 0 && !selection.isCollapsed ? selection.getRangeAt(0) : null;
      this.say({ type: "selection", span: (range && this.page?.spanOf(range)) ?? null });
    }, 150);
  };
}

/** Opens every closed part that a place lies in, as a person would. */
function openParentsOf(node: Node): void {
  for (let part = node.parentElement; part; part = part.parentElement)
    if (part.localName === "details" && !part.querySelector(":scope > summary")?.contains(node))
      part.setAttribute("open", "");
}

function isTyping({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return (key.length === 1 || key === "Backspace") && !ctrlKey && !metaKey && !altKey;
}

function readSelection(): string {
  const selected = document.getSelection()?.toString().replace(/\s+/g, " ").trim() ?? "";
  return selected.length <= 200 ? selected : "";
}

declare global {
  // One for each page, however often the script is put in.
  var findallPage: PageSide | undefined;
  // Where the reader's text is from; pages have no access to it.
  var findallSource: string | undefined;
  // What the bar is called for, if not to be typed into.
  var findallErrand: { type: "like" } | { type: "find"; query: string } | undefined;
}

(globalThis.findallPage ??= new PageSide()).open();
