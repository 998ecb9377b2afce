import type { ApiKeyStore } from "./settings/api-key.ts";
import type { BackupStore } from "./settings/backup.ts";
import type { BoardStore } from "./core/board-store.ts";
import type { FileStore } from "./content/file.ts";
import type { GenerationStore } from "./answers/generation.ts";
import type { Queue } from "./content/job.ts";
import type { LogInThrottleStore } from "./settings/log-in-throttle.ts";
import type { PeopleStore } from "./settings/member.ts";
import type { ProgressStore } from "./content/progress.ts";
import type { SearchStore } from "./answers/search.ts";
import type { ThumbnailStore } from "./content/thumbnail.ts";
import type { TileStore } from "./content/tile-store.ts";
import type { UsageStore } from "./model/usage.ts";
import type { VectorStore } from "./answers/vectors.ts";
import type { WebhookStore } from "./settings/webhook.ts";
import type { ZoneStore } from "./content/zone.ts";

/** A settings change, for the audit log. */
export type AuditEntry = {
  readonly businessId: string;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly at: number;
};

/** A page of the audit log, newest first; `next` is what the following page is asked with, null at the end. */
export type AuditPage = { readonly entries: readonly AuditEntry[]; readonly next: number | null };

/** Counts what each key may still do, for all nodes that share the store. */
export interface RateLimitStore {
  /**
   * Counts `calls` more calls under `name` in a window that begins with its first call; answers when it began and how many are
   * counted in it now.
   */
  count(
    businessId: string,
    name: string,
    calls: number,
    windowMs: number,
    now: number,
  ): Promise<{ readonly start: number; readonly used: number }>;
}

/** Tells of changes made by any process. It carries ids only: whoever listens reads anew, with the rights it has then. */
export interface ChangeFeed {
  /**
   * Calls back once soon after it was called, for what may have changed meanwhile, and after each later commit to the board's zones or
   * tiles, soon and at least once for several; returns the way to stop.
   */
  watch(businessId: string, boardId: string, onChange: () => void): () => void;
}

/** Everything that is stored. Each method is one unit of work: all of it happens, on disk, or none. */
export interface Store {
  /** Names the history that revisions count: 12 hexadecimal digits, others once a backup was restored. */
  readonly epoch: string;
  readonly boards: BoardStore;
  readonly zones: ZoneStore;
  readonly tiles: TileStore;
  readonly generations: GenerationStore;
  readonly apiKeys: ApiKeyStore;
  readonly people: PeopleStore;
  readonly logInThrottle: LogInThrottleStore;
  readonly usage: UsageStore;
  readonly webhooks: WebhookStore;
  readonly search: SearchStore;
  readonly vectors: VectorStore;
  readonly queue: Queue;
  readonly progress: ProgressStore;
  readonly files: FileStore;
  readonly thumbnails: ThumbnailStore;
  readonly backups: BackupStore;
  /**
   * Erases what was deleted before `deletedBefore`, deliveries made before then that have ended, and idempotency records that have
   * expired; answers how many rows went.
   */
  purge(deletedBefore: number, now: number): Promise<number>;
  /** Throws when the storage can't be reached. */
  ping(): Promise<void>;
  /** Told at the start of each call from outside: whatever any process committed before it is seen by it. */
  refreshSnapshot(): void;
  /** Calls counted for every node alike; null where one process serves every call and counts for itself. */
  readonly rateLimits: RateLimitStore | null;
  readonly changes: ChangeFeed;
  audit(businessId: string, limit: number): Promise<AuditEntry[]>;
  /** Changes before the one that `after` stands for; null begins with the newest. */
  auditPage(businessId: string, limit: number, after: number | null): Promise<AuditPage>;
  close(): Promise<void>;
}
