import type { Board } from "#domain/core/board.ts";
import type { Progress, ProgressStore } from "#domain/content/progress.ts";
import { type Clock, isoTime } from "#domain/core/system.ts";

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

/** One look for all boards and streams of this process, twice a second while anybody watches. */
export function createProgressWatch(store: ProgressStore, clock: Clock, everyMs = POLL_INTERVAL_MS): ProgressWatch {
  const watchers = new Set<Watcher>();
  let current: ReadonlyMap<string, Told> = new Map();
  let timer: NodeJS.Timeout | undefined;
  let isLooking = false;

  const tell = (watcher: Watcher): void => {
    const { tiles, text } = current.get(watcher.key) ?? NOTHING;
    if (text === watcher.told) return;
    watcher.told = text;
    watcher.onChange(tiles);
  };

  const look = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    try {
      current = byBoard(await store.running(clock.now()));
      for (const watcher of watchers) tell(watcher);
    } catch {
      // The storage can't be reached: callers are told by their own calls, and the next look comes by itself.
    } finally {
      isLooking = false;
    }
  };

  return {
    watch(board, onChange) {
      const watcher: Watcher = { key: keyOf(board.businessId, board.id), onChange, told: NOTHING.text };
      watchers.add(watcher);
      if (timer === undefined) {
        timer = setInterval(() => void look(), everyMs).unref();
        void look();
      } else tell(watcher);
      return () => {
        watchers.delete(watcher);
        if (watchers.size > 0) return;
        clearInterval(timer);
        timer = undefined;
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
