import type { Store } from "#domain/store.ts";
import { stopAll } from "#runtime/process/stop-all.ts";
import { BoardWatch } from "../shared/board-watch.ts";
import {
  createFeedNotifier,
  type FeedNotifier,
  type Notifier,
  wakeReaders,
  wakeSenders,
  wakeSequencers,
  wakeWorkers,
} from "../sql/notifier.ts";
import { createStores } from "../sql/stores.ts";
import { createBoardAdapter } from "./adapters/board-adapter.ts";
import { tileAdapter } from "./adapters/tile-adapter.ts";
import { Database } from "./engine/database.ts";
import { createDriver } from "./engine/driver.ts";
import { migrate } from "./engine/migrate.ts";
import { NotificationBus, type Topic } from "./engine/notification-bus.ts";
import { createSearchAdapter } from "./search/search-adapter.ts";
import { createTileClaims } from "./search/tile-claims.ts";
import { createVectorAdapter } from "./search/vector-adapter.ts";
import { createRateLimitStore } from "./adapters/rate-limits.ts";
import { createKeyLookup } from "./adapters/api-key-cache.ts";

/** How often the revision of a watched board is polled, in milliseconds, in case a notification is lost. */
const WATCH_INTERVAL_MS = 1_000;
const BOARD_TOPIC = "board ";
const FEED_TOPIC = "feed ";
/** Tables of which a row is read to find out whether the database works. */
const PROBED_TABLES = ["business", "board", "tile", "api_key"] as const;

export type StoreOptions = {
  /** `postgres://…` */
  readonly url: string;
  /** Maximum number of connections of this process, besides the one that listens for notifications. */
  readonly connections: number;
};

/** Opens the store in a PostgreSQL database; creates or upgrades its tables where needed. */
export async function openStore({ url, connections }: StoreOptions): Promise<Store> {
  const migrating = new Database({ url, connections: 1, noTimeouts: true });
  try {
    await migrate(migrating);
  } finally {
    await migrating.close();
  }
  const db = new Database({ url, connections });
  try {
    return await storeOn(db);
  } catch (error) {
    await db.close();
    throw error;
  }
}

async function storeOn(db: Database): Promise<Store> {
  const bus = new NotificationBus(db);
  const notifier: Notifier = {
    workers: new Set(),
    senders: new Set(),
    // Text needs no notification, since the indexers of the nodes poll for it.
    notifyWorkers: (work) => void (work === "jobs" && bus.publish("work")),
    notifySenders: () => bus.publish("deliveries"),
  };
  const feed = createFeedNotifier((businessIds) => {
    for (const id of businessIds) bus.publish(`${FEED_TOPIC}${id}`);
  });
  const boards = createBoardAdapter(db);
  const driver = createDriver(db, bus);
  const claims = createTileClaims(driver);
  const stores = createStores(
    driver,
    {
      boards,
      tiles: tileAdapter,
      search: createSearchAdapter(claims),
      vectors: createVectorAdapter(db, claims, bus),
      findKeyByHash: createKeyLookup(db, bus),
      backupExtension: "jsonl.gz",
      purge: { isByBusiness: true, claimTables: ["tile_claim"] },
    },
    notifier,
    feed,
  );
  const watch = new BoardWatch(async (businessId, id) => (await boards.revisions({ businessId, id })).content, WATCH_INTERVAL_MS);
  db.onCommit((boardIds) => {
    for (const id of boardIds) bus.publish(`${BOARD_TOPIC}${id}`);
    if (boardIds.size > 0) wakeSequencers(feed);
  });
  await connect(bus, { notifier, feed, watch });
  // A restore needs every node stopped, so the epoch stays the same as long as the store is open.
  const epoch = (await db.get<{ value: string }>("SELECT value FROM epoch"))?.value ?? "";
  const ping = async (): Promise<void> => {
    for (const table of PROBED_TABLES) await db.get(`SELECT * FROM ${table} LIMIT 1`);
  };
  return {
    ...stores,
    // A damaged index of PostgreSQL is repaired by its own means (REINDEX).
    indexRebuild: { ...stores.indexRebuild, onRepair: () => () => {} },
    statistics: {
      ...stores.statistics,
      databaseBytes: async () => (await db.get<{ bytes: number }>("SELECT pg_database_size(current_database()) AS bytes"))?.bytes ?? 0,
    },
    epoch,
    rateLimits: createRateLimitStore(db),
    changes: watch,
    releaseFreeSpace: async () => 0,
    ping,
    async probe() {
      await ping();
      await db.write((tx) => tx.run("UPDATE epoch SET value = value"));
    },
    // Every call reads the database, so there is no snapshot to refresh.
    refreshSnapshot() {},
    async close() {
      await stopAll([() => watch.stop()], [() => bus.close()], [() => db.close()]);
    },
  };
}

type Listeners = { readonly notifier: Notifier; readonly feed: FeedNotifier; readonly watch: BoardWatch };

/** Wakes the listeners of this process after each notification, and after a reconnection, which may have missed some. */
function connect(bus: NotificationBus, { notifier, feed, watch }: Listeners): Promise<void> {
  bus.subscribe((topic: Topic) => {
    if (topic === "work") wakeWorkers(notifier, "jobs");
    else if (topic === "deliveries") wakeSenders(notifier);
    else if (topic.startsWith(BOARD_TOPIC)) watch.check(topic.slice(BOARD_TOPIC.length));
    else if (topic.startsWith(FEED_TOPIC)) wakeReaders(feed, topic.slice(FEED_TOPIC.length));
  });
  return bus.start(() => {
    wakeWorkers(notifier, "jobs");
    wakeSenders(notifier);
    wakeReaders(feed);
    watch.checkAll();
  });
}
