// @vitest-environment happy-dom
/** Who has the focus while the bar opens: no key may come to a place where nobody hears it. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { BarFrame } from "../../src/page/frame";
import { FakePort } from "../ports";

// Nothing is looked for here.
vi.mock("../../src/engine/edge/lexical", () => ({ loadModule: () => new Promise(() => undefined) }));

class FakeWorker extends EventTarget {
  postMessage(): void {
    // Nothing is looked for.
  }
}

let page: FakePort;
let knowTab: (tab: { id: number }) => void;

beforeEach(() => {
  vi.resetModules();
  page = new FakePort();
  const currentTab = new Promise((resolve) => (knowTab = resolve));
  vi.stubGlobal("Worker", FakeWorker);
  vi.stubGlobal("chrome", {
    runtime: {
      id: "own",
      getURL: (path: string) => `chrome-extension://own/${path}`,
      connect: () => new FakePort(),
    },
    tabs: { getCurrent: () => currentTab, connect: () => page },
  });
});
afterEach(() => vi.unstubAllGlobals());

test("the bar hears keys in its field before it tells the page that it is there", async () => {
  document.body.innerHTML = "<main></main>";
  location.hash = "#nonce";
  await import("../../src/bar/main");
  expect(document.activeElement?.id).toBe("query");
  expect(page.sent).toEqual([]);
  const query = document.querySelector<HTMLInputElement>("#query");
  if (!query) throw new Error("the bar has no field");
  query.value = "bridge";
  query.dispatchEvent(new Event("input"));
  knowTab({ id: 1 });
  await vi.waitFor(() => expect(page.sent[0]).toEqual({ type: "hello", nonce: "nonce" }));
  expect(query.value).toBe("bridge");
  // The page gives the focus to the bar, not to its field.
  query.blur();
  window.dispatchEvent(new Event("blur"));
  window.dispatchEvent(new Event("focus"));
  expect(document.activeElement).toBe(query);
  await Promise.resolve();
  expect([query.selectionStart, query.selectionEnd]).toEqual([0, "bridge".length]);
});

test("the page does not give the bar the focus that it has", () => {
  const frame = new BarFrame(document, () => undefined);
  const focus = vi.spyOn(HTMLElement.prototype, "focus");
  const active = vi.spyOn(document, "activeElement", "get").mockReturnValue(document.body);
  frame.focus();
  expect(focus).toHaveBeenCalledTimes(1);
  active.mockReturnValue(frame.host);
  frame.focus();
  expect(focus).toHaveBeenCalledTimes(1);
});
