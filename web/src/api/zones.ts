import type { NewZone, ZonePatch, ZoneSummary } from "@tessera/sdk";
import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { newOnce, tessera } from "./client/client.ts";
import { inTurn, tilesOf, zonesOf } from "./keys.ts";

export const zonesQuery = (boardId: string) =>
  queryOptions({ queryKey: zonesOf(boardId), queryFn: ({ signal }) => tessera.zones.list(boardId, { signal }) });

/** The zones of a board by `sortOrder`. `useLiveBoard` keeps them fresh. */
export const useZones = (boardId: string) => useQuery(zonesQuery(boardId));

/** The form shows what is refused. */
export function useCreateZone(boardId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ once = newOnce(), ...zone }: NewZone & { readonly once?: string }) =>
      tessera.zones.create(boardId, zone, { idempotencyKey: once }),
    meta: { isQuiet: true },
    onSuccess: (zone) => setZones(client, boardId, (zones) => [...zones.filter(({ id }) => id !== zone.id), zone]),
    onSettled: () => client.invalidateQueries({ queryKey: zonesOf(boardId) }),
  });
}

/** Shows the change at once, and takes it back when it is refused. */
export function useUpdateZone(boardId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ zoneId, patch }: { readonly zoneId: string; readonly patch: ZonePatch }) => tessera.zones.update(zoneId, patch),
    onMutate: async ({ zoneId, patch }) => {
      await client.cancelQueries({ queryKey: zonesOf(boardId) });
      const before = client.getQueryData<readonly ZoneSummary[]>(zonesOf(boardId));
      const given = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
      setZones(client, boardId, (zones) => zones.map((zone) => (zone.id === zoneId ? { ...zone, ...given } : zone)));
      return { before };
    },
    onError: (_error, _variables, context) => client.setQueryData(zonesOf(boardId), context?.before),
    onSettled: () => client.invalidateQueries({ queryKey: zonesOf(boardId) }),
  });
}

/** Deletes a zone and the tiles in it; `useRestoreZone` brings both back. */
export function useDeleteZone(boardId: string) {
  const client = useQueryClient();
  return useMutation({
    ...inTurn(boardId),
    mutationFn: (zoneId: string) => tessera.zones.delete(zoneId),
    onMutate: async (zoneId) => {
      await client.cancelQueries({ queryKey: zonesOf(boardId) });
      const before = client.getQueryData<readonly ZoneSummary[]>(zonesOf(boardId));
      setZones(client, boardId, (zones) => zones.filter(({ id }) => id !== zoneId));
      return { before };
    },
    onError: (_error, _zoneId, context) => client.setQueryData(zonesOf(boardId), context?.before),
    onSettled: () => refresh(client, boardId),
  });
}

export function useRestoreZone(boardId: string) {
  const client = useQueryClient();
  return useMutation({
    ...inTurn(boardId),
    mutationFn: (zoneId: string) => tessera.zones.restore(zoneId),
    onSettled: () => refresh(client, boardId),
  });
}

/** Reads both anew; not waited for, since what comes next in turn does not need it. */
function refresh(client: QueryClient, boardId: string): void {
  for (const queryKey of [zonesOf(boardId), tilesOf(boardId)]) void client.invalidateQueries({ queryKey });
}

function setZones(client: QueryClient, boardId: string, change: (zones: readonly ZoneSummary[]) => readonly ZoneSummary[]): void {
  client.setQueryData<readonly ZoneSummary[]>(
    zonesOf(boardId),
    (zones) => zones && change(zones).toSorted((one, other) => one.sortOrder - other.sortOrder),
  );
}
