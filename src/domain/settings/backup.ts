import type { Authorized } from "../core/access.ts";
import type { Business } from "../core/board.ts";

export const BACKUP_INTERVALS = ["off", "day", "week"] as const;
export type BackupInterval = (typeof BACKUP_INTERVALS)[number];

/** Maximum number of backups that a schedule can keep. */
export const MAX_BACKUPS = 60;

/** The backup schedule of the whole install, since a backup contains all its businesses. */
export type BackupSchedule = {
  readonly every: BackupInterval;
  /** 0 to 23, UTC. */
  readonly hour: number;
  /** How many of the newest backups are kept. */
  readonly keep: number;
  /** When the next backup is due; null when the schedule is off. */
  readonly nextAt: number | null;
};

export type BackupPatch = Partial<Pick<BackupSchedule, "every" | "hour" | "keep">>;

/** The schedule until one is set. */
export const NO_SCHEDULE: BackupSchedule = { every: "off", hour: 3, keep: 14, nextAt: null };

/** One backup: requested, running or ended. */
export type BackupRun = {
  readonly id: string;
  /** The host name of the machine that makes it and has its file; "" until it is claimed. */
  readonly node: string;
  /** The file's name, without its folder; its path if the command made it. */
  readonly file: string;
  readonly bytes: number | null;
  readonly error: string | null;
  /** Whether the file was removed because there are enough newer ones. */
  readonly isRemoved: boolean;
  readonly startedAt: number;
  readonly endedAt: number | null;
};

export type BackupStatus = "running" | "done" | "failed" | "removed";

/** A successful backup by the command, outside the backup folder: `file` is its path. */
export type MadeBackup = Pick<BackupRun, "id" | "node" | "file" | "startedAt"> & { readonly bytes: number; readonly endedAt: number };

/** How a backup ended. */
export type BackupOutcome = { readonly bytes: number } | { readonly error: string };

/** A claimed backup. `dueAt` is its scheduled time, or null for a requested one. */
export type ClaimedBackup = { readonly run: BackupRun; readonly dueAt: number | null };

/** The backup schedule and its runs. Files are handled by `BackupFolder`. */
export interface BackupStore {
  schedule(): Promise<BackupSchedule>;
  /** Changes the schedule. A due backup stays due unless interval or hour change. */
  change(scope: Authorized<Business, "own">, patch: BackupPatch, now: number): Promise<BackupSchedule>;
  /** Lists the newest runs, newest first. */
  runs(limit: number): Promise<BackupRun[]>;
  /** Lists the runs whose file was written and has not been removed, newest first. */
  listAvailable(): Promise<BackupRun[]>;
  /** Lists unfinished runs of this machine whose process must have ended. A process that starts ends them. */
  listUnfinished(node: string, now: number): Promise<BackupRun[]>;
  /** Requests a backup from the next process with background work that polls. Throws 409 while one is requested or running. */
  request(scope: Authorized<Business, "own">, id: string, now: number): Promise<BackupRun>;
  /**
   * Claims the requested or due backup for `node`. Returns null when there is none or one is running. Of concurrent callers only one
   * gets it, and the schedule advances in the same transaction. `id` becomes the id of a scheduled run.
   */
  claimDue(node: string, id: string, now: number): Promise<ClaimedBackup | null>;
  /** Records the outcome of a run. Does not change a run that has ended. */
  end(runId: string, outcome: BackupOutcome, now: number): Promise<void>;
  /** Records the end of an aborted run, and makes a scheduled one due again. */
  recordAborted(claimed: ClaimedBackup, error: string, now: number): Promise<void>;
  /** Records that the files of these runs were removed. */
  markRemoved(runIds: readonly string[]): Promise<void>;
  /** Records a successful backup that the command made. Its file is never removed. */
  recordMade(backup: MadeBackup): Promise<void>;
  /** Returns when the last successful backup ended, or null if there is none. */
  lastSuccess(): Promise<number | null>;
}

