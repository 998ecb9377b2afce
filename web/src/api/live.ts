import type { Revision, TileProgress, ZoneSummary } from "@tessera/sdk";
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { isStatus, tessera } from "./client/client.ts";
import { createProgressKeeper } from "./tiles/progress.ts";
import { revisionOf, SESSION, tileOf, tilesOf, zonesOf } from "./keys.ts";
import { mergeTiles, setTiles, type TileRow } from "./tiles/tile-list.ts";
import { onlineAgain, pause } from "./client/waiting.ts";

/** How long after a failure the stream of changes is opened again, in milliseconds. */
const AGAIN_MS = 3_000;
/** How long writes of this page are let finish before what changed is read. */
const SETTLE_MS = 150;
/** The whole listing is not read more often than this. */
const WHOLE_MS = 3_000;

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

/** Reads what a revision says is new. Of tiles only the changed ones, unless some were deleted, which nothing but the whole listing tells. */
function createFollower(client: QueryClient, boardId: string): Follower {
  const ended = new AbortController();
  const { signal } = ended;
  // Kept with what was read, so that coming back to a board tells what happened meanwhile.
  let known = client.getQueryData<Revision>(revisionOf(boardId)) ?? null;
  let told: Revision | null = null;
  let since = "";
  let wholeAt = 0;
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
        // At first everything was just read; only what changed since can be missing.
        if (known === null || next.content !== known.content) await readTiles(known === null ? 0 : next.content - known.content);
        known = next;
        client.setQueryData(revisionOf(boardId), next);
      }
    } catch (error) {
      if (signal.aborted || isStatus(error, 401, 403, 404)) return onFailure(error);
      // Whatever was missed is in the whole listing.
      known = { zones: -1, content: -Infinity };
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

  async function readTiles(changes: number): Promise<void> {
    const rows = client.getQueryData<readonly TileRow[]>(tilesOf(boardId));
    if (rows === undefined) return;
    const from = since === "" ? latestOf(rows) : since;
    const { tiles } =
      from === "" ? { tiles: [] } : await tessera.tiles.list(boardId, { text: false, metadata: true, updatedSince: from, signal });
    if (client.isMutating() === 0) setTiles(client, boardId, (before) => mergeTiles(before, tiles));
    // One that is read at its full length beside the board is read again.
    for (const { id, updatedAt } of tiles)
      if (updatedAt > (client.getQueryData<TileRow>(tileOf(id))?.updatedAt ?? updatedAt))
        void client.invalidateQueries({ queryKey: tileOf(id) });
    since = latestOf(tiles) || from;
    if (tiles.filter(({ updatedAt }) => updatedAt > from).length >= changes) return;
    await pause(wholeAt + WHOLE_MS - Date.now(), signal);
    wholeAt = Date.now();
    await Promise.all([client.invalidateQueries({ queryKey: tilesOf(boardId) }), client.invalidateQueries({ queryKey: ["tile"] })]);
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

const latestOf = (rows: readonly TileRow[]): string =>
  rows.reduce((latest, { updatedAt }) => (updatedAt > latest ? updatedAt : latest), "");

/** A zone that came or went took tiles with it. */
function takeZones(client: QueryClient, boardId: string, zones: readonly ZoneSummary[]): void {
  const before = client.getQueryData<readonly ZoneSummary[]>(zonesOf(boardId));
  if (before === undefined || JSON.stringify(before) === JSON.stringify(zones)) return;
  client.setQueryData(zonesOf(boardId), zones);
  const ids = (list: readonly ZoneSummary[]): string => JSON.stringify(list.map(({ id }) => id).toSorted());
  if (ids(before) !== ids(zones)) void client.invalidateQueries({ queryKey: tilesOf(boardId) });
}
