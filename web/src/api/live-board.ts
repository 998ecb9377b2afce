import type { Revision, Tile, TileProgress, ZoneSummary } from "@tessera-board/sdk";
import { CancelledError, type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { hasStatus, tessera } from "./client/client.ts";
import { createProgressUpdater } from "./tiles/progress.ts";
import { revisionKey, SESSION_KEY, tilesKey, zonesKey } from "./query-keys.ts";
import { getSyncState, type ListedTile } from "./tiles/tile-cache.ts";
import { tilesQuery } from "./tiles/tiles.ts";
import { waitUntilOnline, delay } from "./client/wait.ts";

/** Delay before the event stream is reopened after a failure, in milliseconds. */
const RETRY_DELAY_MS = 3_000;
/** How long this page's own writes may finish before changes are read, in milliseconds. */
const WRITE_SETTLE_MS = 150;

/** Keeps zones, tiles and progress of a board in sync with the server while the page is visible. */
export function useLiveBoard(boardId: string): void {
  const client = useQueryClient();
  useEffect(() => {
    const board = createBoardSync(client, boardId);
    let current: AbortController | undefined;
    // A hidden page holds no connection: browsers allow only about six per server.
    const onVisibility = (): void => {
      current?.abort();
      if (document.visibilityState !== "visible") return;
      current = new AbortController();
      void streamRevisions(board, boardId, current.signal);
    };
    onVisibility();
    document.addEventListener("visibilitychange", onVisibility);
    return () => {
      document.removeEventListener("visibilitychange", onVisibility);
      current?.abort();
      board.stop();
    };
  }, [client, boardId]);
}

type BoardSync = {
  readonly onRevision: (revision: Revision) => void;
  readonly onProgress: (tiles: readonly TileProgress[]) => void;
  readonly onFailure: (error: unknown) => void;
  readonly stop: () => void;
};

async function streamRevisions({ onRevision, onProgress, onFailure }: BoardSync, boardId: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await waitUntilOnline(signal);
      let isNew = true;
      const onNext = (revision: Revision): void => {
        // A new stream sends progress only if there is some, so old progress is cleared first.
        if (isNew) onProgress([]);
        isNew = false;
        onRevision(revision);
      };
      await tessera.boards.follow(boardId, onNext, { signal, onProgress });
    } catch (error) {
      if (signal.aborted || hasStatus(error, 401, 403, 404)) return onFailure(error);
      await delay(RETRY_DELAY_MS, signal);
    }
  }
}

/** Reads what a revision reports as new: the zones, and the tiles that were changed or deleted. */
function createBoardSync(client: QueryClient, boardId: string): BoardSync {
  const controller = new AbortController();
  const { signal } = controller;
  // Cached with the data, so that only newer changes are read when the user returns to the board.
  let synced = client.getQueryData<Revision>(revisionKey(boardId)) ?? null;
  let latest: Revision | null = null;
  let isReading = false;

  async function read(): Promise<void> {
    if (isReading) return;
    isReading = true;
    try {
      while (latest !== null && latest !== synced && !signal.aborted) {
        await delay(WRITE_SETTLE_MS, signal);
        // Pending writes are newer than what the server would return.
        if (client.isMutating() > 0 || client.isFetching({ queryKey: tilesKey(boardId) }) > 0) continue;
        const next = latest;
        if (synced === null || next.zones !== synced.zones) await readZones();
        if (synced === null || next.content !== synced.content) await readTiles();
        synced = next;
        client.setQueryData(revisionKey(boardId), next);
      }
    } catch (error) {
      if (signal.aborted || hasStatus(error, 401, 403, 404)) return onFailure(error);
      synced = null;
      await delay(RETRY_DELAY_MS, signal);
    } finally {
      isReading = false;
    }
    if (latest !== synced && !signal.aborted) void read();
  }

  function onFailure(error: unknown): void {
    if (hasStatus(error, 401)) client.setQueryData(SESSION_KEY, null);
  }

  async function readZones(): Promise<void> {
    const zones = await tessera.zones.list(boardId, { signal });
    if (client.isMutating() > 0) return client.invalidateQueries({ queryKey: zonesKey(boardId) });
    cacheZones(client, boardId, zones);
  }

  async function readTiles(): Promise<void> {
    if (client.getQueryData(tilesKey(boardId)) === undefined) return;
    try {
      await client.fetchQuery({ ...tilesQuery(boardId), staleTime: 0 });
    } catch (error) {
      // A mutation on this page cancelled the read; it is repeated after the mutation.
      if (!(error instanceof CancelledError)) throw error;
      void client.invalidateQueries({ queryKey: tilesKey(boardId) });
    }
    refreshOpenTiles(client, boardId);
  }

  return {
    onRevision: (revision) => {
      latest = revision;
      void read();
    },
    onProgress: createProgressUpdater(client, boardId),
    onFailure,
    stop: () => controller.abort(),
  };
}

/** Refetches cached full tiles, such as the open one, if the listing is newer, or complete without them. */
function refreshOpenTiles(client: QueryClient, boardId: string): void {
  const listed = client.getQueryData<readonly ListedTile[]>(tilesKey(boardId));
  const isComplete = getSyncState(listed).loaded === null;
  const rows = new Map(listed?.map((row) => [row.id, row]));
  for (const { queryKey, state } of client.getQueryCache().findAll({ queryKey: ["tile"] })) {
    const tile = state.data as Tile | undefined;
    if (tile?.boardId !== boardId) continue;
    const row = rows.get(tile.id);
    // A tile that changes gets a row, also beyond the loaded part; one that is deleted is refetched with the changes.
    if (row === undefined ? isComplete : row.updatedAt > tile.updatedAt) void client.invalidateQueries({ queryKey });
  }
}

/** Tiles are refetched if zones were added or removed, because their tiles moved with them. */
function cacheZones(client: QueryClient, boardId: string, zones: readonly ZoneSummary[]): void {
  const before = client.getQueryData<readonly ZoneSummary[]>(zonesKey(boardId));
  if (before === undefined || JSON.stringify(before) === JSON.stringify(zones)) return;
  client.setQueryData(zonesKey(boardId), zones);
  const ids = (list: readonly ZoneSummary[]): string => JSON.stringify(list.map(({ id }) => id).toSorted());
  if (ids(before) !== ids(zones)) void client.invalidateQueries({ queryKey: tilesKey(boardId) });
}
