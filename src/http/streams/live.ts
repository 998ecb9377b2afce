import type { FastifyReply } from "fastify";
import { type Actor, actorId } from "#domain/core/access.ts";
import type { Board, Revisions } from "#domain/core/board.ts";
import { AppError } from "#domain/core/error.ts";
import type { Store } from "#domain/store.ts";
import type { Clock } from "#domain/core/system.ts";
import type { AccessWatch } from "../auth/access-watch.ts";
import { createBoardStream } from "./board-stream.ts";
import { type EventStream, openEventStream } from "./event-stream.ts";
import { createProgressWatch } from "./progress.ts";

/** Event streams that report changes of a board to pages and programs. */
export type LiveStreams = {
  /**
   * Responds with events `revision`, `{ zones, content }`, the first one immediately, and `progress`, `{ tiles }`, with all running
   * ingestions whenever they change. It ends with the access of the caller. 429 if the caller has too many streams open.
   */
  follow(board: Board, actor: Actor, reply: FastifyReply): Promise<void>;
  /** Closes all streams. Clients reconnect by themselves. */
  closeAll(): void;
};

type LiveStore = Pick<Store, "boards" | "changes" | "progress">;

/** The lifetime of a stream. Clients then reconnect, which checks their permission again. */
const STREAM_LIFETIME_MS = 5 * 60_000;
const MAX_STREAMS_PER_CALLER = 20;
const MAX_STREAMS = 2_000;

export function createLiveStreams(store: LiveStore, clock: Clock, accessWatch: AccessWatch, lifetimeMs = STREAM_LIFETIME_MS): LiveStreams {
  const progress = createProgressWatch(store.progress, clock);
  const open = new Set<EventStream>();
  const counts = new Map<string, number>();

  /** Counts a stream of the caller; returns the function that ends the count. */
  function reserve(caller: string): () => void {
    const count = counts.get(caller) ?? 0;
    if (count >= MAX_STREAMS_PER_CALLER || open.size >= MAX_STREAMS)
      throw new AppError("rate_limited", `Too many streams are open. The limit is ${MAX_STREAMS_PER_CALLER} per API key or member.`, 5);
    counts.set(caller, count + 1);
    return () => {
      const left = (counts.get(caller) ?? 1) - 1;
      if (left > 0) counts.set(caller, left);
      else counts.delete(caller);
    };
  }

  return {
    async follow(board, actor, reply) {
      const release = reserve(actorId(actor));
      // Read before the stream is opened, so that a storage error is an error response.
      const revisions: Revisions = await Promise.resolve(store.boards.revisions(board)).catch((error: unknown) => {
        release();
        throw error;
      });
      // The client may have disconnected during the wait; its connection emits no further event.
      if (reply.raw.destroyed) {
        reply.hijack();
        release();
        return;
      }
      const events = openEventStream(reply);
      open.add(events);
      const stream = createBoardStream({ store, progress, board, events, revisions });
      const timer = setTimeout(() => events.end(), lifetimeMs);
      const access = accessWatch.follow(actor);
      access.signal.addEventListener("abort", () => events.end());
      reply.raw.once("close", () => {
        clearTimeout(timer);
        access.stop();
        stream.stop();
        open.delete(events);
        release();
      });
      await stream.start();
    },

    closeAll() {
      for (const events of open) events.end();
    },
  };
}
