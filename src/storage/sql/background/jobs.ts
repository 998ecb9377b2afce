import { type ClaimedJob, type Ingested, MAX_CRASHES, type Queue, type WorkListener } from "#domain/content/job.ts";
import type { Tile, TileError } from "#domain/content/tile.ts";
import { eventOfFinish, previousTextOf, workerCrashed } from "../../shared/changes.ts";
import type { TileAdapter } from "../tiles/tile-adapter.ts";
import { writeTile } from "../tiles/tile-rows.ts";
import type { Driver } from "../driver.ts";
import { recordTileEvent } from "../events.ts";
import { addListener, type Notifier } from "../notifier.ts";
import type { Unit } from "../unit.ts";
import { failTile, LeaseLostError, type LockedTile, lockTile } from "./tile-jobs.ts";

type Crash = { readonly isSuspect: boolean };

/** What the engines do in ways of their own: SQLite keeps jobs as rows of a table, PostgreSQL in pg-boss. */
export type QueueAdapter = Pick<Queue, "claim" | "renew" | "recover" | "nextDue"> & {
  /** A condition on the tile `t`: its job is `@jobId`, held under `@lease` where rows of the job are at hand. */
  readonly isHeld: string;
  /** Ends a held job; throws `LeaseLostError` where it is not held any more. So do the others. */
  end(job: ClaimedJob): Unit<void>;
  /** Makes a held job due at `runAt`, for its next attempt. */
  postpone(job: ClaimedJob, runAt: number, now: number): Unit<void>;
  /** Makes a held job due at once, the attempt uncounted; a crash of the process is counted against it. */
  handBack(job: ClaimedJob, now: number, crash?: Crash): Unit<void>;
};

/** The queue of links and files to be ingested: what happens to a tile when its job ends. */
export class SqlQueue implements Queue {
  readonly #driver: Driver;
  readonly #tiles: TileAdapter;
  readonly #adapter: QueueAdapter;
  readonly #notifier: Notifier;

  constructor(driver: Driver, tiles: TileAdapter, adapter: QueueAdapter, notifier: Notifier) {
    this.#driver = driver;
    this.#tiles = tiles;
    this.#adapter = adapter;
    this.#notifier = notifier;
  }

  claim(...args: Parameters<Queue["claim"]>): ReturnType<Queue["claim"]> {
    return this.#adapter.claim(...args);
  }

  renew(...args: Parameters<Queue["renew"]>): ReturnType<Queue["renew"]> {
    return this.#adapter.renew(...args);
  }

  recover(now: number): Promise<number> {
    return this.#adapter.recover(now);
  }

  nextDue(): Promise<number | null> {
    return this.#adapter.nextDue();
  }

  onWork(listener: WorkListener): () => void {
    return addListener(this.#notifier.workers, listener);
  }

  async complete(job: ClaimedJob, result: Ingested, now: number): Promise<boolean> {
    const isDone = await this.#asHolder(job, () => this.#complete(job, result, now));
    if (isDone) this.#notifier.notifySenders();
    return isDone;
  }

  *#complete(job: ClaimedJob, result: Ingested, now: number): Unit<void> {
    const { dialect } = this.#driver;
    const { tile, readyEventSent, wasReady, hasChunks } = yield* this.#lockHeld(job);
    const { type, text, metadata, warnings, segments = [] } = result;
    const title = tile.titleOverridden ? tile.title : (result.title ?? tile.title);
    const next: Tile = {
      ...tile,
      type,
      title,
      metadata,
      warnings,
      segments,
      status: "ready",
      error: null,
      textOverridden: false,
      extractedText: text,
      rawContent: tile.sourceUrl ?? tile.file?.name ?? tile.rawContent,
      previousText: previousTextOf({ wasReady, text: tile.extractedText }, text, now) ?? tile.previousText,
    };
    const columns = { [dialect.tile.announced]: true, ...this.#tiles.closedJob };
    yield* writeTile({ dialect }, tile, next, now, { columns, hasChunks });
    yield* this.#adapter.end(job);
    const event = eventOfFinish({ readyEventSent, title: tile.title, text: tile.extractedText }, { text, title });
    if (event !== null) yield* recordTileEvent(dialect, event, next, now);
  }

  retryLater(job: ClaimedJob, error: TileError, runAt: number, now: number): Promise<boolean> {
    return this.#asHolder(job, () => this.#retryLater(job, error, runAt, now));
  }

  *#retryLater(job: ClaimedJob, error: TileError, runAt: number, now: number): Unit<void> {
    const { dialect } = this.#driver;
    const { tile } = yield* this.#lockHeld(job);
    yield* writeTile({ dialect }, tile, { ...tile, error }, now);
    yield* this.#adapter.postpone(job, runAt, now);
  }

  async fail(job: ClaimedJob, error: TileError, now: number): Promise<boolean> {
    const isDone = await this.#asHolder(job, () => this.#fail(job, error, now));
    if (isDone) this.#notifier.notifySenders();
    return isDone;
  }

  *#fail(job: ClaimedJob, error: TileError, now: number): Unit<void> {
    const tile = yield* this.#lockHeld(job);
    yield* failTile(this.#driver.dialect, tile, error, this.#tiles.closedJob, now);
    yield* this.#adapter.end(job);
  }

  async release(jobs: readonly ClaimedJob[], now: number): Promise<void> {
    await Promise.all(jobs.map((job) => this.#asHolder(job, () => this.#adapter.handBack(job, now))));
    this.#notifier.notifyWorkers("jobs");
  }

  async recordCrash(jobs: readonly ClaimedJob[], now: number, isTraced: boolean): Promise<ReadonlySet<string>> {
    const failed = new Set<string>();
    // At the same time, since the process that calls this is about to end.
    await Promise.all(
      jobs.map(async (job) => {
        const isLast = job.crashes + 1 >= MAX_CRASHES;
        const isDone = await this.#asHolder(job, () =>
          isLast ? this.#fail(job, workerCrashed(job.attempt), now) : this.#adapter.handBack(job, now, { isSuspect: !isTraced }),
        );
        if (isDone && isLast) failed.add(job.id);
      }),
    );
    if (failed.size > 0) this.#notifier.notifySenders();
    this.#notifier.notifyWorkers("jobs");
    return failed;
  }

  *#lockHeld(job: ClaimedJob): Unit<LockedTile> {
    const tile = yield* lockTile(this.#driver.dialect, this.#adapter.isHeld, job);
    if (tile === null) throw new LeaseLostError();
    return tile;
  }

  /** Runs a unit of work that only the holder of a job may do; false where it did not hold the job any more. */
  async #asHolder(job: ClaimedJob, unit: () => Unit<void>): Promise<boolean> {
    try {
      await this.#driver.writeTogether(job.boardId, unit);
      return true;
    } catch (error) {
      if (error instanceof LeaseLostError) return false;
      throw error;
    }
  }
}
