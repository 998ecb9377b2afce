import type { BulkAction, BulkSelection } from "#domain/content/changes.ts";
import type { Dialect } from "../driver.ts";
import type { Params } from "../unit.ts";

/** The columns that decide whether an action applies to a tile. */
export type BulkRow = {
  readonly id: string;
  readonly sequence: number;
  readonly zone_id: string | null;
  readonly sort_order: number;
  readonly status: string;
  readonly source_url: string | null;
  readonly file_name: string | null;
  readonly text_by_hand: boolean | number;
  readonly connected_to_chat: boolean | number | null;
  readonly is_zone_deleted: boolean | number | null;
};

export const BULK_COLUMNS =
  "t.id, t.sequence, t.zone_id, t.sort_order, t.status, t.source_url, t.file_name, t.text_by_hand, t.connected_to_chat, z.deleted_at IS NOT NULL AS is_zone_deleted";
/** Joins the zone of each tile `t`, deleted or not. */
export const BULK_JOIN = "LEFT JOIN zone z ON z.business_id = t.business_id AND z.id = t.zone_id";

/** Returns the conditions on the tile `t` besides its board. */
export function buildBulkConditions(
  { isAnyOf, unindexed }: Dialect,
  { filter, action, after, deletedAfter }: BulkSelection,
): { readonly sql: string; readonly params: Params } {
  const { tileIds = null, externalIds = null, zoneId, status = null, type = null, createdBefore = null, updatedBefore = null } = filter;
  // With external ids, SQLite must look them up instead of scanning the board in its order.
  const sequence = externalIds === null ? "t.sequence" : unindexed("t.sequence");
  const conditions = [action.kind === "restore" ? "t.deleted_at > @deletedAfter" : "t.deleted_at IS NULL", `${sequence} > @after`];
  if (tileIds !== null) conditions.push(isAnyOf("t.id", "tileIds"));
  if (externalIds !== null) conditions.push(isAnyOf("t.external_id", "externalIds"));
  if (zoneId !== undefined) conditions.push(zoneId === null ? "t.zone_id IS NULL" : "t.zone_id = @zoneId");
  if (status !== null) conditions.push("t.status = @status");
  if (type !== null) conditions.push("t.type = @type");
  if (createdBefore !== null) conditions.push("t.created_at < @createdBefore");
  if (updatedBefore !== null) conditions.push("t.updated_at < @updatedBefore");
  return {
    sql: conditions.join(" AND "),
    params: { after, deletedAfter, tileIds, externalIds, zoneId: zoneId ?? null, status, type, createdBefore, updatedBefore },
  };
}

/** Whether the action would change the tile. A bulk change skips tiles for which a single call would be refused. */
export function isChangedBy(row: BulkRow, action: BulkAction): boolean {
  switch (action.kind) {
    case "move":
      return row.zone_id !== action.zoneId || row.sort_order !== (action.sortOrders?.get(row.id) ?? row.sort_order);
    case "delete":
      return true;
    case "restore":
      return !row.is_zone_deleted;
    case "retry":
      return (row.source_url !== null || row.file_name !== null) && !row.text_by_hand && row.status !== "processing";
    case "connect":
      return (row.connected_to_chat === null ? null : Boolean(row.connected_to_chat)) !== action.connectedToChat;
  }
}
