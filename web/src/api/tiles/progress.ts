import type { TileProgress } from "@tessera/sdk";
import { type QueryClient, skipToken, useQuery } from "@tanstack/react-query";
import { progressOf } from "../keys.ts";

/** A tile whose work is over is told of for so long, in milliseconds: that it is ready is read a moment later. */
const LEAVING_MS = 1_500;

/** What the work on a tile is at; null where nobody works on it, undefined where that is not known yet. `useLiveBoard` keeps it fresh. */
export function useTileProgress(boardId: string, tileId: string): TileProgress | null | undefined {
  const { data } = useQuery<readonly TileProgress[], Error, TileProgress | null>({
    queryKey: progressOf(boardId),
    queryFn: skipToken,
    select: (tiles) => tiles.find((tile) => tile.tileId === tileId) ?? null,
  });
  return data;
}

/** Takes in what the stream of a board tells: everything that is worked on. */
export function createProgressKeeper(client: QueryClient, boardId: string): (tiles: readonly TileProgress[]) => void {
  const key = progressOf(boardId);
  // It is told, never asked for, so that what was forgotten would stay unknown.
  client.setQueryDefaults(key, { gcTime: Infinity });
  let told: readonly TileProgress[] = [];
  const has = (tiles: readonly TileProgress[], { tileId }: TileProgress): boolean => tiles.some((tile) => tile.tileId === tileId);
  return (tiles) => {
    told = tiles;
    const leaving = (client.getQueryData<readonly TileProgress[]>(key) ?? []).filter((tile) => !has(tiles, tile));
    client.setQueryData(key, [...tiles, ...leaving]);
    if (leaving.length === 0) return;
    setTimeout(() => {
      client.setQueryData<readonly TileProgress[]>(key, (kept) => kept?.filter((tile) => has(told, tile) || !has(leaving, tile)));
    }, LEAVING_MS);
  };
}
