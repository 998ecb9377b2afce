import {
  type BackupExtension,
  type BackupRun,
  type BackupSchedule,
  type BackupStore,
  type ClaimedBackup,
  NO_SCHEDULE,
  MAX_RUN_MS,
  isDue,
  newBackupName,
  patchSchedule,
  computeNextTime,
} from "#domain/settings/backup.ts";
import { recordAudit } from "./audit.ts";
import { backupInProgress } from "../checks/errors.ts";
import type { Dialect, Driver } from "../driver.ts";
import { flag, insert, Mapping, plainFields } from "../mapping.ts";
import { all, find, run, type Params, type Unit } from "../unit.ts";

const SCHEDULES = new Mapping<BackupSchedule>(plainFields("every", "hour", "keep", "nextAt"));
const RUNS = new Mapping<BackupRun>({ ...plainFields("id", "node", "file", "bytes", "error", "startedAt", "endedAt"), isRemoved: flag });

function* readSchedule(): Unit<BackupSchedule> {
  return (yield* SCHEDULES.find("backup_schedule WHERE id = 1")) ?? NO_SCHEDULE;
}

const readRuns = (rest: string, params: Params = {}): Unit<BackupRun[]> => RUNS.list(`backup_run ${rest}`, params);

/** Returns the backup that is requested or running. There is at most one. */
function* readOpenRun(now: number): Unit<BackupRun | undefined> {
  const runs = yield* readRuns("WHERE ended_at IS NULL AND started_at > @from AND started_at < @before", {
    from: now - MAX_RUN_MS,
    before: now + MAX_RUN_MS,
  });
  return runs[0];
}

/** All changes of backups share one advisory lock, since there may be no row yet to lock. */
const lockBackups = (dialect: Dialect): Unit<void> => dialect.lock("backups", "");

function* insertRun(extension: BackupExtension, id: string, node: string, now: number): Unit<BackupRun> {
  const existing = new Set((yield* all<{ file: string }>("SELECT file FROM backup_run")).map(({ file }) => file));
  const file = newBackupName(extension, now, (name) => existing.has(name));
  yield* insert("backup_run", { id, node, file, startedAt: now });
  return { id, node, file, startedAt: now, bytes: null, error: null, isRemoved: false, endedAt: null };
}

/** `extension` is the file name extension of the backups of this engine. */
export function createBackupStore({ dialect, isShared, read, write }: Driver, extension: BackupExtension): BackupStore {
  return {
    schedule: () => read(readSchedule),

    change: (scope, patch, now) =>
      write(function* () {
        yield* lockBackups(dialect);
        const schedule = patchSchedule(yield* readSchedule(), patch, now);
        const { every, hour, keep, nextAt } = schedule;
        yield* run(
          `INSERT INTO backup_schedule (id, every, hour, keep, next_at, updated_at) VALUES (1, @every, @hour, @keep, @nextAt, @now)
           ON CONFLICT (id) DO UPDATE SET every = excluded.every, hour = excluded.hour, keep = excluded.keep,
             next_at = excluded.next_at, updated_at = excluded.updated_at`,
          { every, hour, keep, nextAt, now },
        );
        yield* recordAudit(scope.actor, "backup.schedule", "backups", now);
        return schedule;
      }),

    runs: (limit) => read(() => readRuns("ORDER BY started_at DESC, id DESC LIMIT @limit", { limit })),
    listAvailable: () => read(() => readRuns("WHERE bytes IS NOT NULL AND is_removed = FALSE ORDER BY started_at DESC, id DESC")),

    listUnfinished(node, now) {
      // Only the calling process does background work on a database of its own. Otherwise another process of the same machine may still run.
      const isOwn = isShared ? "node = @node AND (started_at <= @from OR started_at >= @before)" : "node <> ''";
      return read(() => readRuns(`WHERE ended_at IS NULL AND ${isOwn}`, { node, from: now - MAX_RUN_MS, before: now + MAX_RUN_MS }));
    },

    request: (scope, id, now) =>
      write(function* () {
        yield* lockBackups(dialect);
        if ((yield* readOpenRun(now)) !== undefined) throw backupInProgress();
        yield* recordAudit(scope.actor, "backup.make", id, now);
        return yield* insertRun(extension, id, "", now);
      }),

    async claimDue(node, id, now) {
      // Usually there is nothing to do, and reading needs no transaction.
      const isIdle = await read(function* () {
        const open = yield* readOpenRun(now);
        return open === undefined ? !isDue(yield* readSchedule(), now) : open.node !== "";
      });
      return isIdle ? null : write(() => claimDue(dialect, extension, node, id, now));
    },

    async end(runId, outcome, now) {
      const [bytes, error] = "bytes" in outcome ? [outcome.bytes, null] : [null, outcome.error];
      const sql = "UPDATE backup_run SET bytes = @bytes, error = @error, ended_at = @now WHERE id = @runId AND ended_at IS NULL";
      await write(() => run(sql, { bytes, error, now, runId }));
    },

    recordAborted: ({ run: { id }, dueAt }, error, now) =>
      write(function* () {
        yield* lockBackups(dialect);
        yield* run("UPDATE backup_run SET error = @error, ended_at = @now WHERE id = @id AND ended_at IS NULL", { error, now, id });
        if (dueAt === null) return;
        yield* run("UPDATE backup_schedule SET next_at = @dueAt WHERE id = 1 AND every <> 'off' AND next_at > @dueAt", { dueAt });
      }),

    async markRemoved(runIds) {
      await write(() => run(`UPDATE backup_run SET is_removed = TRUE WHERE ${dialect.isAnyOf("id", "runIds")}`, { runIds }));
    },

    async recordMade({ id, node, file, bytes, startedAt, endedAt }) {
      await write(() => insert("backup_run", { id, node, file, bytes, startedAt, endedAt }));
    },

    lastSuccess: () =>
      read(() => find("SELECT max(ended_at) AS at FROM backup_run WHERE bytes IS NOT NULL", {}, (row: { at: number | null }) => row.at)),
  };
}

function* claimDue(dialect: Dialect, extension: BackupExtension, node: string, id: string, now: number): Unit<ClaimedBackup | null> {
  yield* lockBackups(dialect);
  const open = yield* readOpenRun(now);
  if (open !== undefined) {
    if (open.node !== "") return null;
    yield* run("UPDATE backup_run SET node = @node WHERE id = @id", { node, id: open.id });
    return { run: { ...open, node }, dueAt: null };
  }
  const due = yield* readSchedule();
  if (!isDue(due, now)) return null;
  yield* run("UPDATE backup_schedule SET next_at = @nextAt WHERE id = 1", { nextAt: computeNextTime(due, now) });
  return { run: yield* insertRun(extension, id, node, now), dueAt: due.nextAt };
}
