import { createClient } from "@tessera-board/sdk";
import { beforeEach, expect, test } from "vitest";
import { connectOverHttp } from "../../support/clients/mcp.ts";
import { useTestService } from "../../support/service.ts";
import { encodeForm, file } from "./files/file-service.ts";

const URL = "https://example.com/news/?b=2&a=1";
const SAME = "https://EXAMPLE.com/news?a=1&b=2&utm_source=feed#top";

const service = useTestService({ ROLE: "api" });
let boardId: string;
beforeEach(async () => {
  boardId = (await service.call("POST", "/api/board/boards", { body: { name: "Board" } })).json.board.id;
});

const post = (path: string, body: object, headers: Record<string, string> = {}) => service.call("POST", path, { body, headers });
const create = (body: object, headers = {}) => post(`/api/board/${boardId}/tiles`, body, headers);
const inbound = async (body: object) => (await post("/api/inbound/tiles", { board_id: boardId, ...body })).json;
const list = async (query = ""): Promise<any> => (await service.call("GET", `/api/board/${boardId}/tiles${query}`)).json;
const upload = (text: string, fields: Readonly<Record<string, string>>, more: Record<string, string> = {}) => {
  const parts = Object.entries(fields).map(([name, body]) => ({ name, body }));
  const { body, headers } = encodeForm([...parts, file(text)]);
  return service.call("POST", `/api/board/${boardId}/files`, { body, headers: { ...headers, ...more } });
};

test("on_duplicate returns or updates the tile with the same address or text, by every call", async () => {
  const { tile } = (await create({ url: URL, on_duplicate: "skip" })).json;
  expect((await create({ url: SAME, title: "New", on_duplicate: "skip" })).json).toEqual({
    tile,
    created: false,
    changed: false,
    duplicate: true,
  });
  expect(await inbound({ url: SAME, onDuplicate: "skip" })).toEqual({
    tile: { id: tile.id, status: "processing", type: "WEBSITE" },
    created: false,
    changed: false,
    duplicate: true,
  });
  const note = (await create({ content: "A note" })).json.tile;
  const { results } = (
    await post("/api/inbound/tiles/batch", {
      tiles: [
        { board_id: boardId, url: SAME, title: "Changed", on_duplicate: "update" },
        { board_id: boardId, content: "A note", on_duplicate: "skip" },
        { board_id: boardId, content: "Another", on_duplicate: "skip" },
        { board_id: boardId, content: "Another", on_duplicate: "skip" },
        { board_id: boardId, content: "A note", on_duplicate: "create" },
        { board_id: boardId, content: "A note", on_duplicate: "ignore" },
      ],
    })
  ).json;
  expect(results).toMatchObject([
    { tile: { id: tile.id }, created: false, changed: true, duplicate: true },
    { tile: { id: note.id }, created: false, changed: false, duplicate: true },
    { created: true },
    { created: false, changed: false, duplicate: true },
    { created: true },
    { error: "on_duplicate must be one of create, skip, update.", status: 400 },
  ]);
  expect(results[4].duplicate).toBeUndefined();
  expect((await list("?type=WEBSITE")).tiles).toMatchObject([{ id: tile.id, title: "Changed", sourceUrl: URL }]);
});

test("the external id is looked at first", async () => {
  const named = (await create({ content: "Named", external_id: "a" })).json.tile;
  await create({ content: "A note" });
  expect((await create({ content: "A note", external_id: "a", on_duplicate: "skip" })).json).toEqual({
    tile: named,
    created: false,
    changed: false,
    duplicate: true,
  });
  expect((await create({ content: "A note", external_id: "a" })).json).toMatchObject({ tile: { id: named.id }, changed: true });
  const stored = await upload("A line.", { external_id: "f", on_duplicate: "skip" });
  expect(stored.json).toMatchObject({ created: true });
  const kept = await upload("Another line.", { external_id: "f", on_duplicate: "skip" });
  expect(kept.json).toEqual({ tile: stored.json.tile, created: false, changed: false, duplicate: true });
  const { files } = service.appContext.deps.store;
  expect(Buffer.from((await files.read(service.businessId, stored.json.tile.id))!).toString()).toBe("A line.");
});

