import type { FeedState, FeedStore } from "#domain/events/feed.ts";
import type { Driver } from "../driver.ts";
import { addListener, type FeedNotifier, type Notifier } from "../notifier.ts";
import { keepRooms, type Room } from "../webhooks/backlog.ts";
import { createLogTrimmer } from "../webhooks/trim-log.ts";
import { readFeed, readFeedState, readLatest } from "./read-feed.ts";
import { type Sequenced, sequenceEvents } from "./sequence.ts";
import { findOldestWaiting, hasWaitingEvents } from "./waiting.ts";

/** The change feed. */
export function createFeedStore(driver: Driver, notifier: FeedNotifier & Pick<Notifier, "notifySenders">): FeedStore {
  const { dialect, read, write } = driver;
  const trimLog = createLogTrimmer(driver);
  const rooms = new Map<string, Room>();
  /** The position before the units that are committed but may not be on disk yet: a crash of the machine could take them back. */
  const unflushed = new Set<{ first: number }>();
  const visible = ({ position }: FeedState): number => Math.min(position, ...[...unflushed].map(({ first }) => first));

  return {
    state: async () => {
      const state = await read(readFeedState);
      return { ...state, position: visible(state) };
    },

    read: (businessId, query) => read(() => readFeed(dialect, businessId, query, visible)),

    async sequence(now, businessId) {
      // Without a look before the write, every poll would commit an empty transaction.
      if (!(await read(() => hasWaitingEvents(dialect, businessId)))) return { events: 0, overflow: 0, hasMore: false };
      const unit = { first: Infinity };
      unflushed.add(unit);
      let step: Sequenced;
      try {
        step = await write(function* () {
          const sequenced = yield* sequenceEvents(dialect, rooms, now, businessId);
          unit.first = sequenced.first;
          return sequenced;
        });
      } finally {
        unflushed.delete(unit);
      }
      const { overflow } = step.recorded;
      keepRooms(rooms, step.recorded.rooms);
      if (step.events.length > 0) notifier.notifyReaders([...new Set(step.events.map(({ businessId }) => businessId))]);
      if (step.deliveries > 0) notifier.notifySenders();
      for (const [receiver, ...others] of Map.groupBy(overflow, ({ subscriptionId }) => subscriptionId).values())
        if (receiver !== undefined) await trimLog(receiver, 1 + others.length);
      return { events: step.events.length, overflow: overflow.length, hasMore: step.hasMore };
    },

    latest: (businessId, boardId, event, limit) => read(() => readLatest(businessId, boardId, event, limit)),

    onRecorded: (listener) => addListener(notifier.sequencers, listener),

    watch(businessId, listener) {
      const listeners = notifier.readers.get(businessId) ?? new Set();
      notifier.readers.set(businessId, listeners);
      // A new function for each call, so that the same listener can be registered twice.
      const remove = addListener(listeners, () => listener());
      return () => {
        remove();
        if (listeners.size === 0 && notifier.readers.get(businessId) === listeners) notifier.readers.delete(businessId);
      };
    },

    oldestWaiting: () => read(() => findOldestWaiting(dialect)),
  };
}
