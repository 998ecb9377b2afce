import type { ChatTile, TileBeginning } from "#domain/answers/search.ts";
import type { BoardReader } from "../access.ts";
import type { StoreDeps } from "../deps.ts";
import { yieldToOthers } from "../work-queue.ts";

/** Tiles listed at once. */
const STEP_TILES = 500;
/** Tiles read at once: few at first, and more while their texts are short, so that no statement reads many megabytes. */
const FIRST_TILES = 4;
const MAX_TILES = 100;
const MAX_GROWTH = 4;
const STEP_BYTES = 1_000_000;

/** A tile that feeds chat. */
export type ConnectedId = Omit<ChatTile, "zone"> & { readonly zone: Omit<NonNullable<ChatTile["zone"]>, "isConnected"> | null };

/** Lists the tiles that feed chat, in order of creation, in steps. `listed` counts those of disconnected zones too. */
export async function* listConnectedTiles(
  { store }: StoreDeps,
  { target }: BoardReader,
): AsyncGenerator<{ readonly tiles: readonly ConnectedId[]; readonly listed: number }> {
  for (let after = 0; ;) {
    const step = await store.search.chatTiles(target.businessId, target.id, after, STEP_TILES);
    yield { tiles: step.filter(({ zone }) => zone?.isConnected !== false), listed: step.length };
    if (step.length < STEP_TILES) return;
    after = step.at(-1)?.sequence ?? after;
    await yieldToOthers();
  }
}

/** Yields the connected ones of the tiles, in order, with at most the first `maxCharacters` of each text. */
export async function* readConnectedTexts(
  { store }: StoreDeps,
  { target }: BoardReader,
  ids: readonly string[],
  maxCharacters: number,
): AsyncGenerator<TileBeginning> {
  let count = FIRST_TILES;
  for (let at = 0; at < ids.length;) {
    const wanted = ids.slice(at, at + count);
    at += count;
    const found = await store.search.tileBeginnings(target.businessId, target.id, wanted, maxCharacters);
    yield* found;
    const bytes = found.reduce((sum, tile) => sum + tile.bytes, 1);
    count = Math.max(1, Math.min(MAX_TILES, MAX_GROWTH * count, Math.floor((count * STEP_BYTES) / bytes)));
    await yieldToOthers();
  }
}
