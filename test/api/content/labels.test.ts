import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { checkBusinessAccess } from "#domain/core/access.ts";
import { exportBoard } from "#service/content/transfer/export.ts";
import { importBoard, streamLines } from "#service/content/transfer/import.ts";
import { authorizeOn } from "../../support/boards.ts";
import { createClient } from "@tessera-board/sdk";
import { useTestService } from "../../support/service.ts";

const service = useTestService({ ROLE: "api" });

const create = (body: object) => service.call("POST", `/api/board/${service.boardId}/tiles`, { body });
const send = (body: object) => service.call("POST", "/api/inbound/tiles", { body: { board_id: service.boardId, ...body } });
const read = async (id: string): Promise<any> => (await service.call("GET", `/api/board/tiles/${id}`)).json.tile;
const patch = (id: string, body: object) => service.call("PATCH", `/api/board/tiles/${id}`, { body });
const form = (path: string, fields: readonly (readonly [string, string])[], file?: string) => {
  const body = new FormData();
  for (const [name, value] of fields) body.append(name, value);
  if (file !== undefined) body.set("file", new Blob([file]), "note.txt");
  return fetch(`${service.url}${path}`, { method: "POST", headers: { authorization: `Bearer ${service.key}` }, body });
};

const TAGS = ["Harbour", "opening hours", "Straße"];
const PROPERTIES = { order: 4711, paid: true, colour: "red", sizes: ["S", "M"], note: null, "a.b": "", __proto: "x" };

test("a tile has no tags and no properties unless it gets some", async () => {
  const { tile } = (await create({ content: "Bare" })).json;
  expect(tile).toMatchObject({ tags: [], properties: {} });
  expect(await read(tile.id)).toMatchObject({ tags: [], properties: {} });
});

test("tags are trimmed, and the first spelling of a tag wins", async () => {
  const { tile } = (await create({ content: "Tagged", tags: ["  Harbour ", "harbour", "HARBOUR", "opening hours", "Straße", "STRASSE"] }))
    .json;
  expect(tile.tags).toEqual(TAGS);
  expect((await read(tile.id)).tags).toEqual(TAGS);
});

test("both create calls, a batch and a link take tags and properties", async () => {
  const body = { tags: TAGS, properties: PROPERTIES };
  const { tile } = (await create({ content: "Made", ...body })).json;
  expect(tile).toMatchObject(body);
  const link = (await create({ url: "https://example.com/labelled", ...body })).json.tile;
  const inbound = (await send({ content: "Sent", ...body })).json.tile;
  const tiles = [{ board_id: service.boardId, content: "One of many", ...body }];
  const batch = (await service.call("POST", "/api/inbound/tiles/batch", { body: { tiles } })).json.results[0].tile;
  for (const { id } of [tile, link, inbound, batch]) expect(await read(id)).toMatchObject(body);
});

test("a listing has the tags of its tiles", async () => {
  const { tile } = (await create({ content: "Listed", tags: TAGS })).json;
  for (const query of ["", "?text=false", "?metadata=true", "?text=false&metadata=true&order=desc"]) {
    const { tiles } = (await service.call("GET", `/api/board/${service.boardId}/tiles${query}`)).json;
    expect(tiles.find(({ id }: { id: string }) => id === tile.id)).toMatchObject({ tags: TAGS });
  }
});

test("PATCH replaces all tags and properties, null empties them, and what is not given stays", async () => {
  const { id } = (await create({ content: "Changed", tags: TAGS, properties: PROPERTIES })).json.tile;
  expect((await patch(id, { title: "Other" })).json.tile).toMatchObject({ tags: TAGS, properties: PROPERTIES });
  expect((await patch(id, { tags: ["new"], properties: { only: 1 } })).json.tile).toMatchObject({ tags: ["new"], properties: { only: 1 } });
  expect((await read(id)).properties).toEqual({ only: 1 });
  expect((await patch(id, { tags: null })).json.tile).toMatchObject({ tags: [], properties: { only: 1 } });
  expect((await patch(id, { properties: null })).json.tile).toMatchObject({ tags: [], properties: {} });
});

