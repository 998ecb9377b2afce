import type { Clock as BossClock } from "pg-boss";
import type { WorkListener } from "#domain/content/job.ts";
import type { Store } from "#domain/store.ts";
import { BoardWatch } from "../shared/board-watch.ts";
import { createAllowanceStore } from "./settings/allowances.ts";
import { startBoss } from "./engine/boss.ts";
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
import { Database } from "./engine/database.ts";
import { createDriver } from "./engine/driver.ts";
import { createKeyLookUp } from "./settings/api-key-cache.ts";
import { createDeliveryQueue } from "./settings/delivery-queue.ts";
import { Feed } from "./engine/feed.ts";
import { migrate } from "./engine/migrate.ts";
import { createQueue } from "./background/jobs.ts";
import { purge } from "./background/purge.ts";
import { createSearchStore } from "./search/search.ts";
import { createVectorStore } from "./search/vectors.ts";
import { TileJobs } from "./shared/tile-jobs.ts";

/** How often a watched board is looked at where no word of a change comes. */
const WATCH_MS = 1_000;

export type StoreOptions = {
  /** `postgres://…` */
  readonly url: string;
  /** Most connections of this process, besides the one that listens. */
  readonly connections: number;
  /** The clock of the queue; the database's own where none is given. */
  readonly clock?: BossClock;
};

/** Opens (and where needed makes or upgrades) the store in a PostgreSQL database. */
export async function openStore({ url, connections, clock }: StoreOptions): Promise<Store> {
  const patient = new Database({ url, connections: 1, isPatient: true });
  try {
    await migrate(patient);
  } finally {
    await patient.close();
  }
  const db = new Database({ url, connections });
  try {
    return await storeOn(db, clock);
  } catch (error) {
    await db.close();
    throw error;
  }
}

async function storeOn(db: Database, clock: BossClock | undefined): Promise<Store> {
  const boss = await startBoss(db, clock);
  const workers = new Set<WorkListener>();
  const senders = new Set<() => void>();
  const rouseWorkers = (): void => {
    for (const listener of workers) listener("jobs");
  };
  const rouseSenders = (): void => {
    for (const listener of senders) listener();
  };
  const feed = new Feed(db, () => {
    rouseWorkers();
    rouseSenders();
    watch.checkAll();
  });
  feed.listen((topic) => {
    if (topic === "work") rouseWorkers();
    else if (topic === "deliveries") rouseSenders();
    else if (topic.startsWith("board ")) watch.check(topic.slice("board ".length));
  });
  db.onCommit((boardIds) => {
    for (const id of boardIds) feed.tell(`board ${id}`);
  });
  const driver = createDriver(db, feed);
  const boardParts = createBoardParts(db);
  const boards: Store["boards"] = Object.assign(new SqlBoardStore(driver, boardParts), boardParts);
  const watch = new BoardWatch(async (businessId, id) => (await boards.revisions({ businessId, id })).content, WATCH_MS);
  const wakeWorkers = (): void => feed.tell("work");
  const wakeSenders = (): void => feed.tell("deliveries");
  const jobs = new TileJobs(boss, wakeWorkers);
  const tileEngine = createTileEngine(db, jobs);
  await feed.start();
  // A restore needs every node stopped, so it stays the same as long as the store is open.
  const epoch = (await db.get<{ value: string }>("SELECT value FROM epoch"))?.value ?? "";
  return {
    epoch,
    ...createSettings(driver, {
      findByHash: createKeyLookUp(db, feed),
      deliveryQueue: createDeliveryQueue(db),
      notifier: { notify: wakeSenders, senders },
    }),
    boards,
    zones: new SqlZoneStore(driver, tileEngine),
    tiles: Object.assign(new SqlTileStore(driver, tileEngine), createTileQueries(db)),
    generations: new SqlGenerationStore(driver, {
      insertTile: (board, tile, now) => insertTile(tileEngine, board, tile, now),
      notifySenders: wakeSenders,
      notifyWorkers: wakeWorkers,
    }),
    search: createSearchStore(db),
    vectors: createVectorStore(db),
    files: createFileStore(driver),
    thumbnails: createThumbnailStore(driver),
    progress: createProgressStore(driver),
    queue: createQueue({ db, boss, wakeWorkers, wakeSenders, workers }),
    allowances: createAllowanceStore(db),
    changes: watch,
    purge: (deletedBefore, now) => purge({ db, boss }, deletedBefore, now),
    async ping() {
      await db.get("SELECT 1 AS one FROM business LIMIT 1");
    },
    // Whatever is asked is asked of the database; there is nothing to look at first.
    refreshSnapshot() {},
    async close() {
      watch.stop();
      await feed.close();
      await boss.stop({ graceful: false, close: false });
      await db.close();
    },
  };
}
