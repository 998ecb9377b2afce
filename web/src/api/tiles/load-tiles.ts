import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { tessera } from "../client/client.ts";
import { tilesKey } from "../query-keys.ts";
import { zoneCountQuery } from "./counts.ts";
import { getSyncState, type LoadedPart, type ListedTile, withSyncState } from "./tile-cache.ts";
import { OUTSIDE_ZONES, tilesQuery } from "./tiles.ts";

/** How much of a zone to load: its first page, one more page, or all tiles. */
export type LoadExtent = "start" | "more" | "all";

/** Tiles in a page: a few screens. */
const PAGE_SIZE = 100;
/** Tiles in a page when a whole zone is loaded; the maximum of the API. */
const MAX_PAGE_SIZE = 500;

const running = new Map<string, Promise<void>>();

const getRows = (client: QueryClient, boardId: string) => client.getQueryData<readonly ListedTile[]>(tilesKey(boardId));

/** Loads tiles of a zone, or of those outside zones (null), in manual order. Does nothing if they are loaded. Rejects if a request fails. */
export function useLoadZone(boardId: string): (zoneId: string | null, extent: LoadExtent) => Promise<void> {
  const client = useQueryClient();
  return useCallback(
    async (zoneId, extent) => {
      for (;;) {
        const rows = getRows(client, boardId);
        // The board was left, and its tiles are no longer kept.
        if (rows === undefined) return;
        const { loaded } = getSyncState(rows);
        const part = loaded?.get(zoneId);
        if (loaded === null || part?.cursor === null || (extent === "start" && part !== undefined)) return;
        // Several callers share one request.
        const key = `${boardId} ${zoneId}`;
        const page = running.get(key) ?? loadPage(client, boardId, zoneId, extent === "all" ? MAX_PAGE_SIZE : PAGE_SIZE);
        running.set(key, page);
        await page.finally(() => running.delete(key));
        if (extent !== "all") return;
      }
    },
    [client, boardId],
  );
}

async function loadPage(client: QueryClient, boardId: string, zoneId: string | null, limit: number): Promise<void> {
  const start = getSyncState(getRows(client, boardId));
  const part = start.loaded?.get(zoneId);
  const query = { zoneId: zoneId ?? OUTSIDE_ZONES, order: "position", text: false, metadata: true, limit } as const;
  const { tiles, nextCursor, total } = await tessera.tiles.list(boardId, {
    ...query,
    cursor: part?.cursor ?? null,
    ...(part === undefined && { count: true }),
  });
  const rows = getRows(client, boardId);
  const state = getSyncState(rows);
  // Meanwhile the whole board was loaded, or a failed write restored earlier rows.
  if (rows === undefined || state.loaded === null || state.loaded.get(zoneId) !== part) return;
  const next: LoadedPart = { cursor: nextCursor, last: tiles.at(-1) ?? part?.last ?? null };
  // Changes that were read while the page was on its way may be missing in it, so they are read again.
  const isOutdated = state.syncToken !== start.syncToken;
  const syncToken = state.syncToken === null ? null : start.syncToken;
  if (total !== undefined) client.setQueryData(zoneCountQuery(boardId, zoneId).queryKey, total);
  const ids = new Set(rows.map(({ id }) => id));
  const merged = [...rows, ...tiles.filter(({ id }) => !ids.has(id))];
  client.setQueryData(tilesKey(boardId), withSyncState(merged, { syncToken, loaded: new Map(state.loaded).set(zoneId, next) }));
  if (isOutdated) void client.invalidateQueries({ queryKey: tilesKey(boardId), exact: true });
}

/** Loads every tile of a board, which filtering and sorting need. Rejects if the request fails. */
export async function loadWholeBoard(client: QueryClient, boardId: string): Promise<void> {
  // A request for changes that is on its way would be shared.
  await client.cancelQueries({ queryKey: tilesKey(boardId), exact: true });
  const rows = getRows(client, boardId);
  const { loaded } = getSyncState(rows);
  if (rows === undefined || loaded === null) return;
  client.setQueryData(tilesKey(boardId), withSyncState(rows, { syncToken: null, loaded }));
  await client.fetchQuery({ ...tilesQuery(boardId), staleTime: 0 });
}
