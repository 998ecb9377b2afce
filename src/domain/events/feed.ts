import { createHash } from "node:crypto";
import { formatId } from "../core/system.ts";
import type { FeedEvent } from "./event.ts";

/** How long changes are kept. */
export const FEED_WINDOW_MS = 30 * 24 * 3_600_000;

/** An event at its position in the feed. */
export type Change = {
  /** Positions increase in the order in which readers see changes, and are unique among all businesses. */
  readonly position: number;
  readonly event: FeedEvent;
  readonly boardId: string;
  readonly payload: object;
  readonly at: number;
};

/** The last position that readers can see, and the last one that was erased. */
export type FeedState = { readonly position: number; readonly erased: number };

/** Which changes are read. */
export type FeedQuery = {
  /** Null: of all boards. */
  readonly boardId: string | null;
  /** Null: all events. */
  readonly events: readonly FeedEvent[] | null;
  /** Only changes after this position; null for all that are kept. */
  readonly after: number | null;
  readonly limit: number;
};

/** `next` is the `after` of the next page. A page of a filtered feed may be empty although there are more changes. */
export type FeedPage = { readonly changes: readonly Change[]; readonly next: number; readonly hasMore: boolean };

/** What one step of the sequencer did. */
export type SequencedStep = {
  readonly events: number;
  /** Deliveries that ended at once, since too many were waiting. */
  readonly overflow: number;
  readonly hasMore: boolean;
};

export interface FeedStore {
  state(): Promise<FeedState>;
  /** Returns a page of changes, oldest first; null if changes after `after` were erased already. */
  read(businessId: string, query: FeedQuery): Promise<FeedPage | null>;
  /**
   * Gives the next committed events their positions, and records their deliveries to subscriptions. Processes that call it at the same time
   * wait for each other. With a business, `hasMore` is about its events alone, and nothing is done if it has none: businesses take turns, so
   * its events do not wait for all of another.
   */
  sequence(now: number, businessId?: string): Promise<SequencedStep>;
  /** Returns at most `limit` of the latest changes of this event, newest first, as far as they are among the newest of the business. */
  latest(businessId: string, boardId: string | null, event: FeedEvent, limit: number): Promise<readonly Change[]>;
  /** Calls the listener when this process may have recorded events. Returns the function that unsubscribes. */
  onRecorded(listener: () => void): () => void;
  /** Calls the listener when any process has given events of this business their positions. Returns the function that unsubscribes. */
  watch(businessId: string, listener: () => void): () => void;
  /** Returns the time of the oldest event without a position; null if there is none. */
  oldestWaiting(): Promise<number | null>;
}

/** Returns the id of a change. After a restore, positions repeat with other changes, but under another epoch, and so with other ids. */
export const createChangeId = (epoch: string, { position, at }: Pick<Change, "position" | "at">): string =>
  formatId("evt", at, createHash("sha256").update(`${epoch} ${position}`).digest());
