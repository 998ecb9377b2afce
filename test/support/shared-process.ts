import { afterAll, vi } from "vitest";

/** Test files of a project share a process, so fake clocks and stubs are removed after each file. */
afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});
