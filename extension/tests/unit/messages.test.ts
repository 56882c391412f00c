import { expect, test } from "vitest";
import { matchesPattern, parseFromPage, parseToPage, parseToWorker } from "../../src/messages";
import { parseLoopback } from "../../src/worker/client";
import { parseSettings } from "../../src/worker/keep";

test("only well-formed messages get through", () => {
  expect(parseToPage({ type: "show", version: 1, list: 1, places: [0, 4, 1], current: -1 })).toBeDefined();
  for (const bad of [
    undefined,
    "show",
    { type: "show", version: 1, places: [0, 4, 1], current: 0 },
    { type: "show", version: 1, list: 1, places: [0, 4], current: 0 },
    { type: "show", version: 1, list: 1, places: [0, 4, 9], current: 0 },
    { type: "show", version: 1, list: 1, places: [-1, 4, 0], current: 0 },
    { type: "show", version: 1.5, list: 1, places: [], current: 0 },
    { type: "eval", code: "alert(1)" },
    { type: "hello", nonce: "x".repeat(100) },
  ]) {
    expect(parseToPage(bad)).toBeUndefined();
  }
  expect(parseFromPage({ type: "chunk", version: 1, text: "x".repeat(1 << 20), last: true })).toBeUndefined();
  expect(parseFromPage({ type: "selection", span: { start: 5, end: 2 } })).toBeUndefined();
  expect(parseFromPage({ type: "key", key: "next" })).toEqual({ type: "key", key: "next" });
  expect(parseToWorker({ id: 1, call: "token", params: {} })).toBeUndefined();
  expect(parseToWorker({ id: 1, call: "toString", params: {} })).toBeUndefined();
  expect(parseToWorker({ id: 1, call: "find", params: {} })).toBeDefined();
});

test.each([
  ["https://my.bank.example/account?x=1", "*.bank.example/*", true],
  ["https://bank.example/", "*.bank.example/*", true],
  ["https://notbank.example/", "*.bank.example/*", false],
  ["https://bank.example.evil.test/", "*.bank.example/*", false],
  ["https://mail.example/inbox", "https://mail.example/*", true],
  ["http://mail.example/inbox", "https://mail.example/*", false],
  ["https://example.org/a/b", "example.org", true],
  ["https://example.org/a/b", "example.org/a/*", true],
  ["https://example.org/c", "example.org/a/*", false],
  ["https://example.org/", "", false],
  ["not an address", "*", false],
])("%s on %s: %s", (url, pattern, expected) => {
  expect(matchesPattern(url, pattern)).toBe(expected);
});

test("the server is on this computer or nowhere", () => {
  expect(parseLoopback("http://127.0.0.1:7345/x")).toBe("http://127.0.0.1:7345");
  expect(parseLoopback("http://localhost:80")).toBe("http://localhost");
  for (const bad of [
    "https://127.0.0.1",
    "http://127.0.0.1.evil.test",
    "http://evil.test",
    "file:///x",
    "",
    "http://127.0.0.1@evil.test",
  ]) {
    expect(parseLoopback(bad)).toBeUndefined();
  }
});

test("settings from anywhere become settings", () => {
  expect(parseSettings(undefined)).toEqual({
    base: "http://127.0.0.1:7345",
    deny: [],
    rememberQueries: true,
    inside: true,
  });
  expect(
    parseSettings({ base: "http://evil.test", deny: ["a", 3, "b"], rememberQueries: false, inside: 7 }),
  ).toEqual({
    base: "http://127.0.0.1:7345",
    deny: ["a", "b"],
    rememberQueries: false,
    inside: true,
  });
});
