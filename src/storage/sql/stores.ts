import { FEED_WINDOW_MS } from "#domain/events/feed.ts";
import type { IndexRebuildStore } from "#domain/answers/index-rebuild.ts";
import type { StatisticsStore } from "#domain/metrics/statistics.ts";
import type { ApiKeyStore } from "#domain/settings/api-key.ts";
import type { BackupExtension } from "#domain/settings/backup.ts";
import type { Store } from "#domain/store.ts";
import { type BoardAdapter, createBoardStore } from "./content/boards.ts";
import { createFileStore } from "./content/files.ts";
import { createThumbnailStore } from "./content/thumbnails.ts";
import { createZoneStore } from "./content/zones.ts";
import type { Driver } from "./driver.ts";
import { createFailureFeed } from "./maintenance/failure-feed.ts";
import { createGenerationStore } from "./generations/generations.ts";
import { createFeedStore } from "./events/feed.ts";
import { createSubscriptionStore } from "./events/subscriptions.ts";
import { trimEvents } from "./events/trim-events.ts";
import type { FeedNotifier, Notifier } from "./notifier.ts";
import { createPurge, type PurgeAdapter } from "./maintenance/purge.ts";
import { trimAudit } from "./maintenance/trim-audit.ts";
import { trimDeletions } from "./maintenance/trim-deletions.ts";
import { createProgressStore } from "./queue/progress.ts";
import { createQueue } from "./queue/queue.ts";
import { createIndexRebuildStore } from "./search/rebuild.ts";
import type { SearchAdapter, VectorAdapter } from "./search/adapters.ts";
import { createSearchStore } from "./search/search.ts";
import { createVectorStore } from "./vectors/vectors.ts";
import { createApiKeyStore } from "./settings/api-keys.ts";
import { pageAudit, readActorNames } from "./settings/audit.ts";
import { createBackupStore } from "./settings/backups.ts";
import { createInboundAddressStore } from "./settings/inbound-addresses.ts";
import { createLogInThrottleStore } from "./settings/log-in-throttle.ts";
import { createPeopleStore } from "./settings/people.ts";
import { createSecretKeyStore } from "./settings/secret-key.ts";
import { createUsageStore } from "./settings/usage.ts";
import { createStatisticsStore } from "./maintenance/statistics.ts";
import type { TileAdapter } from "./tiles/tile-adapter.ts";
import { createTileStore } from "./tiles/tiles.ts";
import { createWebhookStore } from "./webhooks/webhooks.ts";

/** The parts that differ between engines. */
export type Adapters = {
  readonly boards: BoardAdapter;
  readonly tiles: TileAdapter;
  readonly search: SearchAdapter;
  readonly vectors: VectorAdapter;
  readonly findKeyByHash: ApiKeyStore["findByHash"];
  readonly purge: PurgeAdapter;
  readonly backupExtension: BackupExtension;
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
export function createStores(
  unobserved: Driver,
  adapters: Adapters,
  notifier: Notifier,
  feedNotifier: FeedNotifier,
): Omit<Store, EngineParts> & SharedParts {
  const failures = createFailureFeed();
  const driver = failures.observe(unobserved);
  // A damaged search index can be built anew, and everything else works meanwhile.
  const searching = failures.observe(unobserved, ({ problem }) => problem !== "damaged");
  const purge = createPurge(driver, adapters.purge);
  const tiles = createTileStore(driver, adapters.tiles, notifier);
  return {
    boards: createBoardStore(driver, adapters.boards),
    zones: createZoneStore(driver, adapters.tiles, notifier),
    tiles,
    files: createFileStore(driver),
    thumbnails: createThumbnailStore(driver),
    queue: createQueue(driver, notifier),
    progress: createProgressStore(driver),
    generations: createGenerationStore(driver, adapters.tiles, notifier),
    search: createSearchStore(searching, adapters.search),
    vectors: createVectorStore(searching, adapters.vectors),
    indexRebuild: createIndexRebuildStore(searching),
    apiKeys: createApiKeyStore(driver, adapters.findKeyByHash),
    inboundAddresses: createInboundAddressStore(driver),
    people: createPeopleStore(driver),
    logInThrottle: createLogInThrottleStore(driver),
    usage: createUsageStore(driver),
    webhooks: createWebhookStore(driver, notifier),
    subscriptions: createSubscriptionStore(driver),
    feed: createFeedStore(driver, { ...feedNotifier, notifySenders: () => notifier.notifySenders() }),
    secretKey: createSecretKeyStore(driver),
    backups: createBackupStore(driver, adapters.backupExtension),
    auditPage: (businessId, limit, after) => driver.read(() => pageAudit(businessId, limit, after)),
    actorNames: (businessId, ids) => driver.read(() => readActorNames(driver.dialect, businessId, ids)),
    statistics: createStatisticsStore(driver, tiles),
    onFailure: failures.subscribe,
    purge: async (deletedBefore, now) =>
      (await purge.run(deletedBefore, now)) +
      (await trimDeletions(driver, deletedBefore)) +
      (await trimEvents(driver, now - FEED_WINDOW_MS)) +
      (await trimAudit(driver)),
    purgeDiscarded: ({ target }) => purge.eraseDiscarded(target),
  };
}
