import type { ChangeFeed } from "#domain/store.ts";
import { type Loop, startLoop } from "#runtime/loop.ts";

type WatchedBoard = {
  /** The listeners, each with the revision that it was notified of last; undefined before the first read. */
  readonly notified: Map<() => void, number | undefined>;
  readonly loop: Loop;
};

/** The longest pause after a failed read. */
const MAX_BACK_OFF_MS = 500;

/**
 * Notifies listeners when their board's revision changed. The revision is polled every `intervalMs` while anybody watches the board, and
 * read at once when `check` is called. A notification from another process only makes it faster, so a lost one loses nothing. A new
 * listener is always notified once, since the first revision that is read may be newer than its data.
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
    // Of its own for each watch, so that the same function may watch twice.
    const listener = (): void => onChange();
    board.notified.set(listener, undefined);
    board.loop.wake();
    return () => {
      board.notified.delete(listener);
      if (board.notified.size > 0 || this.#boards.get(boardId) !== board) return;
      this.#boards.delete(boardId);
      void board.loop.stop();
    };
  }

  /** Reads the revision of one board now, if anybody watches it. */
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
    const notified = new Map<() => void, number | undefined>();
    const loop = startLoop({
      intervalMs: this.#intervalMs,
      firstMs: this.#intervalMs,
      maxBackOffMs: Math.min(MAX_BACK_OFF_MS, this.#intervalMs),
      run: async () => {
        const revision = await this.#read(businessId, boardId);
        for (const [listener, last] of notified) {
          if (last === revision) continue;
          notified.set(listener, revision);
          listener();
        }
      },
      // While the database is unavailable, callers learn it from their own calls.
      onError: () => {},
    });
    const board = { notified, loop };
    this.#boards.set(boardId, board);
    return board;
  }
}
