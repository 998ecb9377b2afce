import { LRUCache } from "lru-cache";
import type { Embedder, PassageSignatures, UnembeddedTile } from "#domain/answers/vectors.ts";
import { waitAtMost } from "#runtime/wait.ts";
import type { Log } from "../jobs/log.ts";
import { embedPassages } from "./passages.ts";
import { createProgressCache } from "./progress-cache.ts";

export type TileEmbedderDeps = {
  /** Whether the server was busy since the last call. */
  readonly isBusy: () => boolean;
  readonly log: Log;
  /** The longest that a piece of work waits for a busy server, in milliseconds. */
  readonly patienceMs: number;
};

/** A tile all of whose passages are embedded. */
export type EmbeddedTile = { readonly tile: UnembeddedTile; readonly signatures: readonly PassageSignatures[] };

/** What a turn did: the tile once it is complete, and the number of sentences that were embedded. */
export type EmbedStep = { readonly done: EmbeddedTile | null; readonly count: number };

/** How long the load is measured, and how much work comes between two measurements, in milliseconds. */
const LOAD_SAMPLE_MS = 40;
const MAX_UNMEASURED_MS = 400;
/** Long tiles that are under way at the same time. */
const MAX_LONG_TILES = 32;
/** A tile that failed this often, while other texts can be embedded, gets no vectors and is found by its words alone. */
const MAX_FAILURES = 3;
const MAX_FAILURE_COUNTS = 1_000;
const PROBE = "The harbour opens at six.";

/** One name for each version of a tile: a tile that is indexed anew gets other documents. */
export const versionKeyOf = ({ businessId, tileId, chunks }: UnembeddedTile): string => `${businessId} ${tileId} ${chunks[0]?.document}`;

/** Embeds tiles in pieces, and pauses while the server is busy. */
export class TileEmbedder {
  readonly #deps: TileEmbedderDeps;
  readonly #progress = createProgressCache(MAX_LONG_TILES);
  readonly #failures = new LRUCache<string, number>({ max: MAX_FAILURE_COUNTS });
  #measuredAt = -Infinity;

  constructor(deps: TileEmbedderDeps) {
    this.#deps = deps;
  }

  /** Embeds the next passages of a tile, about `maxSentences` of them. Throws what the embedder throws, and the signal's reason. */
  async embed(embedder: Embedder, tile: UnembeddedTile, maxSentences: number, signal: AbortSignal): Promise<EmbedStep> {
    const progress = this.#progress.take(tile);
    let count = 0;
    if (progress === null) return { done: null, count };
    try {
      while (progress.next < tile.chunks.length && count < maxSentences) {
        await this.#waitForQuiet(signal);
        count += await embedPassages(tile, progress, embedder, signal);
      }
    } catch (error) {
      signal.throwIfAborted();
      if (await this.#isCausedByTile(embedder, tile, error, signal)) return { done: { tile, signatures: [] }, count };
      this.#progress.set(tile, progress);
      throw error;
    }
    this.#failures.delete(versionKeyOf(tile));
    if (progress.next >= tile.chunks.length) return { done: { tile, signatures: progress.signatures }, count };
    this.#progress.set(tile, progress);
    return { done: null, count };
  }

  async #waitForQuiet(signal: AbortSignal): Promise<void> {
    const { isBusy, patienceMs } = this.#deps;
    const since = performance.now();
    if (since - this.#measuredAt < MAX_UNMEASURED_MS) return;
    do {
      // Resets the measurement; otherwise the last piece of work itself would count as load.
      isBusy();
      await waitAtMost(LOAD_SAMPLE_MS, undefined, signal);
      if (!isBusy()) break;
    } while (!signal.aborted && performance.now() - since < patienceMs);
    this.#measuredAt = performance.now();
  }

  /** Whether the tile makes the embedder fail, rather than the embedder failing for any text. */
  async #isCausedByTile(embedder: Embedder, tile: UnembeddedTile, error: unknown, signal: AbortSignal): Promise<boolean> {
    const key = versionKeyOf(tile);
    const count = (this.#failures.get(key) ?? 0) + 1;
    this.#failures.set(key, count);
    if (count < MAX_FAILURES) return false;
    await embedder.embed([PROBE], { isUrgent: false, signal });
    this.#failures.delete(key);
    this.#deps.log.error({ err: error, tile: tile.tileId }, "A tile can't be given vectors; it is found by its words alone.");
    return true;
  }
}