test("an update by external_id replaces what it gives, keeps the rest, and says whether anything changed", async () => {
  const base = { content: "Synced", external_id: "labels-1" };
  const { tile } = (await send({ ...base, tags: TAGS, properties: { a: 1, b: [] } })).json;
  expect((await send(base)).json).toMatchObject({ created: false, changed: false });
  expect((await send({ ...base, tags: null, properties: null })).json).toMatchObject({ changed: false });
  expect((await send({ ...base, tags: TAGS, properties: { b: [], a: 1 } })).json).toMatchObject({ changed: false });
  expect((await send({ ...base, tags: ["other"] })).json).toMatchObject({ changed: true });
  expect(await read(tile.id)).toMatchObject({ tags: ["other"], properties: { a: 1, b: [] } });
  expect((await send({ ...base, tags: [] })).json).toMatchObject({ changed: true });
  expect((await read(tile.id)).tags).toEqual([]);
});

test("an upload form takes tags as repeated fields, with commas or as JSON, and properties as JSON", async () => {
  const path = `/api/board/${service.boardId}/files`;
  const upload = async (...fields: (readonly [string, string])[]) =>
    (await form(path, fields, `File ${Math.random()}`)).json() as Promise<any>;
  const properties = ["properties", JSON.stringify(PROPERTIES)] as const;
  expect((await upload(["tags", "one, two"], ["tags", " Three "], properties)).tile).toMatchObject({
    tags: ["one", "two", "Three"],
    properties: PROPERTIES,
  });
  expect((await upload(["tags", '["a, b", "c"]'])).tile).toMatchObject({ tags: ["a, b", "c"], properties: {} });
  expect((await upload(["tags", " "], ["properties", ""])).tile).toMatchObject({ tags: [], properties: {} });
  expect(await upload(["tags", "[1]"])).toEqual({ error: "tags must be an array of strings." });
  expect(await upload(["tags", "[oops"])).toEqual({ error: "tags must be a JSON array, or a text with commas." });
  expect(await upload(["properties", "{oops"])).toEqual({ error: "properties must be a JSON object." });
  const full = Array.from({ length: 50 }, (_, i) => ["tags", `${i}`.padEnd(100, "é")] as const);
  expect((await upload(...full)).tile.tags).toHaveLength(50);
});

test("the forms of an inbound call take tags and properties", async () => {
  const fields = [
    ["board_id", service.boardId],
    ["content", "From a form"],
    ["tags", "a"],
    ["tags", "b,c"],
    ["properties", '{"n":1}'],
  ] as const;
  const multipart = (await (await form("/api/inbound/tiles", fields)).json()) as any;
  const encoded = await service.call("POST", "/api/inbound/tiles", {
    body: new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value])).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });
  for (const { id } of [multipart.tile, encoded.json.tile])
    expect(await read(id)).toMatchObject({ tags: ["a", "b", "c"], properties: { n: 1 } });
});

const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`key ${i}`, i]));

test.each<readonly [object, string]>([
  [{ tags: "red" }, "tags must be an array."],
  [{ tags: { red: true } }, "tags must be an array."],
  [{ tags: ["red", 7] }, "tags must be an array of strings."],
  [{ tags: ["red", null] }, "tags must be an array of strings."],
  [{ tags: ["red", " "] }, "tags must have 1 to 100 characters in each item."],
  [{ tags: ["x".repeat(101)] }, "tags must have 1 to 100 characters in each item."],
  [{ tags: ["a\0b"] }, "tags must be valid Unicode without NUL."],
  [{ tags: ["\ud800"] }, "tags must be valid Unicode without NUL."],
  [{ tags: Array.from({ length: 51 }, (_, i) => `tag ${i}`) }, "tags has too many items. The maximum is 50."],
  [{ properties: "red" }, "properties must be a JSON object."],
  [{ properties: [1] }, "properties must be a JSON object."],
  [{ properties: keys(65) }, "properties has too many keys. The maximum is 64."],
  [{ properties: { "": 1 } }, "properties must have keys of 1 to 100 characters."],
  [{ properties: { ["k".repeat(101)]: 1 } }, "properties must have keys of 1 to 100 characters."],
  [{ properties: { "a\0": 1 } }, "properties must have keys of valid Unicode without NUL."],
  [
    { properties: { deep: { a: 1 } } },
    "properties has a value that is not a string, a number, a boolean, null or an array of strings: deep.",
  ],
  [
    { properties: { list: ["a", 1] } },
    "properties has a value that is not a string, a number, a boolean, null or an array of strings: list.",
  ],
  [
    { properties: { list: [["a"]] } },
    "properties has a value that is not a string, a number, a boolean, null or an array of strings: list.",
  ],
  [{ properties: { text: "x".repeat(2_001) } }, "properties has a value that is longer than 2,000 characters: text."],
  [{ properties: { text: "a\0" } }, "properties has a value that is not valid Unicode without NUL: text."],
  [{ properties: { list: Array.from({ length: 51 }, String) } }, "properties has a value that has more than 50 items: list."],
  [
    { properties: Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`k${i}`, "x".repeat(2_000)])) },
    "properties is too long. The maximum is 16 KiB as JSON.",
  ],
])("%j is rejected with 400", async (body, error) => {
  const { tile } = (await create({ content: "Text" })).json;
  const answers = [await create({ content: "Text", ...body }), await send({ content: "Text", ...body }), await patch(tile.id, body)];
  for (const { status, json } of answers) expect({ status, json }).toEqual({ status: 400, json: { error } });
  expect(await read(tile.id)).toEqual(tile);
});

