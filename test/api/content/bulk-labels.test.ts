import { beforeEach, expect, test } from "vitest";
import { useTestService } from "../../support/service.ts";

const service = useTestService({ ROLE: "api" });
let boardId: string;
beforeEach(async () => {
  boardId = (await service.call("POST", "/api/board/boards", { body: { name: "Board" } })).json.board.id;
});

const bulk = async (filter: unknown, action: unknown, more: object = {}): Promise<any> =>
  (await service.call("POST", `/api/board/${boardId}/tiles/bulk`, { body: { filter, action, ...more } })).json;
const add = async (body: object): Promise<string> =>
  (await service.call("POST", `/api/board/${boardId}/tiles`, { body: { content: "Text", ...body } })).json.tile.id;
const read = async (id: string): Promise<any> => (await service.call("GET", `/api/board/tiles/${id}`)).json.tile;
const list = async (query: string): Promise<string[]> =>
  (await service.call("GET", `/api/board/${boardId}/tiles?${query}`)).json.tiles.map(({ id }: { id: string }) => id);

test("bulk changes select tiles by tag, by properties, and by several statuses and types", async () => {
  const a = await add({ tags: ["Red", "big"], properties: { order: 1, paid: false } });
  const b = await add({ tags: ["red"], properties: { order: "2", sizes: ["S"] } });
  const c = await add({ properties: { note: null } });
  const find = async (filter: object) => (await bulk(filter, { delete: true }, { dry_run: true })).tileIds;
  expect(await find({ tag: "RED" })).toEqual([a, b]);
  expect(await find({ tag: ["red", "Big"] })).toEqual([a]);
  expect(await find({ properties: { order: 1 } })).toEqual([a]);
  expect(await find({ properties: { order: [1, 2] } })).toEqual([a, b]);
  expect(await find({ properties: { order: ["1"], paid: false } })).toEqual([a]);
  expect(await find({ properties: { sizes: "S" } })).toEqual([b]);
  expect(await find({ properties: { note: null } })).toEqual([c]);
  expect(await find({ tag: "red", properties: { order: [2, 3] }, type: ["TEXT", "PDF"], status: "ready" })).toEqual([b]);
  expect(await find({ status: ["failed", "processing"] })).toEqual([]);
  expect(await find({ tile_ids: [a, c], tag: "red" })).toEqual([a]);
  expect(await find({ external_ids: ["none"], tag: "red" })).toEqual([]);
});

test("add_tags and remove_tags change the tags of all tiles that match, and the index with them", async () => {
  const a = await add({ tags: ["Red"] });
  const b = await add({ tags: ["blue"] });
  expect(await bulk({ type: "TEXT" }, { add_tags: [" red ", "New", "new"] }, { dry_run: true })).toEqual({
    matched: 2,
    changed: 0,
    tileIds: [a, b],
  });
  expect(await bulk({ type: "TEXT" }, { add_tags: [" red ", "New", "new"] })).toEqual({ matched: 2, changed: 2, tileIds: [a, b] });
  expect([(await read(a)).tags, (await read(b)).tags]).toEqual([
    ["Red", "New"],
    ["blue", "red", "New"],
  ]);
  expect(await list("tag=red&tag=new")).toEqual([a, b]);
  expect(await bulk({ tag: "new" }, { addTags: ["NEW"] })).toMatchObject({ matched: 2, changed: 0 });
  expect(await bulk({ tag: "new" }, { remove_tags: ["RED", "none"] })).toMatchObject({ matched: 2, changed: 2 });
  expect([(await read(a)).tags, (await read(b)).tags]).toEqual([["New"], ["blue", "New"]]);
  expect([await list("tag=red"), await list("tag=blue")]).toEqual([[], [b]]);
  expect(await bulk({ tag: "new" }, { remove_tags: ["new", "blue"] })).toMatchObject({ changed: 2 });
  expect((await read(a)).tags).toEqual([]);
});

test("set_properties merges, and null removes a key", async () => {
  const a = await add({ properties: { order: 1, paid: false } });
  expect(await bulk({ properties: { order: 1 } }, { set_properties: { paid: true, order: null, sizes: ["S"] } })).toMatchObject({
    changed: 1,
  });
  expect((await read(a)).properties).toEqual({ paid: true, sizes: ["S"] });
  expect(await list("property.sizes=S&property.paid=true")).toEqual([a]);
  expect(await list("property.order=1")).toEqual([]);
  expect(await bulk({ tile_ids: [a] }, { setProperties: { none: null, paid: true } })).toMatchObject({ matched: 1, changed: 0 });
});

