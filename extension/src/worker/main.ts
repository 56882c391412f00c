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

async function open(tabId: number): Promise<void> {
  try {
    await insertStyle(tabId);
    await chrome.scripting.executeScript({ target: { tabId }, files: ["page.js"] });
    await chrome.action.setBadgeText({ tabId, text: "" });
  } catch {
    // The browser's own pages, its store and its PDF viewer let no extension in.
    await chrome.action.setBadgeText({ tabId, text: "!" });
    await chrome.action.setTitle({
      tabId,
      title: "findall cannot look into this page: the browser keeps it closed",
    });
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
