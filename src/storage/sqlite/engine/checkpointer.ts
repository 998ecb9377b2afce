import type Database from "better-sqlite3";
import { startThread, type Thread } from "#runtime/thread.ts";

/** From how many pages on (16 MB) the log is moved into the file: pages written often move once. */
const MAX_PAGES = 4_000;
/** From here on SQLite moves the log itself, in the writer's thread: for when ours is too slow, or can't start. */
const BACKSTOP_PAGES = 16_000;
/** The log is looked at every so many commits, since a look costs 5 µs. */
const LOOK_COMMITS = 8;
/** How long a thread without work is kept. */
const IDLE_MS = 20_000;

type State = "resting" | "moving" | "moved";

/**
 * Moves the write-ahead log into the database file from a thread with a connection of its own, where it holds up no reader. While
 * the bulk moves, writers go on and the log grows; so a second, short move follows that they wait for, after which the log is all in
 * the file and the next commit begins it anew.
 */
export class Checkpointer {
  readonly #db: Database.Database;
  readonly #look: Database.Statement<[], { log: number }>;
  #thread: Thread | undefined;
  #idle: NodeJS.Timeout | undefined;
  #ended: (() => void) | undefined;
  #state: State = "resting";
  #commits = 0;
  /** Pages that an earlier move left in the log, since somebody else was still reading it. */
  #left = 0;

  constructor(db: Database.Database) {
    this.#db = db;
    db.pragma(`wal_autocheckpoint = ${BACKSTOP_PAGES}`);
    // Says how long the log is and moves nothing.
    this.#look = db.prepare("PRAGMA wal_checkpoint(NOOP)");
  }

  /** Called between two commits; the next one waits for the promise, where there is one. */
  tend(): Promise<void> | undefined {
    if (this.#state === "moved") return this.#finish();
    if (this.#state === "moving" || ++this.#commits % LOOK_COMMITS !== 0) return undefined;
    const pages = this.#pages();
    if (pages < this.#left) this.#left = 0;
    if (pages - this.#left >= MAX_PAGES) void this.#move("moved");
    return undefined;
  }

  /** Ends the thread, after the move that is under way. */
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
    return this.#look.get()?.log ?? 0;
  }

  /** A thread that fails is dropped; the backstop holds until the next look starts another. */
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
      // Writers may wait for it, and the process must not end meanwhile.
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