test("a repeated call with its idempotency key has the same response, and concurrent calls make one tile", async () => {
  const key = { "idempotency-key": `duplicate ${boardId}` };
  await create({ content: "A note" });
  const first = await create({ content: "A note", on_duplicate: "skip" }, key);
  const again = await create({ content: "A note", on_duplicate: "skip" }, key);
  expect(again.json).toEqual(first.json);
  expect([again.json.duplicate, again.headers.get("idempotency-replayed")]).toEqual([true, "true"]);
  const made = await Promise.all(Array.from({ length: 10 }, (_, n) => create({ url: `${SAME}&fbclid=${n}`, on_duplicate: "skip" })));
  expect(made.filter(({ json }) => json.created)).toHaveLength(1);
  expect((await list()).tiles).toHaveLength(2);
});

test("skip_deleted applies to what no live tile is a duplicate of", async () => {
  const { tile } = (await create({ url: URL })).json;
  await service.call("DELETE", `/api/board/tiles/${tile.id}`);
  const body = { url: SAME, skip_deleted: true, on_duplicate: "skip" };
  expect((await create(body)).json).toEqual({ tile: null, created: false, deleted: true });
  await create({ url: URL });
  expect((await create(body)).json).toMatchObject({ created: false, duplicate: true });
});

test("a listing is filtered by the normalised address", async () => {
  const { tile } = (await create({ url: URL })).json;
  const text = (await create({ content: "A quote", source_url: SAME })).json.tile;
  await create({ url: "https://example.com/" });
  const encoded = encodeURIComponent("example.com/news/?a=1&b=2&gclid=x");
  expect((await list(`?source_url=${encoded}&count=true`)).tiles.map(({ id }: { id: string }) => id)).toEqual([tile.id, text.id]);
  expect((await list(`?sourceUrl=${encoded}&type=TEXT`)).tiles).toMatchObject([
    { id: text.id, sourceUrl: SAME.replace("EXAMPLE", "example") },
  ]);
  expect(await list("?source_url=ftp%3A%2F%2Fx")).toEqual({ error: "source_url must be an http or https address." });
  expect(await list("?source_url=example.com&sync_token=0")).toEqual({ error: "sync_token can't be combined with source_url." });
});

test("fields without effect are named, or refused where handling is strict", async () => {
  const ignored = async (body: object) => (await create(body)).headers.get("x-ignored-fields");
  expect(await ignored({ content: "c", on_duplicate: "update", skip_deleted: true, source_url: URL })).toBeNull();
  expect(await ignored({ url: URL, source_url: URL, on_duplicate: "update" })).toBe("source_url");
  expect(await ignored({ content: "c", url: URL, html: "<p>Page", source_url: URL })).toBe("url, html");
  const uploaded = await upload("A line.", { on_duplicate: "skip", source_url: URL });
  expect([uploaded.json.created, uploaded.headers.get("x-ignored-fields")]).toEqual([true, "on_duplicate, source_url"]);
  expect((await upload("A line.", { on_duplicate: "create" })).headers.get("x-ignored-fields")).toBeNull();
  const strict = { prefer: "handling=strict" };
  expect((await create({ url: URL, source_url: URL }, strict)).json.error).toBe("source_url has no effect in this call. Leave it out.");
  expect((await upload("A line.", { source_url: URL }, strict)).json.error).toBe("source_url has no effect in this call. Leave it out.");
});

test("the client and the tool add_tile take the fields, and return duplicate", async () => {
  const tessera = createClient({ baseUrl: service.url, apiKey: service.key });
  const first = await tessera.tiles.create(boardId, { content: "A quote", sourceUrl: URL, onDuplicate: "skip" });
  expect(first).toMatchObject({ created: true, sourceUrl: URL, type: "TEXT" });
  expect(await tessera.tiles.create(boardId, { url: SAME, onDuplicate: "skip" })).toMatchObject({
    id: first.id,
    created: false,
    duplicate: true,
  });
  expect(await tessera.inbound.create({ boardId, url: SAME, onDuplicate: "skip" })).toMatchObject({ id: first.id, duplicate: true });
  expect((await tessera.tiles.list(boardId, { sourceUrl: SAME })).tiles).toHaveLength(1);
  const agent = await connectOverHttp(service, service.key);
  const args = { board_id: boardId, text: "A quote", source_url: SAME, on_duplicate: "update", title: "Title" };
  expect((await agent.call("add_tile", args)).data).toMatchObject({
    tile: { id: first.id },
    created: false,
    changed: true,
    duplicate: true,
  });
  const listed = await agent.call("list_tiles", { board_id: boardId, source_url: URL });
  expect(listed.data.tiles).toMatchObject([{ id: first.id, title: "Title" }]);
  await agent.close();
});
