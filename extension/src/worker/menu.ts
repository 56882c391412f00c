/** The entries of the page's context menu: find what is selected, or more like it. */

import { openBar } from "./open";

export const FIND = "find";
export const LIKE = "like";

/** Made anew whenever the extension is: the browser remembers them until then. */
export function makeMenu(): void {
  chrome.contextMenus.removeAll(() => {
    chrome.contextMenus.create({ id: FIND, title: "Find “%s” on this page", contexts: ["selection"] });
    chrome.contextMenus.create({ id: LIKE, title: "Find more like “%s”", contexts: ["selection"] });
  });
}

export function handleMenuClick(
  { menuItemId }: chrome.contextMenus.OnClickData,
  tab: chrome.tabs.Tab | undefined,
): void {
  if (tab?.id !== undefined) void openBar(tab.id, menuItemId === LIKE ? { type: "like" } : undefined);
}
