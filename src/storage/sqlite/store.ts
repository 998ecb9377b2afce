import { join } from "node:path";
import type { WorkListener } from "#domain/content/job.ts";
import type { Store } from "#domain/store.ts";
import { BoardWatch } from "../shared/board-watch.ts";
import { SqlBoardStore } from "../sql/content/boards.ts";
import { insertTile } from "../sql/content/tile-rows.ts";
import { SqlTileStore } from "../sql/content/tiles.ts";
import { SqlZoneStore } from "../sql/content/zones.ts";
import { createTileEngine } from "./content/tile-engine.ts";
import { createTileQueries } from "./content/tile-queries.ts";
import { createBoardParts } from "./content/boards.ts";
import { SqlGenerationStore } from "../sql/background/generations.ts";
import { createProgressStore } from "../sql/background/progress.ts";
import { createFileStore } from "../sql/content/files.ts";
import { createThumbnailStore } from "../sql/content/thumbnails.ts";
import { createSettings } from "../sql/settings/settings.ts";
import { Connection } from "./engine/database.ts";
import { createDriver } from "./engine/driver.ts";
import { createKeyLookUp } from "./settings/api-key-cache.ts";
import { createDeliveryQueue } from "./settings/delivery-queue.ts";
import { migrate } from "./engine/migrate.ts";
import { createQueue } from "./background/jobs.ts";
import { purge } from "./background/purge.ts";
import { createSearchStore } from "./search/search.ts";
import { createVectorStore } from "./search/vectors.ts";

/** The database's file inside a data directory. */
export const databaseFile = (dataDir: string): string => join(dataDir, "tessera.sqlite");

/** How often a watched board is looked at; what is asked is in memory while nobody commits. */
const WATCH_MS = 100;

/** Opens (and where needed makes or upgrades) the store in `file`, or in memory for `:memory:`. */
export function openStore(file: string): Store {
  const db = new Connection(file);
  try {
    migrate(db);
  } catch (error) {
    db.close();
    throw error;
  }
  return storeOn(db);
}

/** The store on a connection whose schema is up to date. */
export function storeOn(db: Connection): Store {
  const workers = new Set<WorkListener>();
  const senders = new Set<() => void>();
  const notifySenders = (): void => {
    for (const sender of senders) sender();
  };
  const driver = createDriver(db);
  const tileEngine = createTileEngine(db, workers);
  const boardParts = createBoardParts(db);
  const boards: Store["boards"] = Object.assign(new SqlBoardStore(driver, boardParts), boardParts);
  const watch = new BoardWatch(async (businessId, id) => (await boards.revisions({ businessId, id })).content, WATCH_MS);
  return {
    // A restore needs every server stopped, so it stays the same as long as the store is open.
    epoch: db.get<{ value: string }>("SELECT value FROM epoch")?.value ?? "",
    ...createSettings(driver, {
      findByHash: createKeyLookUp(db),
      deliveryQueue: createDeliveryQueue(db),
      notifier: { notify: notifySenders, senders },
    }),
    boards,
    zones: new SqlZoneStore(driver, tileEngine),
    tiles: Object.assign(new SqlTileStore(driver, tileEngine), createTileQueries(db)),
    generations: new SqlGenerationStore(driver, {
      insertTile: (board, tile, now) => insertTile(tileEngine, board, tile, now),
      notifySenders,
      notifyWorkers: () => workers.forEach((listener) => listener("text")),
    }),
    search: createSearchStore(db),
    vectors: createVectorStore(db),
    files: createFileStore(driver),
    thumbnails: createThumbnailStore(driver),
    progress: createProgressStore(driver),
    queue: createQueue(db, notifySenders, workers),
    purge: (deletedBefore, now) => purge(db, deletedBefore, now),
    async ping() {
      db.check();
      db.get("SELECT 1 AS one FROM business LIMIT 1");
    },
    refreshSnapshot: () => db.refreshSnapshot(),
    allowances: null,
    changes: watch,
    async close() {
      watch.stop();
      await db.end();
    },
  };
}
