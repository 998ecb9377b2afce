import { afterAll, beforeAll, expect, test } from "vitest";
import type { Permission } from "#domain/core/access.ts";
import { PERMISSIONS } from "#domain/settings/api-key.ts";
import { revokeKey } from "#service/settings/keys.ts";
import { type Ids, type Operation, fillPath, readOperations } from "../../support/operations.ts";
import { exchange, pour, send } from "../../support/clients/raw.ts";
import type { Answer } from "../../support/service.ts";
import { type Browser, claimOwner, joinAs } from "../../support/people/people.ts";
import { UNKNOWN_TARGET, type TestData, dumpBusiness, startServiceWithData } from "../../support/test-data.ts";
import {
  INVALID,
  LOG_IN_REQUIRED,
  MISSING,
  NO_ADMIN,
  NO_OWNER,
  NOT_LOGGED_IN,
  NOT_PERMITTED,
  OTHER_BOARD,
  expectedError,
  toError,
} from "./support/errors.ts";
import { type Fixture, FIXTURES, SHORT_OF } from "./support/route-fixtures.ts";

let testData: TestData;
let operations: Operation[];
let owner: Browser;

beforeAll(async () => {
  testData = await startServiceWithData();
  // The code of a call without a session is another one while there is no owner.
  owner = await claimOwner(testData.service);
  operations = await readOperations(testData.service);
});
afterAll(() => testData.service.stop());

const getFixture = (operation: Operation): Fixture => {
  const fixture = FIXTURES[operation.name];
  if (fixture === undefined) throw new Error(`${operation.name} has no fixture: say in FIXTURES how it is protected.`);
  return fixture;
};
const buildPath = (operation: Operation, ids: Ids): string => fillPath(operation.path, ids) + (getFixture(operation).query ?? "");

