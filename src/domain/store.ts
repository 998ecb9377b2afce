import type { ApiKeyStore } from "./api-key.ts";
import type { BoardStore } from "./board.ts";
import type { Queue } from "./job.ts";
import type { SearchStore } from "./search.ts";
import type { TileStore } from "./tile.ts";
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

/** Everything that is stored. Each method is one unit of work: all of it happens, on disk, or none. */
export interface Store {
  readonly boards: BoardStore;
  readonly zones: ZoneStore;
  readonly tiles: TileStore;
  readonly apiKeys: ApiKeyStore;
  readonly webhooks: WebhookStore;
  readonly search: SearchStore;
  readonly queue: Queue;
  /** Erases what was deleted before `deletedBefore`, and idempotency records that have expired; answers how many rows went. */
  purge(deletedBefore: number, now: number): Promise<number>;
  /** Throws when the storage can't be reached. */
  ping(): Promise<void>;
  /** Told at the start of each call from outside: whatever any process committed before it is seen by it. */
  beginCall(): void;
  /**
   * A number that changes with every commit to settings or content by any process, cheap enough to ask on each request.
   */
  generation(): number | Promise<number>;
  audit(businessId: string, limit: number): Promise<AuditEntry[]>;
  close(): Promise<void>;
}
