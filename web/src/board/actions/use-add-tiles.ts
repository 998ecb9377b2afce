import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { newIdempotencyKey } from "../../api/client/client.ts";
import { updateCachedTiles, cacheTile } from "../../api/tiles/tile-cache.ts";
import { useDeleteTiles, useMoveTiles, useRestoreTiles } from "../../api/tiles/tiles.ts";
import { getFileSizeError } from "../../api/tiles/upload.ts";
import { showToast } from "../../ui/toasts.ts";
import type { InputEntry } from "../model/parse-input.ts";
import type { ValueStore } from "../model/store.ts";
import { type BoardTile, type PlaceholderTile, toZoneId } from "../model/tile.ts";
import { removeUpload, setUpload, type Uploads } from "../model/uploads.ts";
import { formatCount } from "../../text/plural.ts";
import type { BoardSnapshot } from "../board-context.ts";
import { keepCreation } from "./creation-step.ts";
import type { Undo } from "./use-undo.ts";
import { createTile, describeCreationFailure, getPlaceholderId, type NewTileRequest, toPlaceholder } from "./new-tile.ts";

/** The stores of tiles and uploads in progress, which the board shows. */
export type PendingStores = { readonly pending: ValueStore<readonly PlaceholderTile[]>; readonly uploads: Uploads };

type LoadedBoard = Pick<BoardSnapshot, "tiles" | "columns" | "load">;

type Attempt = { readonly newTile: NewTileRequest; readonly sortOrder: number; readonly cancel: AbortController };
/** The result of one creation; a cancelled one has no reason. */
type Outcome =
  | { readonly newTile: NewTileRequest; readonly status: "created"; readonly tile: BoardTile }
  | { readonly newTile: NewTileRequest; readonly status: "cancelled" }
  | { readonly newTile: NewTileRequest; readonly status: "failed"; readonly reason: string; readonly canRetry: boolean };

/** Maximum number of concurrent creations. */
const CONCURRENCY = 4;
/** Delay before a placeholder is removed, in milliseconds: the real tile is rendered by then, or was deleted. */
const PLACEHOLDER_LINGER_MS = 2_000;

/**
 * Creates tiles at the top of a column. Placeholders are shown until the server responds; files show upload progress and can be
 * cancelled. Failures appear in a notification with a retry action. They can be undone from the start. Resolves to false if none was created.
 */
export function useAddTiles(boardId: string, { tiles, columns, load }: LoadedBoard, stores: PendingStores, undo: Undo) {
  const client = useQueryClient();
  const createOne = useCreateOne(boardId, stores);
  const { mutateAsync: deleteTiles } = useDeleteTiles(boardId);
  const { mutateAsync: restoreTiles } = useRestoreTiles(boardId);

  return useCallback(
    async (columnId: string, entries: readonly InputEntry[], files: readonly File[] = [], keepsInput = false): Promise<boolean> => {
      const zoneId = toZoneId(columnId);
      const inputs = [...entries, ...dropOversized(client, files).map((file) => ({ kind: "file", file }) as const)];
      if (inputs.length === 0) return false;
      // The first position is known when the start of the column is loaded. Without it, the tiles are added below others.
      if (columns().find(({ id }) => id === columnId)?.loaded === "nothing") await load(columnId, "start").catch(() => undefined);
      return addAll(inputs.map((one) => ({ ...one, idempotencyKey: newIdempotencyKey(), zoneId })));

      async function addAll(newTiles: readonly NewTileRequest[]): Promise<boolean> {
        const top = getTopPosition(tiles(), zoneId) - newTiles.length;
        const attempts = newTiles.map((newTile, index) => ({ newTile, sortOrder: top + index, cancel: new AbortController() }));
        const placeholders = attempts.map(({ newTile, sortOrder }) => toPlaceholder(newTile, sortOrder));
        stores.pending.set((all) => [...all, ...placeholders]);
        const uploads = attempts.filter(({ newTile }) => newTile.kind === "file");
        for (const { newTile, cancel } of uploads)
          setUpload(stores.uploads, getPlaceholderId(newTile), { sent: 0, cancel: () => cancel.abort() });
        const cancelAll = (): void => {
          const ids = new Set(placeholders.map(({ id }) => id));
          stores.pending.set((all) => all.filter(({ id }) => !ids.has(id)));
          for (const { cancel } of uploads) cancel.abort();
        };
        const created = createAll(attempts);
        keepCreation(undo, { placeholders, created, cancel: cancelAll, remove: deleteTiles, restore: restoreTiles });
        return (await created).length > 0;
      }

      async function createAll(attempts: readonly Attempt[]): Promise<readonly BoardTile[]> {
        const outcomes: Outcome[] = [];
        const queue = attempts.values();
        const work = async (): Promise<void> => {
          for (const attempt of queue) outcomes.push(await createOne(attempt));
        };
        await Promise.all(Array.from({ length: Math.min(CONCURRENCY, attempts.length) }, work));
        reportOutcomes(outcomes, keepsInput, (failed) => void addAll(failed));
        return outcomes.flatMap((outcome) => (outcome.status === "created" ? outcome.tile : []));
      }
    },
    [client, columns, createOne, deleteTiles, load, restoreTiles, stores, tiles, undo],
  );
}

