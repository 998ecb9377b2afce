import { afterAll, beforeAll, expect, test } from "vitest";
import type { Operation } from "../../support/operations.ts";
import { type EveryOperation, startEveryOperation } from "../calls/support/every-operation.ts";

let every: EveryOperation;
let single: Operation[];
beforeAll(async () => {
  every = await startEveryOperation();
  // An answer or a listing has a list beside its other fields.
  single = every.operations.filter(
    ({ method, response: { properties } }) =>
      method === "GET" && properties !== undefined && !Object.values(properties).some(({ type }) => type === "array"),
  );
});
afterAll(() => every.testData.service.stop());

test("every single resource answers If-None-Match with 304", async () => {
  expect(single.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      "GET /api/board/boards/{boardId}",
      "GET /api/board/zones/{zoneId}",
      "GET /api/board/tiles/{tileId}",
      "GET /api/v1/generations/{generationId}",
      "GET /api/settings/webhook/deliveries/{deliveryId}",
      "GET /api/me",
    ]),
  );
  for (const operation of single) {
    const first = await every.call(operation);
    const etag = first.headers.get("etag") ?? "";
    expect([first.status, etag], operation.name).toEqual([200, expect.stringMatching(/^"[\w-]+"$/)]);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const again = await every.call(operation, { headers: { "if-none-match": known } });
      expect([again.status, again.text, again.headers.get("etag")], operation.name).toEqual([304, "", etag]);
      expect((await every.call(operation, { method: "HEAD", headers: { "if-none-match": known } })).status, operation.name).toBe(304);
    }
    expect((await every.call(operation, { headers: { "if-none-match": '"other"' } })).status, operation.name).toBe(200);
  }
});

test("a board has an address of its own, with times and a version", async () => {
  const { service } = every.testData;
  const created = await service.call("POST", "/api/board/boards", { body: { name: "Quay" } });
  const path = `/api/board/boards/${created.json.board.id}`;
  const read = await service.call("GET", path);
  expect(read.json).toEqual(created.json);
  expect(read.json.board).toEqual({
    id: created.json.board.id,
    name: "Quay",
    isDefault: false,
    slug: "quay",
    createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
    updatedAt: expect.stringMatching(/^\d{4}-.*Z$/),
  });
  const etag = read.headers.get("etag") ?? "";
  expect(created.headers.get("etag")).toBe(etag);
  const changed = await service.call("PATCH", path, { body: { name: "Pier" }, headers: { "if-match": etag } });
  expect(changed.status).toBe(200);
  expect((await service.call("GET", path, { headers: { "if-none-match": etag } })).status).toBe(200);
  expect((await service.call("GET", path, { headers: { "if-none-match": changed.headers.get("etag") ?? "" } })).status).toBe(304);
});

test("a board named like a word of the specification's paths does not hide them", async () => {
  const { service } = every.testData;
  for (const word of ["zones", "tiles", "boards", "ask", "search"]) {
    const { status, json } = await service.call("GET", `/api/board/boards/${word}`);
    expect([status, json], word).toEqual([404, { error: "Board not found." }]);
  }
  expect((await service.call("GET", `/api/board/${every.ids.boardId}/zones`)).status).toBe(200);
});

test("creations carry the ETag of what GET returns", async () => {
  const { service } = every.testData;
  const { boardId } = every.ids;
  const inbound = await service.call("POST", "/api/inbound/tiles", { body: { board_id: boardId, content: "In." } });
  const tile = await service.call("GET", `/api/board/tiles/${inbound.json.tile.id}`);
  expect(inbound.headers.get("etag")).toBe(tile.headers.get("etag"));
  const made = await service.call("POST", "/api/v1/idea", { body: { board_id: boardId } });
  const generation = await service.call("GET", `/api/v1/generations/${made.json.generation.id}`);
  expect(made.headers.get("etag")).toBe(generation.headers.get("etag"));
  const set = await every.owner.call("POST", "/api/settings/webhook", { body: { url: "https://example.com/other" } });
  expect(set.headers.get("etag")).toBe((await every.owner.call("GET", "/api/settings/webhook")).headers.get("etag"));
});
