import type { Requirement } from "../../requirement.ts";
import { asFields, asText, equal, holds, idsOf, isRefused, isStatus, listIn, objectIn } from "../../expect.ts";
import type { Reply, Request } from "../../http.ts";
import type { Probe } from "../../probe.ts";
import { NO_ID } from "../spec/shapes.ts";

const section = "Bulk changes";
const MAX_IDS = 10_000;
const MAX_LISTED_IDS = 1_000;
const BATCH = 500;
const FOREIGN_ZONE = "The zone does not belong to this board.";
const REMOVE = { delete: true };
/** Matches every text of a board. */
const TEXTS = { type: "TEXT" };

const bulk = (t: Probe, boardId: string, filter: unknown, action: unknown, more: object = {}, request: Request = {}): Promise<Reply> =>
  t.call("POST", `/api/board/${boardId}/tiles/bulk`, { body: { filter, action, ...more }, ...request });

function isChanged(reply: Reply, matched: number, changed: number, tileIds?: readonly string[]): void {
  isStatus(reply, 200);
  const result = asFields(reply.json, "the result");
  equal([result["matched"], result["changed"]], [matched, changed], "matched and changed");
  if (tileIds) equal(listOfIds(result["tileIds"]), tileIds.toSorted(), "tileIds");
}

function listOfIds(value: unknown): readonly string[] {
  holds(Array.isArray(value), "tileIds is not a list");
  return value.map((id) => asText(id, "an id")).sort();
}

const tilesOf = async (t: Probe, boardId: string) =>
  listIn(await t.call("GET", `/api/board/${boardId}/tiles`, { query: { text: "false" } }), "tiles");

/** A board with two texts in a zone and one outside. */
async function threeTexts(t: Probe) {
  const { id: boardId } = await t.freshBoard();
  const { id: zoneId } = await t.zone({}, boardId);
  const inside = [await t.tile({ zone_id: zoneId }, boardId), await t.tile({ zone_id: zoneId }, boardId)].map(({ id }) => id);
  const { id: outside } = await t.tile({}, boardId);
  return { boardId, zoneId, inside, outside, all: [...inside, outside] };
}

/** Every tile of the board is there, where it was. */
async function isUntouched(t: Probe, { boardId, zoneId, inside, all }: Awaited<ReturnType<typeof threeTexts>>, what: string) {
  const tiles = await tilesOf(t, boardId);
  equal([...idsOf(tiles)].sort(), all.toSorted(), `tiles after ${what}`);
  const placed = idsOf(tiles.filter(({ zoneId: zone }) => zone === zoneId));
  equal([...placed].sort(), inside.toSorted(), `tiles of the zone after ${what}`);
}

