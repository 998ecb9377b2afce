import { hasStatus } from "../../api/client/client.ts";
import { getSyncState } from "../../api/tiles/tile-cache.ts";
import { useTile, useTiles } from "../../api/tiles/tiles.ts";

/** The title of a tile of the board. */
export const TileTitle = ({ boardId, tileId }: { readonly boardId: string; readonly tileId: string }) =>
  useTileTitle(boardId, tileId) ?? "Deleted tile";

/** The title of a tile; null if it was deleted. A tile that the board has not loaded is read. */
export function useTileTitle(boardId: string, tileId: string): string | null {
  const { data: tiles } = useTiles(boardId);
  const row = tiles?.find(({ id }) => id === tileId);
  const isUnknown = row === undefined && getSyncState(tiles).loaded !== null;
  const { data, error } = useTile(tileId, isUnknown);
  if (!isUnknown) return row?.title ?? null;
  return hasStatus(error, 404) ? null : (data?.title ?? "…");
}
