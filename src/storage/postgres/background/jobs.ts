import type { JobWithMetadata, PgBoss } from "pg-boss";
import { type ClaimedJob, LEASE_MS, MAX_CRASHES, MAX_RETRY_DELAY_MS, type Queue, type WorkListener } from "#domain/content/job.ts";
import type { TileError, TileType } from "#domain/content/tile.ts";
import { endWithoutText, eventOfFinish, previousTextOf, workerCrashed, workerLost } from "../../shared/changes.ts";
import { STAMP_REVISION, jsonOrNull, readWarnings, segmentsColumn } from "../../shared/rows/tile-rows.ts";
import { touchBoard } from "../shared/touch-board.ts";
import { BOSS_SCHEMA, INGEST } from "../engine/boss.ts";
import type { Database, Transaction } from "../engine/database.ts";
import { removeFromIndex } from "../search/index.ts";
import { recordTileEvent } from "../shared/events.ts";
import type { JobData } from "../shared/tile-jobs.ts";
import { fetchOfIdleBusinesses } from "./idle-businesses.ts";

type Held = Pick<ClaimedJob, "id" | "businessId" | "boardId" | "tileId">;
type LockedTile = {
  title: string;
  type: string;
  title_by_hand: boolean;
  extracted_text: string;
  warnings: string | null;
  text_by_hand: boolean;
  is_announced: boolean;
  has_chunks: boolean;
};

type OverdueJob = { id: string; retry_count: number; retry_limit: number; data: JobData };

/** Claims of all nodes come one after the other, so that together they keep to the places of a host. */
const CLAIM_LOCK = 8_264_017_353;
const NOW = `${BOSS_SCHEMA}.job_now()`;
const OVERDUE = `state = 'active' AND group_id IS NOT NULL AND (heartbeat_on < ${NOW} - interval '${LEASE_MS} milliseconds'
  OR heartbeat_on > ${NOW} + interval '${2 * LEASE_MS} milliseconds')`;
/** Further away than any attempt is planned: the database's clock was ahead when it was. */
const AHEAD = `state < 'active' AND start_after > ${NOW} + interval '${MAX_RETRY_DELAY_MS + 60_000} milliseconds'`;
const DUE = `state < 'active' AND NOT blocked AND start_after <= ${NOW}`;
const JOBS = `FROM ${BOSS_SCHEMA}.job WHERE name = '${INGEST}'`;

/** Ends a unit of work without a trace: the job is no longer its holder's. */
class LeaseLostError extends Error {}

/** A lease in words that only this file reads: which claim of which job it is, and what the job allows. */
const leaseOf = (id: string, retryCount: number, retryLimit: number, released: number): string =>
  `${retryCount} ${retryLimit} ${released} ${id}`;
const readLease = (lease: string): { readonly retryCount: number; readonly retryLimit: number; readonly released: number } => {
  const [retryCount = -1, retryLimit = 0, released = 0] = lease.split(" ", 3).map(Number);
  return { retryCount, retryLimit, released };
};
const attemptOf = (job: ClaimedJob): { id: string; retryCount: number } => ({ id: job.id, retryCount: readLease(job.lease).retryCount });

const eventTile = ({ businessId, boardId, tileId }: Held, { title, type }: { readonly title: string; readonly type: string }) => ({
  businessId,
  tileId,
  boardId,
  title,
  type,
});

/** How many jobs a call to the queue reached, and which. */
const reached = (response: object): number => (response as { affected?: number }).affected ?? 0;
const reachedIds = (response: object): readonly string[] => (response as { settled?: string[] }).settled ?? [];

export type QueueOptions = {
  readonly db: Database;
  readonly boss: PgBoss;
  /** Tell every node that there are jobs to claim, and that there are events to send. */
  readonly wakeWorkers: () => void;
  readonly wakeSenders: () => void;
  /** Whom this process wakes when any node has work. */
  readonly workers: Set<WorkListener>;
};

