import { type ClaimedJob, type Ingested, LEASE_MS, type Queue } from "#domain/content/job.ts";
import type { Tile, TileError } from "#domain/content/tile.ts";
import { getIngestionEvent, getReplacedText, workerLost } from "./ingestion.ts";
import { createJobPicker } from "../../shared/turns/job-picker.ts";
import { dropFile } from "../content/files.ts";
import { recordTileEvent } from "../webhooks/events.ts";
import type { Dialect, Driver } from "../driver.ts";
import { addListener, type Notifier } from "../notifier.ts";
import { Mapping, plainFields } from "../mapping.ts";
import { writeTile } from "../tiles/rows/tile-rows.ts";
import { all, get, run, type Unit } from "../unit.ts";
import { claimJobs, findWork, makeNewJobsDue, returnLost } from "./claim.ts";
import { endJob, LeaseLostError, markDue, returnToQueue, scheduleRetry } from "./job-rows.ts";
import { failTile, lockTile } from "./tile-jobs.ts";

/** Creates the ingestion queue. Times of jobs are those of the clock that all processes share. */
export const createQueue = (driver: Driver, notifier: Notifier): Queue => {
  const outcomes = createOutcomes(driver, notifier);
  return { ...outcomes, ...createClaims(driver, (job, now) => outcomes.fail(job, workerLost(job.maxAttempts), now)) };
};

type ClaimMethods = "claim" | "renew" | "recover" | "makeNewJobsDue" | "nextDue";

/** How jobs get and keep a holder. `failLost` fails the tile of a job that was lost in its last attempt. */
function createClaims(driver: Driver, failLost: (job: ClaimedJob, now: number) => Promise<boolean>): Pick<Queue, ClaimMethods> {
  const { dialect, read, write, toSharedTime } = driver;
  const picker = createJobPicker();
  /** Errors of `failLost`. The next claim throws one of them, since the other jobs of their claim are leased and must be started. */
  const failures: unknown[] = [];
  return {
    async claim(limit, perHost, now, reserved = 0) {
      if (limit + reserved < 1) return [];
      const sharedNow = await toSharedTime(now);
      for (;;) {
        const [failure] = failures.splice(0);
        if (failure !== undefined) throw failure;
        const { isDue, isLost } = await read(() => findWork(sharedNow));
        if (isLost) await write(() => returnLost(dialect, sharedNow));
        else if (!isDue) return [];
        const jobs = await write(() => claimJobs(dialect, picker, { limit, reserved, perHost }, sharedNow));
        const lost = jobs.filter(({ attempt, maxAttempts }) => attempt > maxAttempts);
        failures.push(...(await tryEach(lost, (job) => failLost(job, now))));
        if (lost.length === 0 || jobs.length > lost.length) return jobs.filter((job) => !lost.includes(job));
      }
    },

    async renew(jobs, now) {
      const leaseUntil = (await toSharedTime(now)) + LEASE_MS;
      return jobs.length === 0 ? new Set() : write(() => renew(dialect, jobs, leaseUntil));
    },

    async recover(now) {
      // Other processes keep their leases, and the leases of a lost one expire.
      return driver.isShared ? 0 : write(() => recover(dialect, now));
    },

    async makeNewJobsDue(now) {
      const sharedNow = await toSharedTime(now);
      await write(() => makeNewJobsDue(dialect, sharedNow));
    },

    async nextDue() {
      const row = await read(() =>
        get<{ due: number | null }>(
          `SELECT min(due) AS due FROM (SELECT min(run_at) AS due FROM job WHERE lease IS NULL
           UNION ALL SELECT min(lease_until) + 1 FROM job WHERE lease IS NOT NULL) AS times`,
        ),
      );
      return row?.due ?? null;
    },
  };
}

/** Calls `work` with each job, also after an error. Returns the errors. */
async function tryEach(jobs: readonly ClaimedJob[], work: (job: ClaimedJob) => Promise<unknown>): Promise<unknown[]> {
  const errors: unknown[] = [];
  for (const job of jobs) await work(job).catch((error: unknown) => errors.push(error));
  return errors;
}

