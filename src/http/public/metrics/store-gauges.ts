import type { Registry } from "@prometheus-io/client";
import type { AppError } from "#domain/core/errors/error.ts";
import { QUEUE_NAMES, type QueueState } from "#domain/metrics/statistics.ts";
import type { Store } from "#domain/store.ts";
import { createGauges, type Gauges } from "./gauges.ts";

/** How long the sizes of large tables are reused. Reading them takes a second or more for each million rows. */
const SIZES_REUSE_MS = 300_000;

type GaugedStore = Pick<Store, "tiles" | "indexRebuild" | "backups" | "statistics" | "feed" | "subscriptions">;

export type StoreGaugeDeps = {
  readonly store: GaugedStore;
  /** Returns what keeps the storage from working; null if it works. */
  readonly checkStorage: () => Promise<AppError | null>;
  readonly now: () => number;
};

/** Adds the gauges of the whole installation, which all its nodes report alike. */
export function addStoreGauges(registry: Registry, { store, checkStorage, now }: StoreGaugeDeps): void {
  const gauges = createGauges(registry);
  gauges.add(
    "tessera_storage_up",
    "1 if the storage can be read and written, otherwise 0.",
    async () => ((await checkStorage()) === null ? 1 : 0),
    (isUp) => isUp,
  );
  gauges.add(
    "tessera_backup_last_success_timestamp_seconds",
    "When the last successful backup ended: scheduled, requested, or made by the command; 0 if there is none.",
    gauges.reading(async () => ((await store.backups.lastSuccess()) ?? 0) / 1_000),
    (seconds) => seconds,
  );
  addWaitingGauges(gauges, store, now);
  addSubscriptionGauge(gauges, store);
  addSizeGauges(gauges, store);
}

function addWaitingGauges(gauges: Gauges, store: GaugedStore, now: () => number): void {
  const counts = gauges.reading(() => store.tiles.counts());
  gauges.add("tessera_tiles_processing", "Tiles that are being ingested or are queued.", counts, ({ processing }) => processing);
  gauges.add("tessera_index_pending", "Tiles whose search index is not complete yet.", counts, ({ indexPending }) => indexPending);
  gauges.add(
    "tessera_index_rebuilding_boards",
    "Boards whose search index is being built anew, after damage or by the command reindex.",
    gauges.reading(() => store.indexRebuild.unfinished()),
    ({ length }) => length,
  );
  const queues = gauges.reading(() => store.statistics.queues());
  const byQueue =
    (select: (queue: QueueState) => number) =>
    (states: Awaited<ReturnType<Store["statistics"]["queues"]>>): Record<string, number> =>
      Object.fromEntries(QUEUE_NAMES.map((name) => [name, select(states[name])]));
  gauges.add(
    "tessera_queue_length",
    "Links and deliveries that wait, and generations that run or wait, counted up to 100,000.",
    queues,
    byQueue(({ length }) => length),
    "queue",
  );
  gauges.add(
    "tessera_queue_oldest_age_seconds",
    "For how long the oldest entry of the queue has been due, in seconds; 0 if none is.",
    queues,
    byQueue(({ oldestAt }) => toAge(oldestAt, now)),
    "queue",
  );
  gauges.add(
    "tessera_feed_lag_seconds",
    "Age of the oldest recorded event that readers of the change feed do not see yet, in seconds; 0 if there is none.",
    gauges.reading(async () => toAge(await store.feed.oldestWaiting(), now)),
    (seconds) => seconds,
  );
}

function addSubscriptionGauge(gauges: Gauges, { subscriptions }: GaugedStore): void {
  gauges.add(
    "tessera_subscriptions",
    "Webhooks that keys and owners registered, by status.",
    gauges.reading(() => subscriptions.counts()),
    (counts) => counts,
    "status",
  );
}

/** Returns the seconds since this time; 0 without a time. */
const toAge = (at: number | null, now: () => number): number => (at === null ? 0 : Math.max(0, now() - at) / 1_000);

function addSizeGauges(gauges: Gauges, { statistics }: GaugedStore): void {
  const readTiles = gauges.reading(() => statistics.tiles(), SIZES_REUSE_MS);
  gauges.add("tessera_tiles", "Tiles by status, without deleted ones.", readTiles, (tiles) => tiles, "status");
  const readFiles = gauges.reading(() => statistics.fileBytes(), SIZES_REUSE_MS);
  gauges.add("tessera_files_bytes", "Bytes of all uploads.", readFiles, (bytes) => bytes);
  gauges.add(
    "tessera_database_bytes",
    "Size of the database on its disk, in bytes; of SQLite with its write-ahead log.",
    gauges.reading(() => statistics.databaseBytes()),
    (bytes) => bytes,
  );
}
