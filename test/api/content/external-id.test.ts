import { createClient } from "@tessera-board/sdk";
import { beforeEach, expect, test } from "vitest";
import { connectOverHttp } from "../../support/clients/mcp.ts";
import { useTestService } from "../../support/service.ts";
import { encodeForm, file } from "./files/file-service.ts";

const SKIPPED = { tile: null, created: false, deleted: true };
const URL = "https://example.com/news/1";

const service = useTestService({ ROLE: "api" });
let boardId: string;
beforeEach(async () => {
  boardId = (await service.call("POST", "/api/board/boards", { body: { name: "Board" } })).json.board.id;
});

const post = async (path: string, body: object, headers: Record<string, string> = {}) => service.call("POST", path, { body, headers });
const create = async (body: object, headers = {}) => (await post(`/api/board/${boardId}/tiles`, body, headers)).json;
const inbound = async (body: object) => (await post("/api/inbound/tiles", { board_id: boardId, ...body })).json;
const patch = (id: string, body: object) => service.call("PATCH", `/api/board/tiles/${id}`, { body });
const list = async (query = ""): Promise<any[]> => (await service.call("GET", `/api/board/${boardId}/tiles${query}`)).json.tiles;
const remove = (id: string) => service.call("DELETE", `/api/board/tiles/${id}`);
const upload = async (text: string, fields: Readonly<Record<string, string>>) => {
  const parts = Object.entries(fields).map(([name, body]) => ({ name, body }));
  const { body, headers } = encodeForm([...parts, file(text)]);
  return (await service.call("POST", `/api/board/${boardId}/files`, { body, headers })).json;
};

test("a creation says whether it created or changed a tile, in every call", async () => {
  const first = await create({ content: "One", external_id: "a" });
  expect(Object.keys(first)).toEqual(["tile", "created"]);
  expect(await create({ content: "One", external_id: "a" })).toEqual({ tile: first.tile, created: false, changed: false });
  expect(await inbound({ content: "Two", external_id: "a" })).toEqual({
    tile: { id: first.tile.id, status: "ready", type: "TEXT" },
    created: false,
    changed: true,
  });
  const { results } = (
    await post("/api/inbound/tiles/batch", {
      tiles: [{ board_id: boardId, content: "Two", external_id: "a" }, { board_id: boardId, content: "Three" }, { board_id: boardId }],
    })
  ).json;
  expect(results).toMatchObject([
    { tile: { id: first.tile.id }, created: false, changed: false },
    { created: true },
    { error: "Either content or url must be provided." },
  ]);
  const file = await upload("A line.", { external_id: "f" });
  expect(file).toMatchObject({ created: true, tile: { externalId: "f" } });
  expect(await upload("A line.", { external_id: "f" })).toMatchObject({ created: false, changed: false, tile: { id: file.tile.id } });
  expect(await upload("Another.", { external_id: "f" })).toMatchObject({ created: false, changed: true, tile: { id: file.tile.id } });
  expect(Buffer.from((await service.appContext.deps.store.files.read(service.businessId, file.tile.id))!).toString()).toBe("Another.");
});

test("a creation that is repeated with its idempotency key returns the same; an ETag is that of the tile", async () => {
  const key = { "idempotency-key": `create ${boardId}` };
  const first = await post(`/api/board/${boardId}/tiles`, { content: "One", external_id: "a" }, key);
  const again = await post(`/api/board/${boardId}/tiles`, { content: "One", external_id: "a" }, key);
  expect([again.json, again.headers.get("etag")]).toEqual([first.json, first.headers.get("etag")]);
  const other = { "idempotency-key": `change ${boardId}` };
  const changed = await post(`/api/board/${boardId}/tiles`, { content: "Two", external_id: "a" }, other);
  expect(changed.headers.get("etag")).toBe((await service.call("GET", `/api/board/tiles/${first.json.tile.id}`)).headers.get("etag"));
  const repeated = await post(`/api/board/${boardId}/tiles`, { content: "Two", external_id: "a" }, other);
  expect(repeated.json).toEqual(changed.json);
  expect(repeated.headers.get("etag")).toBeNull();
});

test("the external id is in listings, and filters them", async () => {
  const { tile } = await create({ content: "One", external_id: "a" });
  await create({ content: "Two" });
  expect((await list()).map(({ externalId }) => externalId)).toEqual(["a", null]);
  expect(await list("?external_id=a&text=false")).toMatchObject([{ id: tile.id }]);
  expect(await list("?externalId=b")).toEqual([]);
  await patch(tile.id, { external_id: "b" });
  expect(await list("?externalId=b")).toMatchObject([{ id: tile.id, externalId: "b" }]);
  expect((await service.call("GET", `/api/board/${boardId}/tiles?external_id=a&sync_token=0`)).json.error).toBe(
    "sync_token can't be combined with external_id.",
  );
});

test("the external id is changed by PATCH, and refused if another tile has it", async () => {
  const { tile: one } = await create({ content: "One", external_id: "a" });
  const { tile: two } = await create({ content: "Two" });
  const refused = await patch(two.id, { external_id: "a", title: "Title" });
  expect([refused.status, refused.json.error]).toEqual([
    409,
    `Another tile of this board has this external_id: ${one.id}. Change or delete that tile first.`,
  ]);
  expect((await service.call("GET", `/api/board/tiles/${two.id}`)).json.tile).toEqual(two);
  expect((await patch(one.id, { external_id: null })).json.tile.externalId).toBeNull();
  expect((await patch(two.id, { externalId: "a" })).json.tile).toMatchObject({ externalId: "a", extractedText: "Two" });
  expect((await patch(two.id, { external_id: " " })).json.error).toBe("external_id must not be blank.");
  expect((await patch(two.id, { external_id: 7 })).json.error).toBe("external_id must be a string.");
  expect((await patch(two.id, { external_id: "é".repeat(201) })).json.error).toBe(
    "external_id is too long. The maximum is 200 characters.",
  );
});

