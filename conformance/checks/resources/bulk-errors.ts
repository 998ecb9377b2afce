import { defineRequirements } from "../../requirement.ts";
import { assertEqual, assertError, getIds, getList, toObject, toText } from "../../expect.ts";
import { NO_ID } from "../spec/shapes.ts";
import { DELETE, TEXT_TILES, assertResult, assertUnchanged, bulk, createThreeTiles, listTiles } from "./bulk.ts";

const MAX_IDS = 10_000;
const MAX_LISTED_IDS = 1_000;
const BATCH = 500;
const FOREIGN_ZONE = "The zone does not belong to this board.";

export const bulkErrorAdditions = defineRequirements("Bulk changes", {
  "A-305": {
    statement: "Empty, null, blank and unknown filters return 400 and change nothing, because ignoring them would match more tiles.",
    check: async function invalidFiltersAre400(t) {
      const board = await createThreeTiles(t);
      const names = ["tile_ids", "zone_id", "status", "type", "created_before", "updated_before"];
      const filters: unknown[] = [undefined, null, {}, [], "all", { tile_ids: [] }, { ...TEXT_TILES, conformance_unknown: "x" }];
      for (const name of names) filters.push({ tile_ids: board.all, [name]: null }, { ...(name !== "type" && TEXT_TILES), [name]: "" });
      for (const filter of [...filters, { ...TEXT_TILES, zoneId: null }, { ...TEXT_TILES, zone_id: " " }])
        assertError(await bulk(t, board.boardId, filter, DELETE), 400);
      await assertUnchanged(t, board, "invalid filters");
    },
  },
  "A-306": {
    statement: "action must have exactly one of its fields; anything else returns 400 and changes nothing.",
    check: async function exactlyOneActionIsRequired(t) {
      const board = await createThreeTiles(t);
      const actions = [
        undefined,
        null,
        {},
        { delete: false },
        { delete: true, retry: true },
        { delete: true, move_to: null },
        { vanish: true },
      ];
      for (const action of actions) assertError(await bulk(t, board.boardId, TEXT_TILES, action), 400);
      await assertUnchanged(t, board, "invalid actions");
    },
  },
  "A-307": {
    statement: "A zone of another board in filter or action returns 400 and changes nothing.",
    check: async function foreignZonesAre400(t) {
      const board = await createThreeTiles(t);
      const foreign = await t.zone({}, (await t.otherBoard()).id);
      for (const zone of [foreign.id, NO_ID]) {
        assertError(await bulk(t, board.boardId, { zone_id: zone }, DELETE), 400, FOREIGN_ZONE);
        assertError(await bulk(t, board.boardId, { tile_ids: board.all }, { move_to: zone }), 400, FOREIGN_ZONE);
      }
      await assertUnchanged(t, board, "invalid zones");
    },
  },
  "A-308": {
    statement: "Unknown ids and ids of tiles on another board match nothing; the other listed tiles are changed.",
    check: async function foreignTilesAreUnchanged(t) {
      const { boardId, outside } = await createThreeTiles(t);
      const other = await createThreeTiles(t);
      assertResult(await bulk(t, boardId, { tile_ids: [...other.all, NO_ID] }, DELETE), 0, 0, []);
      assertResult(await bulk(t, boardId, { tile_ids: [other.outside, outside, outside] }, DELETE), 1, 1, [outside]);
      await assertUnchanged(t, other, "a call to another board");
    },
  },
  "A-309": {
    statement: "tile_ids accepts up to 10,000 ids, more return 400; tileIds has the first 1,000 matches, and matched counts all.",
    check: async function bulkHasLimits(t) {
      const { id: boardId } = await t.freshBoard();
      const ids: string[] = [];
      for (const count of [BATCH, BATCH, 1]) {
        const tiles = Array.from({ length: count }, () => ({ board_id: boardId, content: "Conformance text" }));
        const results = getList(await t.call("POST", "/api/inbound/tiles/batch", { body: { tiles } }), "results");
        for (const { tile } of results) ids.push(toText(toObject(tile, "a tile")["id"], "its id"));
      }
      const none = Array.from({ length: MAX_IDS - ids.length }, (_, n) => `${NO_ID}${n}`);
      assertError(await bulk(t, boardId, { tile_ids: [...ids, ...none, NO_ID] }, DELETE), 400, /^tile_ids /);
      const reply = await bulk(t, boardId, { tile_ids: [...ids, ...none] }, DELETE);
      assertResult(reply, ids.length, ids.length, ids.slice(0, MAX_LISTED_IDS));
      assertEqual(await listTiles(t, boardId), [], "tiles that are left");
      const back = await bulk(t, boardId, { tile_ids: ids }, { restore: true });
      assertEqual(back.json, { matched: ids.length, changed: ids.length, tileIds: ids.slice(0, MAX_LISTED_IDS) }, "the restored tiles");
      assertEqual(getIds(await listTiles(t, boardId)), ids, "tiles after restore");
    },
  },
  "A-310": {
    statement: "Tiles that the action does not apply to are matched but not changed, such as text tiles that are retried.",
    check: async function bulkSkipsOtherTiles(t) {
      const board = await createThreeTiles(t);
      assertResult(await bulk(t, board.boardId, TEXT_TILES, { retry: true }), 3, 0, board.all);
      assertResult(await bulk(t, board.boardId, { tile_ids: board.all }, { restore: true }), 0, 0, []);
      await assertUnchanged(t, board, "actions that do not apply");
    },
  },
  "A-311": {
    statement: "The call requires permission to write: a read key returns 403 before the body is validated; an unknown board returns 404.",
    check: async function bulkRequiresWrite(t) {
      const board = await createThreeTiles(t);
      const key = t.option("readKey");
      assertError(await bulk(t, board.boardId, TEXT_TILES, DELETE, {}, { key }), 403);
      assertError(await bulk(t, board.boardId, undefined, undefined, {}, { key }), 403);
      assertError(await bulk(t, NO_ID, undefined, undefined), 404, "Board not found.");
      await assertUnchanged(t, board, "calls with a read key");
    },
  },
});
