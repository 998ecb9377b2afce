import type { TileProgress } from "@tessera/sdk";
import { type QueryClient, skipToken, useQuery } from "@tanstack/react-query";
import { progressKey } from "../query-keys.ts";

/** A tile whose work is over is told of for so long, in milliseconds: that it is ready is read a moment later. */
const LINGER_MS = 1_500;

/** What the work on a tile is at; null where nobody works on it, undefined where that is not known yet. `useLiveBoard` keeps it fresh. */
export function useTileProgress(boardId: string, tileId: string): TileProgress | null | undefined {
  const { data } = useQuery<readonly TileProgress[], Error, TileProgress | null>({
    queryKey: progressKey(boardId),
    queryFn: skipToken,
    select: (tiles) => tiles.find((tile) => tile.tileId === tileId) ?? null,
  });
  return data;
}

/** Takes in what the stream of a board tells: everything that is worked on. */
export function createProgressUpdater(client: QueryClient, boardId: string): (tiles: readonly TileProgress[]) => void {
  const key = progressKey(boardId);
  // It is told, never asked for, so that what was forgotten would stay unknown.
  client.setQueryDefaults(key, { gcTime: Infinity });
  let current: readonly TileProgress[] = [];
  const includesTile = (tiles: readonly TileProgress[], { tileId }: TileProgress): boolean => tiles.some((tile) => tile.tileId === tileId);
  return (tiles) => {
    current = tiles;
    const lingering = (client.getQueryData<readonly TileProgress[]>(key) ?? []).filter((tile) => !includesTile(tiles, tile));
    client.setQueryData(key, [...tiles, ...lingering]);
    if (lingering.length === 0) return;
    setTimeout(() => {
      client.setQueryData<readonly TileProgress[]>(key, (kept) =>
        kept?.filter((tile) => includesTile(current, tile) || !includesTile(lingering, tile)),
      );
    }, LINGER_MS);
  };
}
