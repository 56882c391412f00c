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
