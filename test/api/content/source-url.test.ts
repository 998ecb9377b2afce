import { expect, test } from "vitest";
import { checkBusinessAccess } from "#domain/core/access.ts";
import { exportBoard } from "#service/content/transfer/export.ts";
import { importBoard, streamLines } from "#service/content/transfer/import.ts";
import { authorizeOn } from "../../support/boards.ts";
import { useTestService } from "../../support/service.ts";

const URL = "https://press.example/lighthouse?utm_source=mail";
const TEXT = "The lighthouse of Nordholm is 61 metres tall and was finished in 1893.";

const service = useTestService({ ROLE: "api" });
const TILES = () => `/api/board/${service.boardId}/tiles`;
const post = (path: string, body: object = {}) => service.call("POST", path, { body });
const create = async (body: object) => (await post(TILES(), body)).json;
const getPath = (id: string) => `/api/board/tiles/${id}`;

test("a text keeps the address that it came from, which citations show", async () => {
  const { tile } = await create({ content: TEXT, source_url: URL });
  expect(tile).toMatchObject({
    type: "TEXT",
    status: "ready",
    sourceUrl: URL,
    rawContent: TEXT,
    extractedText: TEXT,
    title: "Untitled note",
  });
  const inbound = (await post("/api/inbound/tiles", { board_id: service.boardId, content: "c", source_url: "press.example/a" })).json.tile;
  expect((await service.call("GET", getPath(inbound.id))).json.tile.sourceUrl).toBe("https://press.example/a");
  const answer = await post(`/api/board/${service.boardId}/ask`, { question: "How tall is the lighthouse of Nordholm?" });
  expect(answer.json.citations).toMatchObject([{ tileId: tile.id, type: "TEXT", sourceUrl: URL }]);
});

test("a text with an address is never read again", async () => {
  const { tile } = await create({ content: "Low tide.", source_url: URL });
  const retried = await post(`${getPath(tile.id)}/retry`);
  expect([retried.status, retried.json.error]).toEqual([409, "A text tile has nothing to retry."]);
  const bulk = { filter: { tile_ids: [tile.id] }, action: { retry: true } };
  expect((await post(`${TILES()}/bulk`, bulk)).json).toMatchObject({ matched: 1, changed: 0 });
  const scheduled = await service.call("PATCH", getPath(tile.id), { body: { refresh_minutes: 60, content: "High tide." } });
  expect(scheduled.headers.get("x-ignored-fields")).toBe("refresh_minutes");
  expect(scheduled.json.tile).toMatchObject({ type: "TEXT", extractedText: "High tide.", sourceUrl: URL });
  expect(scheduled.json.tile.textOverridden).toBeUndefined();
  await service.call("DELETE", getPath(tile.id));
  expect((await post(`${getPath(tile.id)}/restore`)).json.tile).toMatchObject({ status: "ready", sourceUrl: URL });
  expect(await service.appContext.deps.store.queue.nextDue()).toBeNull();
});

test("an update by external id keeps the address unless another one is given", async () => {
  const { tile } = await create({ content: "One", source_url: URL, external_id: "a" });
  expect(await create({ content: "One", external_id: "a" })).toMatchObject({ changed: false, tile: { sourceUrl: URL } });
  expect(await create({ content: "Two", external_id: "a" })).toMatchObject({ changed: true, tile: { sourceUrl: URL } });
  const moved = await create({ content: "Two", external_id: "a", source_url: "https://press.example/b" });
  expect(moved).toMatchObject({ changed: true, tile: { id: tile.id, extractedText: "Two", sourceUrl: "https://press.example/b" } });
  expect(await create({ url: "https://press.example/c", external_id: "a" })).toMatchObject({ changed: true, tile: { type: "WEBSITE" } });
  expect(await create({ content: "Two", external_id: "a" })).toMatchObject({ tile: { type: "TEXT", status: "ready", sourceUrl: null } });
});

test("the address is checked, but may be inside the network, since it is never fetched", async () => {
  expect((await create({ content: "c", source_url: "http://wiki.internal:8090/page" })).tile.sourceUrl).toBe(
    "http://wiki.internal:8090/page",
  );
  for (const [source_url, error] of [
    ["mailto:a@b.example", "source_url must be an http or https address."],
    ["https://u:p@press.example/", "source_url must not carry credentials."],
    [`https://press.example/${"a".repeat(2_048)}`, "source_url is too long."],
  ])
    expect(await create({ content: "c", source_url })).toEqual({ error });
  expect((await create({ content: "c", source_url: "" })).tile.sourceUrl).toBeNull();
});

test("exports and imports keep the address of a text", async () => {
  const { id } = (await post("/api/board/boards", { name: "Exported" })).json.board;
  await post(`/api/board/${id}/tiles`, { content: TEXT, source_url: URL });
  const { deps } = service.appContext;
  const { businessId } = service;
  const [board, business] = [await deps.store.boards.find(businessId, id), await deps.store.boards.business(businessId)];
  const lines: string[] = [];
  for await (const line of exportBoard(deps, authorizeOn(board!))) lines.push(line);
  const read = async (text: string) => {
    const imported = await importBoard(deps, checkBusinessAccess({ kind: "operator", businessId }, business!, "manage"), {
      name: null,
      lines: streamLines(ReadableStream.from([text])),
      authorize: authorizeOn,
    });
    return (await service.call("GET", `/api/board/${imported.board.id}/tiles`)).json.tiles[0];
  };
  expect(await read(lines.join(""))).toMatchObject({ type: "TEXT", status: "ready", sourceUrl: URL, extractedText: TEXT });
  // No version exports such a tile. It must not become a link that is fetched.
  const failed = await read(lines.join("").replace('"status":"ready"', '"status":"failed"'));
  expect(failed).toMatchObject({ type: "TEXT", status: "failed", sourceUrl: URL, error: { code: "file_missing" } });
});
