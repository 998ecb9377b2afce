import type { BulkAction, BulkSelection } from "#domain/content/changes.ts";
import { isLink, type TileStatus, type TileType } from "#domain/content/tile.ts";
import type { Dialect } from "../driver.ts";
import { flag, Mapping, optionalFlag, plainFields } from "../mapping.ts";
import type { Params } from "../unit.ts";
import { TEXT_BYTES } from "./rows/tile-columns.ts";

/** The columns that decide whether an action applies to a tile. */
export type BulkRow = {
  readonly id: string;
  readonly sequence: number;
  readonly zoneId: string | null;
  readonly sortOrder: number;
  readonly type: TileType;
  readonly status: TileStatus;
  readonly sourceUrl: string | null;
  readonly fileName: string | null;
  readonly textByHand: boolean;
  readonly connectedToChat: boolean | null;
  readonly isZoneDeleted: boolean;
  /** The length of its texts. */
  readonly bytes: number;
};

export const BULK_ROWS = new Mapping<BulkRow>(
  {
    ...plainFields("id", "sequence", "zoneId", "sortOrder", "type", "status", "sourceUrl", "fileName"),
    textByHand: flag,
    connectedToChat: optionalFlag,
    isZoneDeleted: { expression: "z.deleted_at IS NOT NULL", ...flag },
    bytes: { expression: TEXT_BYTES },
  },
  "t",
);
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
      return row.zoneId !== action.zoneId || row.sortOrder !== (action.sortOrders?.get(row.id) ?? row.sortOrder);
    case "delete":
      return true;
    case "restore":
      return !row.isZoneDeleted;
    case "retry":
      return (isLink(row) || row.fileName !== null) && !row.textByHand && row.status !== "processing";
    case "connect":
      return row.connectedToChat !== action.connectedToChat;
  }
}
