import { createClient } from "@tessera-board/sdk";
import { beforeEach, expect, test } from "vitest";
import { checkBusinessAccess } from "#domain/core/access.ts";
import { exportBoard } from "#service/content/transfer/export.ts";
import { importBoard } from "#service/content/transfer/import.ts";
import { authorizeOn } from "../../support/boards.ts";
import { connectOverHttp } from "../../support/clients/mcp.ts";
import { useTestService } from "../../support/service.ts";

const service = useTestService({ ROLE: "api" });
let boardId: string;
beforeEach(async () => {
  boardId = (await service.call("POST", "/api/board/boards", { body: { name: "Board" } })).json.board.id;
});

const client = () => createClient({ baseUrl: service.url, apiKey: service.key });
const upload = (text: string, externalId: string) =>
  client().tiles.upload(boardId, { file: new Blob([text]), name: "note.txt", externalId });
const list = async (query: string): Promise<any> => (await service.call("GET", `/api/board/${boardId}/tiles?${query}`)).json;
const bulk = async (filter: object): Promise<any> =>
  (await service.call("POST", `/api/board/${boardId}/tiles/bulk`, { body: { filter, action: { delete: true }, dry_run: true } })).json;

test("hasFile says whether the uploaded file is stored with the tile", async () => {
  const { tiles } = client();
  expect(await tiles.create(boardId, { content: "Text" })).toMatchObject({ hasFile: false, sourceId: null });
  const link = { url: "https://example.com/page", html: "<p>Sent with the link" };
  expect(await tiles.create(boardId, link)).toMatchObject({ hasFile: false, sourceId: null });
  const { id } = await upload("One", "a");
  expect(await tiles.get(id)).toMatchObject({ hasFile: true, sourceId: null });
  expect(await tiles.update(id, { content: "Replaced by hand" })).toMatchObject({ hasFile: true });
  await tiles.delete(id);
  expect(await tiles.restore(id)).toMatchObject({ hasFile: true });
  expect(await tiles.create(boardId, { content: "Text in place of the file", externalId: "a" })).toMatchObject({ id, hasFile: false });
  expect(await upload("Two", "a")).toMatchObject({ id, hasFile: true });
});

test("an imported tile has no file, since an export has none", async () => {
  const { id } = await upload("One", "a");
  await client().tiles.update(id, { content: "Replaced by hand" });
  const { deps } = service.appContext;
  const { businessId } = service;
  const board = await deps.store.boards.find(businessId, boardId);
  const business = await deps.store.boards.business(businessId);
  const copy = await importBoard(deps, checkBusinessAccess({ kind: "operator", businessId }, business!, "manage"), {
    name: "Copy",
    lines: exportBoard(deps, authorizeOn(board!)),
    authorize: async (made) => authorizeOn(made),
  });
  const [imported] = (await client().tiles.list(copy.board.id)).tiles;
  expect(await client().tiles.get(imported!.id)).toMatchObject({ rawContent: "Replaced by hand", hasFile: false, sourceId: null });
});

test("no tile has a source, so that a filter by source_id matches none", async () => {
  const tile = await client().tiles.create(boardId, { content: "Text", tags: ["red"] });
  for (const query of ["", "&tag=red", "&order=position", "&order=desc&limit=1", "&updated_since=2020-01-01"])
    expect((await list(`count=true&source_id=src_1${query}`)).tiles).toEqual([]);
  expect(await list("count=true&source_id=src_1")).toMatchObject({ total: 0 });
  expect((await list("source_id=")).tiles).toHaveLength(1);
  expect((await client().tiles.list(boardId, { sourceId: "src_1" })).tiles).toEqual([]);
  expect(await bulk({ source_id: "src_1", tile_ids: [tile.id] })).toEqual({ matched: 0, changed: 0, tileIds: [] });
  const agent = await connectOverHttp(service, service.key);
  expect((await agent.call("list_tiles", { board_id: boardId, source_id: "src_1" })).data.tiles).toEqual([]);
  expect((await agent.call("read_tile", { tile_id: tile.id })).data.tile).toMatchObject({ sourceId: null, hasFile: false });
  await agent.close();
});

test("a malformed source_id is refused like other ids", async () => {
  expect(await list("source_id=a%00b")).toEqual({ error: "source_id must be valid Unicode without NUL." });
  expect(await list("zone_id=a%00b")).toEqual({ error: "zone_id must be valid Unicode without NUL." });
  expect(await list("source_id=src_1&sync_token=0")).toEqual({ error: "sync_token can't be combined with source_id." });
  expect(await bulk({ source_id: ["src_1"] })).toEqual({ error: "source_id must be a string." });
  expect((await bulk({ source_id: null })).error).toBe("source_id must not be null. Leave it out to match tiles with any value.");
});
