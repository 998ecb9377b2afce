import type { ApiKeyStore } from "./api-key.ts";
import type { BackupStore } from "./backup.ts";
import type { BoardStore } from "./board.ts";
import type { FileStore } from "./file.ts";
import type { GenerationStore } from "./generation.ts";
import type { Queue } from "./job.ts";
import type { PeopleStore } from "./member.ts";
import type { ProgressStore } from "./progress.ts";
import type { SearchStore } from "./search.ts";
import type { ThumbnailStore } from "./thumbnail.ts";
import type { TileStore } from "./tile.ts";
import type { UsageStore } from "./usage.ts";
import type { VectorStore } from "./vectors.ts";
import type { WebhookStore } from "./webhook.ts";
import type { ZoneStore } from "./zone.ts";

/**
 * Makes a creation happen once: written with it in one transaction. The same key with the same request within
 * its life gives the first answer again; with another request it is a 409.
 */
export type Once<T> = {
  readonly businessId: string;
  readonly apiKeyId: string;
  readonly path: string;
  readonly key: string;
  readonly requestHash: string;
  readonly expiresAt: number;
  /** The answer's body, kept for the replay; null when nothing was created, and nothing is remembered. */
  render(created: T): string | null;
};

export type OnceOutcome<T> = { readonly replayed: false; readonly value: T } | { readonly replayed: true; readonly body: string };

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
export interface AllowanceStore {
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
  /** Calls back after a commit to the board's zones or tiles, soon and at least once for several; returns the way to stop. */
  watch(businessId: string, boardId: string, onChange: () => void): () => void;
}

/** Everything that is stored. Each method is one unit of work: all of it happens, on disk, or none. */
export interface Store {
  readonly boards: BoardStore;
  readonly zones: ZoneStore;
  readonly tiles: TileStore;
  readonly generations: GenerationStore;
  readonly apiKeys: ApiKeyStore;
  readonly people: PeopleStore;
  readonly usage: UsageStore;
  readonly webhooks: WebhookStore;
  readonly search: SearchStore;
  readonly vectors: VectorStore;
  readonly queue: Queue;
  readonly progress: ProgressStore;
  readonly files: FileStore;
  readonly thumbnails: ThumbnailStore;
  readonly backups: BackupStore;
  /** Erases what was deleted before `deletedBefore`, and idempotency records that have expired; answers how many rows went. */
  purge(deletedBefore: number, now: number): Promise<number>;
  /** Throws when the storage can't be reached. */
  ping(): Promise<void>;
  /** Told at the start of each call from outside: whatever any process committed before it is seen by it. */
  beginCall(): void;
  /** Calls counted for every node alike; null where one process serves every call and counts for itself. */
  readonly allowances: AllowanceStore | null;
  readonly changes: ChangeFeed;
  audit(businessId: string, limit: number): Promise<AuditEntry[]>;
  /** Changes before the one that `after` stands for; null begins with the newest. */
  auditPage(businessId: string, limit: number, after: number | null): Promise<AuditPage>;
  close(): Promise<void>;
}
