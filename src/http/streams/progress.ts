import type { Board } from "#domain/core/board.ts";
import type { Progress, ProgressStore } from "#domain/content/progress.ts";
import { type Clock, isoTime } from "#domain/core/system.ts";
import { type Loop, startLoop } from "#runtime/loop.ts";

/** What a tile is at, as it is told. */
export type TileProgress = Pick<Progress, "tileId" | "stage" | "attempt" | "maxAttempts"> & { readonly startedAt: string };

export type ProgressWatch = {
  /** Tells all that is worked on on the board whenever it changes, at first only if there is something; returns the way to stop. */
  watch(board: Pick<Board, "businessId" | "id">, onChange: (tiles: readonly TileProgress[]) => void): () => void;
};

type Told = { readonly tiles: readonly TileProgress[]; readonly text: string };
type Watcher = { readonly key: string; readonly onChange: (tiles: readonly TileProgress[]) => void; told: string };

const NOTHING: Told = { tiles: [], text: "[]" };
const POLL_INTERVAL_MS = 500;

/** Polls for all boards and streams of this process together, twice a second while anybody watches. */
export function createProgressWatch(store: ProgressStore, clock: Clock, intervalMs = POLL_INTERVAL_MS): ProgressWatch {
  const watchers = new Set<Watcher>();
  let current: ReadonlyMap<string, Told> = new Map();
  let loop: Loop | undefined;

  const tell = (watcher: Watcher): void => {
    const { tiles, text } = current.get(watcher.key) ?? NOTHING;
    if (text === watcher.told) return;
    watcher.told = text;
    watcher.onChange(tiles);
  };

  const poll = async (): Promise<void> => {
    current = byBoard(await store.running(clock.now()));
    for (const watcher of watchers) tell(watcher);
  };

  return {
    watch(board, onChange) {
      const watcher: Watcher = { key: keyOf(board.businessId, board.id), onChange, told: NOTHING.text };
      watchers.add(watcher);
      // While the database is unavailable, callers learn it from their own calls.
      if (loop === undefined) loop = startLoop({ run: poll, intervalMs, onError: () => {} });
      else tell(watcher);
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

const keyOf = (businessId: string, boardId: string): string => `${businessId} ${boardId}`;

function byBoard(running: readonly Progress[]): ReadonlyMap<string, Told> {
  const boards = Map.groupBy(running, ({ businessId, boardId }) => keyOf(businessId, boardId));
  return new Map(
    [...boards].map(([key, entries]) => {
      const tiles = entries.map(toldOf);
      return [key, { tiles, text: JSON.stringify(tiles) }];
    }),
  );
}

const toldOf = ({ tileId, stage, attempt, maxAttempts, startedAt }: Progress): TileProgress => ({
  tileId,
  stage,
  attempt,
  maxAttempts,
  startedAt: isoTime(startedAt),
});
