import { messageOf } from "#domain/core/error.ts";
import type { Clock } from "#domain/core/system.ts";
import type { Embedder, PassageSignatures, UnembeddedTile, VectorStore } from "#domain/answers/vectors.ts";
import type { Log } from "../jobs/log.ts";
import { embedPassages } from "./passages.ts";
import { createShelf } from "./shelf.ts";

export type StageDeps = {
  readonly vectors: Pick<VectorStore, "useModel" | "unembedded" | "embed">;
  /** Null: vectors are off, which the store is told. */
  readonly embedder: Embedder | null;
  /** Calls back when there may be something to embed; returns the way to stop. */
  readonly onChange: (wake: () => void) => () => void;
  /** Whether the server was busy since this was last asked. */
  readonly isBusy: () => boolean;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits?: Partial<StageLimits>;
};

/** How much is done in a turn, and the waits in milliseconds. */
export type StageLimits = {
  readonly tiles: number;
  readonly characters: number;
  /** The most sentences of one turn, of one tile or of several. */
  readonly sentences: number;
  /** How long tiles may come in before the next look, and how often it is looked without any word of them. */
  readonly debounceMs: number;
  readonly pollMs: number;
  /** The longest that a piece of work waits for a busy server. */
  readonly patienceMs: number;
};

export type Stage = {
  /** Ends at once; what was begun and not stored is begun anew after the next start. */
  stop(): Promise<void>;
  /** Answers once no tile waits, or the stage is stopped. */
  idle(): Promise<void>;
};

const DEFAULTS: StageLimits = { tiles: 16, characters: 400_000, sentences: 2_000, debounceMs: 300, pollMs: 2_000, patienceMs: 2_000 };
const MAX_PAUSE_MS = 60_000;
/** How long the server is watched, and how much work comes between two such looks, in milliseconds. */
const POLL_INTERVAL_MS = 40;
const WORK_MS = 400;
/** Long tiles that are under way at the same time. */
const LONG_TILES = 32;
/** Sentences after which what is finished is stored: a block of signatures is written whole each time. */
const STORE_AFTER = 256;
/** A tile that failed so often, while other texts can be embedded, is left to be found by its words. */
const MAX_FAILURES = 3;
const MAX_CACHED = 1_000;
const PROBE = "The harbour opens at six.";

