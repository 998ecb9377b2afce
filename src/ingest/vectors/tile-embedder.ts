import { LRUCache } from "lru-cache";
import type { Embedder, PassageEmbeddings, UnembeddedTile } from "#domain/answers/vectors.ts";
import type { Log } from "#domain/core/log.ts";
import { embedPassages, type EmbeddingProgress } from "./embed-passages.ts";
import { createPausedTiles } from "./paused-tiles.ts";

export type TileEmbedderDeps = {
  readonly embedder: Embedder;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Waits while the server is busy. Called before each call of the embedder. */
  readonly waitUntilIdle: () => Promise<void>;
};

export type EmbeddedTile = { readonly tile: UnembeddedTile; readonly embeddings: readonly PassageEmbeddings[] };

/** Long tiles in progress at the same time. */
const MAX_LONG_TILES = 32;
/** After this many failures a tile is stored without vectors, if the embedder can embed another text. */
const MAX_FAILURES = 3;
/** Tiles whose failures are counted, which bounds memory. */
const MAX_FAILED_TILES = 1_000;
/** A text that every embedder supports, to test whether the embedder works. */
const PROBE_TEXT = "The harbour opens at six.";

/** Returns a key for the tile in its indexed version. */
export const getIndexedVersionKey = ({ businessId, tileId, chunks }: UnembeddedTile): string =>
  `${businessId} ${tileId} ${chunks[0]?.document}`;

/** Embeds tiles in turns. The number of sentences in a turn is limited, so that a long tile does not delay others. */
export class TileEmbedder {
  readonly #deps: TileEmbedderDeps;
  readonly #pausedTiles = createPausedTiles(MAX_LONG_TILES);
  readonly #failures = new LRUCache<string, number>({ max: MAX_FAILED_TILES });

  constructor(deps: TileEmbedderDeps) {
    this.#deps = deps;
  }

  /**
   * Embeds a tile's next passages, until `maxSentences` are reached. Returns the number of sentences, and the tile if it is complete.
   * Throws the embedder's errors.
   */
  async embedNext(tile: UnembeddedTile, maxSentences: number): Promise<{ readonly embedded: EmbeddedTile | null; readonly count: number }> {
    const progress = this.#pausedTiles.resume(tile);
    if (progress === null) return { embedded: null, count: 0 };
    let count = 0;
    try {
      while (progress.next < tile.chunks.length && count < maxSentences) {
        await this.#deps.waitUntilIdle();
        count += await embedPassages(tile, progress, this.#deps.embedder, this.#deps.signal);
      }
    } catch (error) {
      await this.#handleFailure(tile, progress, error);
      return { embedded: { tile, embeddings: [] }, count };
    }
    this.#failures.delete(getIndexedVersionKey(tile));
    if (progress.next >= tile.chunks.length) return { embedded: { tile, embeddings: progress.embeddings }, count };
    this.#pausedTiles.pause(tile, progress);
    return { embedded: null, count };
  }

  /** Returns if the tile is to be stored without vectors, because it can't be embedded. Otherwise keeps its progress and throws the error. */
  async #handleFailure(tile: UnembeddedTile, progress: EmbeddingProgress, error: unknown): Promise<void> {
    this.#deps.signal.throwIfAborted();
    if (await this.#isUnembeddable(tile, error)) return;
    this.#pausedTiles.pause(tile, progress);
    throw error;
  }

  /** Whether the tile's text, and not the embedder, is the cause of its failures. */
  async #isUnembeddable(tile: UnembeddedTile, error: unknown): Promise<boolean> {
    const { embedder, log, signal } = this.#deps;
    const key = getIndexedVersionKey(tile);
    const count = (this.#failures.get(key) ?? 0) + 1;
    this.#failures.set(key, count);
    if (count < MAX_FAILURES) return false;
    await embedder.embed([PROBE_TEXT], { isUrgent: false, signal });
    this.#failures.delete(key);
    log.error({ err: error, tile: tile.tileId }, "A tile can't be embedded; search finds it by its words only.");
    return true;
  }
}
