import type { TileSummary } from "#domain/content/tile.ts";
import type { TileOrder, TilePage, TileCursor, TileQuery } from "#domain/content/tile-store.ts";
import type { TileMemo, TileParts } from "../../shared/tile-memo.ts";
import { SUMMARY_COLUMNS, metadataOf, readWarnings, type TileSummaryRow, summaryOf } from "../../shared/rows/tile-rows.ts";
import type { Reader, Value } from "../engine/database.ts";

type Order = { readonly columns: readonly string[]; readonly types: readonly string[]; readonly descending?: true; readonly join?: string };

/** Tiles outside every zone come after the zones. */
const ORDERS: Readonly<Record<TileOrder, Order>> = {
  asc: { columns: ["t.sequence"], types: ["bigint"] },
  desc: { columns: ["t.sequence"], types: ["bigint"], descending: true },
  updated: { columns: ["t.updated_at", "t.id"], types: ["bigint", "text"] },
  position: {
    columns: ["coalesce(z.sort_order, 9007199254740991)", "coalesce(z.id, '')", "t.sort_order", "t.sequence"],
    types: ["bigint", "text", "bigint", "bigint"],
    join: "LEFT JOIN zone z ON z.business_id = t.business_id AND z.id = t.zone_id",
  },
};

type Board = { readonly businessId: string; readonly id: string };

/** A tile of a listing as the listing's order finds it; its fields are read only where they are not known from before. */
type Reference = { id: string; version: number; bytes: number; place: (number | string)[] };

/** A row of a listing; what belongs to its metadata only where that was asked for. */
type ListedRow = TileSummaryRow & {
  version: number;
  metadata?: string | null;
  connected_to_chat?: boolean | null;
  warnings?: string | null;
  text_by_hand?: boolean;
};

/** One step of a listing, ended early once its texts reach `maxBytes`. */
export async function listTiles(
  db: Reader,
  memo: TileMemo,
  board: Board,
  query: TileQuery,
  after: TileCursor | null,
  limit: number,
  maxBytes: number,
): Promise<TilePage> {
  const found = await findReferences(db, board, query, after, limit + 1);
  const shown: Reference[] = [];
  let bytes = 0;
  for (const reference of found) {
    if (shown.length === limit || bytes >= maxBytes) break;
    shown.push(reference);
    bytes += reference.bytes;
  }
  const tiles = await readTiles(db, memo, board, shown, query);
  const last = shown.at(-1);
  return { tiles, next: last === undefined || shown.length === found.length ? null : last.place };
}

async function findReferences(db: Reader, board: Board, query: TileQuery, after: TileCursor | null, limit: number): Promise<Reference[]> {
  const order = ORDERS[query.order];
  const values: Value[] = [board.businessId, board.id];
  let where = "t.business_id = $1 AND t.board_id = $2 AND t.deleted_at IS NULL";
  const place = (value: Value): string => `$${values.push(value)}`;
  if (query.zoneId !== undefined) where += ` AND t.zone_id = ${place(query.zoneId)}`;
  if (query.status !== undefined) where += ` AND t.status = ${place(query.status)}`;
  if (query.type !== undefined) where += ` AND t.type = ${place(query.type)}`;
  if (query.changedSince !== undefined)
    where += ` AND t.id IN (SELECT id FROM tile WHERE business_id = $1 AND board_id = $2 AND board_revision > ${place(query.changedSince.revision)}
      UNION SELECT id FROM tile WHERE business_id = $1 AND board_id = $2 AND sequence >= ${place(query.changedSince.sequence)} AND deleted_at IS NULL)`;
  if (query.skipDisconnected === true) where += " AND t.connected_to_chat IS NOT FALSE";
  if (query.updatedSince !== undefined) where += ` AND t.updated_at >= ${place(query.updatedSince)}`;
  if (after !== null) {
    const from = after.map((value, i) => `${place(value)}::${order.types[i]}${order.types[i] === "text" ? ' COLLATE "C"' : ""}`);
    where += ` AND (${order.columns.join(", ")}) ${order.descending ? "<" : ">"} (${from.join(", ")})`;
  }
  const direction = order.descending ? " DESC" : "";
  const bytes = query.withText ? "octet_length(t.extracted_text)" : "0";
  const columns = order.columns.map((column, i) => `${column} AS place_${i}`).join(", ");
  const rows = await db.all<{ id: string; version: number; bytes: number; [place: `place_${number}`]: number | string }>(
    `SELECT t.id, t.version, ${bytes} AS bytes, ${columns} FROM tile t ${order.join ?? ""} WHERE ${where}
     ORDER BY ${order.columns.map((column) => column + direction).join(", ")} LIMIT ${place(limit)}`,
    ...values,
  );
  return rows.map((row) => ({
    id: row.id,
    version: row.version,
    bytes: row.bytes,
    place: order.columns.map((_, i) => row[`place_${i}`] as number | string),
  }));
}

/** Tiles in the order of their references; one that was changed since they were found is read as it is now, one that is gone is left out. */
async function readTiles(
  db: Reader,
  memo: TileMemo,
  board: Board,
  references: readonly Reference[],
  parts: TileParts,
): Promise<TileSummary[]> {
  const tiles = new Map<string, TileSummary>();
  const unknown: string[] = [];
  for (const { id, version } of references) {
    const known = memo.get(id, version, parts);
    if (known === undefined) unknown.push(id);
    else tiles.set(id, known);
  }
  if (unknown.length > 0) {
    const rows = await db.all<ListedRow>(
      `SELECT ${SUMMARY_COLUMNS}, t.version, ${parts.withText ? "t.extracted_text" : "'' AS extracted_text"}${parts.withMetadata === true ? ", t.metadata, t.connected_to_chat, t.warnings, t.text_by_hand" : ""} FROM tile t
       WHERE t.business_id = $1 AND t.id = ANY($2) AND t.deleted_at IS NULL`,
      board.businessId,
      unknown,
    );
    for (const row of rows) {
      const more = {
        metadata: metadataOf(row.metadata ?? null),
        connectedToChat: row.connected_to_chat ?? null,
        warnings: readWarnings(row.warnings ?? null),
        textOverridden: row.text_by_hand ?? false,
      };
      const tile = parts.withMetadata === true ? { ...summaryOf(row), ...more } : summaryOf(row);
      memo.set(row.id, row.version, parts, tile);
      tiles.set(row.id, tile);
    }
  }
  return references.flatMap(({ id }) => tiles.get(id) ?? []);
}
