import type { BulkAction, BulkFilter } from "#domain/content/changes.ts";
import type { NewJob } from "#domain/content/job.ts";
import type { TileError } from "#domain/content/tile.ts";
import { newJob, T0 } from "../../support/boards.ts";
import type { StoreContext } from "../store-context.ts";

export const FAILURE: TileError = { code: "not_found", message: "The page does not exist.", stage: "fetch", retryable: false, attempts: 1 };
export const createJob = (): NewJob => newJob();

/** One step of a bulk change, by default over the whole board. */
export const change = (
  { store, scope }: Pick<StoreContext, "store" | "scope">,
  filter: BulkFilter,
  action: BulkAction,
  { now = T0 + 10, after = 0, limit = 500, maxBytes = 1_000_000, isDryRun = false } = {},
) =>
  store.tiles.changeMany(
    scope,
    { filter, action, after, limit: { tiles: limit, bytes: maxBytes }, deletedAfter: T0 - 1 },
    isDryRun ? null : createJob,
    now,
  );
