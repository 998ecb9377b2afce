import type { TileMetadata, TileSummary, ZoneSummary } from "@tessera/sdk";

/** A tile as the board shows it: a row of the listing, with what else the server tells of it. */
export type BoardTile = TileSummary & {
  readonly metadata?: TileMetadata;
};

/** The column of tiles that are in no zone. */
export const NO_ZONE = "none";

export type BoardColumn = {
  /** The zone's id, or `NO_ZONE`. */
  readonly id: string;
  readonly zone: ZoneSummary | null;
  readonly name: string;
  /** What the filters let through, in the order that is shown. */
  readonly tiles: readonly BoardTile[];
  /** How many it holds without filters. */
  readonly total: number;
};

export const toZoneId = (columnId: string): string | null => (columnId === NO_ZONE ? null : columnId);
export const toColumnId = (tile: Pick<TileSummary, "zoneId">): string => tile.zoneId ?? NO_ZONE;

/** A tile that is being made; `createdId` names the real one as soon as the server has it. */
export type PendingTile = BoardTile & { readonly createdId?: string };

/** Whether the server does not have it yet. */
export const isPlaceholder = (tileId: string): boolean => tileId.startsWith("new-");
