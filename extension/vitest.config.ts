import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    projects: [
      {
        test: { name: "unit", include: ["tests/unit/**/*.test.ts"], environment: "node" },
      },
      {
        test: { name: "engine", include: ["tests/engine/**/*.test.ts"], environment: "node" },
      },
      {
        test: {
          name: "browser",
          include: ["tests/browser/**/*.test.ts"],
          environment: "node",
          // One browser at a time: the machine may be small, and latencies are measured.
          fileParallelism: false,
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: "firefox",
          include: ["tests/firefox/**/*.test.ts"],
          environment: "node",
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: "measure",
          include: ["tests/measure/**/*.test.ts"],
          environment: "node",
          fileParallelism: false,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
