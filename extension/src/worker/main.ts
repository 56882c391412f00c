/**
 * The service worker: opens the bar when asked to, and is the only part that speaks with the server. It listens to the
 * extension's own pages and to nothing else.
 */

import { ENGINE_PORT, type FromWorker, WORKER_PORT, isOurPage, parseToWorker } from "../messages";
import { answer, failureOf, insertStyle } from "./calls";
import { lockStorage } from "./keep";

void lockStorage();

chrome.runtime.onInstalled.addListener(({ reason }) => {
  if (reason === "install") void chrome.runtime.openOptionsPage();
});

chrome.action.onClicked.addListener((tab) => {
  if (tab.id !== undefined) void open(tab.id);
});

/**
 * Pauses before a refused press is tried again. The browser tells us of the press while it is still telling the page's
 * process of the right that the press gives, so that right after a navigation the first try can come too early; ten
 * milliseconds later the same call is answered.
 */
const AGAIN_MS = [10, 30, 100, 300];

async function open(tabId: number): Promise<void> {
  for (const wait of [...AGAIN_MS, undefined]) {
    try {
      await insertStyle(tabId);
      await chrome.scripting.executeScript({ target: { tabId }, files: ["page.js"] });
      return await chrome.action.setBadgeText({ tabId, text: "" });
    } catch {
      if (wait === undefined) return sayClosed(tabId);
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
}

/** The browser's own pages, its store and its PDF viewer let no extension in. A tab that is gone needs no word. */
async function sayClosed(tabId: number): Promise<void> {
  try {
    await chrome.action.setBadgeText({ tabId, text: "!" });
    await chrome.action.setTitle({
      tabId,
      title: "findall cannot look into this page: the browser keeps it closed",
    });
  } catch {
    // Closed meanwhile.
  }
}

chrome.runtime.onConnect.addListener((port) => {
  // The engine's own page answers there.
  if (port.name === ENGINE_PORT) return;
  if (port.name !== WORKER_PORT || !isOurPage(port.sender)) return port.disconnect();
  const running = new Map<number, AbortController>();
  const say = (message: FromWorker): void => {
    try {
      port.postMessage(message);
    } catch {
      // The bar has been closed.
    }
  };
  port.onMessage.addListener((raw: unknown) => {
    const message = parseToWorker(raw);
    if (!message) return;
    const { id } = message;
    if ("cancel" in message) return running.get(id)?.abort();
    const abort = new AbortController();
    running.set(id, abort);
    const context = {
      tab: port.sender?.tab?.id,
      signal: abort.signal,
      event: (event: unknown) => say({ id, event }),
    };
    answer(message.call, message.params, context)
      .then(
        (value) => say({ id, value }),
        (error: unknown) => say({ id, error: failureOf(error) }),
      )
      .finally(() => running.delete(id));
  });
  port.onDisconnect.addListener(() => {
    for (const abort of running.values()) abort.abort();
  });
});
