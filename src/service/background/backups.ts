import {
  type BackupFolder,
  type BackupRun,
  type BackupStore,
  type ClaimedBackup,
  isBackupName,
  formatStoppedError,
} from "#domain/settings/backup.ts";
import { getErrorMessage } from "#domain/core/errors/error.ts";
import { findShortage } from "#domain/core/errors/shortage.ts";
import { startLoop } from "#runtime/loop.ts";
import { retry } from "#runtime/retry.ts";
import { waitAtMost } from "#runtime/wait.ts";
import { newId } from "#domain/core/system.ts";
import type { Deps, StoreDeps } from "../deps.ts";

type BackupDeps = StoreDeps &
  Pick<Deps, "log"> & {
    readonly folder: BackupFolder;
    /** The host name of this machine. */
    readonly node: string;
    /** False while nothing can be stored. */
    readonly mayRun?: () => boolean;
  };

const POLL_INTERVAL_MS = 1_000;
/** How many failed runs are checked for incomplete files. */
const MAX_FAILED_RUNS = 100;
/** The delay between two attempts to record the end of a run, and how many attempts there are at most. */
const RECORD_RETRY_DELAY_MS = 1_000;
const MAX_RECORD_ATTEMPTS = 60;
/** The delay before a backup that could not start for want of file handles or the like, and how many attempts there are at most. */
const SHORTAGE_DELAY_MS = 5_000;
const MAX_START_ATTEMPTS = 120;

/**
 * Makes requested and scheduled backups, one at a time, and removes old ones. `stop` waits up to `graceMs` for a running backup, then
 * aborts it and removes its file. An aborted scheduled backup becomes due again.
 */
export function startBackups(deps: BackupDeps, intervalMs = POLL_INTERVAL_MS): { stop(graceMs: number): Promise<void> } {
  const { store, clock, node, log } = deps;
  const abort = new AbortController();
  let isRecovered = false;
  let failures = 0;
  const loop = startLoop({
    intervalMs,
    firstMs: intervalMs,
    mayRun: deps.mayRun,
    async run() {
      if (!isRecovered) await recoverUnfinished(deps);
      isRecovered = true;
      const claimed = await store.backups.claimDue(node, newId("bak", clock.now()), clock.now());
      if (failures > 0) log.info({}, "checking for due backups works again");
      failures = 0;
      if (claimed !== null) await makeBackup(deps, claimed, abort.signal);
    },
    onError(error) {
      // Log only the first of several failures in a row.
      if (failures++ === 0) log.error({ error: getErrorMessage(error) }, "checking for due backups failed; retrying until it works");
    },
  });
  return {
    async stop(graceMs) {
      const stopped = loop.stop();
      await waitAtMost(graceMs, stopped);
      abort.abort();
      await stopped;
    },
  };
}

/**
 * Records the end of runs that a previous process left open. A file under its final name is complete, since it is written under a
 * temporary name first.
 */
async function recoverUnfinished({ store, clock, folder, node, log }: BackupDeps): Promise<void> {
  for (const run of await store.backups.listUnfinished(node, clock.now())) {
    const bytes = isBackupName(run.file) ? await folder.getSize(run.file) : null;
    await store.backups.end(run.id, bytes === null ? { error: formatStoppedError(false) } : { bytes }, clock.now());
    log.warn({ backup: run.id, file: run.file }, "recorded the end of a backup that a previous process left open");
  }
}

async function makeBackup(deps: BackupDeps, claimed: ClaimedBackup, signal: AbortSignal): Promise<void> {
  const { store, clock, folder, log } = deps;
  const { run, dueAt } = claimed;
  let bytes: number;
  try {
    bytes = await retry(
      () => folder.make(run.file, signal),
      (error, attempt) => {
        const shortage = findShortage(error);
        if (shortage === null || shortage === "disk" || attempt >= MAX_START_ATTEMPTS) return null;
        if (attempt === 1) log.warn({ backup: run.id }, `A backup waits. ${getErrorMessage(error)}`);
        return SHORTAGE_DELAY_MS;
      },
      signal,
    );
  } catch (error) {
    if (signal.aborted) return store.backups.recordAborted(claimed, formatStoppedError(dueAt !== null), clock.now());
    const cause = error instanceof Error && error.cause !== undefined ? { cause: getErrorMessage(error.cause) } : {};
    log.error({ backup: run.id, file: run.file, error: getErrorMessage(error), ...cause }, "a backup failed");
    return recordEnd(deps, run, { error: getErrorMessage(error) }, signal);
  }
  await recordEnd(deps, run, { bytes }, signal);
  log.info({ backup: run.id, file: run.file, bytes }, "a backup was made");
  try {
    await removeOlder(deps);
  } catch (error) {
    log.error({ error: getErrorMessage(error) }, "older backups could not be removed; retrying after the next backup");
  }
}

/** Retries after any error, since a run without a recorded end blocks the next backup. */
function recordEnd(
  { store, clock }: BackupDeps,
  run: BackupRun,
  end: Parameters<BackupStore["end"]>[1],
  signal: AbortSignal,
): Promise<void> {
  return retry(
    () => store.backups.end(run.id, end, clock.now()),
    (_error, attempt) => (attempt < MAX_RECORD_ATTEMPTS && !signal.aborted ? RECORD_RETRY_DELAY_MS : null),
  );
}

/** Sorts backups dated in the future last: the clock was ahead when they were made, so the others are newer. */
const sortNewestFirst = (runs: readonly BackupRun[], now: number): BackupRun[] => [
  ...runs.filter(({ startedAt }) => startedAt <= now),
  ...runs.filter(({ startedAt }) => startedAt > now),
];

/**
 * Removes backup files beyond the number to keep. Only files of recorded runs in this machine's folder are removed; other machines
 * remove their own.
 */
async function removeOlder({ store, clock, folder, node, log }: BackupDeps): Promise<void> {
  const { keep } = await store.backups.schedule();
  const removedIds: string[] = [];
  let keptCount = 0;
  for (const { id, file, node: runNode } of sortNewestFirst(await store.backups.listAvailable(), clock.now())) {
    if (!isBackupName(file)) continue;
    const isHere = (await folder.getSize(file)) !== null;
    // A file that was deleted manually does not count as kept.
    if (!isHere && runNode === node) removedIds.push(id);
    else if (keptCount < keep) keptCount++;
    else if (isHere) {
      await folder.remove(file);
      removedIds.push(id);
      log.info({ backup: id, file }, "an older backup was removed");
    }
  }
  if (removedIds.length > 0) await store.backups.markRemoved(removedIds);
  // Remove incomplete files of processes that were killed.
  for (const { file, error } of await store.backups.runs(MAX_FAILED_RUNS))
    if (error !== null && isBackupName(file) && (await folder.getSize(file)) === null) await folder.remove(file);
}
