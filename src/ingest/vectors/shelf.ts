import type { UnembeddedTile } from "#domain/answers/vectors.ts";
import { LruCache } from "#domain/core/lru-cache.ts";
import { type Progress, noProgress } from "./passages.ts";

/** Keeps how far long tiles are between their turns, in memory: after a restart they begin anew. */
export type Shelf = {
  /** What was done of the tile as it is now; null where it is long and has to wait, since too many long ones are under way. */
  take(tile: UnembeddedTile, now: number): Progress | null;
  /** Puts it back until the tile's next turn. */
  put(tile: UnembeddedTile, progress: Progress, now: number): void;
};

/** Passages that surely fit in one turn. */
const SHORT = 100;
/** Short tiles kept beside the long ones, which come back only where their turn failed. */
const SHORT_TILES = 200;
/** A tile that had no turn for this long, in milliseconds, was changed or deleted. */
const FORGOTTEN_MS = 3_600_000;

const nameOf = ({ businessId, tileId }: UnembeddedTile): string => `${businessId} ${tileId}`;
/** A tile that is indexed anew gets other documents. */
const stateOf = ({ chunks }: UnembeddedTile): string => `${chunks[0]?.document} ${chunks.length}`;

/** A shelf for so many tiles. One of a million characters takes about a megabyte on it. */
export function createShelf(places: number): Shelf {
  const kept = new LruCache<string, { readonly state: string; readonly progress: Progress; readonly at: number }>(places + SHORT_TILES);
  return {
    take(tile, now) {
      const found = kept.peek(nameOf(tile));
      kept.delete(nameOf(tile));
      if (found?.state === stateOf(tile)) return found.progress;
      for (const [name, { at }] of kept.entries()) if (Math.abs(now - at) > FORGOTTEN_MS) kept.delete(name);
      return kept.size < places || tile.chunks.length <= SHORT ? noProgress() : null;
    },
    put: (tile, progress, now) => void kept.set(nameOf(tile), { state: stateOf(tile), progress, at: now }),
  };
}
