import type { BackupPatch, BackupRun, BackupSchedule } from "#domain/settings/backup.ts";
import { AppError } from "#domain/core/errors/error.ts";
import { newId } from "#domain/core/system.ts";
import type { BusinessOwner } from "../access.ts";
import type { Deps, StoreDeps } from "../deps.ts";

const MAX_LISTED_RUNS = 100;

export type BackupsView = {
  readonly schedule: BackupSchedule;
  /** Newest first. */
  readonly runs: readonly BackupRun[];
  /** Whether the install has several businesses, in which case only the operator may manage backups. */
  readonly isShared: boolean;
};

export async function readBackups({ store }: StoreDeps): Promise<BackupsView> {
  const [schedule, runs, isShared] = await Promise.all([
    store.backups.schedule(),
    store.backups.runs(MAX_LISTED_RUNS),
    isInstallShared(store),
  ]);
  return { schedule, runs, isShared };
}

/** Changes the schedule of the whole install. The change is recorded in the audit log of the business in `scope`. */
export const changeBackups = ({ store, clock }: StoreDeps, scope: BusinessOwner, patch: BackupPatch): Promise<BackupSchedule> =>
  store.backups.change(scope, patch, clock.now());

/** Requests a backup, which a process with background work then makes. Throws 409 while one is requested or running. */
export function requestBackup({ store, clock }: StoreDeps, scope: BusinessOwner): Promise<BackupRun> {
  const now = clock.now();
  return store.backups.request(scope, newId("bak", now), now);
}

/** Throws 403 when the install has several businesses, since a backup contains all of them. `command` is the operator's alternative. */
export async function requireWholeInstall({ store }: StoreDeps, command: string): Promise<void> {
  if (await isInstallShared(store))
    throw new AppError(
      "forbidden",
      `This install has several businesses, and a backup contains all of them. Only the operator can do this, with "${command}".`,
    );
}

const isInstallShared = async (store: Deps["store"]): Promise<boolean> => (await store.boards.businesses()).length > 1;
