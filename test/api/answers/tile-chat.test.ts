import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { checkBusinessAccess } from "#domain/core/access.ts";
import { exportBoard } from "#service/content/transfer/export.ts";
import { importBoard, streamLines } from "#service/content/transfer/import.ts";
import { authorizeOn } from "../../support/boards.ts";
import { useTestService } from "../../support/service.ts";

const SOURCE = "The harbour master of Quillport is Ada Lovering. She took the office in 1997.";
const SAVED = "**Who is the harbour master of Quillport?**\n\nThe harbour master of Quillport is Ada Lovering, as the notes say.";
const QUESTION = "Who is the harbour master of Quillport?";

const service = useTestService();

const call = (method: string, path: string, body?: object, headers?: Record<string, string>) =>
  service.call(method, path, { ...(body === undefined ? {} : { body }), ...(headers === undefined ? {} : { headers }) });
const newBoard = async (): Promise<string> => (await call("POST", "/api/board/boards", { name: "Chat" })).json.board.id;
const newZone = async (board: string, fields: object = {}): Promise<string> =>
  (await call("POST", `/api/board/${board}/zones`, { name: "Z", ...fields })).json.zone.id;
const add = async (board: string, fields: object): Promise<any> => (await call("POST", `/api/board/${board}/tiles`, fields)).json.tile;
const readTile = async (id: string): Promise<any> => (await call("GET", `/api/board/tiles/${id}`)).json.tile;
const patch = (id: string, fields: object) => call("PATCH", `/api/board/tiles/${id}`, fields);
const cited = async (board: string, question = QUESTION): Promise<string[]> =>
  (await call("POST", `/api/board/${board}/ask`, { question })).json.citations.map(({ tileId }: { tileId: string }) => tileId);
const found = async (board: string, q: string, more = ""): Promise<string[]> =>
  (await call("GET", `/api/board/${board}/search?q=${encodeURIComponent(q)}${more}`)).json.results.map(
    ({ tileId }: { tileId: string }) => tileId,
  );

async function importLines(lines: readonly string[]): Promise<string> {
  const { deps } = service.appContext;
  const actor = { kind: "operator", businessId: service.businessId } as const;
  const business = await deps.store.boards.business(service.businessId);
  const { board } = await importBoard(deps, checkBusinessAccess(actor, business!, "manage"), {
    name: null,
    lines: streamLines(Readable.from(lines)),
    authorize: async (made) => authorizeOn(made),
  });
  return board.id;
}

test("a saved answer is not used in answers until it is connected", async () => {
  const board = await newBoard();
  const source = await add(board, { content: SOURCE });
  const saved = await add(board, { content: SAVED, title: QUESTION, origin: "answer" });
  expect(saved).toMatchObject({ connectedToChat: false, metadata: { origin: "answer" } });
  expect(await cited(board)).toEqual([source.id]);
  expect(await found(board, "quillport")).toEqual([source.id]);
  expect((await found(board, "quillport", "&scope=all")).toSorted()).toEqual([source.id, saved.id].toSorted());
  expect((await patch(saved.id, { connected_to_chat: true })).json.tile).toMatchObject({ connectedToChat: true });
  expect(await cited(board)).toContain(saved.id);
  expect(await found(board, "quillport")).toContain(saved.id);
  await patch(saved.id, { connected_to_chat: false });
  expect(await cited(board)).toEqual([source.id]);
});

test("a saved answer alone on a board leaves nothing to answer or generate from", async () => {
  const board = await newBoard();
  const saved = await add(board, { content: SAVED, origin: "generation" });
  expect((await call("POST", `/api/board/${board}/ask`, { question: QUESTION })).json).toMatchObject({
    answered: false,
    contextTokens: 0,
  });
  const piece = () => call("POST", "/api/v1/generate", { board_id: board, asset_type: "post" });
  expect((await piece()).status).toBe(400);
  expect((await call("POST", "/api/v1/generate", { board_id: board, asset_type: "post", tile_ids: [saved.id] })).status).toBe(400);
  await patch(saved.id, { connected_to_chat: null });
  expect((await piece()).status).toBe(200);
  await patch(saved.id, { connected_to_chat: false });
  expect((await piece()).status).toBe(400);
});

