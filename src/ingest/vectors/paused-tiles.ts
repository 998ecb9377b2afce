import { LRUCache } from "lru-cache";
import type { UnembeddedTile } from "#domain/answers/vectors.ts";
import { type EmbeddingProgress, createProgress } from "./embed-passages.ts";

/** Keeps the progress of tiles that are embedded in several turns. It is kept in memory; after a restart these tiles start again. */
export type PausedTiles = {
  /** Removes and returns a tile's progress, or creates it. Returns null for a long tile if too many long ones are in progress. */
  resume(tile: UnembeddedTile): EmbeddingProgress | null;
  /** Keeps a tile's progress until its next turn. */
  pause(tile: UnembeddedTile, progress: EmbeddingProgress): void;
};

/** Tiles of at most this many passages are embedded in one turn. */
const MAX_SHORT_PASSAGES = 100;
/** Short tiles are kept only after a failed turn, in addition to the long ones. */
const MAX_SHORT_TILES = 200;
/** A tile without a turn for this long was changed or deleted. */
const TTL_MS = 3_600_000;

const toKey = ({ businessId, tileId }: UnembeddedTile): string => `${businessId} ${tileId}`;
/** Returns a version that changes when the tile is indexed again, because its passages then get new document numbers. */
const getVersion = ({ chunks }: UnembeddedTile): string => `${chunks[0]?.document} ${chunks.length}`;

/** Keeps at most `maxLongTiles` long tiles; a tile of a million characters takes about 1 MB. */
export function createPausedTiles(maxLongTiles: number): PausedTiles {
  const cache = new LRUCache<string, { readonly version: string; readonly progress: EmbeddingProgress }>({
    max: maxLongTiles + MAX_SHORT_TILES,
    ttl: TTL_MS,
  });
  return {
    resume(tile) {
      const found = cache.peek(toKey(tile));
      cache.delete(toKey(tile));
      if (found?.version === getVersion(tile)) return found.progress;
      cache.purgeStale();
      return cache.size < maxLongTiles || tile.chunks.length <= MAX_SHORT_PASSAGES ? createProgress() : null;
    },
    pause: (tile, progress) => void cache.set(toKey(tile), { version: getVersion(tile), progress }),
  };
}
