import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { newOnce, sentenceOf } from "../../api/client/client.ts";
import { setTiles, takeTile } from "../../api/tiles/tile-list.ts";
import { useMoveTiles } from "../../api/tiles/tiles.ts";
import { refusalOfFile } from "../../api/tiles/upload.ts";
import { showToast } from "../../ui/toasts.ts";
import type { Entry } from "../model/input.ts";
import type { Store } from "../model/store.ts";
import { type BoardTile, type PendingTile, zoneIdOf } from "../model/tile.ts";
import { removeUpload, setUpload, type Uploads } from "../model/uploads.ts";
import { counted } from "../../text/counted.ts";
import { cardIdOf, createFrom, type Draft, placeholderOf } from "./draft.ts";

/** What is being made, for the board to show. */
export type Making = { readonly pending: Store<readonly PendingTile[]>; readonly uploads: Uploads };

type Attempt = { readonly draft: Draft; readonly sortOrder: number; readonly cancel: AbortController };
/** How an attempt ended; what was cancelled has no reason. */
type Outcome =
  | { readonly draft: Draft; readonly ending: "made" | "cancelled" }
  | { readonly draft: Draft; readonly ending: "refused"; readonly reason: string };

/** Creations under way at a time. */
const CONCURRENCY = 4;
/** After which what stood for a tile is forgotten, in milliseconds: the tile is drawn long since, or was deleted at once. */
const GONE_MS = 2_000;

/**
 * Makes tiles and puts them on top of their column. Until the server has them they are shown as `pending`, files with how much of them
 * was sent and a way to cancel; those it refused are told of in a note that offers to try them again. False where none could be made.
 */
export function useAdd(boardId: string, tiles: () => readonly BoardTile[], making: Making) {
  const client = useQueryClient();
  const make = useMake(boardId, making);

  return useCallback(
    async (columnId: string, entries: readonly Entry[], files: readonly File[] = [], stays = false): Promise<boolean> => {
      const zoneId = zoneIdOf(columnId);
      const given = [...entries, ...acceptable(client, files).map((file) => ({ kind: "file", file }) as const)];
      if (given.length === 0) return false;
      return addAll(given.map((one) => ({ ...one, once: newOnce(), zoneId })));

      async function addAll(drafts: readonly Draft[]): Promise<boolean> {
        const top = topOf(tiles(), zoneId) - drafts.length;
        const attempts = drafts.map((draft, index) => ({ draft, sortOrder: top + index, cancel: new AbortController() }));
        making.pending.set((all) => [...all, ...attempts.map(({ draft, sortOrder }) => placeholderOf(draft, sortOrder))]);
        for (const { draft, cancel } of attempts)
          if (draft.kind === "file") setUpload(making.uploads, cardIdOf(draft), { sent: 0, cancel: () => cancel.abort() });
        const outcomes: Outcome[] = [];
        const queue = attempts.values();
        const work = async (): Promise<void> => {
          for (const attempt of queue) outcomes.push(await make(attempt));
        };
        await Promise.all(Array.from({ length: Math.min(CONCURRENCY, drafts.length) }, work));
        tell(outcomes, stays, (refused) => void addAll(refused));
        return outcomes.some(({ ending }) => ending === "made");
      }
    },
    [boardId, client, make, making, tiles],
  );
}

/** Makes one tile, and takes it into the board where the server has it. */
function useMake(boardId: string, { pending, uploads }: Making): (attempt: Attempt) => Promise<Outcome> {
  const client = useQueryClient();
  const { mutate: move } = useMoveTiles(boardId);
  const { mutateAsync: create } = useMutation({
    meta: { isQuiet: true },
    mutationFn: ({ draft, cancel: { signal } }: Attempt) =>
      createFrom(boardId, draft, signal, (sent) => {
        const upload = uploads.get().get(cardIdOf(draft));
        if (upload !== undefined) setUpload(uploads, cardIdOf(draft), { ...upload, sent });
      }),
  });

  return useCallback(
    async (attempt) => {
      const { draft, sortOrder, cancel } = attempt;
      const drop = (): void => pending.set((all) => all.filter(({ id }) => id !== cardIdOf(draft)));
      try {
        const tile = await orAborted(create(attempt), cancel.signal);
        takeTile(client, { ...tile, sortOrder, etag: null });
        setTiles(client, boardId, (rows) => rows.map((row) => (row.id === tile.id ? { ...row, sortOrder } : row)));
        // Stays until the real one is drawn, so that nothing flickers and the focus has where to go.
        pending.set((all) => all.map((one) => (one.id === cardIdOf(draft) ? { ...one, becomes: tile.id } : one)));
        setTimeout(drop, GONE_MS);
        move([{ tileId: tile.id, zoneId: tile.zoneId, sortOrder }]);
        return { draft, ending: "made" };
      } catch (error) {
        drop();
        return cancel.signal.aborted ? { draft, ending: "cancelled" } : { draft, ending: "refused", reason: sentenceOf(error) };
      } finally {
        removeUpload(uploads, cardIdOf(draft));
      }
    },
    [boardId, client, create, move, pending, uploads],
  );
}

/** Tells what was cancelled, and what was refused with a way to try it again, unless all of it was and it `stays` where it was typed. */
function tell(outcomes: readonly Outcome[], stays: boolean, retry: (drafts: readonly Draft[]) => void): void {
  const cancelled = outcomes.filter(({ ending }) => ending === "cancelled").length;
  if (cancelled > 0) showToast({ text: `Cancelled ${counted(cancelled, "upload")}.` });
  const refused = outcomes.flatMap((outcome) => (outcome.ending === "refused" ? outcome : []));
  const [first] = refused;
  if (first === undefined) return;
  const isNone = refused.length + cancelled === outcomes.length;
  showToast({
    text: refused.length === 1 ? first.reason : `${counted(refused.length, "tile")} could not be added. ${first.reason}`,
    kind: "problem",
    ...(!(stays && isNone) && { action: { label: "Try again", onPress: () => retry(refused.map(({ draft }) => draft)) } }),
  });
}

/** The files that the server may take; the others are refused here, before they are sent for nothing. */
function acceptable(client: QueryClient, files: readonly File[]): readonly File[] {
  const reasons = files.flatMap((file) => refusalOfFile(client, file) ?? []);
  const [reason] = reasons;
  if (reason === undefined) return files;
  showToast({ text: reasons.length === 1 ? reason : `${counted(reasons.length, "file")} were not added. ${reason}`, kind: "problem" });
  return files.filter((file) => refusalOfFile(client, file) === null);
}

/** What is awaited, or the signal's reason as soon as it is aborted: a call that waits for the server to be back does not heed it. */
function orAborted<T>(awaited: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    signal.addEventListener("abort", onAbort);
    awaited.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

/** The position of a column's first tile, whatever is shown of it. */
const topOf = (tiles: readonly BoardTile[], zoneId: string | null): number =>
  tiles.reduce((least, tile) => (tile.zoneId === zoneId ? Math.min(least, tile.sortOrder) : least), 0);
