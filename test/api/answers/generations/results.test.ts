import { expect, test } from "vitest";
import { setWebhook } from "#service/settings/webhooks.ts";
import { UNKNOWN_TARGET } from "../../../support/test-data.ts";
import {
  service,
  TIDES,
  newBoard,
  addTile,
  addZone,
  newBoardOfTheBay,
  generate,
  findIdeas,
  useExtractiveService,
} from "./extractive-service.ts";

useExtractiveService();

test("a result saved as a tile is stored completely in the zone, and the generation has its id", async () => {
  const board = await newBoardOfTheBay();
  const zone = await addZone(board, false);
  const { json } = await generate({ board_id: board, asset_type: "newsletter", save_to_zone_id: zone });
  const { savedTileId, output } = json.generation;
  const { tile } = (await service.call("GET", `/api/board/tiles/${savedTileId}`)).json;
  expect(tile).toMatchObject({
    boardId: board,
    zoneId: zone,
    type: "TEXT",
    status: "ready",
    title: output.title,
    rawContent: output.text,
  });
  expect(tile.metadata).toEqual({ subtype: "GENERATED", origin: "generation" });
  const list = (await service.call("GET", `/api/board/${board}/tiles?zone_id=${zone}`)).json.tiles;
  expect(list.map(({ id }: any) => id)).toEqual([savedTileId]);
});

test("a result saved as a tile is rejected for a key without write permission before the board is loaded", async () => {
  const board = await newBoardOfTheBay();
  const { key } = await service.newKey({ permission: "ask" });
  const refused = { status: 403, json: { error: "This API key does not have the permission for this operation." } };
  const body = { asset_type: "post", save_to_zone_id: await addZone(board) };
  expect(await generate({ board_id: board, ...body }, {}, key)).toMatchObject(refused);
  expect(await generate({ board_id: UNKNOWN_TARGET.boardId, ...body }, {}, key)).toMatchObject(refused);
  expect((await generate({ board_id: board, asset_type: "post" }, {}, key)).status).toBe(200);
});

test.each([
  ["the field", { async: true }, {}],
  ["the header", {}, { prefer: "wait=5, respond-async" }],
])("asynchronous results return 202 with %s, and the Location has the result", async (_, more, headers) => {
  const board = await newBoardOfTheBay();
  const answer = await generate({ board_id: board, asset_type: "post", ...more }, headers as Record<string, string>);
  expect(answer.status).toBe(202);
  const { generation } = answer.json;
  expect(generation).toMatchObject({ status: "processing", mode: null, output: null, citations: [], contextTokens: 0 });
  expect(answer.headers.get("location")).toBe(`/api/v1/generations/${generation.id}`);
  const done = await service.call("GET", `${answer.headers.get("location")}?wait=20`);
  expect(done.json.generation).toMatchObject({ id: generation.id, status: "complete", mode: "extractive" });
  expect((await service.call("GET", `/api/v1/generations/${generation.id}`)).json).toEqual(done.json);
});

test("asynchronous results are streamed: tokens join to the text, and done has the whole body", async () => {
  const board = await newBoardOfTheBay();
  const events = async (answer: Promise<{ status: number; headers: Headers; text: string }>) => {
    const { status, headers, text } = await answer;
    expect([status, headers.get("content-type")]).toEqual([200, "text/event-stream; charset=utf-8"]);
    return [...text.matchAll(/^event: (\w+)\ndata: (.*)$/gm)].map(([, event, data]) => ({ event, data: JSON.parse(data ?? "") }));
  };
  const piece = await events(generate({ board_id: board, asset_type: "article" }, { accept: "text/event-stream" }));
  const done = piece.at(-1)!;
  expect(done).toMatchObject({ event: "done", data: { generation: { status: "complete", assetType: "article" } } });
  const tokens = piece.slice(0, -1);
  expect(tokens.every(({ event }) => event === "token")).toBe(true);
  expect(tokens.map(({ data }) => data.text).join("")).toBe(done.data.generation.output.text);
  expect((await service.call("GET", `/api/v1/generations/${done.data.generation.id}`)).json).toEqual(done.data);
  const ideas = await events(findIdeas({ board_id: board, count: 2 }, { accept: "text/event-stream" }));
  expect(ideas.at(-1)!.data.generation.ideas).toHaveLength(2);
  const refused = await generate({ board_id: board }, { accept: "text/event-stream" });
  expect([refused.status, refused.json]).toEqual([400, { error: "asset_type is required." }]);
  const blank = await newBoard();
  await addTile(blank, "???");
  expect(await events(generate({ board_id: blank, asset_type: "post" }, { accept: "text/event-stream" }))).toEqual([
    { event: "error", data: { error: expect.stringMatching(/^The connected content has no sentences/), code: "no_content" } },
  ]);
});

