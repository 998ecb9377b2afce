import type { BulkAction, BulkSelection, BulkStep } from "#domain/content/changes.ts";

/** What decides whether an action fits a tile. */
export type BulkRow = {
  readonly id: string;
  readonly sequence: number;
  readonly zone_id: string | null;
  readonly sort_order: number;
  readonly status: string;
  readonly source_url: string | null;
  readonly file_name: string | null;
  readonly text_by_hand: boolean | number;
  /** Whether the tile's zone is deleted. */
  readonly is_zone_gone: boolean | number | null;
};

export const BULK_COLUMNS =
  "t.id, t.sequence, t.zone_id, t.sort_order, t.status, t.source_url, t.file_name, t.text_by_hand, z.deleted_at IS NOT NULL AS is_zone_gone";
/** Finds the zone of each tile `t`, deleted or not. */
export const BULK_JOIN = "LEFT JOIN zone z ON z.business_id = t.business_id AND z.id = t.zone_id";

/** The conditions on tile `t` beyond its board; `bind` adds a value and returns its placeholder, `bindIds` returns a whole condition. */
export function bulkConditions(
  { filter, action, after, deletedAfter }: BulkSelection,
  bind: (value: string | number) => string,
  bindIds: (ids: readonly string[]) => string,
): string[] {
  const { tileIds, zoneId, status, type, createdBefore, updatedBefore } = filter;
  return [
    action.kind === "restore" ? `t.deleted_at > ${bind(deletedAfter)}` : "t.deleted_at IS NULL",
    `t.sequence > ${bind(after)}`,
    ...(tileIds === undefined ? [] : [bindIds(tileIds)]),
    ...(zoneId === undefined ? [] : [`t.zone_id = ${bind(zoneId)}`]),
    ...(status === undefined ? [] : [`t.status = ${bind(status)}`]),
    ...(type === undefined ? [] : [`t.type = ${bind(type)}`]),
    ...(createdBefore === undefined ? [] : [`t.created_at < ${bind(createdBefore)}`]),
    ...(updatedBefore === undefined ? [] : [`t.updated_at < ${bind(updatedBefore)}`]),
  ];
}

/** Whether the action would change the tile; for the others a single call is refused, and a bulk change passes them over. */
export function isChangedBy(row: BulkRow, action: BulkAction): boolean {
  switch (action.kind) {
    case "move":
      return row.zone_id !== action.zoneId || row.sort_order !== (action.sortOrders?.get(row.id) ?? row.sort_order);
    case "delete":
      return true;
    case "restore":
      return !row.is_zone_gone;
    case "retry":
      return (row.source_url !== null || row.file_name !== null) && !row.text_by_hand && row.status !== "processing";
  }
}

/** Splits the rows found, one more than the limit where there are more, into the step and where the next one begins. */
export function stepOf<Row extends BulkRow>(
  found: readonly Row[],
  limit: number,
): { readonly rows: readonly Row[]; readonly next: number | null } {
  const rows = found.slice(0, limit);
  return { rows, next: found.length > limit ? (rows.at(-1)?.sequence ?? null) : null };
}

export const bulkStep = (rows: readonly BulkRow[], changed: number, next: number | null): BulkStep => ({
  matched: rows.map(({ id }) => id),
  changed,
  next,
});
