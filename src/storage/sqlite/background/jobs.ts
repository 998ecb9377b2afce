import { randomUUID } from "node:crypto";
import { type ClaimedJob, LEASE_MS, MAX_CRASHES, MAX_RETRY_DELAY_MS, type Queue, type WorkListener } from "#domain/content/job.ts";
import type { TileError, TileType } from "#domain/content/tile.ts";
import { endWithoutText, eventOfFinish, previousTextOf, workerCrashed, workerLost } from "../../shared/changes.ts";
import { touchBoard } from "../shared/touch-board.ts";
import type { Connection } from "../engine/database.ts";
import { removeFromIndex } from "../search/index.ts";
import { recordTileEvent } from "../shared/events.ts";
import { STAMP_REVISION, jsonOrNull, readWarnings, segmentsColumn } from "../../shared/rows/tile-rows.ts";
import { findJobsOfIdleBusinesses } from "./idle-businesses.ts";

/** How many due jobs are looked at for hosts with nothing running. */
const FAR = 1_000;

/** Leases and attempts that are further away than any that is given were noted while the clock was ahead: they are due now. */
const FUTURE_LEASE_MS = 2 * LEASE_MS;
const FUTURE_RUN_MS = MAX_RETRY_DELAY_MS + 60_000;

export type JobRow = {
  business_id: string;
  id: string;
  board_id: string;
  tile_id: string;
  host: string;
  attempts: number;
  max_attempts: number;
  crashes: number;
  suspect: number;
};

