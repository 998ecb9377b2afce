import type { IdempotencyRecord, IdempotentOutcome } from "#domain/core/idempotency.ts";
import { newId } from "#domain/core/system.ts";
import type { LostExternalId } from "#domain/content/changes.ts";
import type { RestoredZone, RestoreStep, Zone, ZonePatch, ZoneCursor } from "#domain/content/zone.ts";
import type { BoardReader, BoardWriter } from "../access.ts";
import type { ContentDeps, StoreDeps, WorkDeps } from "../deps.ts";
import { createSteps } from "../work-queue.ts";
import { MAX_LISTED_IDS } from "./bulk.ts";
import { newJob } from "./links.ts";

/** Lists a page of a board's zones by position, or all of them when `limit` is null. */
export function listZones({ store }: StoreDeps, scope: BoardReader, after: ZoneCursor | null, limit: number | null): Promise<Zone[]> {
  return store.zones.list(scope, after, limit);
}

export function createZone(
  { store, clock }: StoreDeps,
  scope: BoardWriter,
  input: ZonePatch & { readonly name: string },
  idempotency?: IdempotencyRecord<Zone>,
): Promise<IdempotentOutcome<Zone>> {
  const now = clock.now();
  const zone = { connectedToChat: true, color: null, emoji: null, size: "md", ...input, id: newId("zon", now) } as const;
  return store.zones.create(scope, zone, now, idempotency);
}

export const updateZone = (
  { store, clock }: StoreDeps,
  scope: BoardWriter,
  zone: Zone,
  patch: ZonePatch,
  ifVersion?: number,
): Promise<Zone> => store.zones.update(scope, zone.id, patch, clock.now(), ifVersion);

/**
 * Deletes a zone with its tiles, in steps. A call that ends half-way leaves the zone with the rest of its tiles: the next call deletes
 * these too, and restoring the zone brings back those that were deleted. `ifVersion` is checked before the first step. Throws 429 when too
 * much work of the caller is waiting. An abort ends the wait for the first step.
 */
export async function deleteZone(deps: WorkDeps, scope: BoardWriter, zone: Zone, ifVersion?: number, signal?: AbortSignal): Promise<void> {
  const { store, clock } = deps;
  const runStep = createSteps(deps, scope.actor, signal);
  const remove = (version?: number): Promise<boolean> => runStep(() => store.zones.remove(scope, zone.id, clock.now(), version));
  for (let isDeleted = await remove(ifVersion); !isDeleted;) isDeleted = await remove();
}

/**
 * Restores a deleted zone with the tiles deleted together with it, in steps. Returns a zone that is not deleted unchanged, with the tiles
 * that an interrupted call has left. At most 1,000 lost external ids are returned. Throws 429 when too much work of the caller is waiting.
 * An abort ends the wait for the first step.
 */
export async function restoreZone(deps: ContentDeps, scope: BoardWriter, zone: Zone, signal?: AbortSignal): Promise<RestoredZone> {
  const { store, clock } = deps;
  const runStep = createSteps(deps, scope.actor, signal);
  const lostExternalIds: LostExternalId[] = [];
  const restore = async (deletedUntil?: number): Promise<RestoreStep> => {
    const step = await runStep(() => store.zones.restore(scope, zone.id, (url) => newJob(deps, url), clock.now(), deletedUntil));
    lostExternalIds.push(...step.lostExternalIds.slice(0, MAX_LISTED_IDS - lostExternalIds.length));
    return step;
  };
  let step = await restore();
  while (step.deletedUntil !== null) step = await restore(step.deletedUntil);
  return { zone: step.zone, lostExternalIds };
}
