import type { Waker } from "#domain/content/job.ts";
import type { ZoneTiles } from "../../sql/content/zones.ts";
import type { Connection } from "../engine/database.ts";
import { native } from "../engine/driver.ts";
import { hideTilesOfZone, restoreTilesOfZone } from "../shared/tile-lifecycle.ts";

export const createZoneTiles = (db: Connection, wakers: ReadonlySet<Waker>): ZoneTiles => ({
  hideTilesOfZone: (businessId, zoneId, now) => native(() => hideTilesOfZone(db, businessId, zoneId, now)),
  restoreTilesOfZone: (businessId, zoneId, jobOf, now) => native(() => restoreTilesOfZone(db, businessId, zoneId, jobOf, now)),
  notifyWorkers() {
    for (const waker of wakers) waker("jobs");
  },
});
