import type { Tile, TileOrigin, TilePatch } from "@tessera/sdk";
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { newIdempotencyKey, tessera } from "../client/client.ts";
import { boardMutationScope, tileKey, tilesKey } from "../query-keys.ts";
import { deleteTiles, moveTiles, restoreTiles, retryTiles, type TileMove } from "./bulk.ts";
import { rollBackTiles, updateCachedTiles, getSyncToken, cacheTile, type TileRow, applyChanges } from "./tile-cache.ts";

export type { TileMove } from "./bulk.ts";
export type { TileRow } from "./tile-cache.ts";

export const tilesQuery = (boardId: string) =>
  queryOptions({
    queryKey: tilesKey(boardId),
    // Only what changed is read where something was read before.
    queryFn: async ({ signal, client }): Promise<readonly TileRow[]> => {
      const syncToken = getSyncToken(client.getQueryData<readonly TileRow[]>(tilesKey(boardId)));
      const changes = await tessera.tiles.changes(boardId, { text: false, metadata: true, syncToken, signal });
      return applyChanges(client.getQueryData<readonly TileRow[]>(tilesKey(boardId)), changes);
    },
    staleTime: 30_000,
    // Thousands of rows are compared by `reuseUnchangedRows`, not field by field at each reading.
    structuralSharing: false,
  });

/** Every tile of a board without its text, in no order that counts: sort by `sortOrder`. `useLiveBoard` keeps them fresh. */
export const useTiles = (boardId: string) => useQuery(tilesQuery(boardId));

/** One tile with its text and its `etag`; while it is processed it is read again as soon as that is over. */
export const useTile = (tileId: string) =>
  useQuery({
    queryKey: tileKey(tileId),
    queryFn: ({ signal }) => tessera.tiles.get(tileId, { signal }),
    refetchInterval: ({ state }) => (state.data?.status === "processing" ? 1_500 : false),
  });

export type TileInput = {
  readonly zoneId?: string | null;
  readonly title?: string;
  /** The same for every try of one creation. */
  readonly idempotencyKey?: string;
} & (
  | { readonly url: string; readonly content?: undefined; readonly origin?: undefined }
  | { readonly content: string; readonly url?: undefined; readonly origin?: TileOrigin }
);

/** Makes a tile of a link or of text, and puts it on top of its zone, as the board does with what is added there. */
export function useCreateTile(boardId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ idempotencyKey = newIdempotencyKey(), ...tile }: TileInput): Promise<Tile> => {
      const created = await tessera.tiles.create(boardId, tile, { idempotencyKey });
      const positions = (client.getQueryData<readonly TileRow[]>(tilesKey(boardId)) ?? [])
        .filter(({ id, zoneId }) => zoneId === created.zoneId && id !== created.id)
        .map(({ sortOrder }) => sortOrder);
      if (positions.length === 0) return created;
      // It is made by now, so that a refused place is no failure.
      return tessera.tiles.update(created.id, { sortOrder: Math.min(...positions) - 1 }).catch(() => created);
    },
    onSuccess: (tile) => cacheTile(client, tile),
  });
}

export type TileUpdate = { readonly tileId: string; readonly patch: TilePatch; readonly ifMatch?: string | null };

/** Changes one tile. The form shows what is refused; 412 means that somebody else was first. */
export function useUpdateTile() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ tileId, patch, ifMatch }: TileUpdate) => tessera.tiles.update(tileId, patch, { ifMatch: ifMatch ?? null }),
    meta: { isQuiet: true },
    onSuccess: (tile) => cacheTile(client, tile),
  });
}

/** Moves tiles at once, and puts them back where the server refused. */
export function useMoveTiles(boardId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (moves: readonly TileMove[]) => moveTiles(boardId, moves),
    onMutate: async (moves) => {
      await client.cancelQueries({ queryKey: tilesKey(boardId) });
      const before = client.getQueryData<readonly TileRow[]>(tilesKey(boardId));
      const byId = new Map(moves.map((move) => [move.tileId, move]));
      updateCachedTiles(client, boardId, (rows) =>
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
    onSuccess: () => void client.invalidateQueries({ queryKey: tilesKey(boardId) }),
    onError: (_error, _moves, context) => rollBackTiles(client, boardId, context?.before),
  });
}

/** Deletes tiles at once; `useRestoreTiles` brings them back. */
export function useDeleteTiles(boardId: string) {
  const client = useQueryClient();
  return useMutation({
    ...boardMutationScope(boardId),
    mutationFn: (tileIds: readonly string[]) => deleteTiles(boardId, tileIds),
    onMutate: async (tileIds) => {
      await client.cancelQueries({ queryKey: tilesKey(boardId) });
      const before = client.getQueryData<readonly TileRow[]>(tilesKey(boardId));
      const gone = new Set(tileIds);
      updateCachedTiles(client, boardId, (rows) => rows.filter(({ id }) => !gone.has(id)));
      return { before };
    },
    // What was read while it waited for its turn may have them still.
    onSuccess: (_done, tileIds) => {
      const gone = new Set(tileIds);
      updateCachedTiles(client, boardId, (rows) => (rows.some(({ id }) => gone.has(id)) ? rows.filter(({ id }) => !gone.has(id)) : rows));
    },
    onError: (_error, _tileIds, context) => rollBackTiles(client, boardId, context?.before),
  });
}

export function useRestoreTiles(boardId: string) {
  const client = useQueryClient();
  return useMutation({
    ...boardMutationScope(boardId),
    mutationFn: (tileIds: readonly string[]) => restoreTiles(boardId, tileIds),
    onSettled: () => void client.invalidateQueries({ queryKey: tilesKey(boardId) }),
  });
}

/** Reads a link or upload again whose text was edited by hand; what is read replaces that text. The caller shows what is refused. */
export function useReplaceText() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (tileId: string) => tessera.tiles.retry(tileId, { replaceText: true }),
    meta: { isQuiet: true },
    onSuccess: (tile) => cacheTile(client, tile),
  });
}

/** Ingests links and uploads again. */
export function useRetryTiles(boardId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (tileIds: readonly string[]) => retryTiles(boardId, tileIds),
    onSettled: (_done, _error, tileIds) => {
      for (const tileId of tileIds) void client.invalidateQueries({ queryKey: tileKey(tileId) });
      return client.invalidateQueries({ queryKey: tilesKey(boardId) });
    },
  });
}