function* renew(dialect: Dialect, jobs: readonly ClaimedJob[], leaseUntil: number): Unit<ReadonlySet<string>> {
  const params = {
    businesses: [...new Set(jobs.map(({ businessId }) => businessId))],
    leases: jobs.map(({ lease }) => lease),
  };
  const held = `SELECT j.business_id, j.id FROM job j${dialect.useIndex("job_leased")} WHERE j.lease IS NOT NULL
    AND ${dialect.isAnyOf("j.business_id", "businesses")} AND ${dialect.isAnyOf("j.lease", "leases")}`;
  // A job that another unit has locked is being ended or returned. It is still held until then.
  yield* run(
    `UPDATE job SET lease_until = @leaseUntil
     WHERE (business_id, id) IN (${held}${dialect.locking("FOR UPDATE OF j SKIP LOCKED")})`,
    { ...params, leaseUntil },
  );
  return new Set((yield* all<{ id: string }>(held, params)).map(({ id }) => id));
}

const OWNERS = new Mapping<{ readonly businessId: string }>(plainFields("businessId"));

/** Makes every leased and every new job due. Returns how many were leased. */
function* recover(dialect: Dialect, now: number): Unit<number> {
  yield* makeNewJobsDue(dialect, now);
  const rows = yield* OWNERS.change("UPDATE job SET lease = NULL, lease_until = NULL, run_at = @now WHERE lease IS NOT NULL", { now });
  for (const businessId of new Set(rows.map((row) => row.businessId))) yield* markDue(businessId, now);
  return rows.length;
}

/** What happens to a tile when the attempt of its job ends. */
function createOutcomes(driver: Driver, notifier: Notifier): Omit<Queue, ClaimMethods> {
  const { dialect, toSharedTime } = driver;

  /** Runs a unit of work that requires the lease of the job. Returns false when the lease is lost. */
  async function writeWithLease(job: ClaimedJob, unit: () => Unit<void>): Promise<boolean> {
    try {
      await driver.writeTogether(job.boardId, unit);
      return true;
    } catch (error) {
      if (error instanceof LeaseLostError) return false;
      throw error;
    }
  }

  async function endWithLease(job: ClaimedJob, unit: () => Unit<void>): Promise<boolean> {
    const isEnded = await writeWithLease(job, unit);
    if (isEnded) notifier.notifySenders();
    return isEnded;
  }

  return {
    onWork: (listener) => addListener(notifier.workers, listener),

    complete: (job, result, now) => endWithLease(job, () => complete(dialect, job, result, now)),

    async retryLater(job, error, runAt, now) {
      const sharedRunAt = await toSharedTime(runAt);
      return writeWithLease(job, () => retryLater(dialect, job, error, sharedRunAt, now));
    },

    fail: (job, error, now) => endWithLease(job, () => fail(dialect, job, error, now)),

    async release(jobs, now, delayMs = 0) {
      try {
        const runAt = (await toSharedTime(now)) + delayMs;
        const [failure] = await tryEach(jobs, (job) => writeWithLease(job, () => returnToQueue(job, runAt)));
        if (failure !== undefined) throw failure;
      } finally {
        notifier.notifyWorkers("jobs");
      }
    },
  };
}

function* complete(dialect: Dialect, job: ClaimedJob, result: Ingested, now: number): Unit<void> {
  const { tile, readyEventSent, wasReady, hasChunks } = yield* lockTile(dialect, job);
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
  yield* writeTile({ dialect }, tile, next, now, { columns: { is_announced: true }, hasChunks });
  yield* endReading(job);
  const event = getIngestionEvent({ readyEventSent, title: tile.title, text: tile.extractedText }, { text, title });
  if (event !== null) yield* recordTileEvent(dialect, event, next, now);
}

function* retryLater(dialect: Dialect, job: ClaimedJob, error: TileError, runAt: number, now: number): Unit<void> {
  const { tile } = yield* lockTile(dialect, job);
  yield* writeTile({ dialect }, tile, { ...tile, error }, now);
  yield* scheduleRetry(job, runAt);
}

function* fail(dialect: Dialect, job: ClaimedJob, error: TileError, now: number): Unit<void> {
  const tile = yield* lockTile(dialect, job);
  yield* failTile(dialect, tile, error, now);
  yield* endReading(job);
}

/** Ends the job. A page that was sent is erased, whether or not it had a text: a retry fetches the link. */
function* endReading(job: ClaimedJob): Unit<void> {
  if (job.hasPage) yield* dropFile(job.businessId, job.tileId);
  yield* endJob(job);
}