test("the listing of generations is newest first, in pages, by board and endpoint, without results", async () => {
  const [board, second] = [await newBoardOfTheBay(), await newBoardOfTheBay()];
  const ids: string[] = [];
  for (let i = 0; i < 3; i++) ids.unshift((await generate({ board_id: board, asset_type: "post" })).json.generation.id);
  const idea = (await findIdeas({ board_id: board })).json.generation.id;
  const other = (await findIdeas({ board_id: second })).json.generation.id;
  const list = async (query: string, key?: string) =>
    (await service.call("GET", `/api/v1/generations${query}`, key === undefined ? {} : { key })).json;
  const getIds = (json: any): string[] => json.generations.map(({ id }: any) => id);
  expect(getIds(await list(`?board_id=${board}`))).toEqual([idea, ...ids]);
  expect(getIds(await list("")).slice(0, 5)).toEqual([other, idea, ...ids]);
  expect(getIds(await list(`?board_id=${board}&endpoint=/api/v1/generate`))).toEqual(ids);
  const [row] = (await list(`?board_id=${board}&endpoint=/api/v1/generate`)).generations;
  expect(row).toEqual({
    id: ids[0],
    boardId: board,
    endpoint: "/api/v1/generate",
    assetType: "post",
    status: "complete",
    title: expect.any(String),
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
  });
  const first = await list(`?board_id=${board}&limit=3`);
  expect(getIds(first)).toEqual([idea, ids[0], ids[1]]);
  const rest = await list(`?board_id=${board}&limit=3&cursor=${first.nextCursor}`);
  expect([getIds(rest), rest.nextCursor]).toEqual([[ids[2]], null]);
  for (const query of [`?board_id=${second}&cursor=${first.nextCursor}`, "?cursor=x", `?cursor=${first.nextCursor}`])
    expect(await list(query)).toEqual({ error: "cursor is not valid." });
  const { key } = await service.newKey({ boardId: second, permission: "read" });
  expect(getIds(await list("", key))).toEqual([other]);
  expect(await list(`?board_id=${board}`, key)).toEqual({ error: "This API key is not authorized for this board." });
  expect(await list(`?board_id=${UNKNOWN_TARGET.boardId}`)).toEqual({ error: "Board not found." });
  expect(await list("?endpoint=/x")).toEqual({ error: "endpoint must be one of /api/v1/generate, /api/v1/idea." });
  expect(await list("?limit=0")).toEqual({ error: "limit must be a whole number from 1 to 500." });
  await service.call("DELETE", `/api/board/boards/${second}`);
  expect((await service.call("GET", `/api/v1/generations/${other}`)).json).toEqual({ error: "Generation not found." });
  expect(getIds(await list("")).slice(0, 2)).toEqual([idea, ids[0]]);
});

const post = { asset_type: "post" };

test("an idempotency key creates one generation; another body under it is a conflict", async () => {
  const board = await newBoardOfTheBay();
  const headers = { "idempotency-key": "k1" };
  const first = await generate({ board_id: board, ...post }, headers);
  const again = await generate({ board_id: board, ...post }, headers);
  expect([again.status, again.json]).toEqual([200, first.json]);
  expect([first.headers.get("idempotency-replayed"), again.headers.get("idempotency-replayed")]).toEqual([null, "true"]);
  expect((await generate({ board_id: board, asset_type: "video" }, headers)).status).toBe(409);
  expect((await findIdeas({ board_id: board }, headers)).status).toBe(200);
  const many = await Promise.all(Array.from({ length: 8 }, () => generate({ board_id: board, ...post }, { "idempotency-key": "k2" })));
  const ids = new Set(many.filter(({ status }) => status === 200).map(({ json }) => json.generation.id));
  expect(ids.size).toBe(1);
  expect(many.every(({ status }) => status === 200 || status === 409)).toBe(true);
  const list = (await service.call("GET", `/api/v1/generations?board_id=${board}&endpoint=/api/v1/generate`)).json;
  expect(list.generations).toHaveLength(2);
});

test("an idempotency key is not stored for a failed request", async () => {
  const board = await newBoard();
  const tile = await addTile(board, "???");
  const headers = { "idempotency-key": "k3" };
  expect((await generate({ board_id: board, ...post }, headers)).status).toBe(400);
  await service.call("PATCH", `/api/board/tiles/${tile}`, { body: { content: TIDES } });
  expect((await generate({ board_id: board, ...post }, headers)).status).toBe(200);
});

test("generation.complete is recorded once per request, in the documented format; generation.failed is off by default", async () => {
  const { deps } = service.appContext;
  await setWebhook(deps, service.businessId, { url: "https://receiver.example/hook", actor: "operator" });
  const board = await newBoardOfTheBay();
  const piece = (await generate({ board_id: board, asset_type: "video" })).json.generation;
  const ideas = (await findIdeas({ board_id: board, asset_type: "video" })).json.generation;
  const blank = await newBoard();
  await addTile(blank, "???");
  expect((await generate({ board_id: blank, asset_type: "video" })).status).toBe(400);
  const events = (await deps.store.webhooks.deliveries(service.businessId, 100)).map(({ event, payload }) => [event, JSON.parse(payload)]);
  expect(events.toReversed()).toEqual([
    ["generation.complete", { generationId: piece.id, boardId: board, endpoint: "/api/v1/generate", assetType: "video" }],
    ["generation.complete", { generationId: ideas.id, boardId: board, endpoint: "/api/v1/idea" }],
  ]);
  await deps.store.webhooks.clear(service.businessId, "operator", Date.now());
});

test("cancelling an ended generation returns 409, and the operator's cancellation is recorded as such", async () => {
  const board = await newBoardOfTheBay();
  const { id } = (await generate({ board_id: board, asset_type: "post" })).json.generation;
  const answer = await service.call("POST", `/api/v1/generations/${id}/cancel`);
  expect([answer.status, answer.json]).toEqual([409, { error: "This generation has ended already: it is complete." }]);
});
