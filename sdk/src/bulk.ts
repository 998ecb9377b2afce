import type { TileStatus, TileType } from "./types.ts";

/** Which tiles a bulk change is for: at least one field; a tile has to meet all of them. */
export type TileFilter = {
  /** At most 10,000. */
  readonly tileIds?: readonly string[];
  readonly zoneId?: string;
  readonly status?: TileStatus;
  readonly type?: TileType;
  readonly createdBefore?: string | Date;
  readonly updatedBefore?: string | Date;
};

/** Exactly one action. */
export type BulkAction =
  | {
      /** Null takes the tiles out of their zones. */
      readonly moveTo: string | null;
      /** The position of each of the filter's `tileIds`, in the same order. */
      readonly sortOrders?: readonly number[];
    }
  | { readonly delete: true }
  | { readonly restore: true }
  | { readonly retry: true };

export type BulkChange = { readonly filter: TileFilter; readonly action: BulkAction; readonly dryRun?: boolean };

/** How many tiles matched and how many were changed; `tileIds` are the first 1,000 that matched. */
export type BulkResult = { readonly matched: number; readonly changed: number; readonly tileIds: readonly string[] };

/** The body of the call. */
export const bulkBody = ({ filter, action, dryRun }: BulkChange): Record<string, unknown> => ({
  filter: filterBody(filter),
  action: actionBody(action),
  dry_run: dryRun,
});

const timeText = (time: string | Date | undefined): string | undefined => (time instanceof Date ? time.toISOString() : time);

const filterBody = ({ tileIds, zoneId, createdBefore, updatedBefore, ...plain }: TileFilter): Record<string, unknown> => ({
  ...plain,
  tile_ids: tileIds,
  zone_id: zoneId,
  created_before: timeText(createdBefore),
  updated_before: timeText(updatedBefore),
});

const actionBody = (action: BulkAction): Record<string, unknown> =>
  "moveTo" in action ? { move_to: action.moveTo, sort_orders: action.sortOrders } : { ...action };
