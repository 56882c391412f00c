/** Calls to a worker that the browser ends: what may be repeated is, and comes to an answer. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Remote } from "../../src/remote";
import { FakePort } from "../ports";

let ports: FakePort[];

function portAt(place: number): FakePort {
  const port = ports[place];
  if (!port) throw new Error(`only ${ports.length} ports were opened`);
  return port;
}

beforeEach(() => {
  vi.useFakeTimers();
  ports = [];
  const connect = (): FakePort => {
    const port = new FakePort();
    ports.push(port);
    return port;
  };
  vi.stubGlobal("chrome", { runtime: { connect } });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("settings that an ended worker lost are saved by the next one", async () => {
  const saved = new Remote().call("save", { base: "http://127.0.0.1:1" });
  portAt(0).end();
  expect(portAt(1).sent).toEqual(portAt(0).sent);
  portAt(1).answer("saved");
  expect(await saved).toBe("saved");
  expect(vi.getTimerCount()).toBe(0);
});

test("settings that a worker lost without a word are sent again, and either answer counts", async () => {
  const remote = new Remote();
  const saved = remote.call("save");
  await vi.runOnlyPendingTimersAsync();
  expect(portAt(1).sent).toEqual(portAt(0).sent);
  portAt(0).answer("saved late");
  expect(await saved).toBe("saved late");
  // What answers late once more is of no interest.
  portAt(1).answer("saved again");
  const settings = remote.call("settings");
  expect(ports).toHaveLength(2);
  expect(portAt(1).sent.map(({ call }) => call)).toEqual(["save", "settings"]);
  portAt(1).end();
  portAt(2).answer("settings");
  expect(await settings).toBe("settings");
});

test("a code is not used twice: who pairs is told that it was interrupted", async () => {
  const paired = new Remote().call("pair", { code: "ABCD-1234" });
  await vi.runAllTimersAsync();
  expect(portAt(0).sent).toHaveLength(1);
  portAt(0).end();
  await expect(paired).rejects.toThrow("interrupted");
  expect(ports).toHaveLength(1);
});

test("a worker that ends each time is not called for ever", async () => {
  const saved = new Remote().call("save");
  for (const place of [0, 1, 2]) portAt(place).end();
  await expect(saved).rejects.toThrow("interrupted");
  expect(ports).toHaveLength(3);
});

test("what was given up is not sent again", async () => {
  const abort = new AbortController();
  const asked = new Remote().call("connection", {}, { signal: abort.signal });
  abort.abort(new Error("given up"));
  await expect(asked).rejects.toThrow("given up");
  portAt(0).end();
  await vi.runAllTimersAsync();
  expect(ports).toHaveLength(1);
});
