import { KEPT_ACTIONS } from "../settings/audit.ts";
import { ERASED_BYTES } from "../tiles/rows/tile-columns.ts";
import { limitStep } from "../tiles/tile-steps.ts";

/**
 * One kind of rows to delete; `select` returns their keys, and their lengths as `bytes`. `isExpired` is checked again once a row is locked,
 * since a row that is restored at the same time is still selected.
 */
export type PurgeStep = { readonly table: string; readonly key: string; readonly select: string; readonly isExpired?: string };

/** Rows deleted in one unit of work, and their bytes. A larger batch would delay writers. */
export const BATCH_ROWS = 500;
const BATCH_BYTES = 4 * 1_048_576;

/** Returns the statement that deletes the first rows of a step. The last one may exceed the bytes. */
export function deleteBatch({ table, key, select, isExpired = "TRUE" }: PurgeStep): string {
  const earlier = `sum(bytes) OVER (ORDER BY ${key} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)`;
  const batch = `SELECT ${key} FROM (SELECT ${key}, ${earlier} AS earlier_bytes FROM (${select} LIMIT ${BATCH_ROWS}) AS first) AS summed
    WHERE coalesce(earlier_bytes, 0) < ${BATCH_BYTES}`;
  return `DELETE FROM ${table} WHERE (${key}) IN (${batch}) AND ${isExpired}`;
}

/** Returns how many of these tiles one batch deletes. */
export const takeBatch = <Row extends { readonly bytes: number }>(tiles: readonly Row[]): readonly Row[] =>
  limitStep(tiles, { tiles: BATCH_ROWS, bytes: BATCH_BYTES });

/** Returns the length of these columns in bytes. */
export const sumLengths = (...columns: readonly string[]): string =>
  columns.map((column) => `coalesce(octet_length(${column}), 0)`).join(" + ");

/** Returns a condition on the column with the business of a row. */
type IsOwn = (column: string) => string;

const HAS_TILE = "EXISTS (SELECT 1 FROM tile t WHERE t.business_id = p.business_id AND t.id = p.tile_id)";
const IS_DELETED = "deleted_at < @deletedBefore";
const IS_KEPT = `action IN (${KEPT_ACTIONS.map((action) => `'${action}'`).join(", ")})`;
const HAS_ENDED = "lease IS NULL AND updated_at < @deletedBefore";

/** Returns the steps that erase deleted rows. */
export const deletedRows = (isOwn: IsOwn): readonly PurgeStep[] =>
  [
    ["tile", ERASED_BYTES],
    ["zone", "0"],
  ].map(([table = "", bytes]) => ({
    table,
    key: "business_id, id",
    select: `SELECT t.business_id, t.id, ${bytes} AS bytes FROM ${table} t WHERE ${isOwn("t.business_id")} AND t.${IS_DELETED}`,
    isExpired: IS_DELETED,
  }));

/** The rest of a board whose tiles are erased. */
export const BOARD_ROWS: readonly PurgeStep[] = [
  ...[
    ["zone", "0"],
    ["generation", sumLengths("request", "result")],
    ["idea", "0"],
    ["inbound_address", "0"],
  ].map(([table = "", bytes]) => ({
    table,
    key: "business_id, id",
    select: `SELECT business_id, id, ${bytes} AS bytes FROM ${table} WHERE business_id = @businessId AND board_id = @id`,
  })),
  {
    table: "deletion",
    key: "business_id, board_id, hash",
    select: "SELECT business_id, board_id, hash, 0 AS bytes FROM deletion WHERE business_id = @businessId AND board_id = @id",
  },
];

/** Returns the steps that erase rows of erased tiles, which follow the tiles. */
export const leftoverRows = (isOwn: IsOwn): readonly PurgeStep[] => [
  {
    table: "file_part",
    key: "business_id, tile_id, part",
    select: `SELECT business_id, tile_id, part, octet_length(bytes) AS bytes FROM file_part p WHERE ${isOwn("business_id")} AND created_at < @uploadedBefore AND NOT ${HAS_TILE}`,
  },
  {
    table: "thumbnail",
    key: "business_id, tile_id",
    select: `SELECT business_id, tile_id, ${sumLengths("body")} AS bytes FROM thumbnail p WHERE ${isOwn("business_id")} AND NOT ${HAS_TILE}`,
  },
];

/** Returns the steps that erase rows of live boards and businesses by their age. */
export const oldRows = (isOwn: IsOwn): readonly PurgeStep[] => [
  {
    table: "delivery",
    key: "business_id, id",
    select: `SELECT d.business_id, d.id, ${sumLengths("d.payload", "d.body")} AS bytes FROM business b CROSS JOIN delivery d
      WHERE ${isOwn("b.id")} AND d.business_id = b.id AND d.created_at < @deletedBefore AND d.status IN ('succeeded', 'failed')`,
  },
  // The ideas of a generation can be chained as long as it is kept.
  {
    table: "idea",
    key: "business_id, id",
    select: `SELECT i.business_id, i.id, 0 AS bytes FROM generation g JOIN idea i ON i.business_id = g.business_id AND i.generation_id = g.id
      WHERE ${isOwn("g.business_id")} AND g.lease IS NULL AND g.updated_at < @deletedBefore`,
  },
  {
    table: "generation",
    key: "business_id, id",
    select: `SELECT business_id, id, ${sumLengths("request", "result")} AS bytes FROM generation WHERE ${isOwn("business_id")} AND ${HAS_ENDED}`,
    isExpired: HAS_ENDED,
  },
  {
    table: "once",
    key: "business_id, api_key_id, path, key",
    select: `SELECT business_id, api_key_id, path, key, octet_length(body) AS bytes FROM once WHERE ${isOwn("business_id")} AND expires_at < @now`,
    isExpired: "expires_at < @now",
  },
  {
    table: "audit",
    key: "number",
    select: `SELECT number, 0 AS bytes FROM audit WHERE ${isOwn("business_id")} AND at < @recordedBefore AND NOT ${IS_KEPT}`,
  },
  {
    table: "usage",
    key: "business_id, api_key_id, day, endpoint",
    select: `SELECT business_id, api_key_id, day, endpoint, 0 AS bytes FROM usage WHERE ${isOwn("business_id")} AND day < @usedBefore`,
  },
];