/** Calls a route with a valid request and the given key. */
function callRoute(
  operation: Operation,
  ids: Ids,
  key: string | null,
  more: { body?: unknown; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const fixture = getFixture(operation);
  const body = fixture.body === undefined ? {} : { body: fixture.body(ids) };
  return testData.service.call(operation.method, buildPath(operation, ids), { key, ...body, ...more });
}

function flip(key: string, at: number): string {
  return key.slice(0, at) + (key[at] === "a" ? "b" : "a") + key.slice(at + 1);
}

/** The error of a request without a key. */
const getMissingKeyMessage = ({ path }: Operation): string => (path.startsWith("/api/settings/") ? NOT_LOGGED_IN : MISSING);
const isMembersOnly = (operation: Operation): boolean => ["member", "administer", "own"].includes(getFixture(operation).need);
const isClosed = (operation: Operation): boolean => getFixture(operation).need !== "open";

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

test("all routes of the OpenAPI document reject a key without the permission before they validate the body", async () => {
  const { service, boardA1: a1 } = testData;
  const scoped = await service.newKey({ boardId: a1.boardId });
  const keys = new Map<Permission, string>();
  for (const permission of PERMISSIONS) keys.set(permission, (await service.newKey({ permission })).key);
  const before = await dumpBusiness(service, service.businessId);
  for (const operation of operations) {
    const message = isMembersOnly(operation) ? LOG_IN_REQUIRED : NOT_PERMITTED;
    for (const permission of SHORT_OF[getFixture(operation).need]) {
      const key = keys.get(permission) ?? "";
      const name = `${operation.name} with a key that may ${permission}`;
      expect(toError(await callRoute(operation, a1, key)), name).toEqual(expectedError(403, message));
      if (operation.method === "GET") continue;
      expect(toError(await callRoute(operation, a1, key, { body: "{ not json" })), name).toEqual(expectedError(403, message));
      const typed = await callRoute(operation, a1, key, { body: "x", headers: { "content-type": "text/plain" } });
      expect(toError(typed), name).toEqual(expectedError(403, message));
    }
  }
  for (const operation of operations.filter((each) => getFixture(each).need === "manage")) {
    expect(toError(await callRoute(operation, a1, scoped.key)), operation.name).toEqual(expectedError(403, NOT_PERMITTED));
  }
  expect(await dumpBusiness(service, service.businessId)).toBe(before);
});

test("all routes of the OpenAPI document reject a member whose role does not suffice", async () => {
  const { service, boardA1: a1 } = testData;
  const [admin, member] = [await joinAs(service, owner, "admin"), await joinAs(service, owner, "member")];
  const before = await dumpBusiness(service, service.businessId);
  for (const operation of operations.filter(isMembersOnly)) {
    const { need, body } = getFixture(operation);
    const call = (browser: Browser) =>
      browser.call(operation.method, buildPath(operation, a1), body === undefined ? {} : { body: body(a1) });
    if (need === "administer") expect(toError(await call(member)), operation.name).toEqual(expectedError(403, NO_ADMIN));
    if (need === "own")
      for (const browser of [admin, member]) expect(toError(await call(browser)), operation.name).toEqual(expectedError(403, NO_OWNER));
  }
  expect(await dumpBusiness(service, service.businessId)).toBe(before);
});

test("all routes of the OpenAPI document check key, existence and scope before an invalid body", async () => {
  const { service, boardA1: a1, boardA2: a2 } = testData;
  const { key: scoped } = await service.newKey({ boardId: a2.boardId });
  for (const operation of operations.filter((each) => each.method !== "GET" && isClosed(each))) {
    const { board } = getFixture(operation);
    for (const bad of [
      { body: "{ not json" },
      { body: "x", headers: { "content-type": "text/plain" } },
      { body: "x", headers: { "content-encoding": "gzip" } },
    ]) {
      expect(toError(await callRoute(operation, a1, "x", bad)), operation.name).toEqual(expectedError(401, INVALID));
      if (board !== "path") continue;
      expect(toError(await callRoute(operation, UNKNOWN_TARGET, service.key, bad)), operation.name).toEqual(
        expectedError(404, `${getResourceName(operation)} not found.`),
      );
      expect(toError(await callRoute(operation, a1, scoped, bad)), operation.name).toEqual(expectedError(403, OTHER_BOARD));
    }
    if (board === "path" && operation.body !== undefined) {
      expect(toError(await callRoute(operation, a1, service.key, { body: "{ not json" })), operation.name).toEqual(
        expectedError(400, "The request body is not valid JSON."),
      );
    }
  }
});

test("all routes of the OpenAPI document close the connection of a rejected request instead of reading its huge body", async () => {
  const { service, boardA1: a1, boardA2: a2 } = testData;
  const { key: scoped } = await service.newKey({ boardId: a2.boardId });
  const { key: reader } = await service.newKey({ permission: "read" });
  const piece = Buffer.alloc(65_536, 0x20);
  const most = 64 * 1_048_576;
  for (const operation of operations.filter((each) => each.body !== undefined && isClosed(each))) {
    const isByPath = getFixture(operation).board === "path";
    const calls: readonly (readonly [Ids, string, number])[] = [
      [a1, "x", 401],
      [a1, reader, 403],
      ...(isByPath
        ? ([
            [UNKNOWN_TARGET, service.key, 404],
            [a1, scoped, 403],
          ] as const)
        : []),
    ];
    for (const [ids, key, status] of calls) {
      const head = `${operation.method} ${fillPath(operation.path, ids)} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
      const { status: answered } = await exchange(service.url, `${head}5\r\n{    \r\n`);
      expect(answered, operation.name).toBe(status);
      const { sent, isClosedByServer } = await pour(service.url, head, piece, most);
      expect(isClosedByServer, `${operation.name} ${status} after ${sent} bytes`).toBe(true);
    }
  }
});

/** The resource that a route's path names, which the 404 message contains. */
function getResourceName({ path }: Operation): "Board" | "Zone" | "Tile" | "Generation" {
  if (path.includes("{generationId}")) return "Generation";
  if (path.includes("{zoneId}")) return "Zone";
  return path.includes("{tileId}") ? "Tile" : "Board";
}
