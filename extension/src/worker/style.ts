/** The style of highlights: what it is, and how it gets into the frames of a page. */

import { FRAME_LACKS_STYLE } from "../messages";

/**
 * How places look. Kinds differ by underline as well as by colour, and the current place is inverted with a double
 * underline, so that none is told by colour alone. Set on the root alone: highlights inherit, and the browser need not
 * look at every element again.
 */
export const HIGHLIGHT_STYLE = `
:root::highlight(findall-exact) { background-color: #fde68a !important; color: #1c1917 !important; }
:root::highlight(findall-meaning), :root::highlight(findall-value) {
  background-color: #99f6e4 !important; color: #042f2e !important;
  text-decoration: underline 2px solid #0f766e !important;
}
:root::highlight(findall-fuzzy) {
  background-color: #e9d5ff !important; color: #2e1065 !important;
  text-decoration: underline 2px dashed #7c3aed !important;
}
:root::highlight(findall-answer) {
  background-color: #bbf7d0 !important; color: #052e16 !important;
  text-decoration: underline 3px solid #15803d !important;
}
:root::highlight(findall-current) {
  background-color: #1e3a8a !important; color: #ffffff !important;
  text-decoration: underline 4px double #fbbf24 !important;
  text-decoration-skip-ink: none !important;
}
@media (forced-colors: active) {
  :root::highlight(findall-exact), :root::highlight(findall-meaning), :root::highlight(findall-value),
  :root::highlight(findall-fuzzy), :root::highlight(findall-answer) {
    background-color: Mark !important; color: MarkText !important;
  }
  :root::highlight(findall-current) {
    background-color: Highlight !important; color: HighlightText !important;
    text-decoration: underline 4px double HighlightText !important;
  }
}
`;

/** Gives the style to the top frame if it lacks it: each time, the browser looks at every element of a page again. */
export async function styleTop(tabId: number): Promise<void> {
  const [top] = await chrome.scripting.executeScript({
    target: { tabId, frameIds: [0] },
    injectImmediately: true,
    func: () => getComputedStyle(document.documentElement, "::highlight(findall-current)").textDecorationLine,
  });
  if (top?.result !== "underline") await styleFrame(tabId, 0);
}

/**
 * Has every other frame ask for the style if it lacks it. Each asks for itself, because a frame that still loads, or
 * never will, answers late or never, and the others are not to wait for it.
 */
export async function styleFrames(tabId: number): Promise<void> {
  await chrome.scripting.executeScript({
    target: { tabId, allFrames: true },
    injectImmediately: true,
    args: [FRAME_LACKS_STYLE],
    func: (lacking) => {
      const style = getComputedStyle(document.documentElement, "::highlight(findall-current)");
      if (window === window.top || style.textDecorationLine === "underline") return;
      chrome.runtime.sendMessage(lacking).catch(() => undefined);
    },
  });
}

export async function styleFrame(tabId: number, frameId: number): Promise<void> {
  const target = { tabId, frameIds: [frameId] };
  // As an author's style: Chrome paints no background for highlights styled by a user's.
  await chrome.scripting.insertCSS({ target, css: HIGHLIGHT_STYLE, origin: "AUTHOR" });
}