export function createQueue(db: Connection, notifySenders: () => void, listeners: Set<WorkListener>): Queue {
  const wake = (): void => {
    for (const listener of listeners) listener("jobs");
  };

  const isHeld = (job: ClaimedJob): boolean =>
    db.get("SELECT 1 AS found FROM job WHERE business_id = ? AND id = ? AND lease = ?", job.businessId, job.id, job.lease) !== undefined;

  function closeJob(job: Pick<ClaimedJob, "businessId" | "id" | "boardId">): void {
    db.run("DELETE FROM job WHERE business_id = ? AND id = ?", job.businessId, job.id);
    touchBoard(db, job.businessId, job.boardId);
  }

  function failTile(job: Pick<ClaimedJob, "businessId" | "id" | "boardId" | "tileId">, error: TileError, now: number): void {
    const tile = db.get<{ was_ready: number; has_text: number; warnings: string | null }>(
      "SELECT announced OR text_by_hand AS was_ready, extracted_text <> '' AS has_text, warnings FROM tile WHERE business_id = ? AND id = ? AND status = 'processing'",
      job.businessId,
      job.tileId,
    );
    closeJob(job);
    if (tile === undefined) return;
    const end = endWithoutText(
      { wasReady: tile.was_ready === 1, hasText: tile.has_text === 1, warnings: readWarnings(tile.warnings) },
      error,
    );
    db.run(
      `UPDATE tile SET status = ?, error = ?, warnings = coalesce(?, warnings), indexed = CASE ? WHEN 'ready' THEN 0 ELSE indexed END,
       version = version + 1, updated_at = ?, ${STAMP_REVISION} WHERE business_id = ? AND id = ?`,
      end.status,
      end.status === "failed" ? JSON.stringify(end.error) : null,
      end.status === "ready" ? JSON.stringify(end.warnings) : null,
      end.status,
      now,
      job.businessId,
      job.tileId,
    );
    if (end.status === "failed") recordTileEvent(db, "tile.failed", job.businessId, job.tileId, now);
  }

  /** Makes jobs whose lease ran out due again, and fails those that have no try left; answers how many failed. */
  function reap(now: number): number {
    db.run(
      "UPDATE job SET lease = NULL, lease_until = NULL, run_at = ? WHERE lease IS NOT NULL AND (lease_until < ? OR lease_until > ?)",
      now,
      now,
      now + FUTURE_LEASE_MS,
    );
    db.run("UPDATE job SET run_at = ? WHERE lease IS NULL AND run_at > ?", now, now + FUTURE_RUN_MS);
    const spent = db.all<JobRow>(
      "SELECT business_id, id, board_id, tile_id, host, attempts, max_attempts, crashes, suspect FROM job WHERE lease IS NULL AND run_at <= ? AND attempts >= max_attempts",
      now,
    );
    for (const row of spent) {
      failTile({ businessId: row.business_id, id: row.id, boardId: row.board_id, tileId: row.tile_id }, workerLost(row.attempts), now);
    }
    return spent.length;
  }

  function takeJob(row: JobRow, now: number): ClaimedJob | null {
    const lease = randomUUID();
    db.run(
      "UPDATE job SET lease = ?, lease_until = ?, attempts = attempts + 1 WHERE business_id = ? AND id = ?",
      lease,
      now + LEASE_MS,
      row.business_id,
      row.id,
    );
    const tile = db.get<{ source_url: string | null; file_name: string | null; file_type: string | null; type: string }>(
      "SELECT source_url, file_name, file_type, type FROM tile WHERE business_id = ? AND id = ? AND status = 'processing' AND deleted_at IS NULL",
      row.business_id,
      row.tile_id,
    );
    if (tile === undefined || (tile.source_url === null && tile.file_name === null)) {
      closeJob({ businessId: row.business_id, id: row.id, boardId: row.board_id });
      return null;
    }
    return {
      id: row.id,
      businessId: row.business_id,
      boardId: row.board_id,
      tileId: row.tile_id,
      url: tile.source_url,
      file: tile.file_name === null ? null : { name: tile.file_name, mediaType: tile.file_type ?? "" },
      type: tile.type as TileType,
      host: row.host,
      attempt: row.attempts + 1,
      maxAttempts: row.max_attempts,
      crashes: row.crashes,
      isSuspect: row.suspect === 1,
      lease,
    };
  }

  function pickDue(limit: number, perHost: number, now: number, kept: number): JobRow[] {
    const running = new Map<string, number>();
    for (const row of db.all<{ host: string; n: number }>("SELECT host, count(*) AS n FROM job WHERE lease IS NOT NULL GROUP BY host")) {
      running.set(row.host, row.n);
    }
    const first: JobRow[] = [];
    const further: JobRow[] = [];
    const hasPlace = ({ host }: JobRow): boolean => (running.get(host) ?? 0) < perHost;
    for (const row of findJobsOfIdleBusinesses(db, limit, now, hasPlace)) {
      // Two of them may be of the same host.
      if (!hasPlace(row)) continue;
      running.set(row.host, (running.get(row.host) ?? 0) + 1);
      first.push(row);
    }
    const taken = new Set(first.map(({ id }) => id));
    const due = db.sql(
      `SELECT business_id, id, board_id, tile_id, host, attempts, max_attempts, crashes, suspect FROM job
       WHERE lease IS NULL AND run_at <= ? ORDER BY run_at, created_at, rowid`,
    );
    let seen = 0;
    for (const row of due.iterate(now) as IterableIterator<JobRow>) {
      // With enough found, hosts with nothing running are looked for only so far down a long backlog.
      if (first.length >= limit || (++seen > FAR && first.length + further.length >= limit)) break;
      const count = running.get(row.host) ?? 0;
      if (count >= perHost || taken.has(row.id)) continue;
      running.set(row.host, count + 1);
      (count === 0 ? first : further).push(row);
    }
    return [...first, ...further.slice(0, Math.max(0, limit - kept - first.length))];
  }

  return {
    async claim(limit, perHost, now, kept = 0) {
      const isWork = db.get(
        `SELECT 1 AS found FROM job WHERE (lease IS NULL AND (run_at <= ? OR run_at > ?))
         OR (lease IS NOT NULL AND (lease_until < ? OR lease_until > ?)) LIMIT 1`,
        now,
        now + FUTURE_RUN_MS,
        now,
        now + FUTURE_LEASE_MS,
      );
      if (isWork === undefined || limit < 1) return [];
      const { failed, claimed } = await db.write(() => ({
        failed: reap(now),
        claimed: pickDue(limit, perHost, now, kept).flatMap((row) => takeJob(row, now) ?? []),
      }));
      if (failed > 0) notifySenders();
      return claimed;
    },

    renew: (jobs, now) =>
      db.write(() => {
        const held = new Set<string>();
        for (const job of jobs) {
          const changed = db.run(
            "UPDATE job SET lease_until = ? WHERE business_id = ? AND id = ? AND lease = ?",
            now + LEASE_MS,
            job.businessId,
            job.id,
            job.lease,
          );
          if (changed > 0) held.add(job.id);
        }
        return held;
      }),

    async complete(job, result, now) {
      const done = await db.write(() => {
        if (!isHeld(job)) return false;
        const tile = db.get<{ title: string; title_by_hand: number; text_by_hand: number; extracted_text: string; announced: number }>(
          "SELECT title, title_by_hand, text_by_hand, extracted_text, announced FROM tile WHERE business_id = ? AND id = ?",
          job.businessId,
          job.tileId,
        );
        if (tile === undefined) return false;
        const title = tile.title_by_hand === 1 ? tile.title : (result.title ?? tile.title);
        const wasReady = tile.announced === 1 || tile.text_by_hand === 1;
        const left = previousTextOf({ wasReady, text: tile.extracted_text }, result.text, now);
        closeJob(job);
        removeFromIndex(db, job.tileId);
        db.run(
          `UPDATE tile SET status = 'ready', type = ?, title = ?, extracted_text = ?, raw_content = coalesce(source_url, file_name, raw_content), text_by_hand = 0, metadata = ?, warnings = ?,
           segments = ?, earlier_text = coalesce(?, earlier_text), earlier_until = coalesce(?, earlier_until),
           error = NULL, indexed = 0, announced = 1, version = version + 1, updated_at = ?, ${STAMP_REVISION} WHERE business_id = ? AND id = ?`,
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
        const event = eventOfFinish(
          { readyEventSent: tile.announced === 1, title: tile.title, text: tile.extracted_text },
          { text: result.text, title },
        );
        if (event !== null) recordTileEvent(db, event, job.businessId, job.tileId, now);
        return true;
      });
      notifySenders();
      return done;
    },

    retryLater: (job, error, runAt, now) =>
      db.write(() => {
        if (!isHeld(job)) return false;
        db.run(
          "UPDATE job SET lease = NULL, lease_until = NULL, run_at = ? WHERE business_id = ? AND id = ?",
          runAt,
          job.businessId,
          job.id,
        );
        touchBoard(db, job.businessId, job.boardId);
        db.run(
          `UPDATE tile SET error = ?, version = version + 1, updated_at = ?, ${STAMP_REVISION} WHERE business_id = ? AND id = ?`,
          JSON.stringify(error),
          now,
          job.businessId,
          job.tileId,
        );
        return true;
      }),

    async fail(job, error, now) {
      const done = await db.write(() => {
        if (!isHeld(job)) return false;
        failTile(job, error, now);
        return true;
      });
      notifySenders();
      return done;
    },

    release: async (jobs, now) => {
      await db.write(() => {
        for (const job of jobs) {
          db.run(
            `UPDATE job SET lease = NULL, lease_until = NULL, run_at = ?, attempts = attempts - 1
             WHERE business_id = ? AND id = ? AND lease = ?`,
            now,
            job.businessId,
            job.id,
            job.lease,
          );
        }
      });
      wake();
    },

    async recordCrash(jobs, now, isTraced) {
      const failed = await db.write(() => {
        const ended = new Set<string>();
        for (const job of jobs.filter(isHeld)) {
          db.run(
            `UPDATE job SET lease = NULL, lease_until = NULL, run_at = ?, attempts = attempts - 1, crashes = crashes + 1,
             suspect = max(suspect, ?) WHERE business_id = ? AND id = ?`,
            now,
            isTraced ? 0 : 1,
            job.businessId,
            job.id,
          );
          if (job.crashes + 1 < MAX_CRASHES) continue;
          failTile(job, workerCrashed(job.attempt), now);
          ended.add(job.id);
        }
        return ended;
      });
      notifySenders();
      wake();
      return failed;
    },

    recover: (now) => db.write(() => db.run("UPDATE job SET lease = NULL, lease_until = NULL, run_at = ? WHERE lease IS NOT NULL", now)),

    async nextDue() {
      const row = db.get<{ due: number | null }>(
        "SELECT min(due) AS due FROM (SELECT min(run_at) AS due FROM job WHERE lease IS NULL UNION ALL SELECT min(lease_until) + 1 FROM job WHERE lease IS NOT NULL)",
      );
      return row?.due ?? null;
    },

    onWork(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
