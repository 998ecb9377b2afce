import { describe } from "vitest";
import { describeApiKeys } from "./settings/api-keys.ts";
import { describeLogInThrottle } from "./settings/log-in-throttle.ts";
import { describePeople } from "./settings/people.ts";
import { describeBackups } from "./settings/backups.ts";
import { describeBoardPages } from "./content/board-pages.ts";
import { describeBoards } from "./content/boards.ts";
import { describeClockJumps } from "./maintenance/clock-jumps.ts";
import { describeIdempotency } from "./idempotency.ts";
import { describeClaims } from "./queue/claim.ts";
import { describeLeases } from "./queue/lease.ts";
import { describeOutcomes } from "./queue/outcome.ts";
import { describeIndex } from "./search/index.ts";
import { describeProgress } from "./maintenance/progress.ts";
import { describeIndexRebuild } from "./search/rebuild.ts";
import { describePartIndexing } from "./search/parts.ts";
import { describeSearchReading } from "./search/reading.ts";
import { describeWholeBoardReading } from "./search/whole-board.ts";
import { describeVectors } from "./search/vectors.ts";
import { describeBulkChange } from "./tiles/bulk.ts";
import { describeExternalIds } from "./tiles/external-id.ts";
import { describeTileChange } from "./tiles/change.ts";
import { describeBatches } from "./tiles/batch.ts";
import { describeTileCreation } from "./tiles/create.ts";
import { describeTileListing } from "./tiles/listing.ts";
import { describeTileUpsert } from "./tiles/upsert.ts";
import { describeGenerations } from "./generations/generations.ts";
import { describeGenerationQueries } from "./generations/queries.ts";
import { describeFiles } from "./content/files.ts";
import { describeRefreshes } from "./tiles/refresh.ts";
import { describeThumbnails } from "./content/thumbnails.ts";
import { describeRetention } from "./maintenance/retention.ts";
import { describeStatistics } from "./maintenance/statistics.ts";
import { describeUpkeep } from "./maintenance/upkeep.ts";
import { describeUsage } from "./settings/usage.ts";
import { describeWebhooks } from "./settings/webhooks.ts";
import type { OpenStore } from "./store-context.ts";
import { describeZones } from "./content/zones.ts";
import { describeZoneSteps } from "./content/zone-steps.ts";

const NOUNS: readonly ((open: OpenStore) => void)[] = [
  describeBoardPages,
  describeBoards,
  describeZones,
  describeZoneSteps,
  describeBatches,
  describeTileCreation,
  describeTileUpsert,
  describeExternalIds,
  describeTileChange,
  describeBulkChange,
  describeTileListing,
  describeIdempotency,
  describeClaims,
  describeLeases,
  describeOutcomes,
  describeProgress,
  describeIndex,
  describeIndexRebuild,
  describePartIndexing,
  describeSearchReading,
  describeWholeBoardReading,
  describeVectors,
  describeWebhooks,
  describeApiKeys,
  describePeople,
  describeLogInThrottle,
  describeUsage,
  describeStatistics,
  describeUpkeep,
  describeRetention,
  describeBackups,
  describeClockJumps,
  describeFiles,
  describeThumbnails,
  describeGenerations,
  describeGenerationQueries,
  describeRefreshes,
];

/** The contract of every store, whatever its engine. `open` returns an empty store for one test. */
export function describeStore(name: string, open: OpenStore): void {
  describe(name, () => {
    for (const describeNoun of NOUNS) describeNoun(open);
  });
}
