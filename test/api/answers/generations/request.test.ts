import { expect, test } from "vitest";
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
const post = { asset_type: "post" };

test("a request returns 400 with advice if nothing is connected, and stores nothing", async () => {
  const board = await newBoard();
  const { status, json } = await generate({ board_id: board, ...post });
  expect([status, json.error]).toEqual([400, expect.stringMatching(/^There is no connected content to generate from\. Add tiles/)]);
  expect((await service.call("GET", `/api/v1/generations?board_id=${board}`)).json).toEqual({ generations: [] });
});

test.each([
  [{}, "board_id is required."],
  [{ board_id: " " }, "board_id is required."],
  [{ board_id: "BOARD" }, "asset_type is required."],
  [{ board_id: "BOARD", asset_type: "opera" }, /^asset_type must be one of video, short_video, /],
  [{ board_id: "BOARD", ...post, prompt: 5 }, "prompt must be a string."],
  [{ board_id: "BOARD", ...post, prompt: "x".repeat(4_001) }, "prompt is too long. The maximum is 4,000 characters."],
  [{ board_id: "BOARD", ...post, tone: "x".repeat(201) }, "tone is too long. The maximum is 200 characters."],
  [{ board_id: "BOARD", ...post, zone_ids: "x" }, "zone_ids must be an array."],
  [{ board_id: "BOARD", ...post, zone_ids: [5] }, "zone_ids must be an array of strings."],
  [{ board_id: "BOARD", ...post, tile_ids: ["a\u0000"] }, "tile_ids must be valid Unicode without NUL."],
  [{ board_id: "BOARD", ...post, tile_ids: Array.from({ length: 101 }, () => "x") }, "tile_ids has too many items. The maximum is 100."],
  [{ board_id: "BOARD", ...post, zone_ids: ["zon_x"] }, "The zone does not belong to this board."],
  [{ board_id: "BOARD", ...post, tile_ids: ["til_x"] }, "tile_ids must name tiles of this board."],
  [{ board_id: "BOARD", ...post, save_to_zone_id: "zon_x" }, "The zone does not belong to this board."],
  [{ board_id: "BOARD", ...post, length: {} }, /^length must be words/],
  [{ board_id: "BOARD", ...post, length: 5 }, /^length must be words/],
  [{ board_id: "BOARD", ...post, length: "x".repeat(201) }, "length is too long. The maximum is 200 characters."],
  [{ board_id: "BOARD", ...post, async: "maybe" }, "async must be a boolean."],
])("a request is rejected with %j", async (body: any, message) => {
  const board = service.boardId;
  const answer = await generate(body.board_id === "BOARD" ? { ...body, board_id: board } : body);
  expect([answer.status, answer.json]).toEqual([400, { error: typeof message === "string" ? message : expect.stringMatching(message) }]);
});

test.each([
  [0, 400],
  [21, 400],
  ["3", 400],
  [1.5, 400],
  [null, 200],
])("a request with count %j returns %i", async (count, status) => {
  const board = await newBoardOfTheBay();
  const answer = await findIdeas({ board_id: board, count });
  expect(answer.status).toBe(status);
  if (status === 400) expect(answer.json.error).toMatch(/^count must be a whole number/);
});

test("a request treats null, blank and empty fields as absent, and accepts camelCase aliases", async () => {
  const board = await newBoardOfTheBay();
  const absent = { prompt: null, zone_ids: [], tile_ids: [""], tone: " ", length: "", idea_id: "", save_to_zone_id: null, async: null };
  expect((await generate({ board_id: board, ...post, ...absent })).status).toBe(200);
  expect((await generate({ boardId: board, assetType: "post", length: 300 })).status).toBe(200);
});

test("a request returns 404 for boards, zones, tiles and ideas of others", async () => {
  const board = await newBoardOfTheBay();
  const other = await service.newBusiness("Other");
  const { key } = await service.newKey({ businessId: other.businessId });
  const second = await newBoardOfTheBay();
  const [zone, tile] = [await addZone(second), await addTile(second, TIDES)];
  expect((await generate({ board_id: board, ...post }, {}, key)).json).toEqual({ error: "Board not found." });
  expect((await generate({ board_id: UNKNOWN_TARGET.boardId, ...post })).json).toEqual({ error: "Board not found." });
  expect((await generate({ board_id: board, ...post, zone_ids: [zone] })).status).toBe(400);
  expect((await generate({ board_id: board, ...post, tile_ids: [tile] })).status).toBe(400);
  const [idea] = (await findIdeas({ board_id: second, count: 1 })).json.generation.ideas;
  const elsewhere = await generate({ board_id: board, ...post, idea_id: idea.id });
  expect([elsewhere.status, elsewhere.json]).toEqual([404, { error: "Idea not found." }]);
  const { key: scoped } = await service.newKey({ boardId: board });
  expect((await generate({ board_id: second, ...post }, {}, scoped)).status).toBe(403);
  expect((await generate({ board_id: UNKNOWN_TARGET.boardId, ...post }, {}, scoped)).status).toBe(403);
});
