/** The engine's page, which nobody sees: it ends when no bar has been open for a while. */

import { IS_ENGINE_THERE } from "../messages";
import { takeEngineCalls } from "./ports";

/** How long the models stay in memory without a bar. */
const MAX_IDLE_MS = 5 * 60_000;

let idle: ReturnType<typeof setTimeout> | undefined;

takeEngineCalls(
  () => (idle = setTimeout(() => window.close(), MAX_IDLE_MS)),
  () => clearTimeout(idle),
);

chrome.runtime.onMessage.addListener((message: unknown, { id }, answer) => {
  if (message === IS_ENGINE_THERE && id === chrome.runtime.id) answer(true);
});