/** Gives indexed tiles their vectors, at lower priority than everything else. Errors are logged and tried again, never thrown. */
export function startEmbedding(deps: StageDeps): Stage {
  const limits = { ...DEFAULTS, ...deps.limits };
  const stopping = new AbortController();
  const { signal } = stopping;
  const waiters = new Set<() => void>();
  const shelf = createShelf(LONG_TILES);
  const failures = new Map<string, number>();
  let wakeUp: () => void = () => {};
  /** Whether somebody told of work since the last look. */
  let isTold = false;
  let lastLook = -Infinity;
  /** What was stored last, since it must not come again. */
  let stored: ReadonlySet<string> = new Set();

  const release = (asked: readonly (() => void)[]): void => {
    for (const resolve of asked) {
      waiters.delete(resolve);
      resolve();
    }
  };
  const wake = (): void => {
    isTold = true;
    wakeUp();
  };
  /** Ends after so many milliseconds, when the stage is stopped, or where that is wanted when it is woken. */
  const pause = (ms: number, mayWake = false): Promise<void> => {
    if (signal.aborted) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    const end = (): void => resolve();
    if (mayWake) wakeUp = end;
    signal.addEventListener("abort", end, { once: true });
    return promise.finally(() => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      wakeUp = () => {};
    });
  };

  const waitForQuiet = async (): Promise<void> => {
    const since = performance.now();
    if (since - lastLook < WORK_MS) return;
    do {
      deps.isBusy();
      await pause(POLL_INTERVAL_MS);
      if (!deps.isBusy()) break;
    } while (!signal.aborted && performance.now() - since < limits.patienceMs);
    lastLook = performance.now();
  };

  type Done = { readonly tile: UnembeddedTile; readonly signatures: readonly PassageSignatures[] };
  const nameOf = ({ businessId, tileId, chunks }: UnembeddedTile): string => `${businessId} ${tileId} ${chunks[0]?.document}`;

  /** A tile's next passages, up to so many sentences: its signatures once it is done, and how many sentences it took. */
  const embedTile = async (embedder: Embedder, tile: UnembeddedTile, most: number): Promise<{ done: Done | null; count: number }> => {
    const progress = shelf.take(tile, performance.now());
    let count = 0;
    if (progress === null) return { done: null, count };
    try {
      while (progress.next < tile.chunks.length && count < most) {
        await waitForQuiet();
        count += await embedPassages(tile, progress, embedder, signal);
      }
    } catch (error) {
      signal.throwIfAborted();
      if (!(await isUnfit(embedder, tile, error))) {
        shelf.put(tile, progress, performance.now());
        throw error;
      }
      return { done: { tile, signatures: [] }, count };
    }
    failures.delete(nameOf(tile));
    if (progress.next >= tile.chunks.length) return { done: { tile, signatures: progress.signatures }, count };
    shelf.put(tile, progress, performance.now());
    return { done: null, count };
  };

  /** Whether it is the tile that fails the embedder, and not the embedder that fails. */
  const isUnfit = async (embedder: Embedder, tile: UnembeddedTile, error: unknown): Promise<boolean> => {
    const count = (failures.get(nameOf(tile)) ?? 0) + 1;
    if (failures.size >= MAX_CACHED) failures.clear();
    failures.set(nameOf(tile), count);
    if (count < MAX_FAILURES) return false;
    await embedder.embed([PROBE], { isUrgent: false, signal });
    failures.delete(nameOf(tile));
    deps.log.error({ err: error, tile: tile.tileId }, "A tile can't be given vectors; it is found by its words alone.");
    return true;
  };

  const storeAll = async (done: readonly Done[]): Promise<void> => {
    const again = done.find(({ tile }) => stored.has(nameOf(tile)));
    if (again !== undefined) {
      stored = new Set();
      throw new Error("A tile waits for vectors again after they were stored.");
    }
    if (done.length === 0) return;
    await deps.vectors.embed(done);
    stored = new Set(done.map(({ tile }) => nameOf(tile)));
  };

  /** One turn; false when no tile waited. */
  const takeTurn = async (embedder: Embedder): Promise<boolean> => {
    // Who asks while the store is being read may mean a tile that it does not show yet.
    const asked = [...waiters];
    const tiles = await deps.vectors.unembedded(limits.tiles, limits.characters);
    if (tiles.length === 0) {
      release(asked);
      return false;
    }
    let done: Done[] = [];
    let left = limits.sentences;
    let sinceStored = 0;
    try {
      // The shortest first, so that a long one does not take the turn of all.
      for (const tile of tiles.toSorted((a, b) => a.text.length - b.text.length)) {
        if (left <= 0) break;
        const step = await embedTile(embedder, tile, left);
        left -= step.count;
        sinceStored += step.count;
        if (step.done !== null) done.push(step.done);
        if (sinceStored < STORE_AFTER) continue;
        await storeAll(done);
        [done, sinceStored] = [[], 0];
      }
    } finally {
      // Also where a later tile failed, since this work was done; a stop leaves no time for it.
      if (!signal.aborted) await storeAll(done);
    }
    return true;
  };

  const run = async (embedder: Embedder | null): Promise<void> => {
    let isOpen = false;
    for (let faults = 0; !signal.aborted;) {
      try {
        if (!isOpen) await deps.vectors.useModel(embedder?.model ?? null);
        isOpen = true;
        if (embedder === null) return release([...waiters]);
        isTold = false;
        while (!signal.aborted && (await takeTurn(embedder))) faults = 0;
        if (!isTold) await pause(limits.pollMs, true);
        if (isTold) await pause(limits.debounceMs);
      } catch (error) {
        if (signal.aborted) return;
        deps.log.error({ err: error, faults: ++faults }, `Sentence vectors failed, and are tried again later: ${messageOf(error)}`);
        await pause(Math.min(MAX_PAUSE_MS, limits.pollMs * 2 ** (faults - 1)));
      }
    }
  };

  const unsubscribe = deps.onChange(wake);
  const running = run(deps.embedder);
  return {
    async stop() {
      stopping.abort(new Error("The service is stopping."));
      unsubscribe();
      release([...waiters]);
      await running;
    },
    idle() {
      if (signal.aborted) return Promise.resolve();
      const { promise, resolve } = Promise.withResolvers<void>();
      waiters.add(resolve);
      wake();
      return promise;
    },
  };
}
