import type { TileProgress } from "@tessera-board/sdk";
import { type QueryClient, skipToken, useQuery } from "@tanstack/react-query";
import { progressKey } from "../query-keys.ts";

/** How long the progress of a finished job stays visible, in milliseconds: the change to ready arrives a moment later. */
const LINGER_MS = 1_500;

/** The progress of a tile's job: null if no job runs, undefined if unknown. `useLiveBoard` updates it. */
export function useTileProgress(boardId: string, tileId: string): TileProgress | null | undefined {
  const { data } = useQuery<readonly TileProgress[], Error, TileProgress | null>({
    queryKey: progressKey(boardId),
    queryFn: skipToken,
    select: (tiles) => tiles.find((tile) => tile.tileId === tileId) ?? null,
  });
  return data;
}

/** Returns a callback that stores the progress events of a board's stream. */
export function createProgressUpdater(client: QueryClient, boardId: string): (tiles: readonly TileProgress[]) => void {
  const key = progressKey(boardId);
  // Progress is pushed, never fetched, so garbage-collected data could not be restored.
  client.setQueryDefaults(key, { gcTime: Infinity });
  let current: readonly TileProgress[] = [];
  const includesTile = (tiles: readonly TileProgress[], { tileId }: TileProgress): boolean => tiles.some((tile) => tile.tileId === tileId);
  return (tiles) => {
    current = tiles;
    const lingering = (client.getQueryData<readonly TileProgress[]>(key) ?? []).filter((tile) => !includesTile(tiles, tile));
    client.setQueryData(key, [...tiles, ...lingering]);
    if (lingering.length === 0) return;
    setTimeout(() => {
      client.setQueryData<readonly TileProgress[]>(key, (rows) =>
        rows?.filter((tile) => includesTile(current, tile) || !includesTile(lingering, tile)),
      );
    }, LINGER_MS);
  };
}
