import { expect, test } from "vitest";
import { revokeKey } from "#service/settings/keys.ts";
import { type Operation } from "../../support/operations.ts";
import { send } from "../../support/clients/raw.ts";
import { UNKNOWN_TARGET, dumpBusiness } from "../../support/test-data.ts";
import { INVALID, MISSING, NOT_LOGGED_IN, NOT_PERMITTED, OTHER_BOARD, expectedError, toError } from "./support/errors.ts";
import { getFixture, FIXTURES } from "./support/route-fixtures.ts";
import { testData, operations, buildPath, callRoute, isClosed, getResourceName, useRoutes } from "./support/routes.ts";

useRoutes();

function flip(key: string, at: number): string {
  return key.slice(0, at) + (key[at] === "a" ? "b" : "a") + key.slice(at + 1);
}

/** The error of a request without a key. */
const getMissingKeyMessage = ({ path }: Operation): string => (path.startsWith("/api/settings/") ? NOT_LOGGED_IN : MISSING);

test("all routes of the OpenAPI document have a fixture here, and each fixture has a route", () => {
  expect(operations.map(({ name }) => name).sort()).toEqual(Object.keys(FIXTURES).sort());
});

test("all routes of the OpenAPI document reject requests without a valid key", async () => {
  const { service, boardA1: a1 } = testData;
  const { key } = service;
  const revoked = await service.newKey();
  await revokeKey(service.appContext.deps, service.businessId, revoked.id, "operator");
  const expired = await service.newKey({ expiresAt: Date.now() - 1 });
  const before = await dumpBusiness(service, service.businessId);
  const strangers: readonly (readonly [string, string | null, string])[] = [
    ["no key", null, MISSING],
    ["an empty key", "", MISSING],
    ["a blank key", "   ", MISSING],
    ["garbage", "x", INVALID],
    ["a key of the right form", `tsr_${"a".repeat(38)}`, INVALID],
    ["one character flipped at the start", flip(key, 5), INVALID],
    ["one character flipped at the end", flip(key, key.length - 1), INVALID],
    ["one character missing", key.slice(0, -1), INVALID],
    ["one character more", `${key}a`, INVALID],
    ["upper case", key.toUpperCase(), INVALID],
    ["lower case", key.toLowerCase() === key ? `${key}x` : key.toLowerCase(), INVALID],
    ["a revoked key", revoked.key, INVALID],
    ["an expired key", expired.key, INVALID],
    ["SQL", "' OR 1=1 --", INVALID],
  ];
  for (const operation of operations.filter(isClosed)) {
    for (const [name, sent, message] of strangers) {
      const told = message === MISSING ? getMissingKeyMessage(operation) : message;
      expect(toError(await callRoute(operation, a1, sent)), `${operation.name} with ${name}`).toEqual(expectedError(401, told));
    }
    const body = getFixture(operation).body?.(a1);
    const twice = await send(
      service.url,
      operation.method,
      buildPath(operation, a1),
      { "X-API-Key": [key, key], "content-type": "application/json" },
      JSON.stringify(body),
    );
    expect(toError({ ...twice, headers: new Headers(twice.headers as Record<string, string>) }), `${operation.name} with two keys`).toEqual(
      expectedError(401, INVALID),
    );
    for (const name of ["key", "api_key", "apiKey", "X-API-Key", "x-api-key", "access_token"]) {
      const path = buildPath(operation, a1);
      const answer = await service.call(operation.method, `${path}${path.includes("?") ? "&" : "?"}${name}=${key}`, {
        key: null,
        ...(body === undefined ? {} : { body }),
      });
      expect(toError(answer), `${operation.name} with ?${name}=`).toEqual(expectedError(401, getMissingKeyMessage(operation)));
    }
    const cookie = await callRoute(operation, a1, null, { headers: { cookie: `key=${key}`, authorization: `Basic ${key}` } });
    expect(toError(cookie), `${operation.name} with a cookie`).toEqual(expectedError(401, getMissingKeyMessage(operation)));
  }
  expect(await dumpBusiness(service, service.businessId)).toBe(before);
});

test("all routes of the OpenAPI document return 404 to a key of another business, and change nothing", async () => {
  const { service, boardA1: a1, boardA2: a2, deleted, deletedBoardId, keyB } = testData;
  const before = await dumpBusiness(service, service.businessId);
  for (const operation of operations.filter((each) => getFixture(each).board !== "none")) {
    const random = toError(await callRoute(operation, UNKNOWN_TARGET, keyB));
    for (const ids of [a1, a2, deleted, { ...a1, boardId: deletedBoardId }]) {
      const answer = toError(await callRoute(operation, ids, keyB)) as { status: number; body: any };
      expect(answer, operation.name).toEqual(random);
      if (getFixture(operation).board === "items")
        expect(answer.body).toEqual({ results: [{ error: "Board not found.", code: "board_not_found", status: 404 }] });
      else expect(answer, operation.name).toEqual(expectedError(404, `${getResourceName(operation)} not found.`));
    }
  }
  expect((await service.call("GET", "/api/board/boards", { key: keyB })).json.boards.map(({ id }: { id: string }) => id)).toEqual([
    testData.boardB1.boardId,
  ]);
  expect((await service.call("GET", "/api/me", { key: keyB })).json.business.name).toBe("Other Lab");
  expect(await dumpBusiness(service, service.businessId)).toBe(before);
});

test("all routes of the OpenAPI document reject a key of another board, whether the requested board exists or not", async () => {
  const { service, boardA1: a1, boardA2: a2, deletedBoardId, boardB1: b1 } = testData;
  const { key } = await service.newKey({ boardId: a2.boardId });
  const before = await dumpBusiness(service, service.businessId);
  for (const operation of operations) {
    const fixture = getFixture(operation);
    if (fixture.board === "none") continue;
    const isById = getResourceName(operation) === "Board";
    const others = isById ? [a1, UNKNOWN_TARGET, { ...a1, boardId: deletedBoardId }, b1] : [a1];
    for (const ids of others) {
      const answer = await callRoute(operation, ids, key);
      if (fixture.board === "items")
        expect(answer.json, operation.name).toEqual({ results: [{ error: OTHER_BOARD, code: "board_not_allowed", status: 403 }] });
      else expect(toError(answer), operation.name).toEqual(expectedError(403, OTHER_BOARD));
    }
    if (!isById)
      expect(toError(await callRoute(operation, UNKNOWN_TARGET, key)), operation.name).toEqual(
        expectedError(404, `${getResourceName(operation)} not found.`),
      );
  }
  expect((await service.call("GET", "/api/board/boards", { key })).json.boards.map(({ id }: { id: string }) => id)).toEqual([a2.boardId]);
  expect(toError(await service.call("POST", "/api/board/boards", { key, body: { name: "New" } }))).toEqual(
    expectedError(403, NOT_PERMITTED),
  );
  expect((await service.call("GET", "/api/me", { key })).json.scope).toEqual({ boardId: a2.boardId });
  expect(await dumpBusiness(service, service.businessId)).toBe(before);
});
