import { randomUUID } from "node:crypto";
import { Client } from "pg";
import type { Database } from "./database.ts";

/** What nodes tell each other: there is work, there are events to send, keys changed, a board changed. Ids only, never content. */
export type Topic = "work" | "deliveries" | "keys" | `board ${string}`;

const CHANNEL = "tessera";
/** A notification may have 8,000 bytes; so many topics stay well below. */
const MAX_TOPICS = 150;
/** The least time between two notifications of one process: PostgreSQL commits them one after the other in the whole database. */
const MIN_INTERVAL_MS = 5;
const RECONNECT_MS = 250;
const MAX_RECONNECT_MS = 2_000;

/**
 * Tells the processes that share a database what changed, over LISTEN and NOTIFY. Everything told is a hint: it is sent after the
 * commit, may be lost with its sender or a connection, and whoever listens also looks by itself from time to time.
 */
export class Feed {
  readonly #db: Database;
  readonly #self = randomUUID();
  readonly #listeners = new Set<(topic: Topic) => void>();
  readonly #onGap: () => void;
  #waiting = new Set<Topic>();
  #sending: Promise<void> | undefined;
  #client: Client | undefined;
  #retry: NodeJS.Timeout | undefined;
  #faults = 0;
  #isClosed = false;

  /** `onGap` is called whenever something may have been missed: after each connection. */
  constructor(db: Database, onGap: () => void) {
    this.#db = db;
    this.#onGap = onGap;
  }

  /** Begins to listen; where that fails it is tried again, and polling goes on meanwhile. */
  async start(): Promise<void> {
    if (this.#isClosed) return;
    const client = new Client({
      connectionString: this.#db.url,
      application_name: "tessera feed",
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      connectionTimeoutMillis: 5_000,
    });
    const lose = (): void => {
      if (this.#client !== client) return;
      this.#client = undefined;
      client.end().catch(() => {});
      this.#startLater();
    };
    this.#client = client;
    client.on("error", lose);
    client.on("end", lose);
    client.on("notification", ({ payload }) => this.#hear(payload ?? ""));
    try {
      await client.connect();
      await client.query(`LISTEN ${CHANNEL}`);
      this.#faults = 0;
      this.#onGap();
    } catch {
      lose();
    }
  }

  #startLater(): void {
    if (this.#isClosed) return;
    const wait = Math.min(MAX_RECONNECT_MS, RECONNECT_MS * 2 ** this.#faults++);
    this.#retry = setTimeout(() => void this.start(), wait).unref();
  }

  /** Calls back for what this or another process tells; returns the way to stop. */
  listen(listener: (topic: Topic) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Tells this process at once and the others soon. */
  tell(topic: Topic): void {
    for (const listener of this.#listeners) listener(topic);
    this.#waiting.add(topic);
    this.#sending ??= this.#send();
  }

  async #send(): Promise<void> {
    try {
      while (this.#waiting.size > 0) {
        const topics = [...this.#waiting].slice(0, MAX_TOPICS);
        for (const topic of topics) this.#waiting.delete(topic);
        await this.#db.get("SELECT pg_notify($1, $2)", CHANNEL, JSON.stringify([this.#self, ...topics]));
        if (!this.#isClosed) await new Promise((resolve) => setTimeout(resolve, MIN_INTERVAL_MS));
      }
    } catch {
      // The others find it by looking, as they would after any lost notification.
      this.#waiting.clear();
    } finally {
      this.#sending = undefined;
    }
  }

  #hear(payload: string): void {
    const [sender, ...topics] = readPayload(payload);
    if (sender === undefined || sender === this.#self) return;
    for (const topic of topics) for (const listener of this.#listeners) listener(topic as Topic);
  }

  /** Sends what waits and stops listening. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    await this.#sending;
    const client = this.#client;
    this.#client = undefined;
    await client?.end().catch(() => {});
  }
}

/** The words of a notification; nothing of one that is not ours, since anybody in the database may notify on any channel. */
function readPayload(payload: string): string[] {
  try {
    const words: unknown = JSON.parse(payload);
    return Array.isArray(words) && words.every((word) => typeof word === "string") ? words : [];
  } catch {
    return [];
  }
}
