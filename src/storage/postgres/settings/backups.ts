import { type BackupRun, type BackupStore, RUN_MS, isDue, newBackupName, patchSchedule, timeAfter } from "#domain/settings/backup.ts";
import {
  RUN_COLUMNS,
  type RunRow,
  SCHEDULE_COLUMNS,
  type ScheduleRow,
  backupUnderWay,
  newRun,
  runOf,
  scheduleOf,
} from "../../shared/rows/backup-rows.ts";
import type { Database, Reader, Transaction } from "../engine/database.ts";
import { recordAudit } from "../shared/audit.ts";

const readSchedule = async (on: Reader) =>
  scheduleOf(await on.get<ScheduleRow>(`SELECT ${SCHEDULE_COLUMNS} FROM backup_schedule WHERE id = 1`));

/** What is wanted or under way; one at most. */
async function openRun(on: Reader, now: number): Promise<BackupRun | undefined> {
  const row = await on.get<RunRow>(
    `SELECT ${RUN_COLUMNS} FROM backup_run WHERE ended_at IS NULL AND started_at > $1 AND started_at < $2`,
    now - RUN_MS,
    now + RUN_MS,
  );
  return row === undefined ? undefined : runOf(row);
}

/** There may be no row yet that could be locked: whoever changes anything about backups waits for the others. */
async function takeTurn(tx: Transaction): Promise<void> {
  await tx.get("SELECT pg_advisory_xact_lock(hashtextextended('backups', 1))");
}

async function insert(tx: Transaction, id: string, node: string, now: number): Promise<BackupRun> {
  const recent = await tx.all<{ file: string }>("SELECT file FROM backup_run WHERE started_at > $1", now - RUN_MS);
  const file = newBackupName("jsonl.gz", now, (name) => recent.some((run) => run.file === name));
  await tx.run("INSERT INTO backup_run (id, node, file, started_at) VALUES ($1, $2, $3, $4)", id, node, file, now);
  return newRun({ id, node, file, startedAt: now });
}

export function createBackupStore(db: Database): BackupStore {
  return {
    schedule: () => readSchedule(db),

    change: (scope, patch, now) =>
      db.write(async (tx) => {
        await takeTurn(tx);
        const schedule = patchSchedule(await readSchedule(tx), patch, now);
        const { every, hour, keep, nextAt } = schedule;
        await tx.run(
          `INSERT INTO backup_schedule (id, every, hour, keep, next_at, updated_at) VALUES (1, $1, $2, $3, $4, $5)
           ON CONFLICT (id) DO UPDATE SET every = excluded.every, hour = excluded.hour, keep = excluded.keep,
             next_at = excluded.next_at, updated_at = excluded.updated_at`,
          every,
          hour,
          keep,
          nextAt,
          now,
        );
        await recordAudit(tx, scope.actor, "backup.schedule", "backups", now);
        return schedule;
      }),

    runs: async (limit) =>
      (await db.all<RunRow>(`SELECT ${RUN_COLUMNS} FROM backup_run ORDER BY started_at DESC, id DESC LIMIT $1`, limit)).map(runOf),

    kept: async () =>
      (
        await db.all<RunRow>(
          `SELECT ${RUN_COLUMNS} FROM backup_run WHERE bytes IS NOT NULL AND NOT is_removed ORDER BY started_at DESC, id DESC`,
        )
      ).map(runOf),

    // Another process on the same machine may be at work still.
    lost: async (node, now) =>
      (
        await db.all<RunRow>(
          `SELECT ${RUN_COLUMNS} FROM backup_run WHERE ended_at IS NULL AND node = $1 AND (started_at <= $2 OR started_at >= $3)`,
          node,
          now - RUN_MS,
          now + RUN_MS,
        )
      ).map(runOf),

    request: (scope, id, now) =>
      db.write(async (tx) => {
        await takeTurn(tx);
        if ((await openRun(tx, now)) !== undefined) throw backupUnderWay();
        await recordAudit(tx, scope.actor, "backup.make", id, now);
        return insert(tx, id, "", now);
      }),

    async claimDue(node, id, now) {
      // Nearly always there is nothing, and a look costs no transaction.
      const [schedule, wanted] = await Promise.all([readSchedule(db), openRun(db, now)]);
      if (wanted === undefined ? !isDue(schedule, now) : wanted.node !== "") return null;
      return db.write(async (tx) => {
        await takeTurn(tx);
        const open = await openRun(tx, now);
        if (open !== undefined) {
          if (open.node !== "") return null;
          await tx.run("UPDATE backup_run SET node = $1 WHERE id = $2", node, open.id);
          return { run: { ...open, node }, dueAt: null };
        }
        const due = await readSchedule(tx);
        if (!isDue(due, now)) return null;
        await tx.run("UPDATE backup_schedule SET next_at = $1 WHERE id = 1", timeAfter(due, now));
        return { run: await insert(tx, id, node, now), dueAt: due.nextAt };
      });
    },

    async end(runId, outcome, now) {
      const [bytes, error] = "bytes" in outcome ? [outcome.bytes, null] : [null, outcome.error];
      await db.write((tx) =>
        tx.run("UPDATE backup_run SET bytes = $1, error = $2, ended_at = $3 WHERE id = $4 AND ended_at IS NULL", bytes, error, now, runId),
      );
    },

    async giveUp({ run, dueAt }, error, now) {
      await db.write(async (tx) => {
        await takeTurn(tx);
        await tx.run("UPDATE backup_run SET error = $1, ended_at = $2 WHERE id = $3 AND ended_at IS NULL", error, now, run.id);
        if (dueAt !== null) await tx.run("UPDATE backup_schedule SET next_at = $1 WHERE id = 1 AND every <> 'off' AND next_at > $1", dueAt);
      });
    },

    async forget(runIds) {
      await db.write((tx) => tx.run("UPDATE backup_run SET is_removed = TRUE WHERE id = ANY($1)", runIds));
    },

    lastSuccess: async () =>
      (await db.get<{ at: number | null }>("SELECT max(ended_at) AS at FROM backup_run WHERE bytes IS NOT NULL"))?.at ?? null,
  };
}
