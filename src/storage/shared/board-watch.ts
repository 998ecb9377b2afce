import type { ChangeFeed } from "#domain/store.ts";
import { type Loop, startLoop } from "#runtime/loop.ts";

type WatchedBoard = {
  /** The listeners with the last revision that they were notified of; undefined before the first read. */
  readonly listeners: Map<() => void, number | undefined>;
  readonly loop: Loop;
};

/** Maximum pause after a failed read, in milliseconds. */
const MAX_BACK_OFF_MS = 500;

/**
 * Notifies listeners when the revision of their board has changed. While a board is watched, its revision is polled every `intervalMs`,
 * and read at once when `check` is called, so a lost notification of another process only causes a delay. A new listener is always
 * notified once, since the first revision that is read may be newer than its data.
 */
export class BoardWatch implements ChangeFeed {
  readonly #read: (businessId: string, boardId: string) => Promise<number>;
  readonly #intervalMs: number;
  readonly #boards = new Map<string, WatchedBoard>();

  constructor(read: (businessId: string, boardId: string) => Promise<number>, intervalMs: number) {
    this.#read = read;
    this.#intervalMs = intervalMs;
  }

  watch(businessId: string, boardId: string, onChange: () => void): () => void {
    const board = this.#boards.get(boardId) ?? this.#open(businessId, boardId);
    // A new function for each call, so that the same `onChange` can be registered twice.
    const listener = (): void => onChange();
    board.listeners.set(listener, undefined);
    board.loop.wake();
    return () => {
      board.listeners.delete(listener);
      if (board.listeners.size > 0 || this.#boards.get(boardId) !== board) return;
      this.#boards.delete(boardId);
      void board.loop.stop();
    };
  }

  /** Reads the revision of this board now if it is watched. */
  check(boardId: string): void {
    this.#boards.get(boardId)?.loop.wake();
  }

  checkAll(): void {
    for (const { loop } of this.#boards.values()) loop.wake();
  }

  stop(): void {
    for (const { loop } of this.#boards.values()) void loop.stop();
    this.#boards.clear();
  }

  #open(businessId: string, boardId: string): WatchedBoard {
    const listeners = new Map<() => void, number | undefined>();
    const loop = startLoop({
      intervalMs: this.#intervalMs,
      firstMs: this.#intervalMs,
      maxBackOffMs: Math.min(MAX_BACK_OFF_MS, this.#intervalMs),
      run: async () => {
        const revision = await this.#read(businessId, boardId);
        for (const [listener, last] of listeners) {
          if (last === revision) continue;
          listeners.set(listener, revision);
          listener();
        }
      },
      // Callers see that the database is unavailable from their own calls.
      onError: () => {},
    });
    const board = { listeners, loop };
    this.#boards.set(boardId, board);
    return board;
  }
}
