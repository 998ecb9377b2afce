import { createClient } from "@tessera-board/sdk";
import { beforeEach, expect, test } from "vitest";
import { useTestService } from "../../support/service.ts";

const service = useTestService({ ROLE: "api" });
let boardId: string;
let zoneId: string;
beforeEach(async () => {
  boardId = (await service.call("POST", "/api/board/boards", { body: { name: "Board" } })).json.board.id;
  zoneId = (await service.call("POST", `/api/board/${boardId}/zones`, { body: { name: "Zone" } })).json.zone.id;
});

const bulk = (body: unknown, key?: string) =>
  service.call("POST", `/api/board/${boardId}/tiles/bulk`, { body, ...(key === undefined ? {} : { key }) });
const listTiles = async (query = ""): Promise<any[]> => (await service.call("GET", `/api/board/${boardId}/tiles${query}`)).json.tiles;

/** Adds texts to the board in batches and returns their ids in order. */
async function addTexts(count: number, more: object = {}): Promise<string[]> {
  const ids: string[] = [];
  for (let at = 0; at < count; at += 500) {
    const tiles = Array.from({ length: Math.min(500, count - at) }, (_, n) => ({ board_id: boardId, content: `Text ${at + n}`, ...more }));
    const { json } = await service.call("POST", "/api/inbound/tiles/batch", { body: { tiles } });
    ids.push(...json.results.map(({ tile }: any) => tile.id));
  }
  return ids;
}
const addLink = async (): Promise<string> =>
  (await service.call("POST", `/api/board/${boardId}/tiles`, { body: { url: "https://example.com/" } })).json.tile.id;

test("a bulk request moves tiles into a zone and out of it, to given positions if there are any", async () => {
  const [one, two, three] = (await addTexts(3)) as [string, string, string];
  const into = { filter: { tileIds: [three, one] }, action: { moveTo: zoneId, sortOrders: [-2, -1] } };
  expect((await bulk(into)).json).toEqual({ matched: 2, changed: 2, tileIds: [one, three] });
  const rows = await listTiles("?order=position&text=false");
  expect(rows.map((tile) => [tile.id, tile.zoneId])).toEqual([
    [three, zoneId],
    [one, zoneId],
    [two, null],
  ]);
  expect((await bulk(into)).json).toMatchObject({ matched: 2, changed: 0 });
  expect((await bulk({ filter: { zone_id: zoneId }, action: { move_to: null } })).json).toMatchObject({ matched: 2, changed: 2 });
  expect((await listTiles("?text=false")).every((tile) => tile.zoneId === null)).toBe(true);
});

test("a bulk request retries failed tiles and returns their number", async () => {
  const [text] = await addTexts(1);
  const link = await addLink();
  const byHand = await addLink();
  await service.call("PATCH", `/api/board/tiles/${byHand}`, { body: { content: "By hand" } });
  const retry = await bulk({ filter: { tile_ids: [text, link, byHand] }, action: { retry: "true" } });
  // The link is still processing, and the retry would overwrite an edited text.
  expect(retry.json).toEqual({ matched: 3, changed: 0, tileIds: [text, link, byHand] });
});

test("a bulk request filters by status and by times", async () => {
  const [text] = await addTexts(1);
  const link = await addLink();
  const find = async (filter: object) => (await bulk({ filter, action: { delete: true }, dryRun: true })).json.tileIds;
  expect(await find({ status: "processing" })).toEqual([link]);
  expect(await find({ created_before: new Date(Date.now() + 60_000).toISOString(), status: "ready" })).toEqual([text]);
  expect(await find({ updatedBefore: "2020-01-01" })).toEqual([]);
});

test("a bulk request sets connected_to_chat", async () => {
  const ids = await addTexts(2);
  const read = async () => (await listTiles("?metadata=true")).map(({ connectedToChat }) => connectedToChat);
  const set = (connected_to_chat: unknown) => bulk({ filter: { type: "TEXT" }, action: { connected_to_chat } });
  expect((await set(false)).json).toEqual({ matched: 2, changed: 2, tileIds: ids });
  expect(await read()).toEqual([false, false]);
  expect((await set("true")).json).toMatchObject({ changed: 2 });
  expect(await read()).toEqual([true, true]);
  const { tiles } = createClient({ baseUrl: service.url, apiKey: service.key });
  expect(await tiles.bulk(boardId, { filter: { tileIds: ids }, action: { connectedToChat: null } })).toMatchObject({ changed: 2 });
  expect(await read()).toEqual([null, null]);
  expect((await set("no")).json).toEqual({ error: "connected_to_chat must be a boolean." });
});

test("a bulk request can be sent with the client", async () => {
  const [one, two] = (await addTexts(2)) as [string, string];
  const { tiles } = createClient({ baseUrl: service.url, apiKey: service.key });
  const filter = { tileIds: [one, two], createdBefore: new Date(Date.now() + 60_000) };
  expect(await tiles.bulk(boardId, { filter, action: { moveTo: zoneId, sortOrders: [5, 4] } })).toEqual({
    matched: 2,
    changed: 2,
    tileIds: [one, two],
  });
  expect((await tiles.list(boardId, { order: "position" })).tiles.map(({ id }) => id)).toEqual([two, one]);
  expect(await tiles.bulk(boardId, { filter: { zoneId }, action: { delete: true }, dryRun: true })).toMatchObject({ changed: 0 });
});

