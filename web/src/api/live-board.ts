import type { Revision, Tile, TileProgress, ZoneSummary } from "@tessera/sdk";
import { CancelledError, type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { hasStatus, tessera } from "./client/client.ts";
import { createProgressUpdater } from "./tiles/progress.ts";
import { revisionKey, SESSION_KEY, tilesKey, zonesKey } from "./query-keys.ts";
import type { TileRow } from "./tiles/tile-cache.ts";
import { tilesQuery } from "./tiles/tiles.ts";
import { waitUntilOnline, delay } from "./client/wait.ts";

/** How long after a failure the stream of changes is opened again, in milliseconds. */
const RETRY_DELAY_MS = 3_000;
/** How long writes of this page are let finish before what changed is read. */
const WRITE_SETTLE_MS = 150;

/** Keeps zones and tiles of a board, and what is worked on, as they are on the server while the page is seen, whoever changes them. */
export function useLiveBoard(boardId: string): void {
  const client = useQueryClient();
  useEffect(() => {
    const board = createBoardSync(client, boardId);
    let current: AbortController | undefined;
    // A page that is not seen holds no connection: a browser has only a few for one server.
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
        // A stream begins with what is worked on only if there is something.
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

/** Reads what a revision says is new: the zones, and of the tiles those that were changed or deleted. */
function createBoardSync(client: QueryClient, boardId: string): BoardSync {
  const controller = new AbortController();
  const { signal } = controller;
  // Kept with what was read, so that coming back to a board tells what happened meanwhile.
  let synced = client.getQueryData<Revision>(revisionKey(boardId)) ?? null;
  let latest: Revision | null = null;
  let isReading = false;

  async function read(): Promise<void> {
    if (isReading) return;
    isReading = true;
    try {
      while (latest !== null && latest !== synced && !signal.aborted) {
        await delay(WRITE_SETTLE_MS, signal);
        // What is being written here is newer than what would be read.
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
      // A change that was begun here meanwhile ended the reading; it is made up for after that change.
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

/** Tiles that are kept at their full length, as the reader has them, are read again where the board's listing is newer or without them. */
function refreshOpenTiles(client: QueryClient, boardId: string): void {
  const rows = new Map(client.getQueryData<readonly TileRow[]>(tilesKey(boardId))?.map((row) => [row.id, row]));
  for (const { queryKey, state } of client.getQueryCache().findAll({ queryKey: ["tile"] })) {
    const tile = state.data as Tile | undefined;
    if (tile?.boardId !== boardId) continue;
    const row = rows.get(tile.id);
    if (row === undefined || row.updatedAt > tile.updatedAt) void client.invalidateQueries({ queryKey });
  }
}

/** A zone that came or went took tiles with it. */
function cacheZones(client: QueryClient, boardId: string, zones: readonly ZoneSummary[]): void {
  const before = client.getQueryData<readonly ZoneSummary[]>(zonesKey(boardId));
  if (before === undefined || JSON.stringify(before) === JSON.stringify(zones)) return;
  client.setQueryData(zonesKey(boardId), zones);
  const ids = (list: readonly ZoneSummary[]): string => JSON.stringify(list.map(({ id }) => id).toSorted());
  if (ids(before) !== ids(zones)) void client.invalidateQueries({ queryKey: tilesKey(boardId) });
}
