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
import type { Connection } from "../engine/database.ts";
import { recordAudit } from "../shared/audit.ts";

export function createBackupStore(db: Connection): BackupStore {
  const readSchedule = () => scheduleOf(db.get<ScheduleRow>(`SELECT ${SCHEDULE_COLUMNS} FROM backup_schedule WHERE id = 1`));
  const isNameTaken = (file: string): boolean => db.get("SELECT 1 AS found FROM backup_run WHERE file = ?", file) !== undefined;

  /** What is wanted or under way; one at most. */
  const openRun = (now: number): BackupRun | undefined => {
    const row = db.get<RunRow>(
      `SELECT ${RUN_COLUMNS} FROM backup_run WHERE ended_at IS NULL AND started_at > ? AND started_at < ?`,
      now - RUN_MS,
      now + RUN_MS,
    );
    return row === undefined ? undefined : runOf(row);
  };

  function insert(id: string, node: string, now: number): BackupRun {
    const run = newRun({ id, node, file: newBackupName("sqlite", now, isNameTaken), startedAt: now });
    db.run("INSERT INTO backup_run (id, node, file, started_at) VALUES (?, ?, ?, ?)", id, node, run.file, now);
    return run;
  }

  return {
    schedule: async () => readSchedule(),

    change: (scope, patch, now) =>
      db.write(() => {
        const schedule = patchSchedule(readSchedule(), patch, now);
        const { every, hour, keep, nextAt } = schedule;
        db.run(
          `INSERT INTO backup_schedule (id, every, hour, keep, next_at, updated_at) VALUES (1, ?, ?, ?, ?, ?)
           ON CONFLICT (id) DO UPDATE SET every = excluded.every, hour = excluded.hour, keep = excluded.keep,
             next_at = excluded.next_at, updated_at = excluded.updated_at`,
          every,
          hour,
          keep,
          nextAt,
          now,
        );
        recordAudit(db, scope.actor, "backup.schedule", "backups", now);
        return schedule;
      }),

    runs: async (limit) =>
      db.all<RunRow>(`SELECT ${RUN_COLUMNS} FROM backup_run ORDER BY started_at DESC, id DESC LIMIT ?`, limit).map(runOf),

    kept: async () =>
      db
        .all<RunRow>(`SELECT ${RUN_COLUMNS} FROM backup_run WHERE bytes IS NOT NULL AND is_removed = 0 ORDER BY started_at DESC, id DESC`)
        .map(runOf),

    // One process with background work has this file, and it is the one that asks.
    lost: async () => db.all<RunRow>(`SELECT ${RUN_COLUMNS} FROM backup_run WHERE ended_at IS NULL AND node <> ''`).map(runOf),

    request: (scope, id, now) =>
      db.write(() => {
        if (openRun(now) !== undefined) throw backupUnderWay();
        recordAudit(db, scope.actor, "backup.make", id, now);
        return insert(id, "", now);
      }),

    async claimDue(node, id, now) {
      // Nearly always there is nothing, and a look costs no transaction.
      const wanted = openRun(now);
      if (wanted === undefined ? !isDue(readSchedule(), now) : wanted.node !== "") return null;
      return db.write(() => {
        const open = openRun(now);
        if (open !== undefined) {
          if (open.node !== "") return null;
          db.run("UPDATE backup_run SET node = ? WHERE id = ?", node, open.id);
          return { run: { ...open, node }, dueAt: null };
        }
        const due = readSchedule();
        if (!isDue(due, now)) return null;
        db.run("UPDATE backup_schedule SET next_at = ? WHERE id = 1", timeAfter(due, now));
        return { run: insert(id, node, now), dueAt: due.nextAt };
      });
    },

    async end(runId, outcome, now) {
      const [bytes, error] = "bytes" in outcome ? [outcome.bytes, null] : [null, outcome.error];
      await db.write(() =>
        db.run("UPDATE backup_run SET bytes = ?, error = ?, ended_at = ? WHERE id = ? AND ended_at IS NULL", bytes, error, now, runId),
      );
    },

    async giveUp({ run, dueAt }, error, now) {
      await db.write(() => {
        db.run("UPDATE backup_run SET error = ?, ended_at = ? WHERE id = ? AND ended_at IS NULL", error, now, run.id);
        if (dueAt !== null) db.run("UPDATE backup_schedule SET next_at = ? WHERE id = 1 AND every <> 'off' AND next_at > ?", dueAt, dueAt);
      });
    },

    async forget(runIds) {
      await db.write(() => {
        for (const id of runIds) db.run("UPDATE backup_run SET is_removed = 1 WHERE id = ?", id);
      });
    },

    lastSuccess: async () =>
      db.get<{ at: number | null }>("SELECT max(ended_at) AS at FROM backup_run WHERE bytes IS NOT NULL")?.at ?? null,
  };
}
