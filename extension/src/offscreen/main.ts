/**
 * The engine's page, which nobody sees: passes calls from bars on to the engine's thread and its answers back, and
 * ends when no bar has been open for a while.
 */

import { ENGINE_PORT, isOurPage } from "../messages";

/** How long the models stay in memory without a bar. */
const IDLE_MS = 5 * 60_000;

const engine = new Worker("engine.js", { type: "module" });
const ports = new Map<number, chrome.runtime.Port>();
let lines = 0;
let idle: ReturnType<typeof setTimeout> | undefined;

engine.addEventListener("message", ({ data }: MessageEvent<{ line: number; message: unknown }>) => {
  ports.get(data.line)?.postMessage(data.message);
});

chrome.runtime.onConnect.addListener((port) => {
  if (port.name !== ENGINE_PORT || !isOurPage(port.sender)) return;
  const line = ++lines;
  ports.set(line, port);
  clearTimeout(idle);
  port.onMessage.addListener((message: unknown) => engine.postMessage({ line, message }));
  port.onDisconnect.addListener(() => {
    ports.delete(line);
    engine.postMessage({ line, closed: true });
    if (ports.size === 0) idle = setTimeout(() => window.close(), IDLE_MS);
  });
});
