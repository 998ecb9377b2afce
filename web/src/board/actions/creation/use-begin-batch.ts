import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { cacheTile, updateCachedTiles } from "../../../api/tiles/tile-cache.ts";
import { useMoveTiles } from "../../../api/tiles/tiles.ts";
import type { ValueStore } from "../../model/store.ts";
import type { BoardTile, PlaceholderTile } from "../../model/tile.ts";
import { removeUpload, setUpload, type Uploads } from "../../model/uploads.ts";
import type { Batch } from "./creation-step.ts";
import { createTile, describeCreationFailure } from "./create-tile.ts";
import { getPlaceholderId, type NewTileRequest, toPlaceholder } from "./new-tile.ts";

/** The stores of tiles and uploads in progress, which the board shows. */
export type PendingStores = { readonly pending: ValueStore<readonly PlaceholderTile[]>; readonly uploads: Uploads };

type Attempt = {
  readonly newTile: NewTileRequest;
  readonly sortOrder: number;
  /** Ends the upload. */
  readonly cancel: AbortController;
  /** Aborted when the batch is undone. */
  readonly undone: AbortSignal;
};

/** The result of one creation: `cancelled` on the card of an upload, `undone` with the batch. */
export type Outcome =
  | { readonly newTile: NewTileRequest; readonly status: "created"; readonly tile: BoardTile; readonly isShown: boolean }
  | { readonly newTile: NewTileRequest; readonly status: "cancelled" | "undone" }
  | { readonly newTile: NewTileRequest; readonly status: "failed"; readonly reason: string; readonly canRetry: boolean };

/** Maximum number of concurrent creations. */
const CONCURRENCY = 4;
/** Delay before a placeholder is removed, in milliseconds: the real tile is rendered by then, or was deleted. */
const PLACEHOLDER_LINGER_MS = 2_000;

/** Returns the function that begins to create tiles from a position on. `report` receives the result of each when all have ended. */
export function useBeginBatch(boardId: string, stores: PendingStores) {
  const createOne = useCreateOne(boardId, stores);
  const { mutate: move } = useMoveTiles(boardId);

  return useCallback(
    (newTiles: readonly NewTileRequest[], top: number, report: (outcomes: readonly Outcome[]) => void): Batch => {
      const undone = new AbortController();
      const attempts = newTiles.map((newTile, index) => ({
        newTile,
        sortOrder: top + index,
        cancel: new AbortController(),
        undone: undone.signal,
      }));
      const placeholders = attempts.map(({ newTile, sortOrder }) => toPlaceholder(newTile, sortOrder));
      stores.pending.set((all) => [...all, ...placeholders]);
      const uploads = attempts.filter(({ newTile }) => newTile.kind === "file");
      for (const { newTile, cancel } of uploads)
        setUpload(stores.uploads, getPlaceholderId(newTile), { sent: 0, cancel: () => cancel.abort() });
      const created: BoardTile[] = [];

      async function createAll(): Promise<readonly NewTileRequest[]> {
        const outcomes: Outcome[] = [];
        const queue = attempts.values();
        const work = async (): Promise<void> => {
          for (const attempt of queue) {
            const outcome = await createOne(attempt);
            outcomes.push(outcome);
            if (outcome.status === "created") created.push(outcome.tile);
          }
        };
        await Promise.all(Array.from({ length: Math.min(CONCURRENCY, attempts.length) }, work));
        // Their places matter to a redo. Moved when the others have ended, because a move refetches the board, which would show them.
        const hidden = outcomes.flatMap((outcome) => (outcome.status === "created" && !outcome.isShown ? toMove(outcome.tile) : []));
        if (hidden.length > 0) move(hidden);
        report(outcomes);
        return outcomes.flatMap(({ status, newTile }) => (status === "undone" ? newTile : []));
      }

      function cancelAll(): void {
        const ids = new Set(placeholders.map(({ id }) => id));
        stores.pending.set((all) => all.filter(({ id }) => !ids.has(id)));
        undone.abort();
        for (const { cancel } of uploads) cancel.abort(undone.signal.reason);
      }

      return { placeholders, created, left: createAll(), cancel: cancelAll };
    },
    [createOne, move, stores],
  );
}

/** Removes the placeholders of tiles that were created and are deleted now. */
export function dropPlaceholders(pending: PendingStores["pending"], tileIds: readonly string[]): void {
  const ids = new Set(tileIds);
  pending.set((all) => all.filter(({ createdId }) => createdId === undefined || !ids.has(createdId)));
}

/** Creates one tile, and adds it to the board unless it is undone by then. */
function useCreateOne(boardId: string, { pending, uploads }: PendingStores): (attempt: Attempt) => Promise<Outcome> {
  const client = useQueryClient();
  const { mutate: move } = useMoveTiles(boardId);
  const { mutateAsync: create } = useMutation({
    meta: { isQuiet: true },
    mutationFn: ({ newTile, cancel: { signal } }: Attempt) =>
      createTile(boardId, newTile, signal, (sent) => {
        const upload = uploads.get().get(getPlaceholderId(newTile));
        if (upload !== undefined) setUpload(uploads, getPlaceholderId(newTile), { ...upload, sent });
      }),
  });

  return useCallback(
    async (attempt) => {
      const { newTile, sortOrder, cancel, undone } = attempt;
      const drop = (): void => pending.set((all) => all.filter(({ id }) => id !== getPlaceholderId(newTile)));
      try {
        if (undone.aborted) return toCancelled(attempt);
        const tile = { ...(await rejectOnAbort(create(attempt), cancel.signal)), sortOrder };
        if (undone.aborted) return { newTile, status: "created", tile, isShown: false };
        cacheTile(client, { ...tile, etag: null });
        updateCachedTiles(client, boardId, (rows) => rows.map((row) => (row.id === tile.id ? { ...row, sortOrder } : row)));
        // The placeholder stays until the real card is rendered, to avoid flicker and loss of focus.
        pending.set((all) => all.map((one) => (one.id === getPlaceholderId(newTile) ? { ...one, createdId: tile.id } : one)));
        setTimeout(drop, PLACEHOLDER_LINGER_MS);
        move([toMove(tile)]);
        return { newTile, status: "created", tile, isShown: true };
      } catch (error) {
        drop();
        return cancel.signal.aborted ? toCancelled(attempt) : { newTile, status: "failed", ...describeCreationFailure(newTile, error) };
      } finally {
        removeUpload(uploads, getPlaceholderId(newTile));
      }
    },
    [boardId, client, create, move, pending, uploads],
  );
}

const toMove = ({ id, zoneId, sortOrder }: BoardTile) => ({ tileId: id, zoneId, sortOrder });

/** An upload that was cancelled on its card stays cancelled when the batch is undone. */
const toCancelled = ({ newTile, cancel: { signal }, undone }: Attempt): Outcome => ({
  newTile,
  status: signal.aborted && signal.reason !== undone.reason ? "cancelled" : "undone",
});

/** Rejects as soon as the signal is aborted: a request that waits for the connection does not observe the signal. */
function rejectOnAbort<T>(awaited: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    signal.addEventListener("abort", onAbort);
    awaited.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
