/**
 * Opens the bar in a tab: the top frame first and at once, other frames when they answer. A page that can hold no bar
 * gets one in a window of its own; where no extension may go, the toolbar button says so.
 */

import { OPEN_IN_READER } from "../messages";
import { styleFrames, styleTop } from "./style";

/**
 * Pauses before a refused press is tried again. The browser tells us of the press while it is still telling the page's
 * process of the right that the press gives, so that right after a navigation the first try can come too early; ten
 * milliseconds later the same call is answered.
 */
const RETRY_PAUSES_MS = [10, 30, 100, 300];
const WINDOW_SIZE = { width: 680, height: 440 };
const NOTICE_PAGE = "closed.html";

/** What the bar is to do once it is there: find more like the selection, or look for this. */
export type Errand = { type: "like" } | { type: "find"; query: string };

export async function openBar(tabId: number, errand?: Errand): Promise<void> {
  const target = { tabId, frameIds: [0] };
  for (const wait of [...RETRY_PAUSES_MS, undefined]) {
    try {
      await styleTop(tabId);
      if (errand) await giveErrand(tabId, errand);
      await chrome.scripting.executeScript({ target, files: ["page.js"], injectImmediately: true });
      break;
    } catch {
      if (await isReader(tabId)) return;
      if (wait === undefined) return sayClosed(tabId);
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
  void styleFrames(tabId).catch(() => undefined);
  try {
    await chrome.action.setBadgeText({ tabId, text: "" });
    const [top] = await chrome.scripting.executeScript({
      target,
      injectImmediately: true,
      func: () => globalThis.findallPage?.nonceForWindow(),
    });
    if (typeof top?.result === "string") await openWindow(tabId, top.result);
  } catch {
    // The page has gone meanwhile.
  }
}

/** The reader is a page of our own, which opens the bar by itself when it is told to. */
async function isReader(tabId: number): Promise<boolean> {
  const answer: unknown = await chrome.tabs.sendMessage(tabId, OPEN_IN_READER).catch(() => false);
  return answer === true;
}

/** Left where the page's script looks when it opens the bar; page scripts do not see it. */
async function giveErrand(tabId: number, errand: Errand): Promise<void> {
  await chrome.scripting.executeScript({
    target: { tabId, frameIds: [0] },
    injectImmediately: true,
    args: [errand],
    func: (errand) => {
      globalThis.findallErrand = errand;
    },
  });
}

async function openWindow(tabId: number, nonce: string): Promise<void> {
  const url = chrome.runtime.getURL(`bar.html?tab=${tabId}#${nonce}`);
  await chrome.windows.create({
    url,
    type: "popup",
    incognito: chrome.extension.inIncognitoContext,
    ...WINDOW_SIZE,
  });
}

/** The browser's own pages and its store let no extension in. A tab that is gone needs no word. */
async function sayClosed(tabId: number): Promise<void> {
  try {
    await chrome.action.setBadgeText({ tabId, text: "!" });
    await chrome.action.setTitle({
      tabId,
      title: "findall cannot look into this page: the browser keeps it closed",
    });
    const { windowId, url } = await chrome.tabs.get(tabId);
    // A file that the browser shows by itself can be read in a page of ours.
    const popup = /\.pdf($|[?#])/i.test(url ?? "") ? `${NOTICE_PAGE}#pdf` : NOTICE_PAGE;
    await chrome.action.setPopup({ tabId, popup });
    await chrome.action.openPopup({ windowId });
  } catch {
    // Closed meanwhile, or the window is not in front: the mark on the button must do.
  } finally {
    // The next press tries again.
    await chrome.action.setPopup({ tabId, popup: "" }).catch(() => undefined);
  }
}
