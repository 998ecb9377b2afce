import type { Tile, TileOrigin, TilePatch } from "@tessera/sdk";
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { newOnce, tessera } from "../client/client.ts";
import { inTurn, tileOf, tilesOf } from "../keys.ts";
import { deleteTiles, moveTiles, restoreTiles, retryTiles, type TileMove } from "./bulk.ts";
import { putBackTiles, setTiles, syncTokenOf, takeTile, type TileRow, withChanges } from "./tile-list.ts";

export type { TileMove } from "./bulk.ts";
export type { TileRow } from "./tile-list.ts";

export const tilesQuery = (boardId: string) =>
  queryOptions({
    queryKey: tilesOf(boardId),
    // Only what changed is read where something was read before.
    queryFn: async ({ signal, client }): Promise<readonly TileRow[]> => {
      const syncToken = syncTokenOf(client.getQueryData<readonly TileRow[]>(tilesOf(boardId)));
      const changes = await tessera.tiles.changes(boardId, { text: false, metadata: true, syncToken, signal });
      return withChanges(client.getQueryData<readonly TileRow[]>(tilesOf(boardId)), changes);
    },
    staleTime: 30_000,
    // Thousands of rows are compared by `keepSame`, not field by field at each reading.
    structuralSharing: false,
  });

/** Every tile of a board without its text, in no order that counts: sort by `sortOrder`. `useLiveBoard` keeps them fresh. */
export const useTiles = (boardId: string) => useQuery(tilesQuery(boardId));

/** One tile with its text and its `etag`; while it is processed it is read again as soon as that is over. */
export const useTile = (tileId: string) =>
  useQuery({
    queryKey: tileOf(tileId),
    queryFn: ({ signal }) => tessera.tiles.get(tileId, { signal }),
    refetchInterval: ({ state }) => (state.data?.status === "processing" ? 1_500 : false),
  });

export type TileInput = {
  readonly zoneId?: string | null;
  readonly title?: string;
  /** The same for every try of one creation. */
  readonly once?: string;
} & (
  | { readonly url: string; readonly content?: undefined; readonly origin?: undefined }
  | { readonly content: string; readonly url?: undefined; readonly origin?: TileOrigin }
);

/** Makes a tile of a link or of text, and puts it on top of its zone, as the board does with what is added there. */
export function useCreateTile(boardId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ once = newOnce(), ...tile }: TileInput): Promise<Tile> => {
      const made = await tessera.tiles.create(boardId, tile, { idempotencyKey: once });
      const places = (client.getQueryData<readonly TileRow[]>(tilesOf(boardId)) ?? [])
        .filter(({ id, zoneId }) => zoneId === made.zoneId && id !== made.id)
        .map(({ sortOrder }) => sortOrder);
      if (places.length === 0) return made;
      // It is made by now, so that a refused place is no failure.
      return tessera.tiles.update(made.id, { sortOrder: Math.min(...places) - 1 }).catch(() => made);
    },
    onSuccess: (tile) => takeTile(client, tile),
  });
}

export type TileUpdate = { readonly tileId: string; readonly patch: TilePatch; readonly ifMatch?: string | null };

/** Changes one tile. The form shows what is refused; 412 means that somebody else was first. */
export function useUpdateTile() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ tileId, patch, ifMatch }: TileUpdate) => tessera.tiles.update(tileId, patch, { ifMatch: ifMatch ?? null }),
    meta: { isQuiet: true },
    onSuccess: (tile) => takeTile(client, tile),
  });
}

/** Moves tiles at once, and puts them back where the server refused. */
export function useMoveTiles(boardId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (moves: readonly TileMove[]) => moveTiles(boardId, moves),
    onMutate: async (moves) => {
      await client.cancelQueries({ queryKey: tilesOf(boardId) });
      const before = client.getQueryData<readonly TileRow[]>(tilesOf(boardId));
      const byId = new Map(moves.map((move) => [move.tileId, move]));
      setTiles(client, boardId, (rows) =>
        rows.map((row) => {
          const { zoneId, sortOrder } = byId.get(row.id) ?? row;
          return zoneId === row.zoneId && (sortOrder ?? row.sortOrder) === row.sortOrder
            ? row
            : { ...row, zoneId, sortOrder: sortOrder ?? row.sortOrder };
        }),
      );
      return { before };
    },
    // Not waited for, here and below: what comes next does not need it.
    onSuccess: () => void client.invalidateQueries({ queryKey: tilesOf(boardId) }),
    onError: (_error, _moves, context) => putBackTiles(client, boardId, context?.before),
  });
}

/** Deletes tiles at once; `useRestoreTiles` brings them back. */
export function useDeleteTiles(boardId: string) {
  const client = useQueryClient();
  return useMutation({
    ...inTurn(boardId),
    mutationFn: (tileIds: readonly string[]) => deleteTiles(boardId, tileIds),
    onMutate: async (tileIds) => {
      await client.cancelQueries({ queryKey: tilesOf(boardId) });
      const before = client.getQueryData<readonly TileRow[]>(tilesOf(boardId));
      const gone = new Set(tileIds);
      setTiles(client, boardId, (rows) => rows.filter(({ id }) => !gone.has(id)));
      return { before };
    },
    // What was read while it waited for its turn may have them still.
    onSuccess: (_done, tileIds) => {
      const gone = new Set(tileIds);
      setTiles(client, boardId, (rows) => (rows.some(({ id }) => gone.has(id)) ? rows.filter(({ id }) => !gone.has(id)) : rows));
    },
    onError: (_error, _tileIds, context) => putBackTiles(client, boardId, context?.before),
  });
}

export function useRestoreTiles(boardId: string) {
  const client = useQueryClient();
  return useMutation({
    ...inTurn(boardId),
    mutationFn: (tileIds: readonly string[]) => restoreTiles(boardId, tileIds),
    onSettled: () => void client.invalidateQueries({ queryKey: tilesOf(boardId) }),
  });
}

/** Reads a link or upload again whose text was edited by hand; what is read replaces that text. The caller shows what is refused. */
export function useRereadTile() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (tileId: string) => tessera.tiles.retry(tileId, { replaceText: true }),
    meta: { isQuiet: true },
    onSuccess: (tile) => takeTile(client, tile),
  });
}

/** Ingests links and uploads again. */
export function useRetryTiles(boardId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (tileIds: readonly string[]) => retryTiles(boardId, tileIds),
    onSettled: (_done, _error, tileIds) => {
      for (const tileId of tileIds) void client.invalidateQueries({ queryKey: tileOf(tileId) });
      return client.invalidateQueries({ queryKey: tilesOf(boardId) });
    },
  });
}