const A = { delete: true };
test.each<[unknown, string]>([
  [{}, "filter is required."],
  [{ filter: { type: "TEXT" } }, "action is required."],
  [
    { filter: {}, action: A },
    "filter needs at least one of tile_ids, external_ids, zone_id, status, type, tag, properties, source_id, created_before, updated_before.",
  ],
  ...["tile_ids", "zone_id", "status", "type", "created_before", "updated_before"].map((name): [unknown, string] => [
    { filter: { [name]: null }, action: A },
    `${name} must not be null.`,
  ]),
  [{ filter: { type: "TEXT", zone_id: null }, action: A }, "zone_id must not be null. Leave it out to match tiles with any value."],
  [{ filter: { type: "TEXT", zoneId: " " }, action: A }, "zone_id must not be blank. Leave it out to match tiles with any value."],
  [{ filter: { type: "TEXT", status: "" }, action: A }, "status must not be blank."],
  [{ filter: { type: "TEXT", createdBefore: null }, action: A }, "created_before must not be null."],
  [{ filter: [], action: A }, "filter must be an object."],
  [{ filter: "all", action: A }, "filter must be an object."],
  [{ filter: { label: "a" }, action: A }, "filter.label is not a known field."],
  [{ filter: { type: "TEXT", board_id: "x" }, action: A }, "filter.board_id is not a known field."],
  [{ filter: { tile_ids: ["x"], tileIds: ["y"] }, action: A }, "filter.tileIds has no effect in this call. Leave it out."],
  [{ filter: { type: "TEXT" }, action: { move_to: null, moveTo: "x" } }, "action.moveTo has no effect in this call. Leave it out."],
  [{ filter: { tile_ids: "til_a" }, action: A }, "tile_ids must be an array."],
  [{ filter: { tile_ids: [] }, action: A }, "tile_ids must not be empty."],
  [{ filter: { tile_ids: [1] }, action: A }, "tile_ids must be an array of strings."],
  [{ filter: { tile_ids: ["a\u0000"] }, action: A }, "tile_ids must be valid Unicode without NUL."],
  [{ filter: { tile_ids: Array(10_001).fill("til_a") }, action: A }, "tile_ids has too many items. The maximum is 10000."],
  [{ filter: { status: "gone" }, action: A }, "status must be one of processing, ready, failed."],
  [{ filter: { external_ids: [] }, action: A }, "external_ids must not be empty."],
  [{ filter: { external_ids: [7] }, action: A }, "external_ids must be an array of strings."],
  [{ filter: { external_ids: ["a\u0000"] }, action: A }, "external_ids must be valid Unicode without NUL."],
  [
    { filter: { external_ids: Array.from({ length: 10_001 }, String) }, action: A },
    "external_ids has too many items. The maximum is 10000.",
  ],
  [{ filter: { created_before: "soon" }, action: A }, "created_before must be an ISO 8601 time"],
  [{ filter: { created_before: "2026-02-30" }, action: A }, "created_before must be an ISO 8601 time"],
  [
    { filter: { type: "TEXT" }, action: {} },
    "action must have exactly one of move_to, add_tags, remove_tags, set_properties, delete, restore, retry, connected_to_chat.",
  ],
  [{ filter: { type: "TEXT" }, action: { delete: true, retry: true } }, "action must have exactly one of "],
  [{ filter: { type: "TEXT" }, action: { delete: true, connected_to_chat: null } }, "action must have exactly one of "],
  [{ filter: { type: "TEXT" }, action: { connected_to_chat: "" } }, "action must have exactly one of "],
  [{ filter: { type: "TEXT" }, action: { delete: false } }, "delete must be true."],
  [{ filter: { type: "TEXT" }, action: { add_labels: ["a"] } }, "action.add_labels is not a known field."],
  [{ filter: { type: "TEXT" }, action: { set_labels: {} } }, "action.set_labels is not a known field."],
  [{ filter: { type: "TEXT" }, action: { delete: true, sort_orders: [1] } }, "sort_orders needs move_to."],
  [
    { filter: { type: "TEXT" }, action: { move_to: null, sort_orders: [1] } },
    "sort_orders must have one number for each of filter.tile_ids.",
  ],
  [{ filter: { tile_ids: ["a"] }, action: { move_to: null, sort_orders: ["1"] } }, "sort_orders must be whole numbers from "],
  [{ filter: { type: "TEXT" }, action: A, dry_run: "maybe" }, "dry_run must be a boolean."],
  [{ filter: { type: "TEXT" }, action: A, dry_run: null }, "dry_run must not be null. Leave it out to make the change."],
  [{ filter: { type: "TEXT" }, action: A, dryRun: null }, "dry_run must not be null."],
  [{ filter: { type: "TEXT" }, action: A, dry_run: "" }, "dry_run must not be blank. Leave it out to make the change."],
])("an invalid bulk request with %j returns 400", async (body, message) => {
  await addTexts(1);
  const { status, json } = await bulk(body);
  expect([status, json.error.slice(0, message.length)]).toEqual([400, message]);
  expect(await listTiles()).toHaveLength(1);
});
