/** The other open tabs: what they say, for who looks in all of them, and the way there. The right to it is asked for. */

import { extendLimit } from "../patience";
import { openBar } from "./open";

export interface TabText {
  tab: number;
  title: string;
  url: string;
  text: string;
}

const MAX_TABS = 60;
/** Of a longer page the beginning is searched. */
const MAX_TEXT_UNITS = 1 << 20;
/** A tab that has not answered by then sleeps or hangs. */
const MAX_ANSWER_MS = 5000;

/** What every other tab of the same sort of window says; those that no extension may look into are left out. */
export async function readTabs(own: number | undefined): Promise<{ tabs: TabText[]; closed: number }> {
  const all = await chrome.tabs.query({ discarded: false });
  const others = all.filter(
    ({ id, url, incognito }) =>
      id !== undefined &&
      id !== own &&
      incognito === chrome.extension.inIncognitoContext &&
      /^(https?|file):/.test(url ?? ""),
  );
  const read = await Promise.all(others.slice(0, MAX_TABS).map(readTab));
  const tabs = read.filter((each) => each !== undefined);
  return { tabs, closed: all.length - tabs.length - (own === undefined ? 0 : 1) };
}

async function readTab({ id, title, url }: chrome.tabs.Tab): Promise<TabText | undefined> {
  const target = { tabId: id ?? 0 };
  const read = chrome.scripting.executeScript({
    target,
    injectImmediately: true,
    args: [MAX_TEXT_UNITS],
    func: (longest) => document.body.innerText.slice(0, longest),
  });
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, extendLimit(MAX_ANSWER_MS)));
  const [top] = (await Promise.race([read, late]).catch(() => undefined)) ?? [];
  const text: unknown = top?.result;
  if (typeof text !== "string") return undefined;
  return { tab: target.tabId, title: title ?? "", url: url ?? "", text };
}

/** Brings a tab to the front, with the bar looking for the same. */
export async function showTab(tabId: number, query: string): Promise<void> {
  const { windowId } = await chrome.tabs
    .update(tabId, { active: true })
    .then((tab) => tab ?? { windowId: 0 });
  if (windowId > 0) await chrome.windows.update(windowId, { focused: true });
  await openBar(tabId, { type: "find", query });
}
