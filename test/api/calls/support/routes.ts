import { afterAll, beforeAll } from "vitest";
import { type Ids, type Operation, fillPath, readOperations } from "../../../support/operations.ts";
import type { Answer } from "../../../support/service.ts";
import { type Browser, claimOwner } from "../../../support/people/people.ts";
import { type TestData, startServiceWithData } from "../../../support/test-data.ts";
import { getFixture } from "./route-fixtures.ts";

export let testData: TestData;
export let operations: Operation[];
export let owner: Browser;

export const buildPath = (operation: Operation, ids: Ids): string => fillPath(operation.path, ids) + (getFixture(operation).query ?? "");

/** Calls a route with a valid request and the given key. */
export function callRoute(
  operation: Operation,
  ids: Ids,
  key: string | null,
  more: { body?: unknown; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const fixture = getFixture(operation);
  const body = fixture.body === undefined ? {} : { body: fixture.body(ids) };
  return testData.service.call(operation.method, buildPath(operation, ids), { key, ...body, ...more });
}

export const isClosed = (operation: Operation): boolean => getFixture(operation).need !== "open";

/** The resource that a route's path names, which the 404 message contains. */
export function getResourceName({ path }: Operation): "Board" | "Zone" | "Tile" | "Generation" {
  if (path.includes("{generationId}")) return "Generation";
  if (path.includes("{zoneId}")) return "Zone";
  return path.includes("{tileId}") ? "Tile" : "Board";
}

/** Registers the hooks that set up and close what the tests of a file share. */
export function useRoutes(): void {
  beforeAll(async () => {
    testData = await startServiceWithData();
    // The code of a call without a session is another one while there is no owner.
    owner = await claimOwner(testData.service);
    operations = await readOperations(testData.service);
  });
  afterAll(() => testData.service.stop());
}
