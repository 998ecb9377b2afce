import type { Authorized } from "./core/access.ts";
import type { Board } from "./core/board.ts";
import type { IndexRebuildStore } from "./answers/index-rebuild.ts";
import type { ApiKeyStore } from "./settings/api-key.ts";
import type { StorageError, StorageProblem } from "./core/errors/storage-error.ts";
import type { BackupStore } from "./settings/backup.ts";
import type { BoardStore } from "./core/board-store.ts";
import type { FeedStore } from "./events/feed.ts";
import type { SubscriptionStore } from "./events/subscription.ts";
import type { FileStore } from "./content/file.ts";
import type { GenerationStore } from "./answers/generation.ts";
import type { Queue } from "./content/job.ts";
import type { InboundAddressStore } from "./settings/inbound-address.ts";
import type { LogInThrottleStore } from "./settings/log-in-throttle.ts";
import type { PeopleStore } from "./settings/member.ts";
import type { ProgressStore } from "./content/progress.ts";
import type { SecretKeyStore } from "./settings/secret-key.ts";
import type { SearchStore } from "./answers/search.ts";
import type { StatisticsStore } from "./metrics/statistics.ts";
import type { ThumbnailStore } from "./content/thumbnail.ts";
import type { TileStore } from "./content/tile-store.ts";
import type { UsageStore } from "./model/usage.ts";
import type { VectorStore } from "./answers/vectors.ts";
import type { WebhookStore } from "./settings/webhook.ts";
import type { ZoneStore } from "./content/zone.ts";

/** A settings change in the audit log. */
export type AuditEntry = {
  readonly businessId: string;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly at: number;
};

/** A page of the audit log, newest first. `next` is the `after` of the next page, null at the end. */
export type AuditPage = { readonly entries: readonly AuditEntry[]; readonly next: number | null };

/** Rate limit counters shared by all nodes. */
export interface RateLimitStore {
  /**
   * Adds `calls` to the window of `name`, which starts with its first call. Returns the start of the window, its new
   * count, and `now` by the clock that all nodes share.
   */
  count(
    businessId: string,
    name: string,
    calls: number,
    windowMs: number,
    now: number,
  ): Promise<{ readonly start: number; readonly used: number; readonly now: number }>;
}

/** Notifies about changes by any process. Notifications contain no content, so listeners read it again with their current permissions. */
export interface ChangeFeed {
  /**
   * Calls `onChange` once soon after subscribing, and after commits to the board's zones or tiles; several commits may share one call.
   * Returns the function that unsubscribes.
   */
  watch(businessId: string, boardId: string, onChange: () => void): () => void;
}

/**
 * The database. A write is one transaction, durable when its promise resolves. Only background methods such as `purge`, `expire` and
 * `queue.release` use several. On PostgreSQL, the statements of one read may see different commits.
 */
export interface Store {
  /** Identifies the history that revisions belong to: 12 hexadecimal digits. It changes when a backup is restored. */
  readonly epoch: string;
  readonly boards: BoardStore;
  readonly zones: ZoneStore;
  readonly tiles: TileStore;
  readonly generations: GenerationStore;
  readonly apiKeys: ApiKeyStore;
  readonly inboundAddresses: InboundAddressStore;
  readonly people: PeopleStore;
  readonly logInThrottle: LogInThrottleStore;
  readonly usage: UsageStore;
  readonly webhooks: WebhookStore;
  readonly subscriptions: SubscriptionStore;
  readonly feed: FeedStore;
  readonly secretKey: SecretKeyStore;
  readonly search: SearchStore;
  readonly vectors: VectorStore;
  readonly indexRebuild: IndexRebuildStore;
  readonly queue: Queue;
  readonly progress: ProgressStore;
  readonly files: FileStore;
  readonly thumbnails: ThumbnailStore;
  readonly backups: BackupStore;
  readonly statistics: StatisticsStore;
  /**
   * Erases content deleted before `deletedBefore`, ended deliveries created before then, changes that the feed keeps no longer, and expired
   * idempotency records. Returns how many rows were erased.
   */
  purge(deletedBefore: number, now: number): Promise<number>;
  /** Erases the content of a discarded board. Returns how many tiles were erased. */
  purgeDiscarded(scope: Authorized<Board, "manage">): Promise<number>;
  /**
   * Returns the space of erased rows to the file system, in small steps, until `signal` aborts. Returns the number of bytes; 0 on
   * PostgreSQL, which reuses the space by itself.
   */
  releaseFreeSpace(signal?: AbortSignal): Promise<number>;
  /** Reads a little of every main table. Throws when the database is unavailable. */
  ping(): Promise<void>;
  /**
   * As `ping`, and also writes unless that worked just now. While a problem is `known`, it always tries to write. Throws when nothing can be
   * stored. Only servers call it, not too often.
   */
  probe(known?: StorageProblem | null): Promise<void>;
  /** Calls the listener with each storage error that any call meets. Returns the function that unsubscribes. */
  onFailure(listener: (error: StorageError) => void): () => void;
  /** Refreshes the snapshot, so that a request sees everything committed before by any process. Call it at the start of each request. */
  refreshSnapshot(): void;
  /** Shared rate limit counts of all nodes; null when a single process counts in memory. */
  readonly rateLimits: RateLimitStore | null;
  readonly changes: ChangeFeed;
  /** Returns a page of entries older than the cursor `after`; null starts with the newest. */
  auditPage(businessId: string, limit: number, after: number | null): Promise<AuditPage>;
  /** Returns the names of API keys and the e-mail addresses of members by their ids, for those that exist. */
  actorNames(businessId: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  close(): Promise<void>;
}
