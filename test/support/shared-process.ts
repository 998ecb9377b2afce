import { afterAll, vi } from "vitest";

/** All files of a project share a process, so none leaves its fake clock or its stubs to the next. */
afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});
