import { defineConfig } from "vitest/config";

/** Ends a test that hangs; a slow machine gets all the time it needs, so what is awaited decides. */
const PATIENT = { testTimeout: 600_000, hookTimeout: 600_000, expect: { poll: { timeout: 300_000 } } };

export default defineConfig({
  test: {
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
          // One browser at a time: the machine may be small, and latencies are measured.
          fileParallelism: false,
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
