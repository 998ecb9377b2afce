import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { newOnce, sentenceOf, tessera } from "../../api/client/client.ts";
import { setTiles, takeTile } from "../../api/tiles/tile-list.ts";
import { useMoveTiles } from "../../api/tiles/tiles.ts";
import { showToast } from "../../ui/toasts.ts";
import type { Entry } from "../model/input.ts";
import type { Store } from "../model/store.ts";
import { type BoardTile, type PendingTile, zoneIdOf } from "../model/tile.ts";
import { counted, shortened } from "../model/words.ts";

/** One thing to be made a tile of, with the key under which it is made once however often it is tried. */
type Draft = { readonly once: string; readonly zoneId: string | null } & (Entry | { readonly kind: "file"; readonly file: File });

/** Creations under way at a time. */
const AT_ONCE = 4;
/** After which what stood for a tile is forgotten, in milliseconds: the tile is drawn long since, or was deleted at once. */
const GONE_MS = 2_000;
/** Characters of a text's first line that become its title. */
const LONGEST_TITLE = 120;

/**
 * Makes tiles and puts them on top of their column. Until the server has them they are shown as `pending`; those it refused are told
 * of in a note that offers to try them again. False where none could be made.
 */
export function useAdd(boardId: string, tiles: () => readonly BoardTile[], pending: Store<readonly PendingTile[]>) {
  const client = useQueryClient();
  const { mutate: move } = useMoveTiles(boardId);
  const { mutateAsync: create } = useMutation({
    meta: { isQuiet: true },
    mutationFn: (draft: Draft) => {
      const { once, zoneId } = draft;
      if (draft.kind === "file") return tessera.tiles.upload(boardId, { file: draft.file, zoneId }, { idempotencyKey: once });
      const content = draft.kind === "link" ? { url: draft.url } : { content: draft.text, title: titleOf(draft.text) };
      return tessera.tiles.create(boardId, { ...content, zoneId }, { idempotencyKey: once });
    },
  });

  return useCallback(
    async (columnId: string, entries: readonly Entry[], files: readonly File[] = [], stays = false): Promise<boolean> => {
      const zoneId = zoneIdOf(columnId);
      const given = [...entries, ...files.map((file) => ({ kind: "file", file }) as const)];
      if (given.length === 0) return false;
      return addAll(given.map((one) => ({ ...one, once: newOnce(), zoneId })));

      async function addAll(drafts: readonly Draft[]): Promise<boolean> {
        const top = topOf(tiles(), zoneId);
        const waiting = drafts.map((draft, index) => placeholderOf(draft, top - drafts.length + index));
        pending.set((all) => [...all, ...waiting]);
        const refused: { readonly draft: Draft; readonly reason: string }[] = [];
        const queue = drafts.entries();
        const work = async (): Promise<void> => {
          for (const [index, draft] of queue) {
            const sortOrder = top - drafts.length + index;
            try {
              const tile = await create(draft);
              const placed = { ...tile, sortOrder, etag: null };
              takeTile(client, placed);
              setTiles(client, boardId, (rows) => rows.map((row) => (row.id === tile.id ? { ...row, sortOrder } : row)));
              // Stays until the real one is drawn, so that nothing flickers and the focus has where to go.
              pending.set((all) => all.map((one) => (one.id === `new-${draft.once}` ? { ...one, becomes: tile.id } : one)));
              setTimeout(() => drop(draft), GONE_MS);
              move([{ tileId: tile.id, zoneId: tile.zoneId, sortOrder }]);
            } catch (error) {
              refused.push({ draft, reason: sentenceOf(error) });
              drop(draft);
            }
          }
        };
        const drop = ({ once }: Draft): void => pending.set((all) => all.filter(({ id }) => id !== `new-${once}`));
        await Promise.all(Array.from({ length: Math.min(AT_ONCE, drafts.length) }, work));
        const [first] = refused;
        if (first === undefined) return true;
        const isNone = refused.length === drafts.length;
        showToast({
          text: refused.length === 1 ? first.reason : `${counted(refused.length, "tile")} could not be added. ${first.reason}`,
          kind: "problem",
          ...(!(stays && isNone) && { action: { label: "Try again", onPress: () => void addAll(refused.map(({ draft }) => draft)) } }),
        });
        return !isNone;
      }
    },
    [boardId, client, create, move, pending, tiles],
  );
}

/** What a text is called: its first line. */
const titleOf = (text: string): string => shortened(/\S[^\r\n]*/.exec(text)?.[0].trim() ?? text, LONGEST_TITLE);

/** The position of a column's first tile, whatever is shown of it. */
const topOf = (tiles: readonly BoardTile[], zoneId: string | null): number =>
  tiles.reduce((least, tile) => (tile.zoneId === zoneId ? Math.min(least, tile.sortOrder) : least), 0);

function placeholderOf(draft: Draft, sortOrder: number): BoardTile {
  const now = new Date().toISOString();
  const title = draft.kind === "link" ? draft.url : draft.kind === "text" ? titleOf(draft.text) : draft.file.name;
  return {
    id: `new-${draft.once}`,
    zoneId: draft.zoneId,
    type: draft.kind === "link" ? "WEBSITE" : draft.kind === "text" ? "TEXT" : "DOCUMENT",
    title,
    status: "processing",
    sourceUrl: draft.kind === "link" ? draft.url : null,
    error: null,
    sortOrder,
    createdAt: now,
    updatedAt: now,
  };
}
