import { afterAll, beforeAll, expect } from "vitest";
import { type Answer, type TestService, startTestService } from "../../../support/service.ts";

export let service: TestService;

export const MEGABYTE = 1_048_576;
export const NOT_JSON = "The request body is not valid JSON.";
export const ZONES = (): string => `/api/board/${service.boardId}/zones`;
export const TILES = (): string => `/api/board/${service.boardId}/tiles`;
export const post = (body: unknown, path = ZONES(), headers: Record<string, string> = {}): Promise<Answer> =>
  service.call("POST", path, { body, headers });

/** Checks health while `work` runs; every check must return 200. */
export async function expectHealthyDuring<T>(work: Promise<T>): Promise<T> {
  let isDone = false;
  const done = work.finally(() => (isDone = true));
  do expect((await service.call("GET", "/health/live", { key: null })).status).toBe(200);
  while (!isDone);
  return done;
}

/** Registers the hooks that set up and close what the tests of a file share. */
export function useLimitsService(): void {
  beforeAll(async () => {
    service = await startTestService({ ROLE: "api" });
  });
  afterAll(() => service.stop());
}
