import { defineConfig } from "vitest/config";

// oxlint-disable-next-line import/no-default-export -- the runner reads the default export
export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: "test/support/postgres/global-setup.ts",
    pool: "forks",
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
