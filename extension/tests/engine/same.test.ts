/** The engine inside the browser finds what the native one finds: same pages, same queries, same small knowledge base. */

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseFound } from "../../src/engine/wire";
import type { Match } from "../../src/engine/engine";
import { EngineError, type WasmEngine } from "../../src/offscreen/wasm";
import { RealServer, hasRealServer } from "../server/real";
import { hasEngine, knowledge, openEngine, pageTexts, readPage } from "./wasm";

const QUERIES = [
  "companies",
  "cities in Europe",
  "people",
  "rivers",
  "social networks of China",
  "dates",
  "brigde",
];

describe.skipIf(!hasEngine || !hasRealServer)("the engine as WebAssembly", () => {
  let engine: WasmEngine;
  let server: RealServer;
  let native: (path: string, body: object) => Promise<unknown>;
  beforeAll(async () => {
    engine = await openEngine();
    server = await RealServer.start("--kb", knowledge);
    native = await server.client();
  }, 120_000);
  afterAll(() => server.kill());

  test("finds on every test page what the server finds", { timeout: 300_000 }, async () => {
    const differ: string[] = [];
    let compared = 0;
    let byMeaning = 0;
    for (const [name, text] of await pageTexts()) {
      const document = readPage(engine, text);
      const held = (await native("/v1/documents", { text, offsets: "utf16" })) as { document: string };
      for (const query of QUERIES) {
        const inside = parseFound(engine.call({ call: "find", document, query }), text.length);
        const request = { document: held.document, query, all: true, offsets: "utf16" };
        const outside = parseFound(await native("/v1/find", request), text.length);
        const [one, other] = [accepted(inside.matches), accepted(outside.matches)];
        compared += other.length;
        byMeaning += other.filter(({ kind }) => kind === "meaning").length;
        if (key(one) !== key(other)) differ.push(`${name}, ${query}: ${key(one)} instead of ${key(other)}`);
        for (const [at, match] of one.entries())
          expect(Math.abs(match.score - (other[at]?.score ?? match.score))).toBeLessThan(0.05);
        expect(inside.correction).toEqual(outside.correction);
      }
    }
    console.log(
      `compared ${compared} matches, ${byMeaning} of them by meaning; ${differ.length} searches differ`,
    );
    expect(differ).toEqual([]);
    expect(byMeaning).toBeGreaterThan(20);
  });

  test("refuses what it cannot answer, and goes on", () => {
    const failing = (request: Record<string, unknown>): string => {
      try {
        engine.call(request);
      } catch (error) {
        if (error instanceof EngineError) return error.code;
      }
      return "nothing";
    };
    expect(failing({ call: "find", document: "no such page", query: "x" })).toBe("unknown_document");
    expect(failing({ call: "document", text: "x".repeat((1 << 20) + 1) })).toBe("too_large");
    expect(failing({ call: "dance" })).toBe("bad_request");
    const document = readPage(engine, "Lyon lies on the Rhône. \ud83d\ude00 So does Geneva.");
    const { matches } = parseFound(engine.call({ call: "find", document, query: "geneva" }), 100);
    expect(matches.find(({ kind }) => kind === "exact")?.span).toEqual({ start: 35, end: 41 });
  });
});

function accepted(matches: readonly Match[]): Match[] {
  return matches.filter((match) => match.accepted);
}

function key(matches: readonly Match[]): string {
  return matches.map(({ span, kind }) => `${kind} ${span.start}-${span.end}`).join(", ");
}
