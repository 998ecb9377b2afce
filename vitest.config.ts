import { defineConfig } from "vitest/config";

/** What a caller sees is the same on both engines, so these run on both. */
const SCENARIOS = [
  "test/api/**/*.test.ts",
  "test/conformance/**/*.test.ts",
  "test/e2e/{clock-jumps,crash,events,receivers,real-input}.test.ts",
];

// oxlint-disable-next-line import/no-default-export -- the runner reads the default export
export default defineConfig({
  test: {
    globalSetup: "test/support/postgres/global-setup.ts",
    pool: "forks",
    // Most tests wait for servers, threads and disks more than they work.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    projects: [
      {
        extends: true,
        test: { name: "sqlite", include: ["test/**/*.test.ts"], exclude: ["test/browser/**"], provide: { engine: "sqlite" } },
      },
      { extends: true, test: { name: "postgres", include: SCENARIOS, provide: { engine: "postgres" } } },
      {
        test: {
          name: "browser",
          include: ["test/browser/**/*.test.ts"],
          globalSetup: "test/browser/support/setup.ts",
          expect: { poll: { timeout: 10_000 } },
          pool: "forks",
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
