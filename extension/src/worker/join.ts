/** Joins a bar to the script of the page that it is in, where the bar cannot do so itself (Firefox). */

import { PAGE_PORT } from "../messages";

/** Passes on what either says, until one of them goes. */
export function joinToPage(bar: chrome.runtime.Port): void {
  const tab = bar.sender?.tab?.id;
  if (tab === undefined) return bar.disconnect();
  const page = chrome.tabs.connect(tab, { name: PAGE_PORT, frameId: 0 });
  bar.onMessage.addListener((message: unknown) => page.postMessage(message));
  page.onMessage.addListener((message: unknown) => bar.postMessage(message));
  bar.onDisconnect.addListener(() => page.disconnect());
  page.onDisconnect.addListener(() => bar.disconnect());
}
