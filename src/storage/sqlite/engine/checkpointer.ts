import type Database from "better-sqlite3";
import { startThread, type Thread } from "#runtime/thread.ts";

/*
 * Tuning: in the writer's thread, checkpoints blocked every caller for 5 to 10 ms once a second (decision 6).
 */

/** The log is moved into the file from this many pages (16 MB) on: pages that are written often move once. */
const MAX_PAGES = 4_000;
/** From this many pages on SQLite moves the log itself, in the writer's thread, in case our thread is too slow or can't start. */
const BACKSTOP_PAGES = 16_000;
/** How many commits pass between two checks of the log's length, since a check takes 5 µs. */
const COMMITS_PER_CHECK = 8;
/** An idle thread ends after this time. */
const IDLE_MS = 20_000;

type State = "resting" | "moving" | "moved";

/**
 * Checkpoints: moves the write-ahead log into the database file from a thread with a connection of its own, where it blocks no reader.
 * Writers go on during the first move, and the log grows; they wait for a second, short one, after which SQLite reuses the log.
 */
export class Checkpointer {
  readonly #db: Database.Database;
  readonly #readLength: Database.Statement<[], { log: number }>;
  #thread: Thread | undefined;
  #idle: NodeJS.Timeout | undefined;
  #ended: (() => void) | undefined;
  #state: State = "resting";
  #commits = 0;
  /** Pages that the last move left in the log, because another connection was reading them. */
  #left = 0;

  constructor(db: Database.Database) {
    this.#db = db;
    db.pragma(`wal_autocheckpoint = ${BACKSTOP_PAGES}`);
    // Returns the length of the log and moves nothing.
    this.#readLength = db.prepare("PRAGMA wal_checkpoint(NOOP)");
  }

  /** Checkpoints a log that has become long. Called between two commits; the next one waits for the promise, where there is one. */
  maybeCheckpoint(): Promise<void> | undefined {
    if (this.#state === "moved") return this.#finish();
    if (this.#state === "moving" || ++this.#commits % COMMITS_PER_CHECK !== 0) return undefined;
    const pages = this.#pages();
    if (pages < this.#left) this.#left = 0;
    if (pages - this.#left >= MAX_PAGES) void this.#move("moved");
    return undefined;
  }

  /** Ends the thread after its current move. */
  async stop(): Promise<void> {
    clearTimeout(this.#idle);
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.end();
    this.#ended?.();
    clearTimeout(this.#idle);
  }

  async #finish(): Promise<void> {
    await this.#move("resting");
    if (this.#db.open) this.#left = this.#pages();
  }

  #pages(): number {
    return this.#readLength.get()?.log ?? 0;
  }

  /** A thread that fails is replaced at the next check; until then SQLite limits the log by itself. */
  #move(after: State): Promise<void> {
    this.#state = "moving";
    clearTimeout(this.#idle);
    return new Promise((resolve) => {
      this.#ended = () => {
        this.#ended = undefined;
        this.#state = after;
        this.#thread?.unref();
        this.#idle = setTimeout(() => void this.stop(), IDLE_MS).unref();
        resolve();
      };
      this.#thread ??= this.#start();
      // The process must not end while writers wait for the thread.
      this.#thread.ref();
      this.#thread.post("move");
    });
  }

  #start(): Thread {
    const thread = startThread(
      new URL("./checkpoint-thread.ts", import.meta.url),
      { workerData: this.#db.name },
      {
        onMessage: () => this.#ended?.(),
        onFailure: () => {
          if (this.#thread !== thread) return;
          this.#thread = undefined;
          this.#ended?.();
          this.#state = "resting";
        },
      },
    );
    return thread;
  }
}
