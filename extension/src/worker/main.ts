/**
 * The service worker: opens the bar when asked to, and is the only part that speaks with the server. It takes
 * calls from the extension's own pages and from nothing else.
 */

import {
  ENGINE_PORT,
  FRAME_LACKS_STYLE,
  type FromWorker,
  PAGE_PORT,
  WORKER_PORT,
  isOurPage,
  parseToWorker,
} from "../messages";
import { answer, failureOf } from "./calls";
import { takeCallsInBackground } from "./engine";
import { lockStorage } from "./keep";
import { makeMenu, handleMenuClick } from "./menu";
import { openBar } from "./open";
import { joinToPage } from "./join";
import { styleFrame } from "./style";

void lockStorage();
takeCallsInBackground();

chrome.runtime.onInstalled.addListener(({ reason }) => {
  makeMenu();
  if (reason === "install") void chrome.runtime.openOptionsPage();
});

chrome.action.onClicked.addListener((tab) => {
  if (tab.id !== undefined) void openBar(tab.id);
});

chrome.contextMenus.onClicked.addListener(handleMenuClick);

// The one thing that a content script may ask for: how highlights look, for its own frame.
chrome.runtime.onMessage.addListener((message: unknown, { id, tab, frameId }) => {
  if (message !== FRAME_LACKS_STYLE || id !== chrome.runtime.id) return;
  if (tab?.id !== undefined && frameId !== undefined) void styleFrame(tab.id, frameId).catch(() => undefined);
});

chrome.runtime.onConnect.addListener((port) => {
  // The engine's own page answers there.
  if (port.name === ENGINE_PORT) return;
  if (port.name === PAGE_PORT && isOurPage(port.sender)) return joinToPage(port);
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