/** The folder of backups on this machine. */
export interface BackupFolder {
  /** Writes the whole install to a new file, atomically and flushed to disk. Returns its size in bytes. Throws a message for people. */
  make(name: string, signal: AbortSignal): Promise<number>;
  /** Returns the size of a file in bytes, or null if it does not exist. */
  getSize(name: string): Promise<number | null>;
  /** Removes a backup with its temporary files. Throws for a name that is not a backup's. */
  remove(name: string): Promise<void>;
}

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** A run without a recorded end counts as lost after this time, also when its start is that far in the future. */
export const MAX_RUN_MS = HOUR_MS;

const STOPPED = "The server stopped during this backup.";
const NOT_CLAIMED = "No server started it within an hour. Check that one is running with ROLE=all or ROLE=worker.";

/** Returns the first time after `after` at the schedule's hour, or null when it is off. */
export function computeFirstTime({ every, hour }: Pick<BackupSchedule, "every" | "hour">, after: number): number | null {
  if (every === "off") return null;
  const today = Math.floor(after / DAY_MS) * DAY_MS + hour * HOUR_MS;
  return today > after ? today : today + DAY_MS;
}

type DueSchedule = BackupSchedule & { readonly nextAt: number };

const getIntervalMs = (every: BackupInterval): number => (every === "week" ? 7 * DAY_MS : DAY_MS);

/** Whether a backup is due. A next time beyond one interval also counts, since it was set while the clock was ahead. */
export const isDue = (schedule: BackupSchedule, now: number): schedule is DueSchedule =>
  schedule.every !== "off" && schedule.nextAt !== null && (schedule.nextAt <= now || schedule.nextAt > now + getIntervalMs(schedule.every));

/** Returns the next time after a due one: whole intervals later, the first after `now`, skipping missed ones. */
export function computeNextTime({ every, nextAt }: DueSchedule, now: number): number {
  const intervalMs = getIntervalMs(every);
  return nextAt + (Math.floor((now - nextAt) / intervalMs) + 1) * intervalMs;
}

/** Applies a patch to the schedule. */
export function patchSchedule(schedule: BackupSchedule, patch: BackupPatch, now: number): BackupSchedule {
  const next = { ...schedule, ...patch };
  const isSameTime = next.every === schedule.every && next.hour === schedule.hour;
  return isSameTime ? next : { ...next, nextAt: computeFirstTime(next, now) };
}

/** Whether a run is requested or running and not lost. */
export const isOpen = ({ startedAt, endedAt }: BackupRun, now: number): boolean =>
  endedAt === null && Math.abs(now - startedAt) < MAX_RUN_MS;

/** Returns the status of a run. A run that never ended counts as failed, since its process is lost. */
export function getBackupStatus(run: BackupRun, now: number): { readonly status: BackupStatus; readonly error: string | null } {
  if (isOpen(run, now)) return { status: "running", error: null };
  if (run.endedAt === null) return { status: "failed", error: run.node === "" ? NOT_CLAIMED : STOPPED };
  if (run.error !== null) return { status: "failed", error: run.error };
  return { status: run.isRemoved ? "removed" : "done", error: null };
}

/** Returns the error of a run that a shutdown ended. */
export const formatStoppedError = (isRetried: boolean): string => (isRetried ? `${STOPPED} It is repeated automatically.` : STOPPED);

/** File names of scheduled backups. Files with other names are never removed. */
const FILE_NAME = /^tessera-\d{4}-\d{2}-\d{2}T\d{6}Z\.(?:sqlite|jsonl\.gz)$/;

export const isBackupName = (name: string): boolean => FILE_NAME.test(name);

/** Returns the file names of a backup: the file itself and its temporary files. */
export const getBackupFiles = (file: string): readonly string[] => [file, `${file}.partial`, `${file}.partial-journal`];

/** The file name extension of the backups of SQLite, and of those of PostgreSQL. */
export type BackupExtension = "sqlite" | "jsonl.gz";

/** Returns a name such as `tessera-2026-01-31T030000Z.sqlite`, with a later second if `taken` returns true for it. */
export function newBackupName(extension: BackupExtension, now: number, taken: (name: string) => boolean): string {
  for (let at = now; ; at += 1_000) {
    const name = `tessera-${new Date(at).toISOString().slice(0, 19).replaceAll(":", "")}Z.${extension}`;
    if (!taken(name)) return name;
  }
}
