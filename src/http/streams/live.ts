import type { FastifyReply } from "fastify";
import { type Actor, actorId } from "#domain/core/access.ts";
import type { Board } from "#domain/core/board.ts";
import { AppError } from "#domain/core/error.ts";
import type { Store } from "#domain/store.ts";
import type { Clock } from "#domain/core/system.ts";
import { startLoop } from "#runtime/loop.ts";
import { type EventStream, openEventStream } from "./event-stream.ts";
import { createProgressWatch, type TileProgress } from "./progress.ts";

/** Streams that tell pages and programs that a board changed, so that they read it again. */
export type LiveStreams = {
  /**
   * Answers with events `revision`, `{ zones, content }`, the first at once, and `progress`, `{ tiles }`, with all that is worked on whenever
   * it changes. 429 where the caller has too many open.
   */
  follow(board: Board, actor: Actor, reply: FastifyReply): Promise<void>;
  /** Ends those of members whose session is over, in this process; those of other processes end with their time. */
  closeFor(isOut: (member: Member) => boolean): void;
  /** Ends all of them; callers come back to the next server by themselves. */
  closeAll(): void;
};

type Member = Extract<Actor, { readonly kind: "member" }>;

/** A stream ends after so long, so that whoever may read no longer is asked again; milliseconds. */
const LIFE_MS = 5 * 60_000;
/** Many changes in a row are told together, this far apart. */
const MIN_INTERVAL_MS = 250;
/** Open at once for one key or member, and for all. */
const MAX_OF_ONE = 20;
const MOST = 2_000;

export function createLiveStreams(store: Pick<Store, "boards" | "changes" | "progress">, clock: Clock, lifeMs = LIFE_MS): LiveStreams {
  const progress = createProgressWatch(store.progress, clock);
  const open = new Map<EventStream, Actor>();
  const counts = new Map<string, number>();

  function enter(caller: string): () => void {
    const count = counts.get(caller) ?? 0;
    if (count >= MAX_OF_ONE || open.size >= MOST)
      throw new AppError(
        "rate_limited",
        `Too many streams are open; ${MAX_OF_ONE} are for one key or person. Close one, then open this.`,
        5,
      );
    counts.set(caller, count + 1);
    return () => {
      const left = (counts.get(caller) ?? 1) - 1;
      if (left > 0) counts.set(caller, left);
      else counts.delete(caller);
    };
  }

  return {
    async follow(board, actor, reply) {
      const leave = enter(actorId(actor));
      // Asked before anything is sent, so that a storage that can't be reached is told as such.
      let revisions = await Promise.resolve(store.boards.revisions(board)).catch((error: unknown) => {
        leave();
        throw error;
      });
      const stream = openEventStream(reply);
      open.set(stream, actor);
      let isOver = false;
      let stopProgress = (): void => {};
      const loop = startLoop({
        minIntervalMs: MIN_INTERVAL_MS,
        wake: (wake) => store.changes.watch(board.businessId, board.id, wake),
        async run() {
          const { zones, content } = await store.boards.revisions({ businessId: board.businessId, id: board.id });
          if (isOver) return;
          if (zones !== revisions.zones || content !== revisions.content) await stream.send("revision", { zones, content });
          revisions = { ...revisions, zones, content };
        },
        // The client reconnects, and gets the error then.
        onError: () => stream.end(),
      });

      const timer = setTimeout(() => stream.end(), lifeMs);
      reply.raw.once("close", () => {
        isOver = true;
        clearTimeout(timer);
        void loop.stop();
        stopProgress();
        open.delete(stream);
        leave();
      });
      await stream.send("revision", { zones: revisions.zones, content: revisions.content });
      // After the first revision, with which whoever follows begins anew. They may have gone while it was sent.
      if (!isOver)
        stopProgress = progress.watch(
          board,
          sendLatest((tiles) => stream.send("progress", { tiles })),
        );
    },

    closeFor(isOut) {
      for (const [stream, actor] of open) if (actor.kind === "member" && isOut(actor)) stream.end();
    },

    closeAll() {
      for (const stream of open.keys()) stream.end();
    },
  };
}

/** Sends one list at a time; of those that come meanwhile, the last. */
function sendLatest(send: (tiles: readonly TileProgress[]) => Promise<void>): (tiles: readonly TileProgress[]) => void {
  let next: readonly TileProgress[] | null = null;
  let isSending = false;
  const scloseAll = async (): Promise<void> => {
    isSending = true;
    for (let tiles = next; tiles !== null; tiles = next) {
      next = null;
      await send(tiles);
    }
    isSending = false;
  };
  return (tiles) => {
    next = tiles;
    if (!isSending) void scloseAll();
  };
}
