import type Database from "better-sqlite3";
import { packageUrl } from "#runtime/files/package.ts";
import { startThread, type Thread } from "#runtime/process/thread.ts";

/*
 * Tuning: in the writer's thread, checkpoints blocked every caller for 5 to 10 ms once a second (decision 6).
 */

/** The log is checkpointed at this length (16 MB). A longer log saves work for pages that are written often. */
const CHECKPOINT_PAGES = 4_000;
/** At this length SQLite checkpoints in the writer's thread, in case our thread is too slow or can't start. */
const AUTO_CHECKPOINT_PAGES = 16_000;
/** Commits between two checks of the length of the log. A check takes 5 µs. */
const COMMITS_PER_CHECK = 8;
/** An idle thread ends after this time. */
const IDLE_MS = 20_000;

/** After the first move, writers have to wait for the second one. */
type State = "idle" | "moving" | "moved";

/**
 * Moves the write-ahead log into the database file, in a thread with its own connection that does not block readers. Writers continue
 * during a first move, which lengthens the log. They wait for a second, short one, after which SQLite reuses the log.
 */
export class Checkpointer {
  readonly #db: Database.Database;
  readonly #readLength: Database.Statement<[], { log: number }>;
  #thread: Thread | undefined;
  #idle: NodeJS.Timeout | undefined;
  #ended: (() => void) | undefined;
  #state: State = "idle";
  #commits = 0;
  /** Pages that the last move could not move, because another connection was reading them. */
  #unmovedPages = 0;

  constructor(db: Database.Database) {
    this.#db = db;
    db.pragma(`wal_autocheckpoint = ${AUTO_CHECKPOINT_PAGES}`);
    // Returns the length of the log without moving anything.
    this.#readLength = db.prepare("PRAGMA wal_checkpoint(NOOP)");
  }

  /** Checkpoints a long log. Call it between two commits; if it returns a promise, the next commit must wait for it. */
  maybeCheckpoint(): Promise<void> | undefined {
    if (this.#state === "moved") return this.#finish();
    if (this.#state === "moving" || ++this.#commits % COMMITS_PER_CHECK !== 0) return undefined;
    const pages = this.pages();
    if (pages < this.#unmovedPages) this.#unmovedPages = 0;
    if (pages - this.#unmovedPages >= CHECKPOINT_PAGES) void this.#move("moved");
    return undefined;
  }

  /** Moves the log now, unless a move is under way. */
  async checkpoint(): Promise<void> {
    if (this.#state !== "moving") await this.#finish();
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
    await this.#move("idle");
    if (this.#db.open) this.#unmovedPages = this.pages();
  }

  /** Returns the length of the log. */
  pages(): number {
    return this.#readLength.get()?.log ?? 0;
  }

  /** A failed thread is replaced at the next check. Until then SQLite limits the length of the log. */
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
      packageUrl("#storage/sqlite/engine/checkpoint-thread.ts"),
      { workerData: this.#db.name },
      {
        onMessage: () => this.#ended?.(),
        onFailure: () => {
          if (this.#thread !== thread) return;
          this.#thread = undefined;
          this.#ended?.();
          this.#state = "idle";
        },
      },
    );
    return thread;
  }
}