test("the external id selects the tiles of a bulk change, deleted ones too", async () => {
  const ids: string[] = [];
  for (const externalId of ["a", "b", "c"]) ids.push((await create({ content: externalId, external_id: externalId })).tile.id);
  const bulk = async (body: object) => (await post(`/api/board/${boardId}/tiles/bulk`, body)).json;
  const filter = { external_ids: ["a", "c", "a", "none"] };
  expect(await bulk({ filter, action: { delete: true } })).toEqual({ matched: 2, changed: 2, tileIds: [ids[0], ids[2]] });
  expect((await list()).map(({ id }) => id)).toEqual([ids[1]]);
  await create({ content: "Another", external_id: "c" });
  expect(await bulk({ filter, action: { restore: true } })).toEqual({
    matched: 2,
    changed: 2,
    tileIds: [ids[0], ids[2]],
    lostExternalIds: [{ tileId: ids[2], externalId: "c" }],
  });
  expect((await list("?external_id=a")).map(({ id }) => id)).toEqual([ids[0]]);
});

test("the external id comes back with its tile unless another tile has it, which the response says", async () => {
  const { tile } = await create({ content: "One", external_id: "a" });
  await remove(tile.id);
  expect((await post(`/api/board/tiles/${tile.id}/restore`, {})).json).toEqual({
    tile: expect.objectContaining({ id: tile.id, externalId: "a" }),
  });
  await remove(tile.id);
  await create({ content: "Another", external_id: "a" });
  expect((await post(`/api/board/tiles/${tile.id}/restore`, {})).json).toEqual({
    tile: expect.objectContaining({ id: tile.id, externalId: null }),
    lostExternalIds: [{ tileId: tile.id, externalId: "a" }],
  });
});

test("skip_deleted makes nothing for what was deleted, in every call, until it is restored", async () => {
  const note = (await create({ content: "One", external_id: "a" })).tile.id;
  const page = (await create({ url: `${URL}/` })).tile.id;
  await remove(note);
  await remove(page);
  const key = { "idempotency-key": `skipped ${boardId}` };
  const first = await post(`/api/board/${boardId}/tiles`, { content: "Two", external_id: "a", skip_deleted: true }, key);
  expect([first.status, first.json, first.headers.get("etag")]).toEqual([200, SKIPPED, null]);
  expect(await inbound({ url: `${URL}?utm_source=feed`, skip_deleted: "true" })).toEqual(SKIPPED);
  const tiles = [
    { board_id: boardId, url: URL, skipDeleted: true },
    { board_id: boardId, url: "https://example.com/news/2", skip_deleted: true },
  ];
  expect((await post("/api/inbound/tiles/batch", { tiles })).json.results).toMatchObject([SKIPPED, { created: true }]);
  expect(await upload("Text", { external_id: "a", skip_deleted: "true" })).toEqual(SKIPPED);
  expect(await list()).toHaveLength(1);

  await post(`/api/board/tiles/${note}/restore`, {});
  const repeated = await post(`/api/board/${boardId}/tiles`, { content: "Two", external_id: "a", skip_deleted: true }, key);
  expect(repeated.json).toMatchObject({ tile: { id: note }, created: false, changed: true });
});

test("skip_deleted is null for the client, and known to agents", async () => {
  const client = createClient({ baseUrl: service.url, apiKey: service.key });
  const tile = await client.tiles.create(boardId, { content: "One", externalId: "a" });
  expect(tile).toMatchObject({ created: true, externalId: "a", etag: '"1"' });
  expect(await client.tiles.create(boardId, { content: "Two", externalId: "a" })).toMatchObject({
    id: tile.id,
    created: false,
    changed: true,
  });
  const agent = await connectOverHttp(service, service.key);
  const add = async (more: object = {}) =>
    (await agent.call("add_tile", { board_id: boardId, text: "Two", external_id: "a", ...more })).data;
  expect(await add()).toMatchObject({ tile: { id: tile.id }, created: false, changed: false });
  expect((await agent.call("list_tiles", { board_id: boardId, external_id: "a" })).data.tiles).toMatchObject([
    { id: tile.id, externalId: "a" },
  ]);
  await client.tiles.delete(tile.id);
  expect(await client.tiles.create(boardId, { content: "Two", externalId: "a", skipDeleted: true })).toBeNull();
  expect(await client.inbound.create({ boardId, content: "Two", externalId: "a", skipDeleted: true })).toBeNull();
  expect(await client.inbound.batch([{ boardId, content: "Two", externalId: "a", skipDeleted: true }])).toEqual([SKIPPED]);
  const upload = { file: new Blob(["Text"]), name: "a.txt", externalId: "a", skipDeleted: true };
  expect(await client.tiles.upload(boardId, upload)).toBeNull();
  expect(await add({ skip_deleted: true })).toEqual(SKIPPED);
  await agent.close();
  await client.tiles.create(boardId, { content: "Another", externalId: "a" });
  expect((await client.tiles.restore(tile.id)).lostExternalIds).toEqual([{ tileId: tile.id, externalId: "a" }]);
});
