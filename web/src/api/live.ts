import type { Revision, Tile, TileProgress, ZoneSummary } from "@tessera/sdk";
import { CancelledError, type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { isStatus, tessera } from "./client/client.ts";
import { createProgressKeeper } from "./tiles/progress.ts";
import { revisionOf, SESSION, tilesOf, zonesOf } from "./keys.ts";
import type { TileRow } from "./tiles/tile-list.ts";
import { tilesQuery } from "./tiles/tiles.ts";
import { onlineAgain, pause } from "./client/waiting.ts";

/** How long after a failure the stream of changes is opened again, in milliseconds. */
const AGAIN_MS = 3_000;
/** How long writes of this page are let finish before what changed is read. */
const SETTLE_MS = 150;

/** Keeps zones and tiles of a board, and what is worked on, as they are on the server while the page is seen, whoever changes them. */
export function useLiveBoard(boardId: string): void {
  const client = useQueryClient();
  useEffect(() => {
    const board = createFollower(client, boardId);
    let current: AbortController | undefined;
    // A page that is not seen holds no connection: a browser has only a few for one server.
    const onVisibility = (): void => {
      current?.abort();
      if (document.visibilityState !== "visible") return;
      current = new AbortController();
      void follow(board, boardId, current.signal);
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

type Follower = {
  readonly onRevision: (revision: Revision) => void;
  readonly onProgress: (tiles: readonly TileProgress[]) => void;
  readonly onFailure: (error: unknown) => void;
  readonly stop: () => void;
};

async function follow({ onRevision, onProgress, onFailure }: Follower, boardId: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await onlineAgain(signal);
      let isNew = true;
      const onNext = (revision: Revision): void => {
        // A stream begins with what is worked on only if there is something.
        if (isNew) onProgress([]);
        isNew = false;
        onRevision(revision);
      };
      await tessera.boards.follow(boardId, onNext, { signal, onProgress });
    } catch (error) {
      if (signal.aborted || isStatus(error, 401, 403, 404)) return onFailure(error);
      await pause(AGAIN_MS, signal);
    }
  }
}

/** Reads what a revision says is new: the zones, and of the tiles those that were changed or deleted. */
function createFollower(client: QueryClient, boardId: string): Follower {
  const ended = new AbortController();
  const { signal } = ended;
  // Kept with what was read, so that coming back to a board tells what happened meanwhile.
  let known = client.getQueryData<Revision>(revisionOf(boardId)) ?? null;
  let told: Revision | null = null;
  let isReading = false;

  async function read(): Promise<void> {
    if (isReading) return;
    isReading = true;
    try {
      while (told !== null && told !== known && !signal.aborted) {
        await pause(SETTLE_MS, signal);
        // What is being written here is newer than what would be read.
        if (client.isMutating() > 0 || client.isFetching({ queryKey: tilesOf(boardId) }) > 0) continue;
        const next = told;
        if (known === null || next.zones !== known.zones) await readZones();
        if (known === null || next.content !== known.content) await readTiles();
        known = next;
        client.setQueryData(revisionOf(boardId), next);
      }
    } catch (error) {
      if (signal.aborted || isStatus(error, 401, 403, 404)) return onFailure(error);
      known = null;
      await pause(AGAIN_MS, signal);
    } finally {
      isReading = false;
    }
    if (told !== known && !signal.aborted) void read();
  }

  function onFailure(error: unknown): void {
    if (isStatus(error, 401)) client.setQueryData(SESSION, null);
  }

  async function readZones(): Promise<void> {
    const zones = await tessera.zones.list(boardId, { signal });
    if (client.isMutating() > 0) return client.invalidateQueries({ queryKey: zonesOf(boardId) });
    takeZones(client, boardId, zones);
  }

  async function readTiles(): Promise<void> {
    if (client.getQueryData(tilesOf(boardId)) === undefined) return;
    try {
      await client.fetchQuery({ ...tilesQuery(boardId), staleTime: 0 });
    } catch (error) {
      // A change that was begun here meanwhile ended the reading; it is made up for after that change.
      if (!(error instanceof CancelledError)) throw error;
      void client.invalidateQueries({ queryKey: tilesOf(boardId) });
    }
    refreshOpenTiles(client, boardId);
  }

  return {
    onRevision: (revision) => {
      told = revision;
      void read();
    },
    onProgress: createProgressKeeper(client, boardId),
    onFailure,
    stop: () => ended.abort(),
  };
}

/** Tiles that are kept at their full length, as the reader has them, are read again where the board's listing is newer or without them. */
function refreshOpenTiles(client: QueryClient, boardId: string): void {
  const rows = new Map(client.getQueryData<readonly TileRow[]>(tilesOf(boardId))?.map((row) => [row.id, row]));
  for (const { queryKey, state } of client.getQueryCache().findAll({ queryKey: ["tile"] })) {
    const tile = state.data as Tile | undefined;
    if (tile?.boardId !== boardId) continue;
    const row = rows.get(tile.id);
    if (row === undefined || row.updatedAt > tile.updatedAt) void client.invalidateQueries({ queryKey });
  }
}

/** A zone that came or went took tiles with it. */
function takeZones(client: QueryClient, boardId: string, zones: readonly ZoneSummary[]): void {
  const before = client.getQueryData<readonly ZoneSummary[]>(zonesOf(boardId));
  if (before === undefined || JSON.stringify(before) === JSON.stringify(zones)) return;
  client.setQueryData(zonesOf(boardId), zones);
  const ids = (list: readonly ZoneSummary[]): string => JSON.stringify(list.map(({ id }) => id).toSorted());
  if (ids(before) !== ids(zones)) void client.invalidateQueries({ queryKey: tilesOf(boardId) });
}
