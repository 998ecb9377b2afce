import { hash, randomUUID } from "node:crypto";
import { Client } from "pg";
import { AppError } from "#domain/core/errors/error.ts";
import type { Database } from "./database.ts";

/** What changed: new jobs, new events to send, API keys, a board, or the feed of a business. Notifications contain ids, never content. */
export type Topic = "work" | "deliveries" | "keys" | `board ${string}` | `feed ${string}`;

const CHANNEL = "tessera";
/** Maximum number of topics in one notification, which PostgreSQL limits to 8,000 bytes. */
const MAX_TOPICS = 150;
/** Minimum time between two notifications of a process, since PostgreSQL serialises their commits in the whole database. */
const MIN_INTERVAL_MS = 5;
/** Claims are shared advisory locks, which end with the connection. */
const TAKE_CLAIM = "SELECT pg_advisory_lock_shared($1, $2)";
const DROP_CLAIM = "SELECT pg_advisory_unlock_shared($1, $2)";
const FIND_OTHER_CLAIM = `
  SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND classid::bigint = $1 AND objid::bigint <> $2 AND objsubid = 2 AND pid <> pg_backend_pid() LIMIT 1`;
/**
 * How long another claim must have been absent before this process takes its place: a process that lost its connection for a moment claims
 * again within this time.
 */
const CLAIM_ABSENCE_MS = 15_000;
const RECONNECT_MS = 250;
const MAX_RECONNECT_MS = 2_000;

/**
 * Publishes changes to the processes that share a database, with LISTEN and NOTIFY. Notifications are sent after the commit and may get
 * lost, so every subscriber also polls.
 */
export class NotificationBus {
  readonly #db: Database;
  readonly #self = randomUUID();
  readonly #subscribers = new Set<(topic: Topic) => void>();
  #onConnect: () => void = () => {};
  #pending = new Set<Topic>();
  #sending: Promise<void> | undefined;
  #client: Client | undefined;
  #retry: NodeJS.Timeout | undefined;
  #failures = 0;
  #isConnected = false;
  #isClosed = false;
  /** The advisory locks that the connection holds, and takes again after a reconnection: the key of each kind. */
  readonly #claims = new Map<number, number>();
  /** When another claim of a kind was last seen. */
  readonly #othersSeenAt = new Map<number, number>();

  constructor(db: Database) {
    this.#db = db;
  }

  /** Starts to listen, and reconnects after failures. `onConnect` is called after each connection, since notifications may have been missed. */
  async start(onConnect: () => void): Promise<void> {
    this.#onConnect = onConnect;
    await this.#connect();
  }

  async #connect(): Promise<void> {
    if (this.#isClosed) return;
    const client = new Client({
      connectionString: this.#db.url,
      application_name: "tessera feed",
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      connectionTimeoutMillis: 5_000,
    });
    const reconnect = (): void => {
      if (this.#client !== client) return;
      this.#client = undefined;
      this.#isConnected = false;
      client.end().catch(() => {});
      this.#connectLater();
    };
    this.#client = client;
    client.on("error", reconnect);
    client.on("end", reconnect);
    client.on("notification", ({ payload }) => this.#receive(payload ?? ""));
    try {
      await client.connect();
      await client.query(`LISTEN ${CHANNEL}`);
      for (const claim of this.#claims) await this.#claimAgain(client, claim);
      this.#isConnected = true;
      this.#failures = 0;
      this.#onConnect();
    } catch {
      reconnect();
    }
  }

  /** Takes a claim again that ended with a connection, unless another process has claimed another value meanwhile. */
  async #claimAgain(client: Client, [kind, key]: readonly [number, number]): Promise<void> {
    const isTaken = (await client.query(FIND_OTHER_CLAIM, [kind, key])).rows.length > 0;
    if (isTaken) this.#claims.delete(kind);
    else await client.query(TAKE_CLAIM, [kind, key]);
  }

  #connectLater(): void {
    if (this.#isClosed) return;
    const delay = Math.min(MAX_RECONNECT_MS, RECONNECT_MS * 2 ** this.#failures++);
    this.#retry = setTimeout(() => void this.#connect(), delay).unref();
  }

  /**
   * Claims a value for this process, which its connection holds until it ends. Replaces the value of the same kind that was claimed before.
   * Returns false while other processes have claimed another value, and for 15 seconds after such a claim was seen, since its process may
   * only have lost its connection. Calls of all processes must be serialised by a lock.
   */
  async claim(kind: number, value: string): Promise<boolean> {
    const client = this.#client;
    if (client === undefined || !this.#isConnected) throw new AppError("unavailable", "The database is away. Try again in a moment.", 1);
    const key = hashToKey(value);
    if ((await client.query(FIND_OTHER_CLAIM, [kind, key])).rows.length > 0) this.#othersSeenAt.set(kind, performance.now());
    if (performance.now() - (this.#othersSeenAt.get(kind) ?? -Infinity) < CLAIM_ABSENCE_MS) return false;
    const before = this.#claims.get(kind);
    if (before === key) return true;
    await client.query(TAKE_CLAIM, [kind, key]);
    if (before !== undefined) await client.query(DROP_CLAIM, [kind, before]);
    this.#claims.set(kind, key);
    return true;
  }

  /** Calls the subscriber for every topic that any process publishes. */
  subscribe(subscriber: (topic: Topic) => void): void {
    this.#subscribers.add(subscriber);
  }

  /** Calls the subscribers of this process at once, and those of other processes soon. */
  publish(topic: Topic): void {
    for (const subscriber of this.#subscribers) subscriber(topic);
    this.#pending.add(topic);
    this.#sending ??= this.#send();
  }

  async #send(): Promise<void> {
    try {
      while (this.#pending.size > 0) {
        const topics = [...this.#pending].slice(0, MAX_TOPICS);
        for (const topic of topics) this.#pending.delete(topic);
        await this.#db.get(`SELECT pg_notify('${CHANNEL}', @payload)`, { payload: JSON.stringify([this.#self, ...topics]) });
        if (!this.#isClosed) await new Promise((resolve) => setTimeout(resolve, MIN_INTERVAL_MS));
      }
    } catch {
      // The notification is lost; other processes find the change by polling.
      this.#pending.clear();
    } finally {
      this.#sending = undefined;
    }
  }

  #receive(payload: string): void {
    const [sender, ...topics] = parsePayload(payload);
    if (sender === undefined || sender === this.#self) return;
    for (const topic of topics) for (const subscriber of this.#subscribers) subscriber(topic as Topic);
  }

  /** Sends pending notifications and stops listening. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    await this.#sending;
    const client = this.#client;
    this.#client = undefined;
    await client?.end().catch(() => {});
  }
}

/** Returns a positive number of 31 bits, as keys of advisory locks are. */
const hashToKey = (value: string): number => Number.parseInt(hash("sha256", value).slice(0, 8), 16) >>> 1;

/** Parses sender and topics. Returns an empty list for a foreign notification, since every user of the database can send on this channel. */
function parsePayload(payload: string): string[] {
  try {
    const parts: unknown = JSON.parse(payload);
    return Array.isArray(parts) && parts.every((part) => typeof part === "string") ? parts : [];
  } catch {
    return [];
  }
}
