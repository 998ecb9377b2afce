import type { TileCursor, TileOrder, TileQuery } from "#domain/content/tile-store.ts";
import type { TileFilter } from "#domain/content/tile.ts";
import type { BoardKey, Dialect } from "../driver.ts";
import { arrays, type SqlValue, type Unit } from "../unit.ts";
import { type LabelStrategy, planLabels } from "./rows/label-conditions.ts";
import { hashAddress } from "./rows/tile-hashes.ts";

/** What a listing reads of each tile first: the length of its text in bytes, if the listing has texts, and its cursor. */
export type Reference = readonly [id: string, version: number, bytes: number, ...cursor: (number | string)[]];
export const CURSOR_START = 3;

/** How labels are read in each order. Only the first two are the order of labels. */
const STRATEGIES: Readonly<Record<TileOrder, LabelStrategy>> = {
  asc: "label",
  desc: "label",
  updated: "rare label",
  position: "rare list",
};
/** The order of the tiles in a zone, and of those outside every zone. */
const POSITION = "t.sort_order, t.sequence";
const FIRST = Number.MIN_SAFE_INTEGER;
/** The start of the cursor of a tile outside every zone; these tiles come last. */
const OUTSIDE = [Number.MAX_SAFE_INTEGER, ""] as const;

const CHANGED_IDS = `SELECT id FROM tile WHERE business_id = @businessId AND board_id = @boardId AND board_revision > @revision
  UNION SELECT id FROM tile WHERE business_id = @businessId AND board_id = @boardId AND sequence >= @sequence AND deleted_at IS NULL`;

type Params = Record<string, SqlValue>;
/** Which tiles `t` a statement reads: the tables after FROM, and the conditions. `sequence` is the column of their order of creation. */
type Conditions = { readonly from: string; readonly where: string; readonly params: Params; readonly sequence: string };

/** Returns the references of at most `limit` tiles after `after`, in order. */
export function* listReferences(
  dialect: Dialect,
  board: BoardKey,
  query: TileQuery,
  after: TileCursor | null,
  limit: number,
): Unit<Reference[]> {
  const conditions = yield* planConditions(dialect, board, query);
  const bytes = query.withText ? "octet_length(t.extracted_text)" : "0";
  const columns = `t.id, t.version, ${bytes}`;
  if (query.order !== "position") return yield* listInOrder(columns, conditions, query.order, after, limit);
  const isOutside = after !== null && after[1] === OUTSIDE[1];
  const inZones = isOutside || query.zoneId === null ? [] : yield* listInZones(dialect, columns, conditions, after, limit);
  if (inZones.length >= limit || typeof query.zoneId === "string") return inZones;
  return [...inZones, ...(yield* listOutsideZones(dialect, columns, conditions, isOutside ? after : null, limit - inZones.length))];
}

/** Returns how to find the tiles of a query. */
export function* planConditions(dialect: Dialect, board: BoardKey, query: TileQuery): Unit<Conditions> {
  const params: Params = { businessId: board.businessId, boardId: board.id };
  let where = "t.business_id = @businessId AND t.board_id = @boardId AND t.deleted_at IS NULL";
  if (query.changedSince !== undefined) {
    // Uses the index of revisions instead of scanning the whole board in its order.
    where = `t.business_id = @businessId AND ${dialect.unindexed("t.board_id")} = @boardId AND t.deleted_at IS NULL AND t.id IN (${CHANGED_IDS})`;
    params["revision"] = query.changedSince.revision;
    params["sequence"] = query.changedSince.sequence;
  }
  where += filterTiles(dialect, query, params);
  if (query.externalId !== undefined) {
    where += " AND t.external_id = @externalId";
    params["externalId"] = query.externalId;
  }
  if (query.sourceUrl !== undefined) {
    where += " AND t.address_hash = @addressHash";
    params["addressHash"] = hashAddress(query.sourceUrl);
  }
  if (query.updatedSince !== undefined) {
    where += " AND t.updated_at >= @updatedSince";
    params["updatedSince"] = query.updatedSince;
  }
  if (query.skipDisconnected === true) where += ` AND t.connected_to_chat IS NOT FALSE`;
  const labels = yield* planLabels(dialect, board, query, query.externalId === undefined ? STRATEGIES[query.order] : "tiles");
  return { from: labels.from, where: where + labels.where, params: { ...params, ...labels.params }, sequence: labels.sequence };
}

