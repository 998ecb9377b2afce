import type { Board } from "#domain/core/board.ts";
import type { Progress, ProgressStore } from "#domain/content/progress.ts";
import { type Clock, isoTime } from "#domain/core/system.ts";
import { type Loop, startLoop } from "#runtime/loop.ts";

/** A running ingestion, as clients see it. */
export type TileProgress = Pick<Progress, "tileId" | "stage" | "attempt" | "maxAttempts"> & { readonly startedAt: string };

export type ProgressWatch = {
  /** Reports the running ingestions of a board whenever they change, and immediately if there are any. Returns the function that stops it. */
  watch(board: Pick<Board, "businessId" | "id">, onChange: (tiles: readonly TileProgress[]) => void): () => void;
};

type Snapshot = { readonly tiles: readonly TileProgress[]; readonly text: string };
type Watcher = { readonly key: string; readonly onChange: (tiles: readonly TileProgress[]) => void; lastText: string };

const EMPTY: Snapshot = { tiles: [], text: "[]" };
const POLL_INTERVAL_MS = 500;

/** Polls once for all boards and streams of this process, and only while there are watchers. */
export function createProgressWatch(store: ProgressStore, clock: Clock, intervalMs = POLL_INTERVAL_MS): ProgressWatch {
  const watchers = new Set<Watcher>();
  let current: ReadonlyMap<string, Snapshot> = new Map();
  let loop: Loop | undefined;

  const notify = (watcher: Watcher): void => {
    const { tiles, text } = current.get(watcher.key) ?? EMPTY;
    if (text === watcher.lastText) return;
    watcher.lastText = text;
    watcher.onChange(tiles);
  };

  const poll = async (): Promise<void> => {
    current = groupByBoard(await store.running(clock.now()));
    for (const watcher of watchers) notify(watcher);
  };

  return {
    watch(board, onChange) {
      const watcher: Watcher = { key: toKey(board.businessId, board.id), onChange, lastText: EMPTY.text };
      watchers.add(watcher);
      // If the database is unavailable, clients get the error from their own calls.
      if (loop === undefined) loop = startLoop({ run: poll, intervalMs, onError: () => {} });
      else notify(watcher);
      return () => {
        watchers.delete(watcher);
        if (watchers.size > 0) return;
        void loop?.stop();
        loop = undefined;
        current = new Map();
      };
    },
  };
}

const toKey = (businessId: string, boardId: string): string => `${businessId} ${boardId}`;

function groupByBoard(running: readonly Progress[]): ReadonlyMap<string, Snapshot> {
  const boards = Map.groupBy(running, ({ businessId, boardId }) => toKey(businessId, boardId));
  return new Map(
    [...boards].map(([key, entries]) => {
      const tiles = entries.map(presentProgress);
      return [key, { tiles, text: JSON.stringify(tiles) }];
    }),
  );
}

const presentProgress = ({ tileId, stage, attempt, maxAttempts, startedAt }: Progress): TileProgress => ({
  tileId,
  stage,
  attempt,
  maxAttempts,
  startedAt: isoTime(startedAt),
});