test("a tile that would exceed the limits stays as it is, and is named; the others change", async () => {
  const tags = Array.from({ length: 49 }, (_, i) => `tag ${i}`);
  const properties = Object.fromEntries(Array.from({ length: 64 }, (_, i) => [`key ${i}`, i]));
  const full = await add({ tags, properties });
  const bare = await add({});
  const added = { add_tags: ["one", "two"] };
  expect(await bulk({ type: "TEXT" }, added, { dry_run: true })).toMatchObject({ matched: 2, changed: 0, overLimit: [full] });
  expect(await bulk({ type: "TEXT" }, added)).toMatchObject({ matched: 2, changed: 1, overLimit: [full] });
  expect(await bulk({ type: "TEXT" }, { set_properties: { more: 1 } })).toMatchObject({ matched: 2, changed: 1, overLimit: [full] });
  expect(await read(full)).toMatchObject({ tags, properties });
  expect(await read(bare)).toMatchObject({ tags: ["one", "two"], properties: { more: 1 } });
  expect(await bulk({ type: "TEXT" }, { set_properties: { more: 1, "key 0": null } })).toMatchObject({ changed: 1 });
});

test("hundreds of tiles are changed in several steps, and restored by their tags", async () => {
  const tiles = Array.from({ length: 300 }, (_, n) => ({ board_id: boardId, content: `Text ${n}`, tags: n % 3 === 0 ? ["third"] : [] }));
  await service.call("POST", "/api/inbound/tiles/batch", { body: { tiles } });
  const more = Array.from({ length: 49 }, (_, i) => `tag ${i}`);
  const properties = Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`key ${i}`, `${i}`.repeat(1_900)]));
  expect(await bulk({ tag: "third" }, { add_tags: more })).toMatchObject({ matched: 100, changed: 100 });
  expect(await bulk({ tag: "third" }, { set_properties: properties })).toMatchObject({ matched: 100, changed: 100 });
  expect(await list("tag=third&tag=tag%2048&text=false")).toHaveLength(100);
  expect(await bulk({ tag: "third" }, { delete: true })).toMatchObject({ matched: 100, changed: 100 });
  expect(await list("tag=third")).toEqual([]);
  expect(await bulk({ tag: "third" }, { restore: true })).toMatchObject({ matched: 100, changed: 100 });
  expect(await list("tag=third&text=false")).toHaveLength(100);
});

test.each<readonly [unknown, unknown, string]>([
  [{ tag: "" }, { delete: true }, "tag must not be blank. Leave it out to match tiles with any value."],
  [{ tag: null }, { delete: true }, "tag must not be null. Leave it out to match tiles with any value."],
  [{ tag: [] }, { delete: true }, "tag must not be empty."],
  [{ tag: ["a", null] }, { delete: true }, "tag must not have null or blank items."],
  [{ tag: [7] }, { delete: true }, "tag must be a string."],
  [{ status: "ready,failed" }, { delete: true }, "status must be one of processing, ready, failed."],
  [{ properties: {} }, { delete: true }, "properties must not be empty."],
  [{ properties: null }, { delete: true }, "properties must not be null. Leave it out to match tiles with any value."],
  [{ properties: "a" }, { delete: true }, "properties must be an object."],
  [{ properties: { a: [] } }, { delete: true }, "properties must not have empty arrays."],
  [
    { properties: { a: { b: 1 } } },
    { delete: true },
    "properties must have values that are strings, numbers, booleans, null or arrays of these.",
  ],
  [{ tag: "a" }, { add_tags: null }, "add_tags must be an array."],
  [{ tag: "a" }, { add_tags: [] }, "add_tags must not be empty."],
  [{ tag: "a" }, { remove_tags: [" "] }, "remove_tags must have 1 to 100 characters in each item."],
  [{ tag: "a" }, { set_properties: {} }, "set_properties must not be empty."],
  [
    { tag: "a" },
    { set_properties: { a: {} } },
    "set_properties has a value that is not a string, a number, a boolean, null or an array of strings: a.",
  ],
])("the filter %j with the action %j is rejected with 400", async (filter, action, error) => {
  await add({ tags: ["a"] });
  expect(await bulk(filter, action)).toEqual({ error });
  expect(await list("")).toHaveLength(1);
});
