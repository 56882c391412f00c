/**
 * The browser's own PDF viewer: it draws pictures of pages, but gives the text of all that is selected to the document
 * around it. So everything is selected and asked for. Where in the picture a word stands it does not say.
 */

import { extendLimit } from "../patience";
import { rootOf } from "./extract";
import { PageText } from "./text";

const VIEWER_ORIGIN = "chrome-extension://mhjfbmdgcfjbbpaeojofohoefgiehjai";
/** A viewer that has not answered by then still loads, or lets nobody in. */
const MAX_ANSWER_MS = 1000;
const MAX_TRIES = 10;

export function isPdf(page: Document): boolean {
  return page.contentType === "application/pdf";
}

/** The text of the PDF in the viewer; empty when the viewer gives none. */
export async function readPdf(page: Document, signal: AbortSignal): Promise<PageText> {
  const root = rootOf(page.body) ?? page.body;
  const most = extendLimit(MAX_TRIES);
  let text = "";
  for (let tries = 0; text === "" && tries < most; tries++) {
    signal.throwIfAborted();
    const viewer = root.querySelector("iframe")?.contentWindow;
    text = viewer ? await askSelectedText(viewer) : await waitForViewer();
  }
  return new PageText(text, { text: [], nodes: [], offsets: [], lengths: [] }, [], [], [], 0);
}

async function waitForViewer(): Promise<string> {
  await new Promise((resolve) => setTimeout(resolve, MAX_ANSWER_MS / 4));
  return "";
}

function askSelectedText(viewer: Window): Promise<string> {
  return new Promise((resolve) => {
    const done = (text: string): void => {
      window.removeEventListener("message", hear);
      clearTimeout(timer);
      resolve(text);
    };
    const hear = ({ data, origin, source }: MessageEvent<unknown>): void => {
      if (origin !== VIEWER_ORIGIN || source !== viewer) return;
      const reply = data as { type?: unknown; selectedText?: unknown };
      if (reply.type === "getSelectedTextReply" && typeof reply.selectedText === "string")
        done(reply.selectedText.replace(/\r\n?/g, "\n"));
    };
    const timer = setTimeout(() => done(""), MAX_ANSWER_MS);
    window.addEventListener("message", hear);
    viewer.postMessage({ type: "selectAll" }, VIEWER_ORIGIN);
    viewer.postMessage({ type: "getSelectedText" }, VIEWER_ORIGIN);
  });
}
