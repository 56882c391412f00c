/** A PDF in a tab, for the reader: its bytes from the page that shows it, its text from the server or the viewer. */

import { CallError } from "./client";

/** What the server takes, less what Base64 adds. */
const MAX_FILE_BYTES = 23 << 20;

export interface PdfFile {
  url: string;
  /** In Base64; empty when the page could not get them again. */
  bytes: string;
  /** What the viewer says, where it says something. */
  text: string;
}

/** Gets a tab's PDF by its own page, which may do so again. */
export async function pdfOfTab(tabId: number): Promise<PdfFile> {
  try {
    const [top] = await chrome.scripting.executeScript({
      target: { tabId, frameIds: [0] },
      injectImmediately: true,
      args: [MAX_FILE_BYTES],
      func: fetchOwnFile,
    });
    if (top?.result) return top.result;
  } catch {
    // The tab has gone, or lets nobody in any more.
  }
  throw new CallError({ code: "no_file", message: "the file could not be got from its tab; choose it here" });
}

/** Runs in the page. */
async function fetchOwnFile(largest: number): Promise<PdfFile> {
  const text = globalThis.findallPage?.text ?? "";
  const url = location.href;
  try {
    const blob = await (await fetch(url)).blob();
    if (blob.size > largest) return { url, bytes: "", text };
    const bytes = await new Promise<string>((resolve) => {
      const file = new FileReader();
      file.onload = () => resolve((file.result as string).replace(/^[^,]*,/, ""));
      file.readAsDataURL(blob);
    });
    return { url, bytes, text };
  } catch {
    return { url, bytes: "", text };
  }
}

export async function openReader(tab: number | undefined): Promise<void> {
  const from = tab === undefined ? "" : `?tab=${tab}`;
  await chrome.tabs.create({
    url: chrome.runtime.getURL(`reader.html${from}`),
    ...(tab === undefined ? {} : { openerTabId: tab }),
  });
}
