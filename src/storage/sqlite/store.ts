import { statSync } from "node:fs";
import { join } from "node:path";
import { StorageError } from "#domain/core/errors/storage-error.ts";
import type { Store } from "#domain/store.ts";
import { BoardWatch } from "../shared/board-watch.ts";
import { createFeedNotifier, type Notifier, wakeReaders, wakeSenders, wakeSequencers, wakeWorkers } from "../sql/notifier.ts";
import { createStores } from "../sql/stores.ts";
import { createBoardAdapter } from "./adapters/board-adapter.ts";
import { tileAdapter } from "./adapters/tile-adapter.ts";
import { Connection } from "./engine/database.ts";
import { createDriver } from "./engine/driver.ts";
import { toStorageError } from "./engine/failure.ts";
import { releaseFreePages } from "./opening/free-pages.ts";
import { migrate } from "./engine/migrate.ts";
import { inspectDatabase } from "./opening/inspect.ts";
import { probeReading, probeWriting } from "./opening/probe.ts";
import { openReserve, type Reserve } from "./opening/reserve.ts";
import { IndexGuard } from "./search/index-guard.ts";
import { finishRepair, restoreTables } from "./search/repair-index.ts";
import { searchAdapter } from "./search/search-adapter.ts";
import { vectorAdapter } from "./search/vector-adapter.ts";
import { createKeyLookup } from "./adapters/api-key-cache.ts";

/** Returns the path of the database file in a data directory. */
export const databaseFile = (dataDir: string): string => join(dataDir, "tessera.sqlite");

/** How often the revision of a watched board is polled, in milliseconds. It is cached until the next commit. */
const WATCH_INTERVAL_MS = 100;

/** Opens the store in `file`, or in memory for `:memory:`; creates or upgrades its tables where needed. Throws for a file of another program. */
export function openStore(file: string): Store {
  if (file === ":memory:") return storeOn(openConnection(file));
  const reserve = openReserve(file);
  try {
    return storeOn(openConnection(file), reserve);
  } catch (error) {
    const failure = toStorageError(error);
    if (!(failure instanceof StorageError) || failure.problem !== "full") throw error;
    // Reading needs a little room too. The next probe takes back what is left.
    reserve.release();
    return storeOn(openConnection(file), reserve);
  }
}

function openConnection(file: string): Connection {
  if (file !== ":memory:") inspectDatabase(file);
  const db = new Connection(file);
  try {
    restoreTables(db.raw);
    migrate(db);
    finishRepair(db.raw);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Returns the bytes of the file and of its write-ahead log. */
function measureDatabase({ raw }: Connection): number {
  if (raw.memory) return 0;
  return [raw.name, `${raw.name}-wal`].reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0);
}

/** Creates the store on a connection whose schema is up to date. */
export function storeOn(db: Connection, reserve: Reserve | null = null): Store {
  const notifier: Notifier = {
    workers: new Set(),
    senders: new Set(),
    notifyWorkers: (work) => wakeWorkers(notifier, work),
    notifySenders: () => wakeSenders(notifier),
  };
  const feed = createFeedNotifier((businessIds) => {
    for (const id of businessIds) wakeReaders(feed, id);
  });
  const guard = new IndexGuard(db);
  const driver = createDriver(db, guard, () => wakeSequencers(feed));
  const stores = createStores(
    driver,
    {
      boards: createBoardAdapter(db),
      tiles: tileAdapter,
      search: searchAdapter,
      vectors: vectorAdapter,
      findKeyByHash: createKeyLookup(db),
      backupExtension: "sqlite",
      purge: { isByBusiness: false, claimTables: [] },
    },
    notifier,
    feed,
  );
  const watch = new BoardWatch(async (businessId, id) => (await stores.boards.revisions({ businessId, id })).content, WATCH_INTERVAL_MS);
  return {
    ...stores,
    indexRebuild: { ...stores.indexRebuild, onRepair: (listener) => guard.onRepair(listener) },
    statistics: { ...stores.statistics, databaseBytes: async () => measureDatabase(db) },
    // A restore needs every server stopped, so the epoch stays the same as long as the store is open.
    epoch: db.get<{ value: string }>("SELECT value FROM epoch")?.value ?? "",
    releaseFreeSpace: (signal) => releaseFreePages(db, signal),
    async ping() {
      probeReading(db);
    },
    async probe(known = null) {
      probeReading(db);
      await probeWriting(db, reserve, known);
    },
    refreshSnapshot: () => db.refreshSnapshot(),
    rateLimits: null,
    changes: watch,
    async close() {
      watch.stop();
      await db.shutDown();
    },
  };
}
