import type { TileMetadata, TileSummary, ZoneSummary } from "@tessera-board/sdk";

/** A row of the listing with the metadata that the board shows. */
export type BoardTile = TileSummary & {
  readonly metadata?: TileMetadata;
};

/** The id of the column for tiles without a zone. */
export const NO_ZONE = "none";

export type BoardColumn = {
  /** The zone's id, or `NO_ZONE`. */
  readonly id: string;
  readonly zone: ZoneSummary | null;
  readonly name: string;
  /** The loaded tiles that pass the filters, in display order. */
  readonly tiles: readonly BoardTile[];
  /** The loaded tiles without filters, unordered. None of the tiles between them is missing. */
  readonly loadedTiles: readonly BoardTile[];
  readonly loaded: "nothing" | "part" | "all";
  /** The number of tiles without filters; null while it is unknown. */
  readonly total: number | null;
};

export const toZoneId = (columnId: string): string | null => (columnId === NO_ZONE ? null : columnId);
export const toColumnId = (tile: Pick<TileSummary, "zoneId">): string => tile.zoneId ?? NO_ZONE;

/** A tile that is being created; `createdId` is set when the server has created it. */
export type PlaceholderTile = BoardTile & { readonly createdId?: string };

/** Whether this is a placeholder for a tile that the server has not created yet. */
export const isPlaceholder = (tileId: string): boolean => tileId.startsWith("new-");
