import type { ListedTile, TileError, TileOrder, TilePlace, TileQuery, TileStatus, TileType } from "#domain/tile.ts";
import type { Connection } from "../engine/database.ts";
import { SUMMARY_COLUMNS } from "./tile-rows.ts";

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

/** One page of a listing, ended early once its texts reach `maxBytes`. */
export function listTiles(
  db: Connection,
  board: { readonly businessId: string; readonly id: string },
  query: TileQuery,
  after: TilePlace | null,
  limit: number,
  maxBytes: number,
): ListedTile[] {
  const order = ORDERS[query.order];
  const values: (string | number)[] = [board.businessId, board.id];
  let where = "t.business_id = ? AND t.board_id = ? AND t.deleted_at IS NULL";
  const filter = (clause: string, value: string | number | undefined): void => {
    if (value === undefined) return;
    where += ` AND ${clause}`;
    values.push(value);
  };
  filter("t.zone_id = ?", query.zoneId);
  filter("t.status = ?", query.status);
  filter("t.type = ?", query.type);
  filter("t.updated_at >= ?", query.updatedSince);
  if (after !== null) {
    where += ` AND (${order.columns.join(", ")}) ${order.descending ? "<" : ">"} (${after.map(() => "?").join(", ")})`;
    values.push(...after);
  }
  const direction = order.descending ? " DESC" : "";
  const text = query.withText ? "t.extracted_text" : "'' AS extracted_text";
  const sql = `SELECT ${SUMMARY_COLUMNS}, ${text}, ${order.columns.join(", ")} FROM tile t ${order.join ?? ""} WHERE ${where}
    ORDER BY ${order.columns.map((column) => column + direction).join(", ")} LIMIT ?`;
  const tiles: ListedTile[] = [];
  let bytes = 0;
  // Rows as arrays: making an object of each first would be a third of the whole call.
  const rows = db
    .sql(sql)
    .raw()
    .iterate(...values, limit) as IterableIterator<unknown>;
  for (const row of rows as IterableIterator<ListedRow>) {
    const tile = listedOf(row);
    tiles.push(tile);
    bytes += tile.extractedText.length;
    if (bytes >= maxBytes) break;
  }
  return tiles;
}

/** The columns of a listing, in the order in which they are asked for, then the ordering columns. */
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
  ...place: (number | string)[],
];

const LISTED = 12;

const listedOf = (row: ListedRow): ListedTile => ({
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
  place: row.slice(LISTED) as (number | string)[],
});
