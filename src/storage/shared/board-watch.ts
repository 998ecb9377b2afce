import type { ChangeFeed } from "#domain/store.ts";

type Watched = {
  readonly businessId: string;
  readonly boardId: string;
  /** The watchers, each with the revision that it was called back for last; undefined before its first check. */
  readonly watchers: Map<() => void, number | undefined>;
  isChecking: boolean;
  /** A check was requested during a check, whose revision may be older. */
  isRequested: boolean;
};

/**
 * Calls watchers back when the revision of their board changed. It polls every `intervalMs` while a board is watched, and at once after
 * a notification, so that a lost notification loses nothing. The first check of a watcher always calls it back, since a change may lie
 * between the watcher's last read and the watch.
 */
export class BoardWatch implements ChangeFeed {
  readonly #read: (businessId: string, boardId: string) => Promise<number>;
  readonly #intervalMs: number;
  readonly #boards = new Map<string, Watched>();
  #timer: NodeJS.Timeout | undefined;

  constructor(read: (businessId: string, boardId: string) => Promise<number>, intervalMs: number) {
    this.#read = read;
    this.#intervalMs = intervalMs;
  }

  watch(businessId: string, boardId: string, onChange: () => void): () => void {
    let board = this.#boards.get(boardId);
    if (board === undefined) {
      board = { businessId, boardId, watchers: new Map(), isChecking: false, isRequested: false };
      this.#boards.set(boardId, board);
    }
    // A function of its own for each watch, so that the same callback may watch twice.
    const listener = (): void => onChange();
    board.watchers.set(listener, undefined);
    void this.#check(board);
    this.#timer ??= setInterval(() => this.checkAll(), this.#intervalMs).unref();
    return () => {
      board.watchers.delete(listener);
      if (board.watchers.size === 0 && this.#boards.get(boardId) === board) this.#boards.delete(boardId);
      if (this.#boards.size === 0) this.stop();
    };
  }

  /** Checks one board now, where it is watched. */
  checkNow(boardId: string): void {
    const board = this.#boards.get(boardId);
    if (board !== undefined) void this.#check(board);
  }

  checkAll(): void {
    for (const board of this.#boards.values()) void this.#check(board);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #check(board: Watched): Promise<void> {
    board.isRequested = true;
    if (board.isChecking) return;
    board.isChecking = true;
    try {
      while (board.isRequested) {
        board.isRequested = false;
        const revision = await this.#read(board.businessId, board.boardId);
        for (const [listener, revisionBefore] of board.watchers) {
          if (revisionBefore === revision) continue;
          board.watchers.set(listener, revision);
          listener();
        }
      }
    } catch {
      // The storage is unavailable; the next poll checks again.
    } finally {
      board.isChecking = false;
    }
  }
}
