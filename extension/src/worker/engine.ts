/**
 * Starts the engine inside the browser. In Chrome it lives in a page that is not seen, because a service worker may be
 * ended at any moment and would lose the models each time; that page ends itself when nobody has asked it for a while.
 * In Firefox the background is a page itself, and its threads can be started from there.
 */

import { IS_ENGINE_THERE } from "../messages";
import { takeEngineCalls } from "../offscreen/ports";

const ENGINE_PAGE = "offscreen.html";
/** How long the models stay in memory without a bar. */
const MAX_IDLE_MS = 60_000;
/** A page that does not hear yet is asked again after this. */
const LISTENING_POLL_MS = 50;
let starting: Promise<void> | undefined;

/** Firefox has no pages that are not seen. */
export function isFirefox(): boolean {
  return (chrome as Partial<typeof chrome>).offscreen === undefined;
}

/** Has the background answer bars itself where no other page can. */
export function takeCallsInBackground(): void {
  if (!isFirefox()) return;
  let idle: ReturnType<typeof setTimeout> | undefined;
  takeEngineCalls(
    (threads) => (idle = setTimeout(() => threads.end(), MAX_IDLE_MS)),
    () => clearTimeout(idle),
  );
}

/** Ends when the engine takes calls: what is said to a page that is still loading is lost, and nobody says so. */
export async function startEngine(): Promise<void> {
  if (isFirefox()) return;
  starting ??= openEnginePage().finally(() => (starting = undefined));
  await starting;
}

async function openEnginePage(): Promise<void> {
  // One that a worker before this had made may still be loading, and one that was idle for long may just be closing.
  while (await chrome.offscreen.hasDocument()) {
    if (await isListening()) return;
    await new Promise((resolve) => setTimeout(resolve, LISTENING_POLL_MS));
  }
  await chrome.offscreen.createDocument({
    url: ENGINE_PAGE,
    reasons: [chrome.offscreen.Reason.WORKERS],
    justification: "Finds by meaning on this computer when no findall server is running.",
  });
}

async function isListening(): Promise<boolean> {
  const answer: unknown = await chrome.runtime.sendMessage(IS_ENGINE_THERE).catch(() => false);
  return answer === true;
}
