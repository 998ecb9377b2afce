import type { FastifyReply } from "fastify";
import type { Actor } from "#domain/core/access.ts";
import type { Board, Revisions } from "#domain/core/board.ts";
import type { Store } from "#domain/store.ts";
import type { Clock } from "#domain/core/system.ts";
import { createSemaphore } from "#runtime/turns/semaphore.ts";
import { createRefusal, toOwner } from "#service/work-queue.ts";
import type { AccessWatch } from "../auth/access-watch.ts";
import { createBoardStream } from "./board-stream.ts";
import { type EventStream, openEventStream } from "./event-stream.ts";
import { createProgressWatch } from "./progress.ts";

/** Event streams that report changes of a board to pages and programs. */
export type LiveStreams = {
  /**
   * Responds with events `revision`, `{ zones, content }`, the first one immediately, and `progress`, `{ tiles }`, with all running
   * ingestions whenever they change. It ends with the access of the caller. Resolves once the stream is closed. Throws 429 if the caller or
   * its business has too many streams open, and 503 if all businesses together have, and this one has any.
   */
  follow(board: Board, actor: Actor, reply: FastifyReply): Promise<void>;
  /** Closes all streams. Clients reconnect by themselves. */
  closeAll(): void;
};

type LiveStore = Pick<Store, "boards" | "changes" | "progress">;

/** The lifetime of a stream. Clients then reconnect, which checks their permission again. */
const STREAM_LIFETIME_MS = 5 * 60_000;
const RETRY_SECONDS = 5;

type StreamLimits = {
  /** Open streams of one API key or member, and of one business. */
  readonly maxPerCaller: number;
  readonly maxPerBusiness: number;
  /** Open streams of all businesses, and more for businesses without any, one each. */
  readonly shared: number;
  readonly reserved: number;
};

const STREAM_LIMITS: StreamLimits = { maxPerCaller: 20, maxPerBusiness: 1_000, shared: 1_500, reserved: 500 };

export function createLiveStreams(store: LiveStore, clock: Clock, accessWatch: AccessWatch, limits = STREAM_LIMITS): LiveStreams {
  const progress = createProgressWatch(store.progress, clock);
  const open = new Set<EventStream>();
  const places = createSemaphore({
    slots: limits.shared,
    reserved: limits.reserved,
    maxWaiting: 0,
    maxPerOwner: limits.maxPerCaller,
    maxPerGroup: limits.maxPerBusiness,
    refuse: createRefusal("streams", "open", limits, RETRY_SECONDS),
  });

  async function stream(board: Board, actor: Actor, reply: FastifyReply): Promise<void> {
    // Read before the stream is opened, so that a storage error is an error response.
    const revisions: Revisions = await store.boards.revisions(board);
    // The client may have disconnected during the wait; its connection emits no further event.
    if (reply.raw.destroyed) {
      reply.hijack();
      return;
    }
    const events = openEventStream(reply);
    open.add(events);
    const changes = createBoardStream({ store, progress, board, events, revisions });
    const timer = setTimeout(() => events.end(), STREAM_LIFETIME_MS);
    const access = accessWatch.follow(actor);
    access.signal.addEventListener("abort", () => events.end());
    const closed = new Promise<void>((resolve) => reply.raw.once("close", resolve)).then(() => {
      clearTimeout(timer);
      access.stop();
      changes.stop();
      open.delete(events);
    });
    await changes.start();
    await closed;
  }

  return {
    follow: (board, actor, reply) => places.run(() => stream(board, actor, reply), { owner: toOwner(actor) }),

    closeAll() {
      for (const events of open) events.end();
    },
  };
}
