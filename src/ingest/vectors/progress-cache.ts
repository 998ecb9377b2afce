import { LRUCache } from "lru-cache";
import type { UnembeddedTile } from "#domain/answers/vectors.ts";
import { type Progress, noProgress } from "./passages.ts";

/** Keeps the progress of long tiles between their turns, in memory: after a restart they begin anew. */
export type ProgressCache = {
  /** Removes and returns the progress of the tile. Returns null for a long tile that has to wait, since too many are under way. */
  take(tile: UnembeddedTile): Progress | null;
  /** Keeps the progress until the tile's next turn. */
  set(tile: UnembeddedTile, progress: Progress): void;
};

/** Passages that surely fit in one turn. */
const MAX_SHORT_PASSAGES = 100;
/** Short tiles kept beside the long ones. They come back only when their turn failed. */
const MAX_SHORT_TILES = 200;
/** A tile that had no turn for this long was changed or deleted. */
const TTL_MS = 3_600_000;

const keyOf = ({ businessId, tileId }: UnembeddedTile): string => `${businessId} ${tileId}`;
/** A tile that is indexed anew gets other documents. */
const versionOf = ({ chunks }: UnembeddedTile): string => `${chunks[0]?.document} ${chunks.length}`;

/** A cache for this many long tiles. A tile of a million characters takes about a megabyte. */
export function createProgressCache(maxLongTiles: number): ProgressCache {
  const cache = new LRUCache<string, { readonly version: string; readonly progress: Progress }>({
    max: maxLongTiles + MAX_SHORT_TILES,
    ttl: TTL_MS,
  });
  return {
    take(tile) {
      const found = cache.peek(keyOf(tile));
      cache.delete(keyOf(tile));
      if (found?.version === versionOf(tile)) return found.progress;
      cache.purgeStale();
      return cache.size < maxLongTiles || tile.chunks.length <= MAX_SHORT_PASSAGES ? noProgress() : null;
    },
    set: (tile, progress) => void cache.set(keyOf(tile), { version: versionOf(tile), progress }),
  };
}