/** Removes the placeholders of tiles that were created and are deleted now. */
export function dropPlaceholders(pending: PendingStores["pending"], tileIds: readonly string[]): void {
  const ids = new Set(tileIds);
  pending.set((all) => all.filter(({ createdId }) => createdId === undefined || !ids.has(createdId)));
}

/** Creates one tile and adds it to the board. */
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
      const { newTile, sortOrder, cancel } = attempt;
      const drop = (): void => pending.set((all) => all.filter(({ id }) => id !== getPlaceholderId(newTile)));
      try {
        const tile = await rejectOnAbort(create(attempt), cancel.signal);
        cacheTile(client, { ...tile, sortOrder, etag: null });
        updateCachedTiles(client, boardId, (rows) => rows.map((row) => (row.id === tile.id ? { ...row, sortOrder } : row)));
        // The placeholder stays until the real card is rendered, to avoid flicker and loss of focus.
        pending.set((all) => all.map((one) => (one.id === getPlaceholderId(newTile) ? { ...one, createdId: tile.id } : one)));
        setTimeout(drop, PLACEHOLDER_LINGER_MS);
        move([{ tileId: tile.id, zoneId: tile.zoneId, sortOrder }]);
        return { newTile, status: "created", tile };
      } catch (error) {
        drop();
        return cancel.signal.aborted
          ? { newTile, status: "cancelled" }
          : { newTile, status: "failed", ...describeCreationFailure(newTile, error) };
      } finally {
        removeUpload(uploads, getPlaceholderId(newTile));
      }
    },
    [boardId, client, create, move, pending, uploads],
  );
}

/**
 * Reports cancelled and failed creations. Offers a retry of those that can succeed, unless all failed and the caller keeps the input in
 * its field (`keepsInput`).
 */
function reportOutcomes(outcomes: readonly Outcome[], keepsInput: boolean, retry: (newTiles: readonly NewTileRequest[]) => void): void {
  const cancelled = outcomes.filter(({ status }) => status === "cancelled").length;
  if (cancelled > 0) showToast({ text: `Cancelled ${formatCount(cancelled, "upload")}.` });
  const failed = outcomes.flatMap((outcome) => (outcome.status === "failed" ? outcome : []));
  const [first] = failed;
  if (first === undefined) return;
  const again = failed.filter(({ canRetry }) => canRetry).map(({ newTile }) => newTile);
  const isNoneCreated = failed.length + cancelled === outcomes.length;
  showToast({
    text: failed.length === 1 ? first.reason : `${formatCount(failed.length, "tile")} could not be added. ${first.reason}`,
    kind: "problem",
    ...(again.length > 0 && !(keepsInput && isNoneCreated) && { action: { label: "Try again", onPress: () => retry(again) } }),
  });
}

/** The files within the size limit; others are reported without being uploaded. */
function dropOversized(client: QueryClient, files: readonly File[]): readonly File[] {
  const reasons = files.flatMap((file) => getFileSizeError(client, file) ?? []);
  const [reason] = reasons;
  if (reason === undefined) return files;
  showToast({ text: reasons.length === 1 ? reason : `${formatCount(reasons.length, "file")} were not added. ${reason}`, kind: "problem" });
  return files.filter((file) => getFileSizeError(client, file) === null);
}

/** Rejects as soon as the signal is aborted: a request that waits for the connection does not observe the signal. */
function rejectOnAbort<T>(awaited: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    signal.addEventListener("abort", onAbort);
    awaited.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

/** The position of the first tile of a column, ignoring filters. */
const getTopPosition = (tiles: readonly BoardTile[], zoneId: string | null): number =>
  tiles.reduce((min, tile) => (tile.zoneId === zoneId ? Math.min(min, tile.sortOrder) : min), 0);