test("a saved answer can be connected on creation", async () => {
  const board = await newBoard();
  expect(await add(board, { content: SAVED, origin: "answer", connected_to_chat: true })).toMatchObject({ connectedToChat: true });
  expect(await add(board, { content: SAVED, origin: "answer", connected_to_chat: null })).toMatchObject({ connectedToChat: false });
  const { json } = await call("POST", "/api/inbound/tiles", { board_id: board, content: SAVED, origin: "generation" });
  expect(await readTile(json.tile.id)).toMatchObject({ connectedToChat: false, metadata: { origin: "generation" } });
});

test("a saved answer keeps its connection when it is upserted by external id", async () => {
  const board = await newBoard();
  const send = (fields: object = {}) => add(board, { content: SAVED, external_id: "a-1", origin: "answer", ...fields });
  const { id } = await send();
  await patch(id, { connected_to_chat: true });
  expect(await send()).toMatchObject({ id, connectedToChat: true, metadata: { origin: "answer" } });
  expect(await send({ content: `${SAVED} More.` })).toMatchObject({ id, connectedToChat: true, metadata: { origin: "answer" } });
  expect(await send({ connected_to_chat: false })).toMatchObject({ id, connectedToChat: false });
  const plain = await add(board, { content: SOURCE, external_id: "a-2" });
  expect(await add(board, { content: SOURCE, external_id: "a-2", origin: "answer" })).toMatchObject({
    id: plain.id,
    connectedToChat: false,
    metadata: { origin: "answer" },
  });
});

test("a saved answer of a generation has an origin that the server sets", async () => {
  const board = await newBoard();
  await add(board, { content: SOURCE });
  const zone = await newZone(board);
  const { json } = await call("POST", "/api/v1/generate", { board_id: board, asset_type: "post", save_to_zone_id: zone });
  const saved = await readTile(json.generation.savedTileId);
  expect(saved).toMatchObject({ connectedToChat: false, metadata: { subtype: "GENERATED", origin: "generation" } });
  expect(await cited(board)).not.toContain(saved.id);
});

test("connected_to_chat of a tile is accepted by every endpoint that creates tiles, in both spellings, and by forms", async () => {
  const board = await newBoard();
  expect(await add(board, { content: "a", connected_to_chat: false })).toMatchObject({ connectedToChat: false });
  expect(await add(board, { content: "a", connectedToChat: "false" })).toMatchObject({ connectedToChat: false });
  expect(await add(board, { url: "https://example.invalid/", connected_to_chat: true })).toMatchObject({ connectedToChat: true });
  const one = await call("POST", "/api/inbound/tiles", { board_id: board, content: "a", connected_to_chat: false });
  expect(await readTile(one.json.tile.id)).toMatchObject({ connectedToChat: false });
  const tiles = [
    { board_id: board, content: "a", connectedToChat: false },
    { board_id: board, content: "b" },
    { board_id: board, content: "c", connected_to_chat: "maybe" },
  ];
  const { results } = (await call("POST", "/api/inbound/tiles/batch", { tiles })).json;
  expect(results[2]).toEqual({ error: "connected_to_chat must be a boolean.", code: "field_invalid", status: 400 });
  expect(await readTile(results[0].tile.id)).toMatchObject({ connectedToChat: false });
  expect(await readTile(results[1].tile.id)).toMatchObject({ connectedToChat: null });
  const form = new FormData();
  form.set("connected_to_chat", "false");
  form.set("file", new Blob(["Some words."]), "words.txt");
  const upload = await fetch(`${service.url}/api/board/${board}/files`, {
    method: "POST",
    headers: { "x-api-key": service.key },
    body: form,
  });
  const { tile } = (await upload.json()) as { tile: { id: string; connectedToChat: boolean } };
  expect(tile.connectedToChat).toBe(false);
  // A later retry does not change connected_to_chat.
  const { json } = await call("GET", `/api/board/tiles/${tile.id}?wait=20`);
  expect(json.tile).toMatchObject({ status: "ready", connectedToChat: false });
});