export function createQueue({ db, boss, wakeWorkers, wakeSenders, workers }: QueueOptions): Queue {
  /** Takes the locks in the order of every writer: board, tile, then the job; undoes all where the job is not the tile's any more. */
  async function lockTile(tx: Transaction, job: Held): Promise<LockedTile> {
    await touchBoard(tx, job.businessId, job.boardId);
    const tile = await tx.get<LockedTile>(
      `SELECT title, type, title_by_hand, text_by_hand, extracted_text, warnings, is_announced,
         EXISTS (SELECT 1 FROM chunk c WHERE c.business_id = $1 AND c.tile_id = $2) AS has_chunks
       FROM tile WHERE business_id = $1 AND id = $2 AND job_id = $3 FOR UPDATE`,
      job.businessId,
      job.tileId,
      job.id,
    );
    if (tile === undefined) throw new LeaseLostError();
    return tile;
  }

  const endJob = async (tx: Transaction, attempt: { id: string; retryCount: number }): Promise<void> => {
    if (reached(await boss.deleteJob(INGEST, attempt, { db: tx })) === 0) throw new LeaseLostError();
  };

  async function failTile(tx: Transaction, job: Held, tile: LockedTile, error: TileError, now: number): Promise<void> {
    const end = endWithoutText(
      { wasReady: tile.is_announced || tile.text_by_hand, hasText: tile.extracted_text !== "", warnings: readWarnings(tile.warnings) },
      error,
    );
    await tx.run(
      `UPDATE tile SET status = $1, error = $2, warnings = coalesce($3, warnings), is_indexed = ($1 <> 'ready' AND is_indexed), job_id = NULL,
       version = version + 1, updated_at = $4, ${STAMP_REVISION} WHERE business_id = $5 AND id = $6 AND status = 'processing'`,
      end.status,
      end.status === "failed" ? JSON.stringify(end.error) : null,
      end.status === "ready" ? JSON.stringify(end.warnings) : null,
      now,
      job.businessId,
      job.tileId,
    );
    if (end.status === "failed") await recordTileEvent(tx, "tile.failed", eventTile(job, tile), now);
  }

  /** Runs a unit of work that only the holder of a job on this board may do; false when it was not. */
  async function asHolder(boardId: string, work: (tx: Transaction) => Promise<void>): Promise<boolean> {
    try {
      await db.writeTogether(boardId, work);
      return true;
    } catch (error) {
      if (error instanceof LeaseLostError) return false;
      throw error;
    }
  }

  /** Makes a held job due at once, the attempt uncounted. */
  async function handBack(tx: Transaction, job: ClaimedJob): Promise<void> {
    const { retryCount, retryLimit, released } = readLease(job.lease);
    const { businessId, boardId, tileId, crashes, isSuspect } = job;
    if (reached(await boss.cancel(INGEST, { id: job.id, retryCount }, { db: tx })) === 0) throw new LeaseLostError();
    await boss.resume(INGEST, job.id, { db: tx });
    // The next claim counts as one more try of the queue, so the job is allowed one more.
    const counted = { ...(crashes === 0 ? {} : { crashes }), ...(isSuspect ? { isSuspect } : {}) };
    const data: JobData = { businessId, boardId, tileId, released: released + 1, ...counted };
    await boss.update(INGEST, data, { id: job.id, startAfter: 0, retryLimit: retryLimit + 1, db: tx });
  }

  /** Gives jobs whose lease ran out back to the queue, and fails the tiles of those that have no try left. */
  async function reap(now: number): Promise<void> {
    const spent = await db.write(async (tx) => {
      // Locked and looked at again, so that a renewal that comes meanwhile is not passed over.
      const overdue = await tx.all<OverdueJob>(
        `SELECT id, retry_count, retry_limit, data ${JOBS} AND ${OVERDUE} ORDER BY id FOR UPDATE SKIP LOCKED`,
      );
      const again = overdue.filter((job) => job.retry_count < job.retry_limit);
      if (again.length > 0)
        await boss.fail(
          INGEST,
          again.map(({ id, retry_count: retryCount }) => ({ id, retryCount })),
          null,
          { db: tx },
        );
      return overdue.filter((job) => job.retry_count >= job.retry_limit);
    });
    for (const job of spent) await failLost(job, now);
  }

  async function failLost({ id, data, retry_count: retryCount }: OverdueJob, now: number): Promise<void> {
    const isFailed = await asHolder(data.boardId, async (tx) => {
      const tile = await lockTile(tx, { id, ...data });
      const isOverdue = await tx.get(`SELECT 1 AS found ${JOBS} AND id = $1 AND ${OVERDUE}`, id);
      if (isOverdue === undefined) throw new LeaseLostError();
      await endJob(tx, { id, retryCount });
      await failTile(tx, { id, ...data }, tile, workerLost(retryCount + 1 - data.released), now);
    });
    if (isFailed) return wakeSenders();
    // Either somebody was quicker, or no tile names the job any more and it is in the way of every look.
    const named = await db.get(
      "SELECT 1 AS found FROM tile WHERE business_id = $1 AND id = $2 AND job_id = $3",
      data.businessId,
      data.tileId,
      id,
    );
    if (named === undefined) await db.write((tx) => boss.deleteJob(INGEST, { id, retryCount }, { db: tx }));
  }

  /** Fetches what is due; one look leaves out jobs of hosts that were full before it, so the rest is found by looking again. */
  async function fetchDue(tx: Transaction, limit: number, perHost: number, minPriority = 0): Promise<JobWithMetadata<JobData>[]> {
    const found: JobWithMetadata<JobData>[] = [];
    while (found.length < limit) {
      const batch = await boss.fetch<JobData>(INGEST, {
        batchSize: limit - found.length,
        groupConcurrency: perHost,
        minPriority,
        includeMetadata: true,
        db: tx,
      });
      if (batch.length === 0) break;
      found.push(...batch);
    }
    return found.sort((a, b) => a.createdOn.getTime() - b.createdOn.getTime() || (a.id < b.id ? -1 : 1));
  }

  /** Joins fetched jobs with their tiles; a job whose tile needs nothing any more is ended. */
  async function takeJobs(tx: Transaction, fetched: readonly JobWithMetadata<JobData>[]): Promise<ClaimedJob[]> {
    const rows = await tx.all<{
      job_id: string;
      source_url: string | null;
      file_name: string | null;
      file_type: string | null;
      type: string;
    }>(
      `SELECT t.job_id, t.source_url, t.file_name, t.file_type, t.type FROM tile t
       JOIN unnest($1::text[], $2::text[]) AS wanted (business_id, id) ON t.business_id = wanted.business_id AND t.id = wanted.id
       WHERE t.status = 'processing' AND t.deleted_at IS NULL AND t.job_id IS NOT NULL AND (t.source_url IS NOT NULL OR t.file_name IS NOT NULL)`,
      fetched.map(({ data }) => data.businessId),
      fetched.map(({ data }) => data.tileId),
    );
    const tiles = new Map(rows.map((row) => [row.job_id, row]));
    const taken: ClaimedJob[] = [];
    for (const job of fetched) {
      const tile = tiles.get(job.id);
      if (tile === undefined) {
        await boss.deleteJob(INGEST, job.id, { db: tx });
        continue;
      }
      const { businessId, boardId, tileId, released, crashes = 0, isSuspect = false } = job.data;
      taken.push({
        id: job.id,
        businessId,
        boardId,
        tileId,
        url: tile.source_url,
        file: tile.file_name === null ? null : { name: tile.file_name, mediaType: tile.file_type ?? "" },
        type: tile.type as TileType,
        host: job.groupId ?? "",
        attempt: job.retryCount + 1 - released,
        maxAttempts: job.retryLimit + 1 - released,
        crashes,
        isSuspect,
        lease: leaseOf(job.id, job.retryCount, job.retryLimit, released),
      });
    }
    return taken;
  }

  /** Makes attempts due that a clock which was ahead has planned. */
  const replan = (): Promise<void> =>
    db.write(async (tx) => {
      for (const { id } of await tx.all<{ id: string }>(`SELECT id ${JOBS} AND ${AHEAD} ORDER BY id LIMIT 1000 FOR UPDATE SKIP LOCKED`))
        await boss.update(INGEST, undefined, { id, startAfter: 0, db: tx });
    });

  return {
    async claim(limit, perHost, now, kept = 0) {
      if (limit < 1) return [];
      const work = await db.get<{ overdue: boolean; due: boolean; ahead: boolean }>(
        `SELECT EXISTS (SELECT 1 ${JOBS} AND ${OVERDUE}) AS overdue, EXISTS (SELECT 1 ${JOBS} AND ${DUE}) AS due,
           EXISTS (SELECT 1 ${JOBS} AND ${AHEAD}) AS ahead`,
      );
      if (work === undefined || !(work.overdue || work.due || work.ahead)) return [];
      if (work.ahead) await replan();
      if (work.overdue) await reap(now);
      return db.write(async (tx) => {
        await tx.run("SELECT pg_advisory_xact_lock($1)", CLAIM_LOCK);
        const idle = await fetchOfIdleBusinesses(tx, limit, perHost, (most, priority) => fetchDue(tx, most, perHost, priority));
        const first = [...idle, ...(await fetchDue(tx, limit - idle.length, 1))];
        const fetched = perHost === 1 ? first : [...first, ...(await fetchDue(tx, limit - kept - first.length, perHost))];
        return fetched.length === 0 ? [] : takeJobs(tx, fetched);
      });
    },

    async renew(jobs) {
      if (jobs.length === 0) return new Set();
      return new Set(await db.write(async (tx) => reachedIds(await boss.touch(INGEST, jobs.map(attemptOf), { db: tx }))));
    },

    async complete(job, result, now) {
      const isDone = await asHolder(job.boardId, async (tx) => {
        const tile = await lockTile(tx, job);
        const title = tile.title_by_hand ? tile.title : (result.title ?? tile.title);
        const left = previousTextOf({ wasReady: tile.is_announced || tile.text_by_hand, text: tile.extracted_text }, result.text, now);
        await tx.run(
          `UPDATE tile SET status = 'ready', type = $1, title = $2, extracted_text = $3, raw_content = coalesce(source_url, file_name, raw_content), text_by_hand = FALSE, metadata = $4, warnings = $5,
           segments = $6, earlier_text = coalesce($7, earlier_text), earlier_until = coalesce($8, earlier_until),
           error = NULL, is_indexed = FALSE, is_announced = TRUE, job_id = NULL, version = version + 1, updated_at = $9,
           ${STAMP_REVISION}
           WHERE business_id = $10 AND id = $11`,
          result.type,
          title,
          result.text,
          jsonOrNull(result.metadata),
          jsonOrNull(result.warnings),
          segmentsColumn(result.segments),
          left?.text ?? null,
          left?.until ?? null,
          now,
          job.businessId,
          job.tileId,
        );
        if (tile.has_chunks) await removeFromIndex(tx, job.businessId, [job.tileId]);
        await endJob(tx, attemptOf(job));
        const event = eventOfFinish(
          { readyEventSent: tile.is_announced, title: tile.title, text: tile.extracted_text },
          { text: result.text, title },
        );
        if (event !== null) await recordTileEvent(tx, event, eventTile(job, { title, type: result.type }), now);
      });
      if (isDone) wakeSenders();
      return isDone;
    },

    retryLater: (job, error, runAt, now) =>
      asHolder(job.boardId, async (tx) => {
        await lockTile(tx, job);
        await tx.run(
          `UPDATE tile SET error = $1, version = version + 1, updated_at = $2, ${STAMP_REVISION} WHERE business_id = $3 AND id = $4`,
          JSON.stringify(error),
          now,
          job.businessId,
          job.tileId,
        );
        if (reached(await boss.fail(INGEST, attemptOf(job), null, { db: tx })) === 0) throw new LeaseLostError();
        await boss.update(INGEST, undefined, { id: job.id, startAfter: Math.max(0, runAt - now) / 1_000, db: tx });
      }),

    async fail(job, error, now) {
      const isDone = await asHolder(job.boardId, async (tx) => {
        await failTile(tx, job, await lockTile(tx, job), error, now);
        await endJob(tx, attemptOf(job));
      });
      if (isDone) wakeSenders();
      return isDone;
    },

    async release(jobs) {
      for (const job of jobs) await asHolder(job.boardId, (tx) => handBack(tx, job));
      wakeWorkers();
    },

    async recordCrash(jobs, now, isTraced) {
      const failed = new Set<string>();
      // At the same time, since the process that asks for it is about to end.
      await Promise.all(
        jobs.map(async (job) => {
          const isLast = job.crashes + 1 >= MAX_CRASHES;
          const isDone = await asHolder(job.boardId, async (tx) => {
            if (!isLast) return handBack(tx, { ...job, crashes: job.crashes + 1, isSuspect: job.isSuspect || !isTraced });
            await failTile(tx, job, await lockTile(tx, job), workerCrashed(job.attempt), now);
            await endJob(tx, attemptOf(job));
          });
          if (isDone && isLast) failed.add(job.id);
        }),
      );
      if (failed.size > 0) wakeSenders();
      wakeWorkers();
      return failed;
    },

    // Other nodes' leases are theirs; those of a node that crashed run out by themselves.
    recover: async () => 0,

    async nextDue() {
      const row = await db.get<{ due: number | null }>(
        `SELECT ceil(extract(epoch FROM min(due)) * 1000)::bigint AS due FROM (
           SELECT min(start_after) AS due ${JOBS} AND state < 'active' AND NOT blocked
           UNION ALL
           SELECT min(heartbeat_on) + interval '${LEASE_MS + 1} milliseconds' ${JOBS} AND state = 'active' AND group_id IS NOT NULL) AS times`,
      );
      return row?.due ?? null;
    },

    onWork(listener) {
      workers.add(listener);
      return () => workers.delete(listener);
    },
  };
}