/** Returns further conditions on the tile `t`, each after AND, except those on labels. Adds their values to `params`. */
export function filterTiles({ isAnyOf }: Dialect, { zoneId, statuses, types, sourceId }: TileFilter, params: Params): string {
  let where = "";
  const isOneOf = (column: string, name: string, values: readonly string[] | undefined): void => {
    if (values === undefined) return;
    const [only = ""] = values;
    where += ` AND ${values.length === 1 ? `${column} = @${name}` : isAnyOf(column, name)}`;
    params[name] = values.length === 1 ? only : values;
  };
  if (zoneId === null) where += " AND t.zone_id IS NULL";
  else isOneOf("t.zone_id", "zoneId", zoneId === undefined ? undefined : [zoneId]);
  isOneOf("t.status", "status", statuses);
  isOneOf("t.type", "type", types);
  // Sources do not make tiles yet, so no tile has one.
  if (sourceId !== undefined) where += " AND FALSE";
  return where;
}

function listInOrder(
  columns: string,
  { from, where, params, sequence }: Conditions,
  by: Exclude<TileOrder, "position">,
  after: TileCursor | null,
  limit: number,
): Unit<Reference[]> {
  const keys = by === "updated" ? ["t.updated_at", "t.id"] : [sequence];
  const descending = by === "desc";
  const names = (after ?? []).map((_, i) => `@after${i}`);
  const isAfter = after === null ? "" : ` AND (${keys.join(", ")}) ${descending ? "<" : ">"} (${names.join(", ")})`;
  const order = keys.map((column) => column + (descending ? " DESC" : "")).join(", ");
  return arrays<Reference>(`SELECT ${columns}, ${keys.join(", ")} FROM ${from} WHERE ${where}${isAfter} ORDER BY ${order} LIMIT @limit`, {
    ...params,
    ...toParams(after ?? []),
    limit,
  });
}

/**
 * Lists tiles in zones. It walks the index of each zone from the cursor on, and reads at most `limit` tiles of a zone. A join that is
 * sorted as a whole would read every tile of the board for each page.
 */
function listInZones(
  dialect: Dialect,
  columns: string,
  { where, params }: Conditions,
  after: TileCursor | null,
  limit: number,
): Unit<Reference[]> {
  const ofZone = `FROM tile t${dialect.useIndex("tile_by_position")} WHERE ${where} AND t.zone_id = z.id
    AND (${POSITION}) > (CASE WHEN z.id = @after1 THEN @after2 ELSE ${FIRST} END, CASE WHEN z.id = @after1 THEN @after3 ELSE ${FIRST} END)
    ORDER BY ${POSITION} LIMIT @limit`;
  // A zone on its own is read on from the last tile, wherever the zone was moved meanwhile.
  const zones = params["zoneId"] === undefined ? "(z.sort_order, z.id) >= (@after0, @after1)" : "z.id = @zoneId";
  return arrays<Reference>(
    `SELECT ${columns}, z.sort_order, z.id, ${POSITION} FROM zone z ${dialect.joinFirst("tile", "t", "rowid", ofZone)}
     WHERE z.business_id = @businessId AND z.board_id = @boardId AND z.deleted_at IS NULL AND ${zones}
     ORDER BY z.sort_order, z.id, ${POSITION} LIMIT @limit`,
    { ...params, ...toParams(after ?? [FIRST, "", 0, 0]), limit },
  );
}

function listOutsideZones(
  dialect: Dialect,
  columns: string,
  { where, params }: Conditions,
  after: TileCursor | null,
  limit: number,
): Unit<Reference[]> {
  const [sortOrder, id] = OUTSIDE;
  return arrays<Reference>(
    `SELECT ${columns}, ${sortOrder}, '${id}', ${POSITION} FROM tile t${dialect.useIndex("tile_outside_zones")}
     WHERE ${where} AND t.zone_id IS NULL AND (${POSITION}) > (@after2, @after3) ORDER BY ${POSITION} LIMIT @limit`,
    { ...params, after2: after?.[2] ?? FIRST, after3: after?.[3] ?? FIRST, limit },
  );
}

const toParams = (after: TileCursor): Params => Object.fromEntries(after.map((value, i) => [`after${i}`, value]));
