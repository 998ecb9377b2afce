import type { Authorized } from "../core/access.ts";
import type { Business } from "../core/board.ts";

export const BACKUP_RHYTHMS = ["off", "day", "week"] as const;
export type BackupRhythm = (typeof BACKUP_RHYTHMS)[number];

/** The most files that a schedule can be told to keep. */
export const MAX_BACKUPS = 60;

/** When the whole install is backed up; one for all its businesses, since a backup holds them all. */
export type BackupSchedule = {
  readonly every: BackupRhythm;
  /** 0 to 23, UTC. */
  readonly hour: number;
  /** How many of the newest backups stay. */
  readonly keep: number;
  /** When the next one is due; null where it is off. */
  readonly nextAt: number | null;
};

export type BackupPatch = Partial<Pick<BackupSchedule, "every" | "hour" | "keep">>;

/** What holds until somebody sets a schedule. */
export const NO_SCHEDULE: BackupSchedule = { every: "off", hour: 3, keep: 14, nextAt: null };

/** One backup: wanted, under way, or over. */
export type BackupRun = {
  readonly id: string;
  /** The machine that makes it and has its file; "" while none has taken it up. */
  readonly node: string;
  /** The file's name, without its folder. */
  readonly file: string;
  readonly bytes: number | null;
  readonly error: string | null;
  /** Whether the file was removed, because there are enough newer ones. */
  readonly isRemoved: boolean;
  readonly startedAt: number;
  readonly endedAt: number | null;
};

export type BackupStatus = "running" | "done" | "failed" | "removed";

/** How a backup ended. */
export type BackupOutcome = { readonly bytes: number } | { readonly error: string };

/** A backup that is to be made, and the time of the schedule that it is for; null where somebody asked for it. */
export type ClaimedBackup = { readonly run: BackupRun; readonly dueAt: number | null };

/** The schedule of backups and what came of it. Files are none of its business. */
export interface BackupStore {
  schedule(): Promise<BackupSchedule>;
  /** Changes the schedule. What is due already stays due unless rhythm or hour change. */
  change(scope: Authorized<Business, "own">, patch: BackupPatch, now: number): Promise<BackupSchedule>;
  /** The newest ones, newest first. */
  runs(limit: number): Promise<BackupRun[]>;
  /** Those that left a file which nobody removed, newest first. */
  kept(): Promise<BackupRun[]>;
  /** Runs of this machine whose process is gone, as far as can be told when a process with background work starts on it. */
  lost(node: string, now: number): Promise<BackupRun[]>;
  /** Asks for one as soon as a process with background work looks. 409 while one is wanted or under way. */
  request(scope: Authorized<Business, "own">, id: string, now: number): Promise<BackupRun>;
  /**
   * Takes up what was asked for or is due, for `node`; null where there is nothing, or one is under way. Of several who claim at
   * once one gets it, and the schedule moves on to its next time in the same unit. `id` names the run of one that is due.
   */
  claimDue(node: string, id: string, now: number): Promise<ClaimedBackup | null>;
  /** Notes how a run ended; one that has ended already stays as it is. */
  end(runId: string, outcome: BackupOutcome, now: number): Promise<void>;
  /** Ends a run that had to be given up, and makes a scheduled one due again. */
  giveUp(claimed: ClaimedBackup, error: string, now: number): Promise<void>;
  /** Notes that the files of these runs are gone. */
  forget(runIds: readonly string[]): Promise<void>;
  /** When the newest good one ended; null where there is none. */
  lastSuccess(): Promise<number | null>;
}

/** The folder of backups on this machine. */
export interface BackupFolder {
  /** Writes the whole install to a new file of this name, on disk and whole or not at all; answers its bytes. Throws a sentence for a person. */
  make(name: string, signal: AbortSignal): Promise<number>;
  /** The bytes of a file that is there; null where it is not. */
  sizeOf(name: string): Promise<number | null>;
  /** Removes a file and what an unfinished one left behind; only ever one that is named as a backup. */
  remove(name: string): Promise<void>;
}

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** How long a run without an end is believed to be under way. One that began as far in the future was begun by a clock that was ahead. */
export const RUN_MS = HOUR_MS;

const STOPPED = "The server stopped meanwhile.";
const UNHEARD = "No server took it up within an hour. See that one is running with ROLE=all or ROLE=worker.";

/** The first time after `after` that the hour comes; null where the schedule is off. */
export function firstTime({ every, hour }: Pick<BackupSchedule, "every" | "hour">, after: number): number | null {
  if (every === "off") return null;
  const today = Math.floor(after / DAY_MS) * DAY_MS + hour * HOUR_MS;
  return today > after ? today : today + DAY_MS;
}

type DueSchedule = BackupSchedule & { readonly nextAt: number };

const stepOf = (every: BackupRhythm): number => (every === "week" ? 7 * DAY_MS : DAY_MS);

/** Whether its time has come; also where the time is further away than the schedule's step, as a clock that was ahead leaves it. */
export const isDue = (schedule: BackupSchedule, now: number): schedule is DueSchedule =>
  schedule.every !== "off" && schedule.nextAt !== null && (schedule.nextAt <= now || schedule.nextAt > now + stepOf(schedule.every));

/** The time after one that is due: whole days or weeks from it, and the first after `now`, however many were missed. */
export function timeAfter({ every, nextAt }: DueSchedule, now: number): number {
  const step = stepOf(every);
  return nextAt + (Math.floor((now - nextAt) / step) + 1) * step;
}

/** The schedule after a change. */
export function patchSchedule(schedule: BackupSchedule, patch: BackupPatch, now: number): BackupSchedule {
  const next = { ...schedule, ...patch };
  const isSameTime = next.every === schedule.every && next.hour === schedule.hour;
  return isSameTime ? next : { ...next, nextAt: firstTime(next, now) };
}

/** Whether a run is wanted or under way, as far as can be told. */
export const isOpen = ({ startedAt, endedAt }: BackupRun, now: number): boolean => endedAt === null && Math.abs(now - startedAt) < RUN_MS;

/** What is told of a run: one that never ended has failed, since its process is gone. */
export function statusOf(run: BackupRun, now: number): { readonly status: BackupStatus; readonly error: string | null } {
  if (isOpen(run, now)) return { status: "running", error: null };
  if (run.endedAt === null) return { status: "failed", error: run.node === "" ? UNHEARD : STOPPED };
  if (run.error !== null) return { status: "failed", error: run.error };
  return { status: run.isRemoved ? "removed" : "done", error: null };
}

/** What a stop leaves of a run that it ends. */
export const stoppedSentence = (isMadeAgain: boolean): string => (isMadeAgain ? `${STOPPED} It is made again by itself.` : STOPPED);

/** How files of scheduled backups are named; nothing named otherwise is ever removed. */
const FILE_NAME = /^tessera-\d{4}-\d{2}-\d{2}T\d{6}Z\.(?:sqlite|jsonl\.gz)$/;

export const isBackupName = (name: string): boolean => FILE_NAME.test(name);

/** A backup's file, and those that stand beside it while it is written. */
export const filesOf = (file: string): readonly string[] => [file, `${file}.partial`, `${file}.partial-journal`];

/** Such as `tessera-2026-01-31T030000Z.sqlite`; of a later second where `taken` has the name already. */
export function newBackupName(extension: "sqlite" | "jsonl.gz", now: number, taken: (name: string) => boolean): string {
  for (let at = now; ; at += 1_000) {
    const name = `tessera-${new Date(at).toISOString().slice(0, 19).replaceAll(":", "")}Z.${extension}`;
    if (!taken(name)) return name;
  }
}
