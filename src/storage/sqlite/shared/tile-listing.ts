import type { ListedTile, TileOrder, TilePlace, TileQuery } from "#domain/tile.ts";
import type { Connection } from "../engine/database.ts";
import { SUMMARY_COLUMNS, type TileSummaryRow, summaryOf } from "./tile-rows.ts";

type PlacedRow = TileSummaryRow & Record<`place${0 | 1 | 2 | 3}`, number | string>;

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
  const places = order.columns.map((column, i) => `${column} AS place${i}`).join(", ");
  const sql = `SELECT ${SUMMARY_COLUMNS}, ${text}, ${places} FROM tile t ${order.join ?? ""} WHERE ${where}
    ORDER BY ${order.columns.map((column) => column + direction).join(", ")} LIMIT ?`;
  const tiles: ListedTile[] = [];
  let bytes = 0;
  for (const row of db.sql(sql).iterate(...values, limit) as IterableIterator<PlacedRow>) {
    tiles.push({ ...summaryOf(row), place: order.columns.map((_, i) => row[`place${i as 0}`]) });
    bytes += row.extracted_text.length;
    if (bytes >= maxBytes) break;
  }
  return tiles;
}
