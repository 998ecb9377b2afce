import { defineRequirements } from "../../requirement.ts";
import { assertMatch, toObject, toText, assertEqual, assert, getIds, assertError, assertStatus, getList } from "../../expect.ts";
import type { Reply, Request } from "../../http.ts";
import type { Probe } from "../../probe.ts";

export const DELETE = { delete: true };
/** A filter that matches every text tile of a board. */
export const TEXT_TILES = { type: "TEXT" };

export const bulk = (
  t: Probe,
  boardId: string,
  filter: unknown,
  action: unknown,
  more: object = {},
  request: Request = {},
): Promise<Reply> => t.call("POST", `/api/board/${boardId}/tiles/bulk`, { body: { filter, action, ...more }, ...request });

export function assertResult(reply: Reply, matched: number, changed: number, tileIds?: readonly string[]): void {
  assertStatus(reply, 200);
  const result = toObject(reply.json, "the result");
  assertMatch(result, { matched, changed }, "the result");
  if (tileIds) assertEqual(readIds(result["tileIds"]), tileIds.toSorted(), "tileIds");
}

function readIds(value: unknown): readonly string[] {
  assert(Array.isArray(value), "tileIds is not a list");
  return value.map((id) => toText(id, "an id")).sort();
}

export const listTiles = async (t: Probe, boardId: string) =>
  getList(await t.call("GET", `/api/board/${boardId}/tiles`, { query: { text: "false" } }), "tiles");

/** Creates a board with two text tiles in a zone and one without a zone. */
export async function createThreeTiles(t: Probe) {
  const { id: boardId } = await t.freshBoard();
  const { id: zoneId } = await t.zone({}, boardId);
  const inside = [await t.tile({ zone_id: zoneId }, boardId), await t.tile({ zone_id: zoneId }, boardId)].map(({ id }) => id);
  const { id: outside } = await t.tile({}, boardId);
  return { boardId, zoneId, inside, outside, all: [...inside, outside] };
}

/** Requires that every tile of the board still exists, in its zone. */
export async function assertUnchanged(
  t: Probe,
  { boardId, zoneId, inside, all }: Awaited<ReturnType<typeof createThreeTiles>>,
  what: string,
) {
  const tiles = await listTiles(t, boardId);
  assertEqual([...getIds(tiles)].sort(), all.toSorted(), `tiles after ${what}`);
  const zoneTileIds = getIds(tiles.filter(({ zoneId: zone }) => zone === zoneId));
  assertEqual([...zoneTileIds].sort(), inside.toSorted(), `tiles of the zone after ${what}`);
}

export const bulkAdditions = defineRequirements("Bulk changes", {
  "A-301": {
    statement: "move_to moves every matching tile to a zone, or out of its zone with null; the response is { matched, changed, tileIds }.",
    check: async function movesManyTiles(t) {
      const { boardId, zoneId, inside, outside, all } = await createThreeTiles(t);
      const zones = async () => new Set((await listTiles(t, boardId)).map((tile) => tile["zoneId"]));
      assertResult(await bulk(t, boardId, { zone_id: zoneId }, { move_to: null }), 2, 2, inside);
      assertEqual([...(await zones())], [null], "zones after the tiles were taken out");
      assertResult(await bulk(t, boardId, { tileIds: [outside, ...inside] }, { moveTo: zoneId }), 3, 3, all);
      assertEqual([...(await zones())], [zoneId], "zones after the tiles were moved");
    },
  },
  "A-302": {
    statement: "delete deletes every matching tile, and restore restores them.",
    check: async function deletesAndRestoresManyTiles(t) {
      const { boardId, zoneId, inside, outside, all } = await createThreeTiles(t);
      assertResult(await bulk(t, boardId, { zone_id: zoneId }, DELETE), 2, 2, inside);
      assertEqual(getIds(await listTiles(t, boardId)), [outside], "tiles that are left");
      assertError(await t.call("GET", `/api/board/tiles/${inside[0]}`), 404, "Tile not found.");
      assertResult(await bulk(t, boardId, { tile_ids: inside }, { restore: true }), 2, 2, inside);
      assertEqual([...getIds(await listTiles(t, boardId))].sort(), all.toSorted(), "tiles after restore");
    },
  },
  "A-303": {
    statement: "The fields of filter are combined with AND: tile_ids, zone_id, status, type, created_before, updated_before.",
    check: async function filtersAreCombined(t) {
      const { boardId, zoneId, inside, outside, all } = await createThreeTiles(t);
      const [first = ""] = inside;
      const dry = (filter: object) => bulk(t, boardId, filter, DELETE, { dry_run: true });
      assertResult(await dry({ tile_ids: [first, outside], zone_id: zoneId }), 1, 0, [first]);
      assertResult(await dry({ ...TEXT_TILES, status: "failed" }), 0, 0, []);
      assertResult(await dry({ ...TEXT_TILES, status: "ready", zone_id: zoneId }), 2, 0, inside);
      const { createdAt } = await t.read("tile", first);
      const later = new Date(Date.parse(toText(createdAt, "createdAt")) + 86_400_000).toISOString();
      for (const field of ["created_before", "updated_before"]) {
        assertResult(await dry({ [field]: "2000-01-01T00:00:00.000Z", ...TEXT_TILES }), 0, 0, []);
        assertResult(await dry({ [field]: "2000-01-01" }), 0, 0, []);
        assertResult(await dry({ [field]: later }), 3, 0, all);
      }
    },
  },
  "A-304": {
    statement: "dry_run changes nothing.",
    check: async function dryRunsChangeNothing(t) {
      const board = await createThreeTiles(t);
      assertResult(await bulk(t, board.boardId, TEXT_TILES, DELETE, { dry_run: true }), 3, 0, board.all);
      assertResult(await bulk(t, board.boardId, TEXT_TILES, { move_to: null }, { dryRun: true }), 3, 0, board.all);
      await assertUnchanged(t, board, "dry runs");
    },
  },
});
