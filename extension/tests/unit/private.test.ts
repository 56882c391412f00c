/**
 * Private windows and the deny list, at the boundary: everything that the worker writes to the browser's storage or sends
 * to the server is seen here. `tests/browser/private.test.ts` sees it in a private window itself.
 */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Call } from "../../src/messages";
import { answer } from "../../src/worker/calls";

const URL_OF_PAGE = "https://clinic.example/results?patient=7";

let local: Record<string, unknown>;
let session: Record<string, unknown>;
let sent: { url: string; body: Record<string, unknown> }[];

function area(values: () => Record<string, unknown>) {
  return {
    get: (key: string) => Promise.resolve({ [key]: values()[key] }),
    set: (change: object) => Promise.resolve(void Object.assign(values(), change)),
    remove: (key: string) => Promise.resolve(void Object.assign(values(), { [key]: undefined })),
  };
}

beforeEach(() => {
  local = { token: "t", settings: { deny: [] } };
  session = {};
  sent = [];
  vi.stubGlobal("chrome", {
    extension: { inIncognitoContext: false },
    storage: { local: area(() => local), session: area(() => session) },
  });
  vi.stubGlobal("fetch", (url: string, { body }: { body?: string }) => {
    sent.push({ url, body: JSON.parse(body ?? "{}") as Record<string, unknown> });
    return Promise.resolve(Response.json({ document: "d", questions: [{ text: "kept" }] }));
  });
});
afterEach(() => void vi.unstubAllGlobals());

function call(name: Call, params: object = {}): Promise<unknown> {
  const signal = new AbortController().signal;
  const page = {
    url: URL_OF_PAGE,
    document: "d",
    query: "fracture",
    question: "Is it broken?",
    prefix: "fr",
  };
  return answer(
    name,
    { ...page, text: "The arm is broken.", title: "Results", ...params },
    {
      tab: 1,
      signal,
      event: () => undefined,
    },
  );
}

/** Uses the bar on a page as a person does: opens it, finds, asks, comes back. */
async function useTheBar(): Promise<void> {
  await call("documents");
  await call("remember", { history: true });
  for (const name of ["remember", "find", "suggest", "ask", "topQuestions", "similarQuestions"] as const)
    await call(name);
}

test("an ordinary page is remembered: the test would notice", async () => {
  await useTheBar();
  expect(JSON.stringify(session)).toContain("fracture");
  expect(await call("recall")).toMatchObject({ recent: ["fracture"] });
  expect(JSON.stringify(sent)).toContain("clinic.example");
  expect(sent.find(({ url }) => url.endsWith("/v1/documents"))?.body["private"]).toBe(false);
});

test.each([
  ["in a private window", () => Object.assign(chrome.extension, { inIncognitoContext: true })],
  ["on the deny list", () => (local["settings"] = { deny: ["*.example/*"] })],
])("nothing is kept %s", async (_where, make) => {
  make();
  const before = JSON.stringify(local);
  await useTheBar();
  expect(session).toEqual({});
  expect(JSON.stringify(local)).toBe(before);
  // The server gets the text with the word that nothing may be kept, and never the address.
  expect(sent.find(({ url }) => url.endsWith("/v1/documents"))?.body).toMatchObject({ private: true });
  expect(JSON.stringify(sent)).not.toContain("clinic");
  expect(await call("topQuestions")).toEqual({ questions: [] });
  expect(await call("similarQuestions")).toEqual({ questions: [] });
  expect(sent.some(({ url }) => url.includes("questions"))).toBe(false);
  expect(await call("recall")).toEqual({ query: "", private: true, recent: [] });
});
