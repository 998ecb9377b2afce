import { type BackupFolder, type BackupRun, type ClaimedBackup, isBackupName, stoppedSentence } from "#domain/settings/backup.ts";
import { messageOf } from "#domain/core/error.ts";
import { newId } from "#domain/core/system.ts";
import type { Deps } from "../deps.ts";

type Log = {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

type BackupDeps = Pick<Deps, "store" | "clock"> & {
  readonly folder: BackupFolder;
  /** The name of this machine. */
  readonly node: string;
  readonly log: Log;
};

/** How often it is looked for backups that are wanted or due. */
const POLL_INTERVAL_MS = 1_000;
/** How many failed runs are looked at for what they left behind. */
const MAX_FAILED = 100;
/** How long a store that is away is asked again to note the end of a run, and how often. */
const UNAVAILABLE_RETRY_MS = 1_000;
const MAX_ATTEMPTS = 60;

/**
 * Makes the backups of the whole install that are wanted or due, one at a time, and removes the older ones. `stop` waits up to
 * `graceMs` for one that is under way; then it is given up, nothing of it stays, and a scheduled one is due again.
 */
export function startBackups(deps: BackupDeps, lookMs = POLL_INTERVAL_MS): { stop(graceMs: number): Promise<void> } {
  const { store, clock, node, log } = deps;
  const stopping = new AbortController();
  let running: Promise<void> | null = null;
  let isStopped = false;
  let isRecovered = false;
  let isUnavailable = false;

  async function look(): Promise<void> {
    try {
      if (!isRecovered) await recover(deps);
      isRecovered = true;
      const claimed = await store.backups.claimDue(node, newId("bak", clock.now()), clock.now());
      if (isUnavailable) log.info({}, "backups are looked for again");
      isUnavailable = false;
      if (claimed !== null) await make(deps, claimed, stopping.signal);
    } catch (error) {
      // Once, not with every look.
      if (!isUnavailable) log.error({ error: messageOf(error) }, "looking for backups to make failed; tried again until it works");
      isUnavailable = true;
    } finally {
      running = null;
    }
  }

  const timer = setInterval(() => {
    if (!isStopped) running ??= look();
  }, lookMs).unref();
  return {
    async stop(graceMs) {
      isStopped = true;
      clearInterval(timer);
      const cutOff = setTimeout(() => stopping.abort(), graceMs);
      await running;
      clearTimeout(cutOff);
    },
  };
}

/** Settles what an earlier process left without an end: its file is there when it was whole, and only its end was not noted. */
async function recover({ store, clock, folder, node, log }: BackupDeps): Promise<void> {
  for (const run of await store.backups.lost(node, clock.now())) {
    const bytes = isBackupName(run.file) ? await folder.sizeOf(run.file) : null;
    await store.backups.end(run.id, bytes === null ? { error: stoppedSentence(false) } : { bytes }, clock.now());
    log.warn({ backup: run.id, file: run.file }, "a backup had no end");
  }
}

async function make(deps: BackupDeps, claimed: ClaimedBackup, signal: AbortSignal): Promise<void> {
  const { store, clock, folder, log } = deps;
  const { run, dueAt } = claimed;
  let bytes: number;
  try {
    bytes = await folder.make(run.file, signal);
  } catch (error) {
    if (signal.aborted) await retryUntilRecorded(() => store.backups.giveUp(claimed, stoppedSentence(dueAt !== null), clock.now()), 1);
    else {
      const cause = error instanceof Error && error.cause !== undefined ? { cause: messageOf(error.cause) } : {};
      log.error({ backup: run.id, file: run.file, error: messageOf(error), ...cause }, "a backup failed");
      await retryUntilRecorded(() => store.backups.end(run.id, { error: messageOf(error) }, clock.now()), MAX_ATTEMPTS, signal);
    }
    return;
  }
  await retryUntilRecorded(() => store.backups.end(run.id, { bytes }, clock.now()), MAX_ATTEMPTS, signal);
  log.info({ backup: run.id, file: run.file, bytes }, "a backup was made");
  try {
    await removeOlder(deps);
  } catch (error) {
    log.error({ error: messageOf(error) }, "older backups could not be removed; tried again after the next one");
  }
}

/** Notes an end; a store that is away is asked again, since a run without an end keeps others waiting. */
async function retryUntilRecorded(note: () => Promise<void>, tries: number, signal?: AbortSignal): Promise<void> {
  for (let left = tries; ; left--) {
    try {
      return await note();
    } catch (error) {
      if (left <= 1 || signal?.aborted === true) throw error;
      await new Promise((resolve) => setTimeout(resolve, UNAVAILABLE_RETRY_MS));
    }
  }
}

/** Backups dated in the future come last: the clock was ahead when they were made, and those made since are newer. */
const newestFirst = (runs: readonly BackupRun[], now: number): BackupRun[] => [
  ...runs.filter(({ startedAt }) => startedAt <= now),
  ...runs.filter(({ startedAt }) => startedAt > now),
];

/**
 * Removes files beyond those that are kept. Only what a run of ours wrote and what is in this machine's folder: files of other machines
 * stay until they look themselves, and files that nobody here wrote stay for good.
 */
async function removeOlder({ store, clock, folder, node, log }: BackupDeps): Promise<void> {
  const { keep } = await store.backups.schedule();
  const gone: string[] = [];
  let kept = 0;
  for (const { id, file, node: place } of newestFirst(await store.backups.kept(), clock.now())) {
    if (!isBackupName(file)) continue;
    const isHere = (await folder.sizeOf(file)) !== null;
    // Somebody removed it by hand, and it takes no place among those that are kept.
    if (!isHere && place === node) gone.push(id);
    else if (kept < keep) kept++;
    else if (isHere) {
      await folder.remove(file);
      gone.push(id);
      log.info({ backup: id, file }, "an older backup was removed");
    }
  }
  if (gone.length > 0) await store.backups.forget(gone);
  // What a run left half-written when its process was killed.
  for (const { file, error } of await store.backups.runs(MAX_FAILED))
    if (error !== null && isBackupName(file) && (await folder.sizeOf(file)) === null) await folder.remove(file);
}
