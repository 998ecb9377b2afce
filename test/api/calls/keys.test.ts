import { afterAll, beforeAll, expect, test } from "vitest";
import { revokeKey } from "#service/settings/keys.ts";
import { isPostgres } from "../../support/engine.ts";
import { type TestData, startServiceWithData } from "../../support/test-data.ts";
import { INVALID, OTHER_BOARD, expectedError, toError } from "./support/errors.ts";

let testData: TestData;
beforeAll(async () => {
  testData = await startServiceWithData();
});
afterAll(() => testData.service.stop());

test("API keys are also accepted as a bearer token, even with an empty X-API-Key header", async () => {
  const { service } = testData;
  for (const headers of [{ authorization: `Bearer ${service.key}` }, { authorization: `bearer ${service.key}`, "x-api-key": "" }]) {
    expect((await service.call("GET", "/api/me", { key: null, headers })).status).toBe(200);
  }
  const wrong = await service.call("GET", "/api/me", { key: "x", headers: { authorization: `Bearer ${service.key}` } });
  expect(toError(wrong)).toEqual(expectedError(401, INVALID));
});

test("API keys revoked by another process are rejected at once, or within a second on several nodes", async () => {
  const { service } = testData;
  const { key, id } = await service.newKey();
  expect((await service.call("GET", "/api/me", { key })).status).toBe(200);
  await revokeKey(service.appContext.deps, service.businessId, id, "operator");
  const status = async () => (await service.call("GET", "/api/me", { key })).status;
  if (isPostgres()) await expect.poll(status, { interval: 10 }).toBe(401);
  expect(await status()).toBe(401);
});

test("API keys of a deleted board have no access to other boards", async () => {
  const { service, boardA1: a1 } = testData;
  const { id: boardId } = (await service.call("POST", "/api/board/boards", { body: { name: "Short-lived" } })).json.board;
  const { key } = await service.newKey({ boardId });
  await service.call("DELETE", `/api/board/boards/${boardId}`);
  expect((await service.call("GET", "/api/board/boards", { key })).json).toEqual({ boards: [] });
  expect(toError(await service.call("GET", `/api/board/${boardId}/tiles`, { key }))).toEqual(expectedError(404, "Board not found."));
  expect(toError(await service.call("GET", `/api/board/${a1.boardId}/tiles`, { key }))).toEqual(expectedError(403, OTHER_BOARD));
  expect(toError(await service.call("GET", `/api/board/tiles/${a1.tileId}`, { key }))).toEqual(expectedError(403, OTHER_BOARD));
});

test("API keys of one board cannot use ids of another board in a body or query", async () => {
  const { service, boardA1: a1, boardA2: a2 } = testData;
  const { key } = await service.newKey({ boardId: a1.boardId });
  const elsewhere = expectedError(400, "The zone does not belong to this board.");
  const patch = (body: unknown) => service.call("PATCH", `/api/board/tiles/${a1.tileId}`, { key, body });
  expect(
    toError(await service.call("POST", `/api/board/${a1.boardId}/tiles`, { key, body: { content: "x", zone_id: a2.zoneId } })),
  ).toEqual(elsewhere);
  expect(toError(await patch({ zone_id: a2.zoneId }))).toEqual(elsewhere);
  expect(toError(await service.call("GET", `/api/board/${a1.boardId}/tiles?zone_id=${a2.zoneId}`, { key }))).toEqual(elsewhere);
  expect(
    toError(await service.call("POST", "/api/inbound/tiles", { key, body: { board_id: a1.boardId, zone_id: a2.zoneId, content: "x" } })),
  ).toEqual(elsewhere);
  const moved = (await patch({ boardId: a2.boardId, board_id: a2.boardId, businessId: "biz_x", id: a2.tileId })).json.tile;
  expect([moved.id, moved.boardId]).toEqual([a1.tileId, a1.boardId]);
});
