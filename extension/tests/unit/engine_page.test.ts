/** The engine's page: nobody is told that it is there before it takes calls. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";

let isThere: boolean;
let isListening: boolean;
let made: number;
let finishLoading: () => void;

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers();
  [isThere, isListening, made] = [false, false, 0];
  vi.stubGlobal("chrome", {
    offscreen: {
      Reason: { WORKERS: "WORKERS" },
      hasDocument: () => Promise.resolve(isThere),
      createDocument: () => {
        made++;
        isThere = true;
        return new Promise<void>((resolve) => {
          finishLoading = () => {
            isListening = true;
            resolve();
          };
        });
      },
    },
    runtime: {
      sendMessage: () => (isListening ? Promise.resolve(true) : Promise.reject(new Error("nobody is there"))),
    },
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Starts the engine; says whether that has ended. */
async function start(): Promise<{ ended: boolean }> {
  const { startEngine } = await import("../../src/worker/engine");
  const state = { ended: false };
  void startEngine().then(() => (state.ended = true));
  await vi.advanceTimersByTimeAsync(1000);
  return state;
}

test("who asks while the page loads waits until it has loaded, and one page is made", async () => {
  const first = await start();
  const second = await start();
  expect([first.ended, second.ended]).toEqual([false, false]);
  finishLoading();
  await vi.advanceTimersByTimeAsync(1000);
  expect([first.ended, second.ended, made]).toEqual([true, true, 1]);
  expect((await start()).ended).toBe(true);
});

test("a page that an ended worker had made is waited for, or made again if it has gone", async () => {
  isThere = true;
  const waits = await start();
  expect(waits.ended).toBe(false);
  isListening = true;
  await vi.advanceTimersByTimeAsync(1000);
  expect([waits.ended, made]).toEqual([true, 0]);
  isListening = false;
  const again = await start();
  expect(again.ended).toBe(false);
  isThere = false;
  await vi.advanceTimersByTimeAsync(1000);
  finishLoading();
  await vi.advanceTimersByTimeAsync(1000);
  expect([again.ended, made]).toEqual([true, 1]);
});
