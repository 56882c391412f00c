/** The thread that finds by letters: what it is told enters, what was found leaves. */

import { LocalLetters, answerMessages } from "./letters";

const letters = new LocalLetters(async () => (await fetch("lexical.wasm")).arrayBuffer());
const answer = answerMessages(letters, (message, transfer) => self.postMessage(message, { transfer }));

self.addEventListener("message", ({ data }: MessageEvent<unknown>) => answer(data));