export const bulkAdditions: readonly Requirement[] = [
  {
    id: "A-301",
    section,
    statement: "move_to moves every tile that matches to a zone, null takes them out; the answer is { matched, changed, tileIds }.",
    check: async function movesManyTiles(t) {
      const { boardId, zoneId, inside, outside, all } = await threeTexts(t);
      const zones = async () => new Set((await tilesOf(t, boardId)).map((tile) => tile["zoneId"]));
      isChanged(await bulk(t, boardId, { zone_id: zoneId }, { move_to: null }), 2, 2, inside);
      equal([...(await zones())], [null], "zones after the tiles were taken out");
      isChanged(await bulk(t, boardId, { tileIds: [outside, ...inside] }, { moveTo: zoneId }), 3, 3, all);
      equal([...(await zones())], [zoneId], "zones after the tiles were moved");
    },
  },
  {
    id: "A-302",
    section,
    statement: "delete deletes every tile that matches, and restore brings them back.",
    check: async function deletesAndRestoresManyTiles(t) {
      const { boardId, zoneId, inside, outside, all } = await threeTexts(t);
      isChanged(await bulk(t, boardId, { zone_id: zoneId }, REMOVE), 2, 2, inside);
      equal(idsOf(await tilesOf(t, boardId)), [outside], "tiles that are left");
      isRefused(await t.call("GET", `/api/board/tiles/${inside[0]}`), 404, "Tile not found.");
      isChanged(await bulk(t, boardId, { tile_ids: inside }, { restore: true }), 2, 2, inside);
      equal([...idsOf(await tilesOf(t, boardId))].sort(), all.toSorted(), "tiles after restore");
    },
  },
  {
    id: "A-303",
    section,
    statement: "The fields of filter are combined with AND: tile_ids, zone_id, status, type, created_before, updated_before.",
    check: async function filtersNarrow(t) {
      const { boardId, zoneId, inside, outside, all } = await threeTexts(t);
      const [first = ""] = inside;
      const dry = (filter: object) => bulk(t, boardId, filter, REMOVE, { dry_run: true });
      isChanged(await dry({ tile_ids: [first, outside], zone_id: zoneId }), 1, 0, [first]);
      isChanged(await dry({ ...TEXTS, status: "failed" }), 0, 0, []);
      isChanged(await dry({ ...TEXTS, status: "ready", zone_id: zoneId }), 2, 0, inside);
      const { createdAt } = objectIn(await t.call("GET", `/api/board/tiles/${first}`), "tile");
      const later = new Date(Date.parse(asText(createdAt, "createdAt")) + 86_400_000).toISOString();
      for (const field of ["created_before", "updated_before"]) {
        isChanged(await dry({ [field]: "2000-01-01T00:00:00.000Z", ...TEXTS }), 0, 0, []);
        isChanged(await dry({ [field]: later }), 3, 0, all);
      }
    },
  },
  {
    id: "A-304",
    section,
    statement: "dry_run changes nothing.",
    check: async function dryRunsChangeNothing(t) {
      const made = await threeTexts(t);
      isChanged(await bulk(t, made.boardId, TEXTS, REMOVE, { dry_run: true }), 3, 0, made.all);
      isChanged(await bulk(t, made.boardId, TEXTS, { move_to: null }, { dryRun: true }), 3, 0, made.all);
      await isUntouched(t, made, "dry runs");
    },
  },
  {
    id: "A-305",
    section,
    statement: "A filter that is empty, null, blank or unknown is 400 and changes nothing, since leaving it out would widen the selection.",
    check: async function filtersNeverWiden(t) {
      const made = await threeTexts(t);
      const names = ["tile_ids", "zone_id", "status", "type", "created_before", "updated_before"];
      const filters: unknown[] = [undefined, null, {}, [], "all", { tile_ids: [] }, { ...TEXTS, conformance_unknown: "x" }];
      for (const name of names) filters.push({ tile_ids: made.all, [name]: null }, { ...(name !== "type" && TEXTS), [name]: "" });
      for (const filter of [...filters, { ...TEXTS, zoneId: null }, { ...TEXTS, zone_id: " " }])
        isRefused(await bulk(t, made.boardId, filter, REMOVE), 400);
      await isUntouched(t, made, "filters that are refused");
    },
  },
  {
    id: "A-306",
    section,
    statement: "action is exactly one of its fields; anything else is 400 and changes nothing.",
    check: async function actionsAreExactlyOne(t) {
      const made = await threeTexts(t);
      const actions = [
        undefined,
        null,
        {},
        { delete: false },
        { delete: true, retry: true },
        { delete: true, move_to: null },
        { vanish: true },
      ];
      for (const action of actions) isRefused(await bulk(t, made.boardId, TEXTS, action), 400);
      await isUntouched(t, made, "actions that are refused");
    },
  },
  {
    id: "A-307",
    section,
    statement: "A zone of another board is 400 in filter and action, and nothing is changed.",
    check: async function foreignZonesAreRefused(t) {
      const made = await threeTexts(t);
      const foreign = await t.zone({}, (await t.otherBoard()).id);
      for (const zone of [foreign.id, NO_ID]) {
        isRefused(await bulk(t, made.boardId, { zone_id: zone }, REMOVE), 400, FOREIGN_ZONE);
        isRefused(await bulk(t, made.boardId, { tile_ids: made.all }, { move_to: zone }), 400, FOREIGN_ZONE);
      }
      await isUntouched(t, made, "zones that are refused");
    },
  },
  {
    id: "A-308",
    section,
    statement: "Ids of another board's tiles, or of none, match nothing; the tiles beside them are changed.",
    check: async function foreignTilesAreLeftAlone(t) {
      const { boardId, outside } = await threeTexts(t);
      const other = await threeTexts(t);
      isChanged(await bulk(t, boardId, { tile_ids: [...other.all, NO_ID] }, REMOVE), 0, 0, []);
      isChanged(await bulk(t, boardId, { tile_ids: [other.outside, outside, outside] }, REMOVE), 1, 1, [outside]);
      await isUntouched(t, other, "a call to another board");
    },
  },
  {
    id: "A-309",
    section,
    statement: "tile_ids takes up to 10,000 ids (400 beyond); tileIds are the first 1,000 that match, and matched counts all.",
    check: async function bulkKeepsItsLimits(t) {
      const { id: boardId } = await t.freshBoard();
      const ids: string[] = [];
      for (const count of [BATCH, BATCH, 1]) {
        const tiles = Array.from({ length: count }, () => ({ board_id: boardId, content: "Conformance text" }));
        const results = listIn(await t.call("POST", "/api/inbound/tiles/batch", { body: { tiles } }), "results");
        for (const { tile } of results) ids.push(asText(asFields(tile, "a tile")["id"], "its id"));
      }
      const none = Array.from({ length: MAX_IDS - ids.length }, (_, n) => `${NO_ID}${n}`);
      isRefused(await bulk(t, boardId, { tile_ids: [...ids, ...none, NO_ID] }, REMOVE), 400, /^tile_ids /);
      const reply = await bulk(t, boardId, { tile_ids: [...ids, ...none] }, REMOVE);
      isChanged(reply, ids.length, ids.length, ids.slice(0, MAX_LISTED_IDS));
      equal(await tilesOf(t, boardId), [], "tiles that are left");
    },
  },
  {
    id: "A-310",
    section,
    statement: "A tile that the action does not fit is matched and not changed: a text has nothing to retry.",
    check: async function bulkSkipsWhatDoesNotFit(t) {
      const made = await threeTexts(t);
      isChanged(await bulk(t, made.boardId, TEXTS, { retry: true }), 3, 0, made.all);
      isChanged(await bulk(t, made.boardId, { tile_ids: made.all }, { restore: true }), 0, 0, []);
      await isUntouched(t, made, "actions that fit nothing");
    },
  },
  {
    id: "A-311",
    section,
    statement: "It needs write: a key that only reads is 403, before the values are looked at; an unknown board is 404.",
    check: async function bulkNeedsWrite(t) {
      const made = await threeTexts(t);
      const key = t.need("readKey");
      isRefused(await bulk(t, made.boardId, TEXTS, REMOVE, {}, { key }), 403);
      isRefused(await bulk(t, made.boardId, undefined, undefined, {}, { key }), 403);
      isRefused(await bulk(t, NO_ID, undefined, undefined), 404, "Board not found.");
      await isUntouched(t, made, "a key that only reads");
    },
  },
];
