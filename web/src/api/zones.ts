import type { NewZone, ZonePatch, ZoneSummary } from "@tessera-board/sdk";
import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { newIdempotencyKey, tessera } from "./client/client.ts";
import { boardMutation, tilesKey, zonesKey } from "./query-keys.ts";
import { refetchAfterLastWrite } from "./client/refetch.ts";

export const zonesQuery = (boardId: string) =>
  queryOptions({ queryKey: zonesKey(boardId), queryFn: ({ signal }) => tessera.zones.list(boardId, { signal }) });

/** The zones of a board by `sortOrder`. `useLiveBoard` updates them. */
export const useZones = (boardId: string) => useQuery(zonesQuery(boardId));

/** Errors are shown by the form. */
export function useCreateZone(boardId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ idempotencyKey = newIdempotencyKey(), ...zone }: NewZone & { readonly idempotencyKey?: string }) =>
      tessera.zones.create(boardId, zone, { idempotencyKey }),
    meta: { isQuiet: true },
    onSuccess: (zone) => setZones(client, boardId, (zones) => [...zones.filter(({ id }) => id !== zone.id), zone]),
    onSettled: () => client.invalidateQueries({ queryKey: zonesKey(boardId) }),
  });
}

/** Updates a zone optimistically and restores it on failure. */
export function useUpdateZone(boardId: string) {
  const client = useQueryClient();
  return useMutation({
    ...boardMutation(boardId),
    mutationFn: ({ zoneId, patch }: { readonly zoneId: string; readonly patch: ZonePatch }) => tessera.zones.update(zoneId, patch),
    onMutate: async ({ zoneId, patch }) => {
      await client.cancelQueries({ queryKey: zonesKey(boardId) });
      const before = client.getQueryData<readonly ZoneSummary[]>(zonesKey(boardId));
      const definedPatch = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
      setZones(client, boardId, (zones) => zones.map((zone) => (zone.id === zoneId ? { ...zone, ...definedPatch } : zone)));
      return { before };
    },
    onError: (_error, _variables, context) => client.setQueryData(zonesKey(boardId), context?.before),
    onSettled: () => refetchAfterLastWrite(client, boardId, [zonesKey(boardId)]),
  });
}

/** Deletes a zone and its tiles; `useRestoreZone` restores both. */
export function useDeleteZone(boardId: string) {
  const client = useQueryClient();
  return useMutation({
    ...boardMutation(boardId),
    mutationFn: (zoneId: string) => tessera.zones.delete(zoneId),
    onMutate: async (zoneId) => {
      await client.cancelQueries({ queryKey: zonesKey(boardId) });
      const before = client.getQueryData<readonly ZoneSummary[]>(zonesKey(boardId));
      setZones(client, boardId, (zones) => zones.filter(({ id }) => id !== zoneId));
      return { before };
    },
    onError: (_error, _zoneId, context) => client.setQueryData(zonesKey(boardId), context?.before),
    onSettled: () => refetchAfterLastWrite(client, boardId, [zonesKey(boardId), tilesKey(boardId)]),
  });
}

export function useRestoreZone(boardId: string) {
  const client = useQueryClient();
  return useMutation({
    ...boardMutation(boardId),
    mutationFn: (zoneId: string) => tessera.zones.restore(zoneId),
    onSettled: () => refetchAfterLastWrite(client, boardId, [zonesKey(boardId), tilesKey(boardId)]),
  });
}

function setZones(client: QueryClient, boardId: string, change: (zones: readonly ZoneSummary[]) => readonly ZoneSummary[]): void {
  client.setQueryData<readonly ZoneSummary[]>(
    zonesKey(boardId),
    (zones) => zones && change(zones).toSorted((one, other) => one.sortOrder - other.sortOrder),
  );
}
