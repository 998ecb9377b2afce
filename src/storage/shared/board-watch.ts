import type { ChangeFeed } from "#domain/store.ts";

type Watched = {
  readonly businessId: string;
  readonly boardId: string;
  /** Who watches, with the revision of which each was told last; of none before its first look. */
  readonly told: Map<() => void, number | undefined>;
  isLooking: boolean;
  /** Nudged while looking, so that what was read may be of before. */
  isAsked: boolean;
};

/**
 * Tells watchers when their board's revision changed. It looks every `everyMs` while anybody watches, and at once when nudged: a
 * notification only makes it sooner, so that a lost one loses nothing. A watcher's first look always tells it, since nobody knows
 * whether the revision it finds is older than the watch.
 */
export class BoardWatch implements ChangeFeed {
  readonly #read: (businessId: string, boardId: string) => Promise<number>;
  readonly #everyMs: number;
  readonly #boards = new Map<string, Watched>();
  #timer: NodeJS.Timeout | undefined;

  constructor(read: (businessId: string, boardId: string) => Promise<number>, everyMs: number) {
    this.#read = read;
    this.#everyMs = everyMs;
  }

  watch(businessId: string, boardId: string, onChange: () => void): () => void {
    let board = this.#boards.get(boardId);
    if (board === undefined) {
      board = { businessId, boardId, told: new Map(), isLooking: false, isAsked: false };
      this.#boards.set(boardId, board);
    }
    // Of its own for each watch, so that the same function may watch twice.
    const listener = (): void => onChange();
    board.told.set(listener, undefined);
    void this.#look(board);
    this.#timer ??= setInterval(() => this.nudgeAll(), this.#everyMs).unref();
    return () => {
      board.told.delete(listener);
      if (board.told.size === 0 && this.#boards.get(boardId) === board) this.#boards.delete(boardId);
      if (this.#boards.size === 0) this.stop();
    };
  }

  /** Looks at one board now, where anybody watches it. */
  nudge(boardId: string): void {
    const board = this.#boards.get(boardId);
    if (board !== undefined) void this.#look(board);
  }

  nudgeAll(): void {
    for (const board of this.#boards.values()) void this.#look(board);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #look(board: Watched): Promise<void> {
    board.isAsked = true;
    if (board.isLooking) return;
    board.isLooking = true;
    try {
      while (board.isAsked) {
        board.isAsked = false;
        const revision = await this.#read(board.businessId, board.boardId);
        for (const [listener, told] of board.told) {
          if (told === revision) continue;
          board.told.set(listener, revision);
          listener();
        }
      }
    } catch {
      // The storage can't be reached: callers are told by their own calls, and the next look comes by itself.
    } finally {
      board.isLooking = false;
    }
  }
}
