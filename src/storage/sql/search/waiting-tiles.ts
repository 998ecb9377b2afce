import type { PendingTile, SearchFilter, SearchStore, WaitingTile } from "#domain/answers/search.ts";
import { INDEXED_OPTIONS } from "#domain/content/tile-options.ts";
import type { Dialect, Driver } from "../driver.ts";
import { Mapping, plainFields } from "../mapping.ts";
import { all, type Unit } from "../unit.ts";
import type { TileClaims } from "./adapters.ts";
import { searchableTiles } from "./conditions.ts";

/** Tiles listed in one statement. Most questions need one. */
const PAGE_SIZE = 500;
/** The minimum size of a tile, so that a question reads a limited number of them. */
const MIN_BYTES = 200;
/** Its characters are not read: both engines store the length of a text before it. */
const BYTES = "octet_length(t.extracted_text)";
/** More characters than any text has, and the greatest number of them that both engines accept. */
const WHOLE_TEXT = 2_147_483_647;

const WAITING_TILES = new Mapping<Omit<WaitingTile, "content"> & { readonly sequence: number }>(
  { ...plainFields("businessId", "boardId", "version", "sequence"), tileId: { column: "id" }, bytes: { expression: BYTES } },
  "t",
);
const PENDING_TILES = new Mapping<PendingTile>(
  {
    ...plainFields("businessId", "boardId", "version", "title", ...INDEXED_OPTIONS),
    tileId: { column: "id" },
    text: { expression: `CASE WHEN ${BYTES} > @maxCharacters THEN substr(t.extracted_text, 1, @maxCharacters) ELSE t.extracted_text END` },
  },
  "t",
);

/** The tiles `t` that are not in the search index yet. */
const unindexedTiles = ({ useIndex }: Dialect): string => `tile t${useIndex("tile_unindexed")} WHERE t.is_indexed = FALSE`;

/** Creates the part of the search store that lists the tiles that are not in the index yet. */
export function createWaitingTiles(
  { dialect, read }: Driver,
  claims: TileClaims,
): Pick<SearchStore, "pendingConnected" | "pendingTexts" | "pending"> {
  /** The business whose tiles were indexed last. */
  let lastBusiness = "";

  async function readTexts(businessId: string, ids: readonly string[], maxCharacters: number): Promise<PendingTile[]> {
    if (ids.length === 0) return [];
    const from = `tile t WHERE t.business_id = @businessId AND ${dialect.isAnyOf("t.id", "ids")} AND t.is_indexed = FALSE`;
    const found = await read(() => PENDING_TILES.list(from, { businessId, ids, maxCharacters }));
    const byId = new Map(found.map((tile) => [tile.tileId, tile]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }

  /** Lists businesses with waiting tiles, from the one after the last. */
  async function listBusinesses(limit: number): Promise<string[]> {
    const after = await read(() => listBusinessesAfter(dialect, lastBusiness, limit));
    const found =
      after.length >= limit || lastBusiness === "" ? after : [...after, ...(await read(() => listBusinessesAfter(dialect, "", limit)))];
    return [...new Set(found)].slice(0, limit);
  }

  return {
    pendingConnected: (businessId, boardId, maxBytes, filter = {}) =>
      read(() => listConnected(dialect, { businessId, boardId }, maxBytes, filter)),

    async pendingTexts(tiles, maxCharacters) {
      const [first] = tiles;
      if (first === undefined) return [];
      const versions = new Map(tiles.map(({ tileId, version }) => [tileId, version]));
      const found = await readTexts(first.businessId, [...versions.keys()], maxCharacters);
      return found.filter(({ tileId, version }) => versions.get(tileId) === version);
    },

    async pending(limit, maxBytes) {
      const businesses = await listBusinesses(limit);
      lastBusiness = businesses[0] ?? "";
      const tiles: PendingTile[] = [];
      for (const [at, businessId] of businesses.entries()) {
        const places = Math.ceil((limit - tiles.length) / (businesses.length - at));
        const oldest = await read(() => listOldest(dialect, claims, businessId, places));
        tiles.push(...(await readTexts(businessId, limitBytes(oldest, maxBytes / businesses.length), WHOLE_TEXT)));
      }
      return tiles;
    },
  };
}

type BoardRef = Pick<WaitingTile, "businessId" | "boardId">;

/** Lists the newest tiles of a board for a question, without their texts. */
function* listConnected(dialect: Dialect, board: BoardRef, maxBytes: number, filter: SearchFilter): Unit<WaitingTile[]> {
  const { sql, params } = searchableTiles(filter);
  const from = `${unindexedTiles(dialect)} AND t.business_id = @businessId AND t.board_id = @boardId
    AND t.sequence < @before AND ${sql} ORDER BY t.sequence DESC LIMIT ${PAGE_SIZE}`;
  const found: WaitingTile[] = [];
  let total = 0;
  for (let before = Number.MAX_SAFE_INTEGER; ;) {
    const rows = yield* WAITING_TILES.list(from, { ...board, before, ...params });
    for (const { sequence, ...tile } of rows) {
      before = sequence;
      total += Math.max(tile.bytes, MIN_BYTES);
      if (found.length > 0 && total > maxBytes) return found.reverse();
      found.push(tile);
    }
    if (rows.length < PAGE_SIZE) return found.reverse();
  }
}

/** Lists businesses with waiting tiles. There is one index lookup per business, however many tiles wait. */
function* listBusinessesAfter(dialect: Dialect, after: string, limit: number): Unit<string[]> {
  const first = (condition: string) =>
    `SELECT t.business_id FROM ${unindexedTiles(dialect)} AND t.business_id > ${condition} ORDER BY t.business_id LIMIT 1`;
  const rows = yield* all<{ id: string }>(
    `WITH RECURSIVE waiting AS (
       SELECT (${first("@after")}) AS business_id
       UNION ALL
       SELECT (${first("w.business_id")}) FROM waiting w WHERE w.business_id IS NOT NULL)
     SELECT business_id AS id FROM waiting WHERE business_id IS NOT NULL LIMIT @limit`,
    { after, limit },
  );
  return rows.map(({ id }) => id);
}

const listOldest = (dialect: Dialect, { isFree, freeParams }: TileClaims, businessId: string, limit: number) =>
  WAITING_TILES.list(
    `${unindexedTiles(dialect)} AND t.business_id = @businessId AND ${isFree}
     ORDER BY t.board_id, t.sequence LIMIT @limit`,
    { businessId, limit, ...freeParams },
  );

/** Returns the ids of the first tiles of together at most `maxBytes`, at least one. The last one may exceed them. */
function limitBytes(tiles: readonly WaitingTile[], maxBytes: number): string[] {
  const ids: string[] = [];
  let total = 0;
  for (const { tileId, bytes } of tiles) {
    if (ids.length > 0 && total >= maxBytes) break;
    ids.push(tileId);
    total += bytes;
  }
  return ids;
}
