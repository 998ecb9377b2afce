import type { IdempotencyRecord, IdempotentOutcome } from "#domain/core/idempotency.ts";
import { newId } from "#domain/core/system.ts";
import type { RestoredZone, Zone, ZonePatch, ZoneCursor } from "#domain/content/zone.ts";
import type { BoardReader, BoardWriter } from "../access.ts";
import type { Deps } from "../deps.ts";
import { newJob } from "./links.ts";

/** Lists a page of a board's zones by position, or all of them when `limit` is null. */
export function listZones({ store }: Deps, scope: BoardReader, after: ZoneCursor | null, limit: number | null): Promise<Zone[]> {
  return store.zones.list(scope, after, limit);
}

export function createZone(
  { store, clock }: Deps,
  scope: BoardWriter,
  input: ZonePatch & { readonly name: string },
  idempotency?: IdempotencyRecord<Zone>,
): Promise<IdempotentOutcome<Zone>> {
  const now = clock.now();
  const zone = { connectedToChat: true, color: null, emoji: null, size: "md", ...input, id: newId("zon", now) } as const;
  return store.zones.create(scope, zone, now, idempotency);
}

export const updateZone = ({ store, clock }: Deps, scope: BoardWriter, zone: Zone, patch: ZonePatch, ifVersion?: number): Promise<Zone> =>
  store.zones.update(scope, zone.id, patch, clock.now(), ifVersion);

export const deleteZone = ({ store, clock }: Deps, scope: BoardWriter, zone: Zone, ifVersion?: number): Promise<void> =>
  store.zones.remove(scope, zone.id, clock.now(), ifVersion);

/** Restores a deleted zone with the tiles deleted together with it. Returns a zone that is not deleted unchanged. */
export async function restoreZone(deps: Deps, scope: BoardWriter, zone: Zone): Promise<RestoredZone> {
  const { store, clock } = deps;
  if ((await store.zones.find(zone.businessId, zone.id)) !== null) return { zone, lostExternalIds: [] };
  return store.zones.restore(scope, zone.id, (url) => newJob(deps, url), clock.now());
}
