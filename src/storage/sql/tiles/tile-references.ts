import type { TileCursor, TileOrder, TileQuery } from "#domain/content/tile-store.ts";
import type { BoardKey, Dialect } from "../driver.ts";
import { arrays, type SqlValue, type Unit } from "../unit.ts";
import { hashAddress } from "./rows/tile-hashes.ts";

/** What a listing reads of each tile first: the length of its text in bytes, if the listing has texts, and its cursor. */
export type Reference = readonly [id: string, version: number, bytes: number, ...cursor: (number | string)[]];
export const CURSOR_START = 3;

type Order = { readonly columns: readonly string[]; readonly descending?: true };

const ORDERS: Readonly<Record<Exclude<TileOrder, "position">, Order>> = {
  asc: { columns: ["t.sequence"] },
  desc: { columns: ["t.sequence"], descending: true },
  updated: { columns: ["t.updated_at", "t.id"] },
};
/** The order of the tiles in a zone, and of those outside every zone. */
const POSITION = "t.sort_order, t.sequence";
const FIRST = Number.MIN_SAFE_INTEGER;
/** The start of the cursor of a tile outside every zone; these tiles come last. */
const OUTSIDE = [Number.MAX_SAFE_INTEGER, ""] as const;

const CHANGED_IDS = `SELECT id FROM tile WHERE business_id = @businessId AND board_id = @boardId AND board_revision > @revision
  UNION SELECT id FROM tile WHERE business_id = @businessId AND board_id = @boardId AND sequence >= @sequence AND deleted_at IS NULL`;

type Params = Record<string, SqlValue>;
type Conditions = { readonly where: string; readonly params: Params };

/** Returns the references of at most `limit` tiles after `after`, in order. */
export function* listReferences(
  dialect: Dialect,
  board: BoardKey,
  query: TileQuery,
  after: TileCursor | null,
  limit: number,
): Unit<Reference[]> {
  const conditions = formatConditions(dialect, board, query);
  const bytes = query.withText ? "octet_length(t.extracted_text)" : "0";
  const columns = `t.id, t.version, ${bytes}`;
  if (query.order !== "position") return yield* listInOrder(columns, conditions, ORDERS[query.order], after, limit);
  const isOutside = after !== null && after[1] === OUTSIDE[1];
  const inZones = isOutside || query.zoneId === null ? [] : yield* listInZones(dialect, columns, conditions, after, limit);
  if (inZones.length >= limit || typeof query.zoneId === "string") return inZones;
  return [...inZones, ...(yield* listOutsideZones(dialect, columns, conditions, isOutside ? after : null, limit - inZones.length))];
}

/** Returns the condition of a query on the tile `t`. */
export function formatConditions(dialect: Dialect, board: BoardKey, query: TileQuery): Conditions {
  const params: Params = { businessId: board.businessId, boardId: board.id };
  let where = "t.business_id = @businessId AND t.board_id = @boardId AND t.deleted_at IS NULL";
  if (query.changedSince !== undefined) {
    // Uses the index of revisions instead of scanning the whole board in its order.
    where = `t.business_id = @businessId AND ${dialect.unindexed("t.board_id")} = @boardId AND t.deleted_at IS NULL AND t.id IN (${CHANGED_IDS})`;
    params["revision"] = query.changedSince.revision;
    params["sequence"] = query.changedSince.sequence;
  }
  const filter = (column: string, name: string, value: SqlValue | undefined): void => {
    if (value === undefined) return;
    where += ` AND ${column} @${name}`;
    params[name] = value;
  };
  if (query.zoneId === null) where += " AND t.zone_id IS NULL";
  else filter("t.zone_id =", "zoneId", query.zoneId);
  filter("t.status =", "status", query.status);
  filter("t.type =", "type", query.type);
  filter("t.external_id =", "externalId", query.externalId);
  filter("t.address_hash =", "addressHash", query.sourceUrl === undefined ? undefined : hashAddress(query.sourceUrl));
  filter("t.updated_at >=", "updatedSince", query.updatedSince);
  if (query.skipDisconnected === true) where += ` AND t.connected_to_chat IS NOT FALSE`;
  return { where, params };
}

function listInOrder(
  columns: string,
  { where, params }: Conditions,
  { columns: keys, descending }: Order,
  after: TileCursor | null,
  limit: number,
): Unit<Reference[]> {
  const names = (after ?? []).map((_, i) => `@after${i}`);
  const isAfter = after === null ? "" : ` AND (${keys.join(", ")}) ${descending ? "<" : ">"} (${names.join(", ")})`;
  const order = keys.map((column) => column + (descending ? " DESC" : "")).join(", ");
  return arrays<Reference>(`SELECT ${columns}, ${keys.join(", ")} FROM tile t WHERE ${where}${isAfter} ORDER BY ${order} LIMIT @limit`, {
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
