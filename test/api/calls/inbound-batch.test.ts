import { expect, test } from "vitest";
import { UNKNOWN_TARGET } from "../../support/test-data.ts";
import { quiet, busy, origin, zoneId, otherZoneId, FOREIGN_ZONE, read, useInboundService } from "./support/inbound-service.ts";

useInboundService();

const batch = (tiles: unknown, key = quiet.key) => quiet.call("POST", "/api/inbound/tiles/batch", { body: { tiles }, key });

test("a batch returns a result per item in order, and an invalid item does not affect others", async () => {
  const here = { board_id: quiet.boardId };
  const other = await quiet.newBusiness("Elsewhere");
  const { json, status } = await batch([
    { ...here, content: "first" },
    { content: "no board" },
    { ...here },
    { ...here, content: "c", url: "https://example.com" },
    { ...here, url: "https://example.com/second" },
    { ...here, url: "http://10.0.0.1/" },
    { ...here, content: "c", zone_id: otherZoneId },
    { board_id: UNKNOWN_TARGET.boardId, content: "c" },
    { board_id: other.boardId, content: "c" },
    "text",
    null,
    { boardId: quiet.boardId, content: "last", zoneId },
  ]);
  expect(status).toBe(200);
  expect(json.results).toEqual([
    { tile: { id: expect.any(String), status: "ready", type: "TEXT" }, created: true },
    { error: "board_id is required.", code: "field_missing", status: 400 },
    { error: "Either content or url must be provided.", code: "field_missing", status: 400 },
    { error: "Provide either content or url, not both.", code: "invalid", status: 400 },
    { tile: { id: expect.any(String), status: "processing", type: "WEBSITE" }, created: true },
    { error: "url points inside the network.", code: "url_not_allowed", status: 400 },
    { error: FOREIGN_ZONE, code: "zone_not_on_board", status: 400 },
    { error: "Board not found.", code: "board_not_found", status: 404 },
    { error: "Board not found.", code: "board_not_found", status: 404 },
    { error: "The request body must be a JSON object.", code: "body_invalid", status: 400 },
    { error: "The request body must be a JSON object.", code: "body_invalid", status: 400 },
    { tile: { id: expect.any(String), status: "ready", type: "TEXT" }, created: true },
  ]);
  expect((await read(json.results[0].tile.id)).extractedText).toBe("first");
  expect(await read(json.results[11].tile.id)).toMatchObject({ extractedText: "last", zoneId });
});

test("a batch with a key of one board writes to that board only", async () => {
  const { id } = (await quiet.call("POST", "/api/board/boards", { body: { name: "Fed" } })).json.board;
  const { key } = await quiet.newKey({ boardId: id, permission: "inbound" });
  const { json } = await batch(
    [
      { board_id: id, content: "c" },
      { board_id: quiet.boardId, content: "c" },
      { board_id: UNKNOWN_TARGET.boardId, content: "c" },
    ],
    key,
  );
  const refusal = { error: "This API key is not authorized for this board.", code: "board_not_allowed", status: 403 };
  expect(json.results).toEqual([{ tile: expect.anything(), created: true }, refusal, refusal]);
});

test("a batch with the same external_id twice creates one tile", async () => {
  const item = { board_id: quiet.boardId, external_id: "twice" };
  const { results } = (
    await batch([
      { ...item, content: "a" },
      { ...item, content: "b" },
    ])
  ).json;
  expect(results).toMatchObject([{ created: true }, { created: false, changed: true, tile: { id: results[0].tile.id } }]);
  expect((await read(results[0].tile.id)).extractedText).toBe("b");
});

test.each([
  [undefined, "tiles is required."],
  [null, "tiles is required."],
  [[], "tiles must not be empty."],
  ["x", "tiles must be an array."],
  [{}, "tiles must be an array."],
  [Array.from({ length: 501 }, () => ({})), "tiles has too many items. The maximum is 500."],
])("a batch of %j is rejected: %s", async (tiles, message) => {
  const { status, json } = await batch(tiles);
  expect([status, json]).toEqual([400, { error: message }]);
});

const add = async (path: string, fields: object = {}): Promise<string> =>
  (await busy.call("POST", "/api/inbound/tiles", { body: { board_id: busy.boardId, url: origin + path, ...fields } })).json.tile.id;
const settled = async (id: string): Promise<any> => (await busy.call("GET", `/api/board/tiles/${id}?wait=25`)).json.tile;

test("links that do not exist fail with a message and can be retried", async () => {
  const id = await add("/missing");
  expect(await settled(id)).toMatchObject({
    status: "failed",
    error: {
      code: expect.any(String),
      message: expect.any(String),
      stage: expect.any(String),
      retryable: expect.any(Boolean),
      attempts: 1,
    },
  });
  const again = await busy.call("POST", `/api/board/tiles/${id}/retry`);
  expect([again.status, again.json.tile.status, again.json.tile.error]).toEqual([200, "processing", null]);
  expect((await settled(id)).status).toBe("failed");
  expect((await busy.call("PATCH", `/api/board/tiles/${id}`, { body: { content: "By hand" } })).json.tile).toMatchObject({
    status: "ready",
    error: null,
    extractedText: "By hand",
  });
});