test("the largest tags and properties are kept as they are", async () => {
  const tags = Array.from({ length: 50 }, (_, i) => `${i + 10}${"🌊".repeat(98)}`);
  const properties = {
    ...keys(60),
    long: "🌊".repeat(2_000),
    list: Array.from({ length: 50 }, (_, i) => `item ${i}`),
    big: 1.5e300,
    ["é".repeat(100)]: false,
  };
  const { tile } = (await create({ content: "Full", tags, properties })).json;
  expect(await read(tile.id)).toMatchObject({ tags, properties });
});

test("tags and properties are exported and imported, and invalid ones are rejected on import", async () => {
  const { deps } = service.appContext;
  const board = await deps.store.boards.find(service.businessId, service.boardId);
  const business = await deps.store.boards.business(service.businessId);
  const importLines = (lines: readonly string[]) =>
    importBoard(deps, checkBusinessAccess({ kind: "operator", businessId: service.businessId }, business!, "manage"), {
      name: "Copy",
      lines: streamLines(Readable.from(lines)),
      authorize: async (made) => authorizeOn(made),
    });
  const { id } = (await create({ content: "Exported", tags: TAGS, properties: PROPERTIES })).json.tile;
  const lines: string[] = [];
  for await (const line of exportBoard(deps, authorizeOn(board!))) lines.push(line);
  const kept = [lines[0]!, ...lines.filter((line) => line.includes(id))];
  const copy = await importLines(kept);
  const { tiles } = (await service.call("GET", `/api/board/${copy.board.id}/tiles`)).json;
  expect(await read(tiles[0].id)).toMatchObject({ tags: TAGS, properties: PROPERTIES });
  for (const [given, invalid] of [
    ['"tags":[', '"tags":[7,'],
    ['"order":4711', '"order":{}'],
  ] as const)
    await expect(importLines(kept.map((line) => line.replace(given, invalid)))).rejects.toThrow("Line 2");
});

test("the client creates, uploads, lists and changes tiles with tags and properties", async () => {
  const { tiles } = createClient({ baseUrl: service.url, apiKey: service.key });
  const fields = { tags: ["Client", "a, b"], properties: { ticketNumber: 4711, sizes: ["S"] } };
  const made = await tiles.create(service.boardId, { content: "By the client", ...fields });
  const uploaded = await tiles.upload(service.boardId, { file: new Blob(["A file of the client"]), name: "a.txt", ...fields });
  expect([made, uploaded]).toMatchObject([fields, fields]);
  const list = async (query: Parameters<typeof tiles.list>[1]) => (await tiles.list(service.boardId, query)).tiles.map(({ id }) => id);
  const both = [made.id, uploaded.id];
  expect(await list({ tag: ["client", "A, B"], property: { ticketNumber: "4711", sizes: ["S", "M"] } })).toEqual(both);
  expect(await list({ tag: "client", status: ["processing", "failed"] })).toEqual([uploaded.id]);
  const filter = { tag: "client", properties: { ticketNumber: 4711 } };
  expect(await tiles.bulk(service.boardId, { filter, action: { setProperties: { isDone: true } } })).toMatchObject({ changed: 2 });
  expect(await list({ property: { isDone: "true" } })).toEqual(both);
});
