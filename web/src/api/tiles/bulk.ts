import type { BulkAction, BulkResult } from "@tessera-board/sdk";
import { formatTags, type TagChange } from "../../ui/tags/tags.ts";
import { canRetryNow } from "../../text/status-label.ts";
import { tessera } from "../client/client.ts";

/** Maximum number of tiles in one bulk request. */
const MAX_TILES = 10_000;

export type TileMove = { readonly tileId: string; readonly zoneId: string | null; readonly sortOrder?: number };

/** Tags to add to tiles, or to remove from them. */
export type TaggedTiles = TagChange & { readonly tileIds: readonly string[] };

/** How many tiles matched and changed, and how many have too many tags for the action. */
type BulkCounts = Pick<BulkResult, "matched" | "changed"> & { readonly overLimit: number };

/** Applies an action to tiles in as few requests as possible. */
async function changeTiles(boardId: string, tileIds: readonly string[], action: BulkAction): Promise<BulkCounts> {
  let matched = 0;
  let changed = 0;
  let overLimit = 0;
  for (let at = 0; at < tileIds.length; at += MAX_TILES) {
    const result = await tessera.tiles.bulk(boardId, { filter: { tileIds: tileIds.slice(at, at + MAX_TILES) }, action });
    matched += result.matched;
    changed += result.changed;
    overLimit += result.overLimit?.length ?? 0;
  }
  return { matched, changed, overLimit };
}

export const deleteTiles = (boardId: string, tileIds: readonly string[]) => changeTiles(boardId, tileIds, { delete: true });

/** Adds tags to tiles or removes them. Throws an error for the user if some have too many tags already. */
export async function tagTiles(boardId: string, { kind, tags, tileIds }: TaggedTiles): Promise<void> {
  const { overLimit } = await changeTiles(boardId, tileIds, kind === "add" ? { addTags: tags } : { removeTags: tags });
  if (overLimit === 0) return;
  const notAdded = tags.length === 1 ? `The tag ${formatTags(tags)} was not added` : `The tags ${formatTags(tags)} were not added`;
  throw new Error(
    tileIds.length === 1
      ? `${notAdded}: a tile has at most 50 tags. Remove one first.`
      : `${notAdded} to ${overLimit} of ${tileIds.length} tiles: a tile has at most 50 tags.`,
  );
}

/** Restores deleted tiles. Throws an error for the user if some stay deleted. */
export async function restoreTiles(boardId: string, tileIds: readonly string[]): Promise<void> {
  const { matched, changed } = await changeTiles(boardId, tileIds, { restore: true });
  if (changed < matched)
    throw new Error(
      matched === 1
        ? "The tile could not be restored, because its zone is deleted. Restore the zone first."
        : `${matched - changed} of ${matched} tiles could not be restored, because their zone is deleted. Restore the zone first.`,
    );
}

/** Ingests links and uploads again. Throws an error for the user if none of the tiles can be. */
export async function retryTiles(boardId: string, tileIds: readonly string[]): Promise<void> {
  const { changed } = await changeTiles(boardId, tileIds, { retry: true });
  if (changed === 0)
    throw new Error(
      tileIds.length === 1
        ? "This tile cannot be refreshed: it is still processing, it is a note, or its text was edited. To replace an edited text, open the tile."
        : "None of these tiles can be refreshed: they are still processing, are notes, or their text was edited.",
    );
}

/** How many tiles were restarted, and how many were left out because the server refuses to fetch their addresses. */
export type RetryOutcome = { readonly retried: number; readonly refused: number };

/** Ingests the failed tiles of a board again, except those whose addresses stay refused. */
export async function retryFailed(boardId: string): Promise<RetryOutcome> {
  const tileIds: string[] = [];
  let refused = 0;
  for await (const { id, error } of tessera.tiles.iterate(boardId, { status: "failed", text: false, limit: 500 }))
    if (canRetryNow(error)) tileIds.push(id);
    else refused += 1;
  if (refused === 0) return { retried: await tessera.tiles.retryFailed(boardId), refused };
  const { changed } = await changeTiles(boardId, tileIds, { retry: true });
  return { retried: changed, refused };
}

/** Moves tiles, with one request per target zone. */
export async function moveTiles(boardId: string, moves: readonly TileMove[]): Promise<void> {
  const groups = new Map<string, TileMove[]>();
  for (const move of moves) {
    const name = `${move.zoneId} ${move.sortOrder === undefined}`;
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [move]);
    else group.push(move);
  }
  for (const group of groups.values())
    for (let at = 0; at < group.length; at += MAX_TILES) await moveToZone(boardId, group.slice(at, at + MAX_TILES));
}

/** Moves tiles to one zone. Either all moves have a position or none has. */
async function moveToZone(boardId: string, moves: readonly TileMove[]): Promise<void> {
  const sortOrders = moves.flatMap(({ sortOrder }) => sortOrder ?? []);
  await changeTiles(
    boardId,
    moves.map(({ tileId }) => tileId),
    { moveTo: moves[0]?.zoneId ?? null, ...(sortOrders.length > 0 && { sortOrders }) },
  );
}
