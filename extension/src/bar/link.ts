/** The bar's line to the page's script: puts the text together from what arrives, and passes the rest on. */

import { type FromPage, MAX_TEXT_UNITS, PAGE_PORT, type ToPage, parseFromPage } from "../messages";

export interface PageNews {
  version: number;
  text: string;
  url: string;
  title: string;
  headings: { start: number; end: number }[];
  seen: { start: number; end: number };
  frames: number;
  closed: string[];
  folded: number;
  pdf: boolean;
}

export interface LinkListener {
  page: (news: PageNews) => void;
  other: (message: Exclude<FromPage, { type: "page" | "chunk" }>) => void;
  lost: () => void;
}

/** Firefox lets a frame inside a page know nothing of tabs: there the background joins it to its page. */
async function connectPage(tab: number | undefined): Promise<chrome.runtime.Port> {
  const { tabs } = chrome as Partial<typeof chrome>;
  if (!tabs) return chrome.runtime.connect({ name: PAGE_PORT });
  const id = tab ?? (await tabs.getCurrent())?.id;
  if (id === undefined) throw new Error("the bar is not in a page");
  return tabs.connect(id, { name: PAGE_PORT, frameId: 0 });
}

export class PageLink {
  private port: chrome.runtime.Port | undefined;
  /** What is said before the page can hear it. */
  private unsaid: ToPage[] = [];
  private text = "";
  private arrivingPage: (Extract<FromPage, { type: "page" }> & { pieces: string[] }) | undefined;

  constructor(private readonly listener: LinkListener) {}

  /** `tab` names the page's tab where the bar is not in it but in a window of its own. */
  async connect(nonce: string, tab: number | undefined): Promise<void> {
    const port = await connectPage(tab);
    port.onMessage.addListener((message: unknown) => this.receive(message));
    port.onDisconnect.addListener(() => this.listener.lost());
    this.port = port;
    this.say({ type: "hello", nonce });
    for (const message of this.unsaid.splice(0)) this.say(message);
  }

  say(message: ToPage): void {
    if (this.port) this.port.postMessage(message);
    else this.unsaid.push(message);
  }

  private receive(raw: unknown): void {
    const message = parseFromPage(raw);
    if (!message) return;
    if (message.type === "page") this.arrivingPage = { ...message, pieces: [] };
    else if (message.type === "chunk") this.chunk(message);
    else this.listener.other(message);
  }

  private chunk({ version, text, last }: Extract<FromPage, { type: "chunk" }>): void {
    const { arrivingPage } = this;
    if (arrivingPage?.version !== version) return;
    arrivingPage.pieces.push(text);
    if (!last) return;
    this.arrivingPage = undefined;
    const { keepStart, keepEnd, headings, seen, url, title, frames, closed, folded, pdf } = arrivingPage;
    if (keepStart + keepEnd > this.text.length) return;
    const before = this.text;
    const whole =
      before.slice(0, keepStart) + arrivingPage.pieces.join("") + before.slice(before.length - keepEnd);
    this.text = whole.slice(0, MAX_TEXT_UNITS);
    this.listener.page({
      version,
      text: this.text,
      url,
      title,
      headings: headings.filter(({ end }) => end <= this.text.length),
      seen,
      frames,
      closed,
      folded,
      pdf,
    });
  }
}
