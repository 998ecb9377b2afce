import type { Authorized } from "#domain/core/access.ts";
import type { Business } from "#domain/core/board.ts";
import {
  type BackupOutcome,
  type BackupPatch,
  type BackupRun,
  type BackupSchedule,
  type BackupStore,
  type ClaimedBackup,
  type MadeBackup,
  NO_SCHEDULE,
  MAX_RUN_MS,
  isDue,
  newBackupName,
  patchSchedule,
  computeNextTime,
} from "#domain/settings/backup.ts";
import { recordAudit } from "./audit.ts";
import { backupInProgress } from "../../shared/errors.ts";
import type { Dialect, Driver } from "../driver.ts";
import { flag, insert, Mapping, plainFields } from "../mapping.ts";
import { all, get, run, type Params, type Unit } from "../unit.ts";

type OwnerScope = Authorized<Business, "own">;

const SCHEDULES = new Mapping<BackupSchedule>(plainFields("every", "hour", "keep", "nextAt"));
const RUNS = new Mapping<BackupRun>({ ...plainFields("id", "node", "file", "bytes", "error", "startedAt", "endedAt"), isRemoved: flag });

/** The file name extension of the backups of each engine. */
const EXTENSIONS = { sqlite: "sqlite", postgres: "jsonl.gz" } as const;

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

function* insertRun({ engine }: Dialect, id: string, node: string, now: number): Unit<BackupRun> {
  const existing = new Set((yield* all<{ file: string }>("SELECT file FROM backup_run")).map(({ file }) => file));
  const file = newBackupName(EXTENSIONS[engine], now, (name) => existing.has(name));
  yield* insert("backup_run", { id, node, file, startedAt: now });
  return { id, node, file, startedAt: now, bytes: null, error: null, isRemoved: false, endedAt: null };
}

export class SqlBackupStore implements BackupStore {
  readonly #driver: Driver;

  constructor(driver: Driver) {
    this.#driver = driver;
  }

  schedule(): Promise<BackupSchedule> {
    return this.#driver.read(readSchedule);
  }

  change(scope: OwnerScope, patch: BackupPatch, now: number): Promise<BackupSchedule> {
    const { dialect, write } = this.#driver;
    return write(function* () {
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
    });
  }

  runs(limit: number): Promise<BackupRun[]> {
    return this.#driver.read(() => readRuns("ORDER BY started_at DESC, id DESC LIMIT @limit", { limit }));
  }

  listAvailable(): Promise<BackupRun[]> {
    return this.#driver.read(() => readRuns("WHERE bytes IS NOT NULL AND is_removed = FALSE ORDER BY started_at DESC, id DESC"));
  }

  listUnfinished(node: string, now: number): Promise<BackupRun[]> {
    // Only the calling process does background work on a SQLite file. With PostgreSQL, another process of the same machine may still run.
    const where =
      this.#driver.dialect.engine === "sqlite" ? "node <> ''" : "node = @node AND (started_at <= @from OR started_at >= @before)";
    return this.#driver.read(() =>
      readRuns(`WHERE ended_at IS NULL AND ${where}`, { node, from: now - MAX_RUN_MS, before: now + MAX_RUN_MS }),
    );
  }

  request(scope: OwnerScope, id: string, now: number): Promise<BackupRun> {
    const { dialect, write } = this.#driver;
    return write(function* () {
      yield* lockBackups(dialect);
      if ((yield* readOpenRun(now)) !== undefined) throw backupInProgress();
      yield* recordAudit(scope.actor, "backup.make", id, now);
      return yield* insertRun(dialect, id, "", now);
    });
  }

  async claimDue(node: string, id: string, now: number): Promise<ClaimedBackup | null> {
    // Usually there is nothing to do, and reading needs no transaction.
    const isIdle = await this.#driver.read(function* () {
      const open = yield* readOpenRun(now);
      return open === undefined ? !isDue(yield* readSchedule(), now) : open.node !== "";
    });
    return isIdle ? null : this.#driver.write(() => this.#claimDue(node, id, now));
  }

  *#claimDue(node: string, id: string, now: number): Unit<ClaimedBackup | null> {
    yield* lockBackups(this.#driver.dialect);
    const open = yield* readOpenRun(now);
    if (open !== undefined) {
      if (open.node !== "") return null;
      yield* run("UPDATE backup_run SET node = @node WHERE id = @id", { node, id: open.id });
      return { run: { ...open, node }, dueAt: null };
    }
    const due = yield* readSchedule();
    if (!isDue(due, now)) return null;
    yield* run("UPDATE backup_schedule SET next_at = @nextAt WHERE id = 1", { nextAt: computeNextTime(due, now) });
    return { run: yield* insertRun(this.#driver.dialect, id, node, now), dueAt: due.nextAt };
  }

  async end(runId: string, outcome: BackupOutcome, now: number): Promise<void> {
    const [bytes, error] = "bytes" in outcome ? [outcome.bytes, null] : [null, outcome.error];
    await this.#driver.write(() =>
      run("UPDATE backup_run SET bytes = @bytes, error = @error, ended_at = @now WHERE id = @runId AND ended_at IS NULL", {
        bytes,
        error,
        now,
        runId,
      }),
    );
  }

  recordAborted({ run: { id }, dueAt }: ClaimedBackup, error: string, now: number): Promise<void> {
    const { dialect, write } = this.#driver;
    return write(function* () {
      yield* lockBackups(dialect);
      yield* run("UPDATE backup_run SET error = @error, ended_at = @now WHERE id = @id AND ended_at IS NULL", { error, now, id });
      if (dueAt === null) return;
      yield* run("UPDATE backup_schedule SET next_at = @dueAt WHERE id = 1 AND every <> 'off' AND next_at > @dueAt", { dueAt });
    });
  }

  async markRemoved(runIds: readonly string[]): Promise<void> {
    const isListed = this.#driver.dialect.isAnyOf("id", "runIds");
    await this.#driver.write(() => run(`UPDATE backup_run SET is_removed = TRUE WHERE ${isListed}`, { runIds }));
  }

  async recordMade({ id, node, file, bytes, startedAt, endedAt }: MadeBackup): Promise<void> {
    await this.#driver.write(() => insert("backup_run", { id, node, file, bytes, startedAt, endedAt }));
  }

  lastSuccess(): Promise<number | null> {
    return this.#driver.read(function* () {
      return (yield* get<{ at: number | null }>("SELECT max(ended_at) AS at FROM backup_run WHERE bytes IS NOT NULL"))?.at ?? null;
    });
  }
}