test("connected_to_chat of a tile is unaffected by other changes, and changing it does not mark the tile as new", async () => {
  const board = await newBoard();
  const { id } = await add(board, { content: SOURCE, connected_to_chat: false });
  expect((await patch(id, { title: "Named" })).json.tile).toMatchObject({ connectedToChat: false });
  expect((await patch(id, { content: "Other words." })).json.tile).toMatchObject({ connectedToChat: false });
  const before = await call("GET", `/api/board/tiles/${id}`);
  const after = await call("PATCH", `/api/board/tiles/${id}`, { connected_to_chat: null });
  expect(after.json.tile).toMatchObject({ connectedToChat: null, extractedText: "Other words." });
  expect(after.headers.get("etag")).not.toBe(before.headers.get("etag"));
  const stale = await call(
    "PATCH",
    `/api/board/tiles/${id}`,
    { connected_to_chat: false },
    { "if-match": before.headers.get("etag") ?? "" },
  );
  expect(stale.status).toBe(412);
});

test("connected_to_chat of a tile is rejected with invalid values, and so is an invalid origin", async () => {
  const board = await newBoard();
  const { id } = await add(board, { content: SOURCE });
  for (const origin of ["person", "Answer", 1])
    expect(await call("POST", `/api/board/${board}/tiles`, { content: "a", origin })).toMatchObject({
      status: 400,
      json: { error: "origin must be one of answer, generation." },
    });
  expect(await call("POST", `/api/board/${board}/tiles`, { url: "https://example.invalid/", origin: "answer" })).toMatchObject({
    status: 400,
    json: { error: "origin needs content." },
  });
  expect(await call("PATCH", "/api/board/tiles/til_nowhere", { connected_to_chat: 1 })).toMatchObject({ status: 404 });
  const { key } = await service.newKey({ permission: "read" });
  expect(await service.call("PATCH", `/api/board/tiles/${id}`, { key, body: { connected_to_chat: 1 } })).toMatchObject({ status: 403 });
});

test("connected_to_chat of a tile is exported and imported", async () => {
  const { deps } = service.appContext;
  const board = await newBoard();
  await add(board, { content: "off", connected_to_chat: false });
  await add(board, { content: "on", connected_to_chat: true });
  await add(board, { content: "plain" });
  await add(board, { content: "answer", origin: "answer" });
  const stored = await deps.store.boards.find(service.businessId, board);
  const lines: string[] = [];
  for await (const line of exportBoard(deps, authorizeOn(stored!))) lines.push(line);
  // The export format of version 0.1.0 for a saved generation.
  const old = { ...JSON.parse(lines.at(-1)!).tile, extractedText: "old", rawContent: "old", metadata: { subtype: "GENERATED" } };
  delete old.connectedToChat;
  lines.push(`${JSON.stringify({ tile: old })}\n`);
  const copy = await importLines(lines);
  const { tiles } = (await call("GET", `/api/board/${copy}/tiles`)).json;
  const switches = await Promise.all(tiles.map(async ({ id }: { id: string }) => readTile(id)));
  expect(switches.map(({ extractedText, connectedToChat, metadata }) => [extractedText, connectedToChat, metadata.origin])).toEqual([
    ["off", false, undefined],
    ["on", true, undefined],
    ["plain", null, undefined],
    ["answer", false, "answer"],
    ["old", false, "generation"],
  ]);
  const wrong = JSON.stringify({ tile: { ...old, connectedToChat: "yes" } });
  await expect(importLines([lines[0]!, wrong])).rejects.toThrow("Line 2 is not a line of an exported board.");
});
