import type { TileOrigin, TilePatch } from "@tessera/sdk";
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { newOnce, tessera } from "../client/client.ts";
import { inTurn, tileOf, tilesOf } from "../keys.ts";
import { keepSame, mergeTiles, setTiles, takeTile, type TileRow } from "./tile-list.ts";

export type { TileRow } from "./tile-list.ts";

export const tilesQuery = (boardId: string) =>
  queryOptions({
    queryKey: tilesOf(boardId),
    queryFn: async ({ signal, client }): Promise<readonly TileRow[]> => {
      const { tiles } = await tessera.tiles.list(boardId, { text: false, metadata: true, signal });
      return keepSame(client.getQueryData<readonly TileRow[]>(tilesOf(boardId)) ?? [], tiles);
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

/** Makes a tile of a link or of text. */
export function useCreateTile(boardId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ once = newOnce(), ...tile }: TileInput) => tessera.tiles.create(boardId, tile, { idempotencyKey: once }),
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

export type TileMove = { readonly tileId: string; readonly zoneId: string | null; readonly sortOrder?: number };

/** Moves tiles at once, and puts back those that the server refused. */
export function useMoveTiles(boardId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (moves: readonly TileMove[]) => allOf(moves, ({ tileId, ...patch }) => tessera.tiles.update(tileId, patch)),
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
    onSuccess: (tiles) => setTiles(client, boardId, (rows) => mergeTiles(rows, tiles)),
    onError: (_error, _moves, context) => {
      client.setQueryData(tilesOf(boardId), context?.before);
      return client.invalidateQueries({ queryKey: tilesOf(boardId) });
    },
  });
}

/** Deletes tiles at once; `useRestoreTiles` brings them back. */
export function useDeleteTiles(boardId: string) {
  const client = useQueryClient();
  return useMutation({
    ...inTurn(boardId),
    mutationFn: (tileIds: readonly string[]) => allOf(tileIds, (tileId) => tessera.tiles.delete(tileId)),
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
    onError: (_error, _tileIds, context) => {
      client.setQueryData(tilesOf(boardId), context?.before);
      return client.invalidateQueries({ queryKey: tilesOf(boardId) });
    },
  });
}

export function useRestoreTiles(boardId: string) {
  const client = useQueryClient();
  return useMutation({
    ...inTurn(boardId),
    mutationFn: (tileIds: readonly string[]) => allOf(tileIds, (tileId) => tessera.tiles.restore(tileId)),
    onSuccess: (tiles) => setTiles(client, boardId, (rows) => mergeTiles(rows, tiles)),
    // Not waited for: what comes next in turn does not need it.
    onSettled: () => void client.invalidateQueries({ queryKey: tilesOf(boardId) }),
  });
}

/** Ingests links and uploads again. */
export function useRetryTiles(boardId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (tileIds: readonly string[]) => allOf(tileIds, (tileId) => tessera.tiles.retry(tileId)),
    onSuccess: (tiles) => {
      for (const tile of tiles) takeTile(client, tile);
    },
    onError: () => client.invalidateQueries({ queryKey: tilesOf(boardId) }),
  });
}

/** How many calls of one act run at a time. */
const AT_ONCE = 6;

/** Does the same for each, a few at a time; all are tried, and the first refusal is thrown at the end. */
async function allOf<Item, Result>(items: readonly Item[], act: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  const failures: unknown[] = [];
  const queue = items.entries();
  const work = async (): Promise<void> => {
    for (const [index, item] of queue) {
      try {
        results[index] = await act(item);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, items.length) }, work));
  if (failures.length > 0) throw failures[0];
  return results;
}
