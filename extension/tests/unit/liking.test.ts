/** Whether more like a selection can be found, asked of a server that a test plays. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Controller } from "../../src/bar/controller";
import { LikeRunner } from "../../src/bar/liking";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a server that is busy for a minute is asked until it can say, by one call after the other", async () => {
  const state = { page: {}, selection: { start: 0, end: 4 }, status: { state: "ready" }, canLike: undefined };
  let isBusy = true;
  const like = vi.fn(() => (isBusy ? Promise.reject(new Error("busy")) : Promise.resolve({ matches: [] })));
  const update = (change: object): void => void Object.assign(state, change);
  const runner = new LikeRunner({ state, server: { like }, update } as unknown as Controller);
  await runner.probe();
  // Another selection meanwhile adds no second row of calls.
  await runner.probe();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(state.canLike).toBe(undefined);
  expect(like.mock.calls.length).toBeLessThan(10);
  isBusy = false;
  await vi.advanceTimersByTimeAsync(30_000);
  expect(state.canLike).toBe(true);
  const calls = like.mock.calls.length;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(like.mock.calls).toHaveLength(calls);
});
