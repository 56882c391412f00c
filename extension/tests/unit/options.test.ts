// @vitest-environment happy-dom
/** The options page, with a worker that a test plays. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { FakePort } from "../ports";

const SETTINGS = { base: "http://127.0.0.1:7345", deny: [], rememberQueries: true, inside: true };

let port: FakePort;

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers();
  document.body.innerHTML = "<main></main>";
  port = new FakePort();
  vi.stubGlobal("chrome", {
    runtime: { connect: () => port },
    commands: { getAll: () => Promise.resolve([]) },
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function addressField(): HTMLInputElement {
  const field = document.querySelector<HTMLInputElement>("#base");
  if (!field) throw new Error("the page has no field for the address");
  return field;
}

test("nothing can be changed before the settings are there, and late ones overwrite nothing", async () => {
  await import("../../src/options/main");
  expect(addressField().disabled).toBe(true);
  expect(document.querySelector<HTMLButtonElement>("#save")?.disabled).toBe(true);
  // The worker is slow: the page asks again.
  await vi.advanceTimersByTimeAsync(2000);
  const asked = port.sent.filter(({ call }) => call === "settings");
  expect(asked).toHaveLength(2);
  port.answer(SETTINGS, asked[0]);
  await vi.advanceTimersByTimeAsync(0);
  expect(addressField().disabled).toBe(false);
  expect(addressField().value).toBe(SETTINGS.base);
  addressField().value = "http://127.0.0.1:1";
  addressField().dispatchEvent(new Event("input"));
  port.answer(SETTINGS, asked[1]);
  await vi.advanceTimersByTimeAsync(0);
  expect(addressField().value).toBe("http://127.0.0.1:1");
  document.querySelector<HTMLButtonElement>("#save")?.click();
  const saved = port.sent.find(({ call }) => call === "save");
  expect(saved).toMatchObject({ params: { base: "http://127.0.0.1:1" } });
});
