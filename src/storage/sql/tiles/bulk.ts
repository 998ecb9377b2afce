import type { BulkAction, BulkSelection } from "#domain/content/changes.ts";
import { isLink, type TileStatus, type TileType } from "#domain/content/tile.ts";
import { applyLabelAction, type Labels } from "#domain/labels/label-action.ts";
import type { BoardKey, Dialect } from "../driver.ts";
import { flag, Mapping, optionalFlag, plainFields, type Stored } from "../mapping.ts";
import type { Params, SqlValue, Unit } from "../unit.ts";
import { planLabels } from "./rows/label-conditions.ts";
import { TEXT_BYTES } from "./rows/tile-columns.ts";
import { filterTiles } from "./tile-references.ts";

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
  /** The length of its texts, tags and properties. */
  readonly bytes: number;
} & Labels;

/** JSON text; null stands for nothing. */
const labels = <Value>(empty: Value): Stored<Value> => ({
  convert: (value) => (value === null ? empty : (JSON.parse(value as string) as Value)),
});

export const BULK_ROWS = new Mapping<BulkRow>(
  {
    ...plainFields("id", "sequence", "zoneId", "sortOrder", "type", "status", "sourceUrl", "fileName"),
    textByHand: flag,
    connectedToChat: optionalFlag,
    isZoneDeleted: { expression: "z.deleted_at IS NOT NULL", ...flag },
    bytes: { expression: `${TEXT_BYTES} + coalesce(octet_length(t.tags), 0) + coalesce(octet_length(t.properties), 0)` },
    tags: labels<BulkRow["tags"]>([]),
    properties: labels<BulkRow["properties"]>({}),
  },
  "t",
);
/** Joins the zone of each tile `t`, deleted or not. */
export const BULK_JOIN = "LEFT JOIN zone z ON z.business_id = t.business_id AND z.id = t.zone_id";

/** Which tiles `t` a step reads: the tables after FROM, the conditions besides the board, and the column of their order. */
type BulkConditions = { readonly from: string; readonly where: string; readonly params: Params; readonly sequence: string };

/** Returns how to find the tiles of a step. */
export function* planBulkConditions(dialect: Dialect, board: BoardKey, selection: BulkSelection): Unit<BulkConditions> {
  const { isAnyOf, unindexed } = dialect;
  const { filter, action, after, deletedAfter } = selection;
  const { tileIds = null, externalIds = null, createdBefore = null, updatedBefore = null } = filter;
  const isRestore = action.kind === "restore";
  // Labels are joined by an index of tiles that are not deleted.
  const plan = yield* planLabels(dialect, board, filter, isRestore || tileIds !== null || externalIds !== null ? "tiles" : "label");
  // With external ids, SQLite must look them up instead of scanning the board in its order.
  const sequence = externalIds === null ? plan.sequence : unindexed(plan.sequence);
  const conditions = [isRestore ? "t.deleted_at > @deletedAfter" : "t.deleted_at IS NULL", `${sequence} > @after`];
  if (tileIds !== null) conditions.push(isAnyOf("t.id", "tileIds"));
  if (externalIds !== null) conditions.push(isAnyOf("t.external_id", "externalIds"));
  if (createdBefore !== null) conditions.push("t.created_at < @createdBefore");
  if (updatedBefore !== null) conditions.push("t.updated_at < @updatedBefore");
  const params: Record<string, SqlValue> = { after, deletedAfter, tileIds, externalIds, createdBefore, updatedBefore, ...plan.params };
  const where = conditions.join(" AND ") + filterTiles(dialect, filter, params) + plan.where;
  return { from: plan.from, where, params, sequence };
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
    default:
      return applyLabelAction(row, action).outcome === "changed";
  }
}

/** Whether the action would exceed the limits of the tile's tags or properties. */
export const isOverLimit = (row: BulkRow, action: BulkAction): boolean =>
  ("tags" in action || "properties" in action) && applyLabelAction(row, action).outcome === "refused";
