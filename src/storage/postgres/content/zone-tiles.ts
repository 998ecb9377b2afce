import type { ZoneTiles } from "../../sql/content/zones.ts";
import { native } from "../engine/driver.ts";
import type { TileJobs } from "../shared/tile-jobs.ts";
import { hideTilesOfZone, restoreTilesOfZone } from "../shared/tile-lifecycle.ts";

export const createZoneTiles = (jobs: TileJobs): ZoneTiles => ({
  hideTilesOfZone: (businessId, zoneId, now) => native((tx) => hideTilesOfZone(tx, jobs, businessId, zoneId, now)),
  restoreTilesOfZone: (businessId, zoneId, jobOf, now) => native((tx) => restoreTilesOfZone(tx, jobs, businessId, zoneId, jobOf, now)),
  notifyWorkers: () => jobs.wake(),
});
