import { type BackupRhythm, type BackupRun, type BackupSchedule, NO_SCHEDULE } from "#domain/settings/backup.ts";
import { conflict } from "#domain/core/error.ts";

export const SCHEDULE_COLUMNS = "every, hour, keep, next_at";
export const RUN_COLUMNS = "id, node, file, bytes, error, is_removed, started_at, ended_at";

export type ScheduleRow = { every: string; hour: number; keep: number; next_at: number | null };

export type RunRow = {
  id: string;
  node: string;
  file: string;
  bytes: number | null;
  error: string | null;
  is_removed: number | boolean;
  started_at: number;
  ended_at: number | null;
};

export const scheduleOf = (row: ScheduleRow | undefined): BackupSchedule =>
  row === undefined ? NO_SCHEDULE : { every: row.every as BackupRhythm, hour: row.hour, keep: row.keep, nextAt: row.next_at };

export const runOf = (row: RunRow): BackupRun => ({
  id: row.id,
  node: row.node,
  file: row.file,
  bytes: row.bytes,
  error: row.error,
  isRemoved: Boolean(row.is_removed),
  startedAt: row.started_at,
  endedAt: row.ended_at,
});

/** A run as it is first written. */
export const newRun = (run: Pick<BackupRun, "id" | "node" | "file" | "startedAt">): BackupRun => ({
  ...run,
  bytes: null,
  error: null,
  isRemoved: false,
  endedAt: null,
});

export const backupUnderWay = () => conflict("A backup is being made already. Wait until it has ended.");
