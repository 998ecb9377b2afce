import type { Tile, TileOrigin, TilePatch } from "@tessera-board/sdk";
import { hashKey, type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { newIdempotencyKey, tessera } from "../client/client.ts";
import { boardMutation, tileCountsKey, tileKey, tilesKey } from "../query-keys.ts";
import { refetchAfterLastWrite } from "../client/refetch.ts";
import { deleteTiles, moveTiles, restoreTiles, retryFailed, retryTiles, type TileMove } from "./bulk.ts";
import { applyChanges, cacheTile, getSyncState, isCountChanged, rollBackTiles, type ListedTile, updateCachedTiles } from "./tile-cache.ts";

export type { TileMove } from "./bulk.ts";
export type { ListedTile } from "./tile-cache.ts";

/** The filter for tiles that are in no zone. */
export const OUTSIDE_ZONES = "none";

/** A board with more tiles is loaded zone by zone. */
const MAX_WHOLE_BOARD = 200;

export const tilesQuery = (boardId: string) =>
  queryOptions({
    queryKey: tilesKey(boardId),
    // Fetches only changes if rows were fetched before.
    queryFn: async ({ signal, client }): Promise<readonly ListedTile[]> => {
      const getRows = () => client.getQueryData<readonly ListedTile[]>(tilesKey(boardId));
      const limit = getRows() === undefined ? { limit: MAX_WHOLE_BOARD } : {};
      const { syncToken } = getSyncState(getRows());
      const changes = await tessera.tiles.changes(boardId, { text: false, metadata: true, syncToken, ...limit, signal });
      const rows = getRows();
      refetchDeleted(client, changes.deleted);
      if (getSyncState(rows).loaded !== null && isCountChanged(rows, changes))
        void client.invalidateQueries({ queryKey: tileCountsKey(boardId) });
      return applyChanges(rows, changes);
    },
    staleTime: 30_000,
    // `reuseUnchangedRows` compares thousands of rows faster than a deep comparison.
    structuralSharing: false,
  });

/** Reads a deleted tile that is open again, which says that it does not exist. */
function refetchDeleted(client: QueryClient, deleted: readonly string[]): void {
  const keys = new Set(deleted.map((tileId) => hashKey(tileKey(tileId))));
  if (keys.size > 0) void client.invalidateQueries({ predicate: ({ queryHash }) => keys.has(queryHash) });
}

/**
 * The tiles of a board that are loaded, without text, unordered: sort by `sortOrder`. `getSyncState` says which part they are.
 * `useLiveBoard` updates them.
 */
export const useTiles = (boardId: string) => useQuery(tilesQuery(boardId));

/** One tile with its text and `etag`, polled while it is processing. */
export const useTile = (tileId: string, isNeeded = true) =>
  useQuery({
    queryKey: tileKey(tileId),
    enabled: isNeeded,
    queryFn: ({ signal }) => tessera.tiles.get(tileId, { signal }),
    refetchInterval: ({ state }) => (state.data?.status === "processing" ? 1_500 : false),
  });

export type TileInput = {
  readonly zoneId?: string | null;
  readonly title?: string;
  /** Same for each retry of one creation. */
  readonly idempotencyKey?: string;
} & (
  | { readonly url: string; readonly content?: undefined; readonly origin?: undefined }
  | { readonly content: string; readonly url?: undefined; readonly origin?: TileOrigin }
);

/** Creates a tile from a link or text and moves it to the top of its zone. */
export function useCreateTile(boardId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ idempotencyKey = newIdempotencyKey(), ...tile }: TileInput): Promise<Tile> => {
      const created = await tessera.tiles.create(boardId, tile, { idempotencyKey });
      // The tile exists by now, so a failed move is ignored.
      return moveToTop(created).catch(() => created);
    },
    onSuccess: (tile) => cacheTile(client, tile),
  });
}

async function moveToTop(tile: Tile): Promise<Tile> {
  const query = { zoneId: tile.zoneId ?? OUTSIDE_ZONES, order: "position", text: false, limit: 1 } as const;
  const [first] = (await tessera.tiles.list(tile.boardId, query)).tiles;
  return first === undefined || first.id === tile.id ? tile : tessera.tiles.update(tile.id, { sortOrder: first.sortOrder - 1 });
}

export type TileUpdate = { readonly tileId: string; readonly patch: TilePatch; readonly ifMatch?: string | null };

/** Updates a tile. Errors are shown by the form; 412 means that somebody else changed it first. */
export function useUpdateTile() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ tileId, patch, ifMatch }: TileUpdate) => tessera.tiles.update(tileId, patch, { ifMatch: ifMatch ?? null }),
    meta: { isQuiet: true },
    onSuccess: (tile) => cacheTile(client, tile),
  });
}

/** Moves tiles optimistically and restores them on failure. */
export function useMoveTiles(boardId: string) {
  const client = useQueryClient();
  return useMutation({
    ...boardMutation(boardId),
    mutationFn: (moves: readonly TileMove[]) => moveTiles(boardId, moves),
    onMutate: async (moves) => {
      await client.cancelQueries({ queryKey: tilesKey(boardId) });
      const before = client.getQueryData<readonly ListedTile[]>(tilesKey(boardId));
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
    onSuccess: () => refetchAfterLastWrite(client, boardId, [tilesKey(boardId)]),
    onError: (_error, _moves, context) => rollBackTiles(client, boardId, context?.before),
  });
}

/** Deletes tiles optimistically; `useRestoreTiles` restores them. */
export function useDeleteTiles(boardId: string) {
  const client = useQueryClient();
  return useMutation({
    ...boardMutation(boardId),
    mutationFn: (tileIds: readonly string[]) => deleteTiles(boardId, tileIds),
    onMutate: async (tileIds) => {
      await client.cancelQueries({ queryKey: tilesKey(boardId) });
      const before = client.getQueryData<readonly ListedTile[]>(tilesKey(boardId));
      const deletedIds = new Set(tileIds);
      updateCachedTiles(client, boardId, (rows) => rows.filter(({ id }) => !deletedIds.has(id)));
      return { before };
    },
    // A refetch that finished while this mutation waited in its scope may have restored them.
    onSuccess: (_done, tileIds) => {
      const deletedIds = new Set(tileIds);
      updateCachedTiles(client, boardId, (rows) =>
        rows.some(({ id }) => deletedIds.has(id)) ? rows.filter(({ id }) => !deletedIds.has(id)) : rows,
      );
    },
    onError: (_error, _tileIds, context) => rollBackTiles(client, boardId, context?.before),
  });
}

export function useRestoreTiles(boardId: string) {
  const client = useQueryClient();
  return useMutation({
    ...boardMutation(boardId),
    mutationFn: (tileIds: readonly string[]) => restoreTiles(boardId, tileIds),
    onSettled: () => refetchAfterLastWrite(client, boardId, [tilesKey(boardId)]),
  });
}

/** Ingests a link or upload again and replaces its edited text. Errors are shown by the caller. */
export function useReplaceText() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (tileId: string) => tessera.tiles.retry(tileId, { replaceText: true }),
    meta: { isQuiet: true },
    onSuccess: (tile) => cacheTile(client, tile),
  });
}

/** Ingests the failed links and uploads of a board again that another attempt can help. */
export function useRetryFailed(boardId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => retryFailed(boardId),
    onSettled: () => client.invalidateQueries({ queryKey: tilesKey(boardId) }),
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
