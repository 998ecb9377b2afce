import { randomUUID } from "node:crypto";
import { Client } from "pg";
import type { Database } from "./database.ts";

/** What changed: new jobs, new events to send, API keys, or a board. Notifications contain ids, never content. */
export type Topic = "work" | "deliveries" | "keys" | `board ${string}`;

const CHANNEL = "tessera";
/** Maximum number of topics in one notification, which PostgreSQL limits to 8,000 bytes. */
const MAX_TOPICS = 150;
/** Minimum time between two notifications of a process, since PostgreSQL serialises their commits in the whole database. */
const MIN_INTERVAL_MS = 5;
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
  #isClosed = false;

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
        await this.#db.get("SELECT pg_notify($1, $2)", CHANNEL, JSON.stringify([this.#self, ...topics]));
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

/** Parses sender and topics. Returns an empty list for a foreign notification, since every user of the database can send on this channel. */
function parsePayload(payload: string): string[] {
  try {
    const parts: unknown = JSON.parse(payload);
    return Array.isArray(parts) && parts.every((part) => typeof part === "string") ? parts : [];
  } catch {
    return [];
  }
}
