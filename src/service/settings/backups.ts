import type { BackupPatch, BackupRun, BackupSchedule } from "#domain/settings/backup.ts";
import { AppError } from "#domain/core/error.ts";
import { newId } from "#domain/core/system.ts";
import type { BusinessOwner } from "../access.ts";
import type { Deps } from "../deps.ts";

type BackupDeps = Pick<Deps, "store" | "clock">;

/** The most runs that are listed. */
const MAX_RUNS = 100;

export type BackupsView = {
  readonly schedule: BackupSchedule;
  /** The newest first. */
  readonly runs: readonly BackupRun[];
  /** Whether the install holds several businesses, so that backups are the operator's alone. */
  readonly isShared: boolean;
};

export async function readBackups({ store }: BackupDeps): Promise<BackupsView> {
  const [schedule, runs, isShared] = await Promise.all([store.backups.schedule(), store.backups.runs(MAX_RUNS), isInstallShared(store)]);
  return { schedule, runs, isShared };
}

/** Changes the schedule of the whole install; `scope` is whose audit log says so. */
export const changeBackups = ({ store, clock }: BackupDeps, scope: BusinessOwner, patch: BackupPatch): Promise<BackupSchedule> =>
  store.backups.change(scope, patch, clock.now());

/** Asks for a backup now, which a process with background work makes. 409 while one is wanted or under way. */
export function requestBackup({ store, clock }: BackupDeps, scope: BusinessOwner): Promise<BackupRun> {
  const now = clock.now();
  return store.backups.request(scope, newId("bak", now), now);
}

/** 403 for owners where the install is not theirs alone: a backup holds every business. `command` is what the operator does instead. */
export async function requireWholeInstall({ store }: BackupDeps, command: string): Promise<void> {
  if (await isInstallShared(store))
    throw new AppError(
      "forbidden",
      `This install holds more than one business, and a backup holds them all. Its operator runs it, with "${command}".`,
    );
}

const isInstallShared = async (store: Deps["store"]): Promise<boolean> => (await store.boards.businesses()).length > 1;
