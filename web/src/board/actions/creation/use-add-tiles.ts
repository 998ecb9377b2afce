import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { newIdempotencyKey } from "../../../api/client/client.ts";
import { useDeleteTiles, useRestoreTiles } from "../../../api/tiles/tiles.ts";
import { getFileSizeError } from "../../../api/tiles/upload.ts";
import { formatCount } from "../../../text/plural.ts";
import { showToast } from "../../../ui/toasts.ts";
import type { BoardSnapshot } from "../../board-context.ts";
import type { InputEntry } from "../../model/parse-input.ts";
import { type BoardTile, toZoneId } from "../../model/tile.ts";
import type { Undo } from "../use-undo.ts";
import { keepCreation } from "./creation-step.ts";
import type { NewTileRequest } from "./new-tile.ts";
import { type Outcome, type PendingStores, useBeginBatch } from "./use-begin-batch.ts";

type LoadedBoard = Pick<BoardSnapshot, "tiles" | "columns" | "load">;

/**
 * Creates tiles at the top of a column. Placeholders are shown until the server responds; files show upload progress and can be
 * cancelled. Failures appear in a notification with a retry action. They can be undone from the start. Resolves to false if none was created.
 */
export function useAddTiles(boardId: string, { tiles, columns, load }: LoadedBoard, stores: PendingStores, undo: Undo) {
  const client = useQueryClient();
  const beginBatch = useBeginBatch(boardId, stores);
  const { mutateAsync: remove } = useDeleteTiles(boardId);
  const { mutateAsync: restore } = useRestoreTiles(boardId);

  return useCallback(
    async (columnId: string, entries: readonly InputEntry[], files: readonly File[] = [], keepsInput = false): Promise<boolean> => {
      const zoneId = toZoneId(columnId);
      const inputs = [...entries, ...dropOversized(client, files).map((file) => ({ kind: "file", file }) as const)];
      if (inputs.length === 0) return false;
      // The first position is known when the start of the column is loaded. Without it, the tiles are added below others.
      if (columns().find(({ id }) => id === columnId)?.loaded === "nothing") await load(columnId, "start").catch(() => undefined);
      return addAll(inputs.map((one) => ({ ...one, idempotencyKey: newIdempotencyKey(), zoneId })));

      async function addAll(newTiles: readonly NewTileRequest[]): Promise<boolean> {
        const begin = (some: readonly NewTileRequest[]) =>
          beginBatch(some, getTopPosition(tiles(), zoneId) - some.length, (outcomes) =>
            // The field gets back what failed at first, not what failed in a redo.
            reportOutcomes(outcomes, keepsInput && some === newTiles, (failed) => void addAll(failed)),
          );
        const { left, created } = keepCreation(undo, newTiles, { begin, remove, restore });
        await left;
        return created.length > 0;
      }
    },
    [beginBatch, client, columns, load, remove, restore, tiles, undo],
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
  const isNoneCreated = outcomes.every(({ status }) => status !== "created");
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

/** The position of the first tile of a column, ignoring filters. */
const getTopPosition = (tiles: readonly BoardTile[], zoneId: string | null): number =>
  tiles.reduce((min, tile) => (tile.zoneId === zoneId ? Math.min(min, tile.sortOrder) : min), 0);
