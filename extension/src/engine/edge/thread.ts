/** The thread that finds by letters: what it is told enters, what was found leaves. */

import { LocalLetters, answerMessages, type ToLetters } from "./letters";

let give: (module: WebAssembly.Module) => void;
const given = new Promise<WebAssembly.Module>((resolve) => (give = resolve));
const letters = new LocalLetters(() => given);
const answer = answerMessages(letters, (message, transfer) => self.postMessage(message, { transfer }));

self.addEventListener("message", ({ data }: MessageEvent<ToLetters>) => {
  if ("module" in data) give(data.module);
  else answer(data);
});
