import { expect, test } from "vitest";
import type { Permission } from "#domain/core/access.ts";
import { PERMISSIONS } from "#domain/settings/api-key.ts";
import { type Ids, type Operation, fillPath } from "../../support/operations.ts";
import { exchange, pour } from "../../support/clients/raw.ts";
import { type Browser, joinAs } from "../../support/people/people.ts";
import { UNKNOWN_TARGET, dumpBusiness } from "../../support/test-data.ts";
import { INVALID, LOG_IN_REQUIRED, NO_ADMIN, NO_OWNER, NOT_PERMITTED, OTHER_BOARD, expectedError, toError } from "./support/errors.ts";
import { getFixture, SHORT_OF } from "./support/route-fixtures.ts";
import { testData, operations, owner, buildPath, callRoute, isClosed, getResourceName, useRoutes } from "./support/routes.ts";

useRoutes();

const isMembersOnly = (operation: Operation): boolean => ["member", "administer", "own"].includes(getFixture(operation).need);

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
