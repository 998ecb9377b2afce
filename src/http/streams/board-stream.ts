import type { Board, Revisions } from "#domain/core/board.ts";
import type { Store } from "#domain/store.ts";
import type { EventStream } from "./event-stream.ts";
import type { ProgressWatch, TileProgress } from "./progress.ts";

export type BoardStream = {
  /** Sends the current revision, then what is being ingested. */
  start(): Promise<void>;
  stop(): void;
};

type BoardStreamOptions = {
  readonly store: Pick<Store, "boards" | "changes">;
  readonly progress: ProgressWatch;
  readonly board: Board;
  readonly events: EventStream;
  readonly revisions: Revisions;
};

/** Changes within this time are sent as one event. */
const MIN_INTERVAL_MS = 250;

/** Sends the changes of one board to one client. */
export function createBoardStream({ store, progress, board, events, revisions }: BoardStreamOptions): BoardStream {
  let sent: Pick<Revisions, "zones" | "content"> = revisions;
  let isSending = false;
  let hasChanged = false;
  let isStopped = false;
  let unwatchProgress = (): void => {};

  async function sendChanges(): Promise<void> {
    hasChanged = true;
    if (isSending) return;
    isSending = true;
    try {
      while (hasChanged && !isStopped) {
        hasChanged = false;
        const { zones, content } = await store.boards.revisions({ businessId: board.businessId, id: board.id });
        if (zones !== sent.zones || content !== sent.content) await events.send("revision", { zones, content });
        sent = { zones, content };
        await new Promise((resolve) => setTimeout(resolve, MIN_INTERVAL_MS));
      }
    } catch {
      // The client reconnects and gets the error as a response.
      events.end();
    } finally {
      isSending = false;
    }
  }

  const unwatch = store.changes.watch(board.businessId, board.id, () => void sendChanges());
  return {
    async start() {
      await events.send("revision", { zones: revisions.zones, content: revisions.content });
      // Clients reset their state at the first revision, so progress is sent after it. The client may have disconnected by now.
      if (isStopped) return;
      unwatchProgress = progress.watch(
        board,
        sendLatest((tiles) => events.send("progress", { tiles })),
      );
    },
    stop() {
      isStopped = true;
      unwatch();
      unwatchProgress();
    },
  };
}

/** Sends one list at a time. Of lists that arrive while sending, only the last is sent. */
function sendLatest(send: (tiles: readonly TileProgress[]) => Promise<void>): (tiles: readonly TileProgress[]) => void {
  let next: readonly TileProgress[] | null = null;
  let isSending = false;
  const sendAll = async (): Promise<void> => {
    isSending = true;
    for (let tiles = next; tiles !== null; tiles = next) {
      next = null;
      await send(tiles);
    }
    isSending = false;
  };
  return (tiles) => {
    next = tiles;
    if (!isSending) void sendAll();
  };
}
