import { type BulkAction, type BulkFilter, type LostExternalId, STEP_LIMIT, type StepLimit } from "#domain/content/changes.ts";
import type { Labels } from "#domain/labels/label-action.ts";
import { listLabels } from "#domain/labels/labels.ts";
import type { BoardWriter } from "../access.ts";
import { type ContentDeps, type Deps, RESTORE_WINDOW_MS } from "../deps.ts";
import { newJob } from "./links.ts";
import { requireZoneOn } from "./tiles.ts";
import { createSteps } from "../work-queue.ts";

export type BulkChange = { readonly filter: BulkFilter; readonly action: BulkAction; readonly isDryRun: boolean };
/** `tileIds`, `lostExternalIds` and `overLimit` are the first ones, at most 1,000. */
export type BulkResult = {
  readonly matched: number;
  readonly changed: number;
  readonly tileIds: readonly string[];
  readonly lostExternalIds: readonly LostExternalId[];
  /** Tiles that were not changed because their tags or properties would exceed the limits. */
  readonly overLimit: readonly string[];
};

type BulkStep = Awaited<ReturnType<Deps["store"]["tiles"]["changeMany"]>>;

export const MAX_LISTED_IDS = 1_000;

/**
 * Applies one action to every matching tile, in transactions of at most 500 tiles and about 1 MiB of text. Throws 400 for a zone of another
 * board, and 429 when too much work of the caller is waiting. Tiles that the action does not apply to count as matched but not changed.
 * Changes committed before a failure remain. An abort ends the wait for the first change, and a dry run.
 */
export async function changeTiles(
  deps: ContentDeps,
  scope: BoardWriter,
  { filter, action, isDryRun }: BulkChange,
  signal?: AbortSignal,
): Promise<BulkResult> {
  const { store, clock } = deps;
  if (filter.zoneId != null) await requireZoneOn(deps, scope, filter.zoneId);
  if (action.kind === "move" && action.zoneId !== null) await requireZoneOn(deps, scope, action.zoneId, "move_to");
  const createJob = isDryRun ? null : (url: string | null) => newJob(deps, url);
  const runStep = createSteps(deps, scope.actor, signal, isDryRun);
  const tileIds: string[] = [];
  const lostExternalIds: LostExternalId[] = [];
  const overLimit: string[] = [];
  const limit = limitStep(action);
  let matched = 0;
  let changed = 0;
  for (const part of splitIds(filter)) {
    let after: number | null = 0;
    while (after !== null) {
      const now = clock.now();
      const selection: Parameters<Deps["store"]["tiles"]["changeMany"]>[1] = {
        filter: part,
        action,
        after,
        limit,
        deletedAfter: now - RESTORE_WINDOW_MS,
      };
      const step: BulkStep = await runStep(() => store.tiles.changeMany(scope, selection, createJob, now));
      matched += step.matched.length;
      changed += step.changed;
      lostExternalIds.push(...step.lostExternalIds.slice(0, MAX_LISTED_IDS - lostExternalIds.length));
      overLimit.push(...step.overLimit.slice(0, MAX_LISTED_IDS - overLimit.length));
      tileIds.push(...step.matched.slice(0, MAX_LISTED_IDS - tileIds.length));
      after = step.next;
    }
  }
  return { matched, changed, tileIds, lostExternalIds, overLimit };
}

/** The labels that a step may add or remove: 20,000 take about 30 ms. */
const MAX_STEP_LABELS = 20_000;

/** Returns where a step of the action ends: after fewer tiles if it gives each many labels, or long properties. */
function limitStep(action: BulkAction): StepLimit {
  if (!("tags" in action || "properties" in action)) return STEP_LIMIT;
  const { tags = [], properties = {} } = action as Partial<Labels>;
  const tiles = Math.min(
    MAX_STEP_LABELS / (listLabels({ tags, properties }).length || 1),
    STEP_LIMIT.bytes / JSON.stringify(action).length,
  );
  return { ...STEP_LIMIT, tiles: Math.max(1, Math.min(STEP_LIMIT.tiles, Math.floor(tiles))) };
}

/** Restarts ingestion of every failed tile of the board, as `changeTiles` does. Returns how many tiles were restarted. */
export async function retryFailedTiles(deps: ContentDeps, scope: BoardWriter, signal?: AbortSignal): Promise<number> {
  const change: BulkChange = { filter: { statuses: ["failed"] }, action: { kind: "retry" }, isDryRun: false };
  return (await changeTiles(deps, scope, change, signal)).changed;
}

/** Splits a filter with many ids into filters of one transaction each. Returns a filter without ids unchanged. */
function splitIds(filter: BulkFilter): readonly BulkFilter[] {
  const field = filter.tileIds === undefined ? "externalIds" : "tileIds";
  if (filter[field] === undefined) return [filter];
  const ids = [...new Set(filter[field])];
  const parts: BulkFilter[] = [];
  for (let at = 0; at < ids.length; at += STEP_LIMIT.tiles) parts.push({ ...filter, [field]: ids.slice(at, at + STEP_LIMIT.tiles) });
  return parts;
}
