import type { IndexRebuildStore } from "#domain/answers/index-rebuild.ts";
import type { StatisticsStore } from "#domain/metrics/statistics.ts";
import type { Store } from "#domain/store.ts";
import { createGenerationStore } from "./background/generations.ts";
import { createProgressStore } from "./background/progress.ts";
import { createPurge, type PurgeAdapter } from "./background/purge.ts";
import { trimAudit } from "./background/trim-audit.ts";
import { trimDeletions } from "./background/trim-deletions.ts";
import { createStatisticsStore } from "./background/statistics.ts";
import { type BoardAdapter, createBoardStore } from "./content/boards.ts";
import { createFileStore } from "./content/files.ts";
import { createThumbnailStore } from "./content/thumbnails.ts";
import type { TileAdapter } from "./tiles/tile-adapter.ts";
import { createTileStore } from "./tiles/tiles.ts";
import { createZoneStore } from "./content/zones.ts";
import type { Driver } from "./driver.ts";
import { createFailureFeed } from "./failure-feed.ts";
import type { Notifier } from "./notifier.ts";
import { createQueue } from "./queue/queue.ts";
import { createIndexRebuildStore } from "./search/rebuild.ts";
import type { SearchAdapter, VectorAdapter } from "./search/adapters.ts";
import { createSearchStore } from "./search/search.ts";
import { createVectorStore } from "./vectors/vectors.ts";
import { createSettingsStores, type SettingsAdapter } from "./settings/settings.ts";

/** The parts that differ between engines. */
export type Adapters = {
  readonly boards: BoardAdapter;
  readonly tiles: TileAdapter;
  readonly search: SearchAdapter;
  readonly vectors: VectorAdapter;
  readonly settings: SettingsAdapter;
  readonly purge: PurgeAdapter;
};

/** The parts of the store that each engine adds. */
type EngineParts =
  | "epoch"
  | "changes"
  | "rateLimits"
  | "ping"
  | "probe"
  | "refreshSnapshot"
  | "indexRebuild"
  | "releaseFreeSpace"
  | "statistics"
  | "close";

/** What an engine completes. */
type SharedParts = {
  readonly indexRebuild: Omit<IndexRebuildStore, "onRepair">;
  readonly statistics: Omit<StatisticsStore, "databaseBytes">;
};

/** Creates the stores of one engine. */
export function createStores(unobserved: Driver, adapters: Adapters, notifier: Notifier): Omit<Store, EngineParts> & SharedParts {
  const { boards, tiles, search, vectors, settings } = adapters;
  const failures = createFailureFeed();
  const driver = failures.observe(unobserved);
  // A damaged search index can be built anew, and everything else works meanwhile.
  const searching = failures.observe(unobserved, ({ problem }) => problem !== "damaged");
  const purge = createPurge(driver, adapters.purge);
  const tileStore = createTileStore(driver, tiles, notifier);
  return {
    ...createSettingsStores(driver, settings, notifier),
    boards: createBoardStore(driver, boards),
    zones: createZoneStore(driver, tiles, notifier),
    tiles: tileStore,
    generations: createGenerationStore(driver, tiles, notifier),
    search: createSearchStore(searching, search),
    vectors: createVectorStore(searching, vectors),
    indexRebuild: createIndexRebuildStore(searching),
    files: createFileStore(driver),
    thumbnails: createThumbnailStore(driver),
    progress: createProgressStore(driver),
    statistics: createStatisticsStore(driver, tileStore),
    queue: createQueue(driver, notifier),
    onFailure: failures.subscribe,
    purge: async (deletedBefore, now) =>
      (await purge.run(deletedBefore, now)) + (await trimDeletions(driver, deletedBefore)) + (await trimAudit(driver)),
    purgeDiscarded: ({ target }) => purge.eraseDiscarded(target),
  };
}
