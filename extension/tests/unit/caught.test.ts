import { expect, test } from "vitest";
import { CaughtKeys } from "../../src/bar/caught";

test("keys caught one after the other keep their order, whatever was typed since", () => {
  const keys = new CaughtKeys();
  expect(keys.join("ri", "")).toBe("ri");
  expect(keys.join("v", "ri")).toBe("riv");
  expect(keys.join("e", "rivts")).toBe("rivets");
});

test("keys caught come before what was typed in the bar, also in a query that has become another", () => {
  expect(new CaughtKeys().join("ri", "vets")).toBe("rivets");
  const keys = new CaughtKeys();
  expect(keys.join("a", "b")).toBe("ab");
  expect(keys.join("x", "new")).toBe("xnew");
});

test("keys caught replace a query that is marked, unless what was typed since has replaced it", () => {
  const keys = new CaughtKeys();
  keys.join("mayor", "");
  keys.mark("mayor");
  expect(keys.join("r", "mayor")).toBe("r");
  expect(keys.join("i", "r")).toBe("ri");
  keys.mark("ri");
  expect(keys.join("ri", "vets")).toBe("rivets");
});
