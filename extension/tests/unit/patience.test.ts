import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { readTabs } from "../../src/worker/tabs";

/** Longer than a tab has, and less than one has under a manifest with patience. */
const LATE_MS = 20_000;

let manifest: Record<string, unknown>;

beforeEach(() => {
  vi.useFakeTimers();
  manifest = {};
  vi.stubGlobal("chrome", {
    extension: { inIncognitoContext: false },
    runtime: { getManifest: () => manifest },
    tabs: {
      query: () => Promise.resolve([{ id: 7, url: "https://example.org/", title: "Late", incognito: false }]),
    },
    scripting: {
      executeScript: () =>
        new Promise((resolve) => setTimeout(() => resolve([{ result: "said late" }]), LATE_MS)),
    },
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("a tab that is late is left out", async () => {
  const read = readTabs(undefined);
  await vi.advanceTimersByTimeAsync(LATE_MS);
  expect(await read).toEqual({ tabs: [], closed: 1 });
});

test("a manifest with patience has it awaited", async () => {
  manifest = { findall_patience: 60 };
  const read = readTabs(undefined);
  await vi.advanceTimersByTimeAsync(LATE_MS);
  const late = { tab: 7, title: "Late", url: "https://example.org/", text: "said late" };
  expect(await read).toEqual({ tabs: [late], closed: 0 });
});
