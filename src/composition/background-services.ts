import { hostname } from "node:os";
import type { Config } from "#config";
import { presentTile } from "#http/wire/tiles/tile.ts";
import { startBackups } from "#service/background/backups.ts";
import { startDelivering } from "#service/background/deliver.ts";
import { startFillingHashes } from "#service/background/fill-hashes.ts";
import { startHousekeeping } from "#service/background/housekeeping.ts";
import { startRefreshing } from "#service/background/refresh.ts";
import { stopAll } from "#runtime/process/stop-all.ts";
import type { StorageWatch } from "#service/background/storage-watch.ts";
import type { AppContext } from "./app-context.ts";

export type BackgroundServices = {
  /** Waits up to `graceMs` for a running backup. */
  stopBackups(graceMs: number): Promise<void>;
  /** Stops everything, and waits up to `graceMs` for running deliveries. */
  stop(graceMs: number): Promise<void>;
};

/** Recovers jobs and deliveries of a previous process, and starts webhooks, housekeeping, scheduled refreshes and backups. */
export async function startBackgroundServices(
  config: Config,
  { deps, ...appContext }: AppContext,
  storage: StorageWatch,
): Promise<BackgroundServices> {
  const { store, clock, log, secretBox } = deps;
  const { mayWrite: mayRun } = storage;
  let isRecovered = false;
  const recover = async (): Promise<void> => {
    if (isRecovered) return;
    await Promise.all([store.queue.recover(clock.now()), store.webhooks.recover(clock.now())]);
    isRecovered = true;
  };
  if (mayRun()) await recover();
  else storage.onRecovery(recover);
  const delivering = startDelivering({
    store,
    clock,
    secretBox,
    sender: appContext.webhookSender,
    meter: deps.meter,
    timeoutMs: config.webhookTimeoutMs,
    presentTile,
    mayRun,
    log,
  });
  const loops = [startHousekeeping({ ...deps, mayRun }), startRefreshing({ ...deps, mayRun }), startFillingHashes({ ...deps, mayRun })];
  const backups = startBackups({ store, clock, folder: appContext.backupFolder, node: hostname(), mayRun, log });
  return {
    stopBackups: backups.stop,
    async stop(graceMs) {
      await stopAll([() => backups.stop(0)], [() => delivering.stop(graceMs), ...loops.map((loop) => loop.stop)]);
    },
  };
}
