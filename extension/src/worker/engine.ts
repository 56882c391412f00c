/**
 * Starts the engine inside the browser: a page that is not seen, because a service worker may be ended at any moment
 * and would lose the models each time. It ends itself when nobody has asked it for a while.
 */

const PAGE = "offscreen.html";
let starting: Promise<void> | undefined;

export async function startEngine(): Promise<void> {
  if (await chrome.offscreen.hasDocument()) return;
  starting ??= chrome.offscreen
    .createDocument({
      url: PAGE,
      reasons: [chrome.offscreen.Reason.WORKERS],
      justification: "Finds by meaning on this computer when no findall server is running.",
    })
    .finally(() => (starting = undefined));
  await starting;
}
