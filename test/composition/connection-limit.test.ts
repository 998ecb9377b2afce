import { expect, it } from "vitest";
import { divideHandles } from "#composition/start/connection-limit.ts";

const config = { ingestConcurrency: 16, databaseConnections: 10, databaseUrl: "" };

it.each([
  [128, 32],
  [256, 96],
  [1_024, 864],
  [1_048_576, 10_000],
])("the number of connections with %i files is %i", (limit, connections) =>
  expect(divideHandles(config, limit).connections).toBe(connections),
);

it("the number of connections leaves room for connections to PostgreSQL", () =>
  expect(divideHandles({ ...config, databaseUrl: "postgres://a" }, 1_024).connections).toBe(854));

it("the number of connections is large on a system without a limit", () =>
  expect(divideHandles(config, null)).toEqual({ connections: 10_000, warning: null }));

it("the number of connections is warned of when it is low, with what to do", () => {
  expect(divideHandles(config, 1_024).warning).toBeNull();
  expect(divideHandles(config, 128).warning).toMatch(/may open 128 files.*accepts 32 connections.*Raise the limit to 416 or more/);
});
