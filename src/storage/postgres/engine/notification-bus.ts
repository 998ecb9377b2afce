import { randomUUID } from "node:crypto";
import { Client } from "pg";
import type { Database } from "./database.ts";

/** What nodes announce to each other: there is work, there are events to send, keys changed, a board changed. Ids only, never content. */
export type Topic = "work" | "deliveries" | "keys" | `board ${string}`;

const CHANNEL = "tessera";
/** A notification may have 8,000 bytes; so many topics stay well below. */
const MAX_TOPICS = 150;
/** The least time between two notifications of one process: PostgreSQL commits them one after the other in the whole database. */
const MIN_INTERVAL_MS = 5;
const RECONNECT_MS = 250;
const MAX_RECONNECT_MS = 2_000;

/**
 * Publishes changes to the processes that share a database, over LISTEN and NOTIFY. A notification is sent after the commit, and may be
 * lost with its sender or a connection, so every subscriber polls as well.
 */
export class NotificationBus {
  readonly #db: Database;
  readonly #self = randomUUID();
  readonly #subscribers = new Set<(topic: Topic) => void>();
  #onConnect: () => void = () => {};
  #unsent = new Set<Topic>();
  #sending: Promise<void> | undefined;
  #client: Client | undefined;
  #retry: NodeJS.Timeout | undefined;
  #failures = 0;
  #isClosed = false;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Begins to listen, and tries again where that fails. `onConnect` is called after each connection: notifications may have been missed. */
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
      this.#failures = 0;
      this.#onConnect();
    } catch {
      reconnect();
    }
  }

  #connectLater(): void {
    if (this.#isClosed) return;
    const delay = Math.min(MAX_RECONNECT_MS, RECONNECT_MS * 2 ** this.#failures++);
    this.#retry = setTimeout(() => void this.#connect(), delay).unref();
  }

  /** Calls back for what this or another process publishes. */
  subscribe(subscriber: (topic: Topic) => void): void {
    this.#subscribers.add(subscriber);
  }

  /** Calls the subscribers of this process at once, and those of the others soon. */
  publish(topic: Topic): void {
    for (const subscriber of this.#subscribers) subscriber(topic);
    this.#unsent.add(topic);
    this.#sending ??= this.#send();
  }

  async #send(): Promise<void> {
    try {
      while (this.#unsent.size > 0) {
        const topics = [...this.#unsent].slice(0, MAX_TOPICS);
        for (const topic of topics) this.#unsent.delete(topic);
        await this.#db.get("SELECT pg_notify($1, $2)", CHANNEL, JSON.stringify([this.#self, ...topics]));
        if (!this.#isClosed) await new Promise((resolve) => setTimeout(resolve, MIN_INTERVAL_MS));
      }
    } catch {
      // The other processes find the changes by polling, as after any lost notification.
      this.#unsent.clear();
    } finally {
      this.#sending = undefined;
    }
  }

  #receive(payload: string): void {
    const [sender, ...topics] = parsePayload(payload);
    if (sender === undefined || sender === this.#self) return;
    for (const topic of topics) for (const subscriber of this.#subscribers) subscriber(topic as Topic);
  }

  /** Sends what is unsent and stops listening. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    await this.#sending;
    const client = this.#client;
    this.#client = undefined;
    await client?.end().catch(() => {});
  }
}

/** Sender and topics of a notification; empty for one that is not ours, since anybody in the database may notify on any channel. */
function parsePayload(payload: string): string[] {
  try {
    const parts: unknown = JSON.parse(payload);
    return Array.isArray(parts) && parts.every((part) => typeof part === "string") ? parts : [];
  } catch {
    return [];
  }
}
