/**
 * One kind of rows to delete; `select` returns their keys. `isExpired` is checked again once a row is locked, since a row that is restored
 * at the same time is still selected.
 */
export type Step = { readonly table: string; readonly key: string; readonly select: string; readonly isExpired?: string };

/** Returns a condition on the column with the business of a row. */
type IsOwn = (column: string) => string;

const HAS_TILE = "EXISTS (SELECT 1 FROM tile t WHERE t.business_id = p.business_id AND t.id = p.tile_id)";
const IS_DELETED = "deleted_at < @deletedBefore";
const HAS_ENDED = "lease IS NULL AND updated_at < @deletedBefore";

/** Returns the steps that erase deleted rows. */
export const deletedRows = (isOwn: IsOwn): readonly Step[] =>
  ["tile", "zone"].map((table) => ({
    table,
    key: "business_id, id",
    select: `SELECT business_id, id FROM ${table} WHERE ${isOwn("business_id")} AND ${IS_DELETED}`,
    isExpired: IS_DELETED,
  }));

/** Returns the steps that erase rows of erased tiles, which follow the tiles. */
export const leftoverRows = (isOwn: IsOwn): readonly Step[] => [
  {
    table: "file_part",
    key: "business_id, tile_id, part",
    select: `SELECT business_id, tile_id, part FROM file_part p WHERE ${isOwn("business_id")} AND created_at < @uploadedBefore AND NOT ${HAS_TILE}`,
  },
  {
    table: "thumbnail",
    key: "business_id, tile_id",
    select: `SELECT business_id, tile_id FROM thumbnail p WHERE ${isOwn("business_id")} AND NOT ${HAS_TILE}`,
  },
];

/** Returns the steps that erase rows of live boards and businesses by their age. */
export const oldRows = (isOwn: IsOwn): readonly Step[] => [
  {
    table: "delivery",
    key: "business_id, id",
    select: `SELECT d.business_id, d.id FROM business b CROSS JOIN delivery d
      WHERE ${isOwn("b.id")} AND d.business_id = b.id AND d.created_at < @deletedBefore AND d.status IN ('succeeded', 'failed')`,
  },
  // The ideas of a generation can be chained as long as it is kept.
  {
    table: "idea",
    key: "business_id, id",
    select: `SELECT i.business_id, i.id FROM generation g JOIN idea i ON i.business_id = g.business_id AND i.generation_id = g.id
      WHERE ${isOwn("g.business_id")} AND g.lease IS NULL AND g.updated_at < @deletedBefore`,
  },
  {
    table: "generation",
    key: "business_id, id",
    select: `SELECT business_id, id FROM generation WHERE ${isOwn("business_id")} AND ${HAS_ENDED}`,
    isExpired: HAS_ENDED,
  },
  {
    table: "once",
    key: "business_id, api_key_id, path, key",
    select: `SELECT business_id, api_key_id, path, key FROM once WHERE ${isOwn("business_id")} AND expires_at < @now`,
    isExpired: "expires_at < @now",
  },
  {
    table: "audit",
    key: "number",
    select: `SELECT number FROM audit WHERE ${isOwn("business_id")} AND at < @recordedBefore`,
  },
  {
    table: "usage",
    key: "business_id, api_key_id, day, endpoint",
    select: `SELECT business_id, api_key_id, day, endpoint FROM usage WHERE ${isOwn("business_id")} AND day < @usedBefore`,
  },
];
