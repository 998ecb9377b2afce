import type { TileSummary, ZoneSummary } from "@tessera-board/sdk";

/** The content to generate from: all connected content or a selection. The selection is kept while another mode is active. */
export type Source = {
  readonly from: "board" | "zones" | "tiles";
  readonly zoneIds: readonly string[];
  readonly tileIds: readonly string[];
};

export const WHOLE_BOARD: Source = { from: "board", zoneIds: [], tileIds: [] };

/** Maximum number of ids in one request. */
const MAX_IDS = 100;

type ZoneConnection = Pick<ZoneSummary, "id" | "connectedToChat">;
type SourceTile = Pick<TileSummary, "id" | "zoneId" | "status" | "connectedToChat">;

/** The ids that restrict a request; empty for the whole board. */
export function toIdFilter({ from, zoneIds, tileIds }: Source): {
  readonly zoneIds?: readonly string[];
  readonly tileIds?: readonly string[];
} {
  if (from === "zones") return { zoneIds };
  return from === "tiles" ? { tileIds } : {};
}

/** The source without zones that are no longer connected and without deleted tiles. */
export function removeMissing(source: Source, zones: readonly ZoneConnection[], tiles: readonly SourceTile[]): Source {
  const connectedIds = new Set(zones.filter(({ connectedToChat }) => connectedToChat).map(({ id }) => id));
  const existingIds = new Set(tiles.map(({ id }) => id));
  return {
    ...source,
    zoneIds: source.zoneIds.filter((id) => connectedIds.has(id)),
    tileIds: source.tileIds.filter((id) => existingIds.has(id)),
  };
}

/** Why a selected tile is skipped; null if it is used. */
export function getSkipReason({ zoneId, status, connectedToChat }: SourceTile, zones: readonly ZoneConnection[]): string | null {
  if (status === "processing") return "Still processing";
  if (status !== "ready") return "Failed";
  if (connectedToChat === false) return "Not used in answers";
  const zone = zones.find(({ id }) => id === zoneId);
  return zone?.connectedToChat === false ? "Zone not connected to chat" : null;
}

/** The error that prevents generation, or null. `source` must come from `removeMissing`. */
export function validateSource(source: Source, zones: readonly ZoneConnection[], tiles: readonly SourceTile[]): string | null {
  const { from, zoneIds, tileIds } = source;
  if (from === "board") return null;
  if (from === "zones") {
    if (zoneIds.length === 0) return "Choose at least one zone, or use the whole board.";
    return zoneIds.length > MAX_IDS ? `Choose at most ${MAX_IDS} zones; you chose ${zoneIds.length}.` : null;
  }
  if (tileIds.length === 0) return "Select at least one tile on the board, or use the whole board.";
  if (tileIds.length > MAX_IDS) return `Select at most ${MAX_IDS} tiles; you selected ${tileIds.length}.`;
  const chosen = new Set(tileIds);
  const isAnyRead = tiles.some((tile) => chosen.has(tile.id) && getSkipReason(tile, zones) === null);
  return isAnyRead ? null : "None of these tiles can be used. Select others, or connect them and their zone to chat.";
}
