import { type ClaimedJob, type Ingested, MAX_CRASHES, type Queue, type WorkListener } from "#domain/content/job.ts";
import type { Tile, TileError } from "#domain/content/tile.ts";
import { getIngestionEvent, getReplacedText, workerCrashed } from "../../shared/ingestion.ts";
import type { TileAdapter } from "../tiles/tile-adapter.ts";
import { writeTile } from "../tiles/tile-rows.ts";
import type { Driver } from "../driver.ts";
import { recordTileEvent } from "./events.ts";
import { addListener, type Notifier } from "../notifier.ts";
import type { Unit } from "../unit.ts";
import type { WaitingJobs } from "./statistics.ts";
import { failTile, LeaseLostError, type LockedTile, lockTile } from "./tile-jobs.ts";

type Crash = { readonly isSuspect: boolean };

/** The methods of the queue that are not shared by the engines. */
type ClaimMethods = "claim" | "renew" | "recover" | "nextDue";

/** The parts that differ between engines: SQLite stores jobs in a table, PostgreSQL in pg-boss. */
export type QueueAdapter = {
  readonly claims: Pick<Queue, ClaimMethods>;
  readonly waiting: WaitingJobs;
  /** A condition on the tile `t`: its job is `@jobId`. With SQLite, also that the job is leased under `@lease`. */
  readonly isHeld: string;
  /** Ends a leased job. Throws `LeaseLostError` when the lease is lost, as do the following methods. */
  end(job: ClaimedJob): Unit<void>;
  /** Schedules the next attempt of a leased job at `runAt`. */
  scheduleRetry(job: ClaimedJob, runAt: number, now: number): Unit<void>;
  /** Returns a leased job to the queue, due at `runAt`, without counting the attempt. A crash of the process is counted against the job. */
  returnToQueue(job: ClaimedJob, runAt: number, now: number, crash?: Crash): Unit<void>;
};

/** The ingestion queue: what happens to a tile when its job ends. */
export class SqlQueue implements Omit<Queue, ClaimMethods> {
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

  onWork(listener: WorkListener): () => void {
    return addListener(this.#notifier.workers, listener);
  }

  async complete(job: ClaimedJob, result: Ingested, now: number): Promise<boolean> {
    const isCompleted = await this.#writeWithLease(job, () => this.#complete(job, result, now));
    if (isCompleted) this.#notifier.notifySenders();
    return isCompleted;
  }

  *#complete(job: ClaimedJob, result: Ingested, now: number): Unit<void> {
    const { dialect } = this.#driver;
    const { tile, readyEventSent, wasReady, hasChunks } = yield* this.#lockTile(job);
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
      previousText: getReplacedText({ wasReady, text: tile.extractedText }, text, now) ?? tile.previousText,
    };
    const columns = { [dialect.tile.announced]: true, ...this.#tiles.noJobColumns };
    yield* writeTile({ dialect }, tile, next, now, { columns, hasChunks });
    yield* this.#adapter.end(job);
    const event = getIngestionEvent({ readyEventSent, title: tile.title, text: tile.extractedText }, { text, title });
    if (event !== null) yield* recordTileEvent(dialect, event, next, now);
  }

  retryLater(job: ClaimedJob, error: TileError, runAt: number, now: number): Promise<boolean> {
    return this.#writeWithLease(job, () => this.#retryLater(job, error, runAt, now));
  }

  *#retryLater(job: ClaimedJob, error: TileError, runAt: number, now: number): Unit<void> {
    const { dialect } = this.#driver;
    const { tile } = yield* this.#lockTile(job);
    yield* writeTile({ dialect }, tile, { ...tile, error }, now);
    yield* this.#adapter.scheduleRetry(job, runAt, now);
  }

  async fail(job: ClaimedJob, error: TileError, now: number): Promise<boolean> {
    const hasFailed = await this.#writeWithLease(job, () => this.#fail(job, error, now));
    if (hasFailed) this.#notifier.notifySenders();
    return hasFailed;
  }

  *#fail(job: ClaimedJob, error: TileError, now: number): Unit<void> {
    const tile = yield* this.#lockTile(job);
    yield* failTile(this.#driver.dialect, tile, error, this.#tiles.noJobColumns, now);
    yield* this.#adapter.end(job);
  }

  async release(jobs: readonly ClaimedJob[], now: number, delayMs = 0): Promise<void> {
    try {
      for (const job of jobs) await this.#writeWithLease(job, () => this.#adapter.returnToQueue(job, now + delayMs, now));
    } finally {
      this.#notifier.notifyWorkers("jobs");
    }
  }

  async recordCrash(jobs: readonly ClaimedJob[], now: number, isTraced: boolean): Promise<ReadonlySet<string>> {
    const failed = new Set<string>();
    // All at the same time, since the process is about to exit.
    await Promise.all(
      jobs.map(async (job) => {
        const isLast = job.crashes + 1 >= MAX_CRASHES;
        const isWritten = await this.#writeWithLease(job, () =>
          isLast ? this.#fail(job, workerCrashed(job.attempt), now) : this.#adapter.returnToQueue(job, now, now, { isSuspect: !isTraced }),
        );
        if (isWritten && isLast) failed.add(job.id);
      }),
    );
    if (failed.size > 0) this.#notifier.notifySenders();
    this.#notifier.notifyWorkers("jobs");
    return failed;
  }

  *#lockTile(job: ClaimedJob): Unit<LockedTile> {
    const tile = yield* lockTile(this.#driver.dialect, this.#adapter.isHeld, job);
    if (tile === null) throw new LeaseLostError();
    return tile;
  }

  /** Runs a unit of work that requires the lease of the job. Returns false when the lease is lost. */
  async #writeWithLease(job: ClaimedJob, unit: () => Unit<void>): Promise<boolean> {
    try {
      await this.#driver.writeTogether(job.boardId, unit);
      return true;
    } catch (error) {
      if (error instanceof LeaseLostError) return false;
      throw error;
    }
  }
}
