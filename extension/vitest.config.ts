import { defineConfig } from "vitest/config";

/** Ends a test that hangs; a slow machine gets all the time it needs, so what is awaited decides. */
const PATIENT = { testTimeout: 600_000, hookTimeout: 600_000, expect: { poll: { timeout: 300_000 } } };

export default defineConfig({
  test: {
    // Two browsers at a time: a small machine is busy then, and one of them often waits for what a person would wait for.
    maxWorkers: 2,
    projects: [
      {
        test: { name: "unit", include: ["tests/unit/**/*.test.ts"], environment: "node", ...PATIENT },
      },
      {
        test: { name: "engine", include: ["tests/engine/**/*.test.ts"], environment: "node", ...PATIENT },
      },
      {
        test: {
          name: "browser",
          include: ["tests/browser/**/*.test.ts"],
          environment: "node",
          ...PATIENT,
        },
      },
      {
        test: {
          name: "firefox",
          include: ["tests/firefox/**/*.test.ts"],
          environment: "node",
          ...PATIENT,
        },
      },
      {
        test: {
          name: "measure",
          include: ["tests/measure/**/*.test.ts"],
          environment: "node",
          fileParallelism: false,
          ...PATIENT,
        },
      },
    ],
  },
});
