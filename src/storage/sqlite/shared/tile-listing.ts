import type { TileError, TileStatus, TileSummary, TileType } from "#domain/content/tile.ts";
import type { TileOrder, TilePage, TileCursor, TileQuery } from "#domain/content/tile-store.ts";
import type { Connection } from "../engine/database.ts";
import type { TileMemo, TileParts } from "../../shared/tile-memo.ts";
import { SUMMARY_COLUMNS, metadataOf, readWarnings, switchOf } from "../../shared/rows/tile-rows.ts";

type Order = { readonly columns: readonly string[]; readonly descending?: true; readonly join?: string };

/** Tiles outside every zone come after the zones. */
const ORDERS: Readonly<Record<TileOrder, Order>> = {
  asc: { columns: ["t.sequence"] },
  desc: { columns: ["t.sequence"], descending: true },
  updated: { columns: ["t.updated_at", "t.id"] },
  position: {
    columns: ["coalesce(z.sort_order, 9007199254740991)", "coalesce(z.id, '')", "t.sort_order", "t.sequence"],
    join: "LEFT JOIN zone z ON z.business_id = t.business_id AND z.id = t.zone_id",
  },
};

const CHANGED_IDS = `SELECT id FROM tile WHERE business_id = ? AND board_id = ? AND board_revision > ?
  UNION SELECT id FROM tile WHERE business_id = ? AND board_id = ? AND sequence >= ? AND deleted_at IS NULL`;

/** A tile of a listing as the listing's order finds it; its fields are read only where they are not known from before. */
type Reference = readonly [rowId: number, id: string, version: number, bytes: number, ...place: (number | string)[]];

const PLACE = 4;

/** One step of a listing, ended early once its texts reach `maxBytes`. */
export function listTiles(
  db: Connection,
  memo: TileMemo,
  board: { readonly businessId: string; readonly id: string },
  query: TileQuery,
  after: TileCursor | null,
  limit: number,
  maxBytes: number,
): TilePage {
  const found = findReferences(db, board, query, after, limit + 1);
  const tiles: TileSummary[] = [];
  let bytes = 0;
  for (const reference of found) {
    if (tiles.length === limit || bytes >= maxBytes) break;
    tiles.push(memo.get(reference[1], reference[2], query) ?? readTile(db, memo, reference, query));
    bytes += reference[3];
  }
  const last = found[tiles.length - 1];
  return { tiles, next: last === undefined || tiles.length === found.length ? null : (last.slice(PLACE) as TileCursor) };
}

function findReferences(
  db: Connection,
  board: { readonly businessId: string; readonly id: string },
  query: TileQuery,
  after: TileCursor | null,
  limit: number,
): Reference[] {
  const order = ORDERS[query.order];
  const values: (string | number)[] = [board.businessId, board.id];
  let where = "t.business_id = ? AND t.board_id = ? AND t.deleted_at IS NULL";
  if (query.changedSince !== undefined) {
    // The plus keeps the planner from walking the whole board in its order.
    where = `t.business_id = ? AND +t.board_id = ? AND t.deleted_at IS NULL AND t.id IN (${CHANGED_IDS})`;
    const { revision, sequence } = query.changedSince;
    values.push(board.businessId, board.id, revision, board.businessId, board.id, sequence);
  }
  const filter = (clause: string, value: string | number | undefined): void => {
    if (value === undefined) return;
    where += ` AND ${clause}`;
    values.push(value);
  };
  filter("t.zone_id = ?", query.zoneId);
  filter("t.status = ?", query.status);
  filter("t.type = ?", query.type);
  filter("t.updated_at >= ?", query.updatedSince);
  if (query.skipDisconnected === true) where += " AND t.connected_to_chat IS NOT 0";
  if (after !== null) {
    where += ` AND (${order.columns.join(", ")}) ${order.descending ? "<" : ">"} (${after.map(() => "?").join(", ")})`;
    values.push(...after);
  }
  const direction = order.descending ? " DESC" : "";
  const bytes = query.withText ? "octet_length(t.extracted_text)" : "0";
  const sql = `SELECT t.rowid, t.id, t.version, ${bytes}, ${order.columns.join(", ")} FROM tile t ${order.join ?? ""} WHERE ${where}
    ORDER BY ${order.columns.map((column) => column + direction).join(", ")} LIMIT ?`;
  // Rows as arrays: making an object of each first would be a third of the whole call.
  return db
    .sql(sql)
    .raw()
    .all(...values, limit) as unknown as Reference[];
}

const readSql = ({ withText, withMetadata }: TileParts): string =>
  `SELECT ${SUMMARY_COLUMNS}, ${withText ? "t.extracted_text" : "''"}${withMetadata === true ? ", t.metadata, t.connected_to_chat, t.warnings, t.text_by_hand" : ""} FROM tile t WHERE t.rowid = ?`;

/** Reads a tile that the same turn of the event loop found, so that its row is there. */
function readTile(db: Connection, memo: TileMemo, [rowId, id, version]: Reference, parts: TileParts): TileSummary {
  const row = db.sql(readSql(parts)).raw().get(rowId) as unknown as ListedRow;
  const tile =
    parts.withMetadata === true
      ? {
          ...listedOf(row),
          metadata: metadataOf(row[12] ?? null),
          connectedToChat: switchOf(row[13] ?? null),
          warnings: readWarnings(row[14] ?? null),
          textOverridden: row[15] === 1,
        }
      : listedOf(row);
  memo.set(id, version, parts, tile);
  return tile;
}

/** The columns of a listing, in the order in which they are asked for. */
type ListedRow = readonly [
  id: string,
  zoneId: string | null,
  type: string,
  title: string,
  status: string,
  sourceUrl: string | null,
  error: string | null,
  sortOrder: number,
  sequence: number,
  createdAt: number,
  updatedAt: number,
  extractedText: string,
  metadata?: string | null,
  connectedToChat?: number | null,
  warnings?: string | null,
  textOverridden?: number,
];

const listedOf = (row: ListedRow): TileSummary => ({
  id: row[0],
  zoneId: row[1],
  type: row[2] as TileType,
  title: row[3],
  status: row[4] as TileStatus,
  sourceUrl: row[5],
  error: row[6] === null ? null : (JSON.parse(row[6]) as TileError),
  sortOrder: row[7],
  sequence: row[8],
  createdAt: row[9],
  updatedAt: row[10],
  extractedText: row[11],
});
